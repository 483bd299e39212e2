import { expect, test } from 'vitest';
import { openKeys, sessions } from '../open-console.tsx';
import { openDemo } from '../open-platform.tsx';

test('shows the facts about the selected entry next to the entries at 120 columns, and labels ids', async () => {
  const app = await openKeys({ columns: 120, rows: 30 });
  await app.go([':', ...'demo-s'], 'demo-sessions');
  await app.screen.waitFor((screen) => screen.text().includes('After Enter, on a key'));
  expect(app.screen.text()).toContain(`id ${sessions}`);
  expect(app.screen.lines()[2]).toMatch(/^╭─ Actions and places ─+╮╭─ demo-sessions ─+╮$/);
});

test('uses the whole width for the entries on a narrower screen', async () => {
  const app = await openKeys({ columns: 119, rows: 30 });
  await app.go([':', ...'demo-s'], 'go to: demo-s');
  expect(app.screen.text()).not.toContain('After Enter, on a key');
  expect(app.screen.lines()[2]).toMatch(/^╭─ Actions and places ─+╮$/);
});

test('labels the facts about a namespace, states what Enter does, and lists only actions on a key', async () => {
  const app = await openDemo({ columns: 200, rows: 50 });
  await app.screen.waitFor('menu.sushi-garden.demo');
  await app.go([':', ...'catalogue'], 'link         kv/shop-CATALOGUE');
  const facts = app.screen.lines().map((line) => line.split('││ ')[1]?.replace(/ *│$/, '') ?? '');
  expect(facts.slice(3, 16)).toEqual([
    'kind         namespace',
    expect.stringMatching(/^id {11}[0-9a-f]{32}$/),
    'link         kv/shop-CATALOGUE',
    '',
    'Enter        Open the namespace',
    '',
    'After Enter, on a key',
    // The descriptions in docs/keys.md.
    'n            Write a new key',
    'e            Edit the value (if it is short text), expiry and metadata of the key',
    'd            Delete the key, or all marked keys',
    'Ctrl-E       Set the expiry of the key, or of all marked keys',
    'w            Export the key, or all marked keys, with metadata and expiry, to a file',
    'c            Copy the key, or all marked keys, to a namespace of any target or profile',
  ]);
  expect(facts.slice(16).join('')).toBe('');
});

test('labels each fact about a bucket and about a worker', async () => {
  const app = await openDemo({ columns: 200, rows: 50 });
  await app.screen.waitFor('menu.sushi-garden.demo');
  const facts = () => app.screen.lines().map((line) => line.split('││ ')[1]?.replace(/ *│$/, '') ?? '');
  await app.go([':', ...'shop-assets'], 'link         objects/shop-assets');
  expect(facts().slice(3, 8)).toEqual([
    'kind         bucket',
    expect.stringMatching(/^created {6}\d{4}-\d\d-\d\d$/),
    'location     weur',
    'link         objects/shop-assets',
    '',
  ]);
  expect(app.screen.text()).toMatch(/shop-assets {2,}created \d{4}-\d\d-\d\d · weur /);
  await app.go(['esc'], (screen) => !screen.text().includes('go to:'));
  await app.go([':', ...'shop-edge'], 'link         workers/shop-edge');
  expect(facts().slice(3, 7)).toEqual([
    'kind         worker',
    expect.stringMatching(/^modified {5}\d{4}-\d\d-\d\d$/),
    'link         workers/shop-edge',
    '',
  ]);
  expect(app.screen.text()).toMatch(/shop-edge {2,}modified \d{4}-\d\d-\d\d /);
});

test('labels the facts about a hostname and about an action', async () => {
  const app = await openDemo({ columns: 200, rows: 50 });
  await app.screen.waitFor('menu.sushi-garden.demo');
  await app.go([':', ...'old-mill'], 'status       critical: moved');
  expect(app.screen.text()).toContain('kind         hostname');
  await app.go(['esc'], (screen) => !screen.text().includes('go to:'));
  await app.go([':', ...'quit'], 'Enter        Run the action');
  expect(app.screen.text()).toContain('kind         action');
});

// docs/console.md: the key of an action that can be undone is yellow, and the key of an action that deletes data permanently is red.
test('shows the danger of the actions of a place in the color of their keys', async () => {
  const app = await openDemo({ columns: 200, rows: 50 });
  await app.screen.waitFor('menu.sushi-garden.demo');
  const styleOf = (key: string) => {
    const row = app.screen.lines().findIndex((line) => line.includes(`││ ${key}   `));
    return app.screen.stretches(row).find(({ text }) => text.trim() === key)?.style ?? '';
  };
  await app.go([':', ...'catalogue'], 'link         kv/shop-CATALOGUE');
  expect([styleOf('n'), styleOf('d')]).toEqual([
    expect.not.stringContaining('fore'),
    expect.stringMatching(/fore-(3|11)\b/),
  ]);
  await app.go(['esc'], (screen) => !screen.text().includes('go to:'));
  await app.go([':', ...'shop-edge'], 'link         workers/shop-edge');
  expect(styleOf('d')).toMatch(/fore-(1|9)\b/);
});
