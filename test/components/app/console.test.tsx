import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { fillDemo, openConsole, openKeys, sessions } from '../open-console.tsx';

test('opens keys from namespaces and a value from keys, and Esc goes back', async () => {
  const app = await openKeys();
  await app.go(['down', 'enter'], '"Ada"');
  expect(app.screen.lines()[1]).toBe('Namespaces › demo-sessions › user:1 · line 1 of 7');
  await app.go(['esc'], 'Enter value');
  expect(app.screen.selected()).toContain('user:1');
  await app.go(['esc'], 'demo-flags');
  expect(app.screen.selected()).toContain('demo-sessions');
  app.press('q');
  expect(await app.ended).toBe(0);
});

test('shows the profile, account and target on every pane', async () => {
  const app = await openKeys({
    label: { target: 'production', readOnly: true, accountLabel: 'Acme\u001b[31m' },
  });
  expect(app.screen.lines()[0]).toBe('PRODUCTION READ-ONLY  demo · Acme␛[31m');
  await app.go(['enter'], 'hex');
  expect(app.screen.lines()[0]).toBe('PRODUCTION READ-ONLY  demo · Acme␛[31m');
});

test('runs several key presses from one read in order', async () => {
  const app = await openKeys();
  app.send('\u001b[B\u001b[Bk\r');
  await app.screen.waitFor('"Ada"');
});

test('exits with 130 on Ctrl-C, even in a form, and closes the session', async () => {
  const app = await openKeys();
  await app.go(['n'], 'New key');
  app.press('ctrl+c');
  expect(await app.ended).toBe(130);
  expect(app.sessions()).toBe(0);
  expect(app.screen.modes()).toEqual({
    alternate: false,
    wrap: true,
    paste: false,
    mouse: 'none',
    cursor: true,
  });
  expect(app.isRaw()).toBe(false);
});

test('exits immediately on Ctrl-C and drops presses that are still queued', async () => {
  const app = await openKeys();
  app.send(`${'jk'.repeat(1500)}n${'x'.repeat(10_000)}\u0003`);
  expect(await app.ended).toBe(130);
  expect(app.screen.raw).not.toContain('New key');
});

test('combines the repeats of a held key into one move, and runs the next press after the move', async () => {
  const app = await openKeys({
    fill(kv) {
      fillDemo(kv);
      for (let index = 0; index < 900; index++) kv.put(sessions, `z${String(index).padStart(3, '0')}`, 'x');
    },
  });
  const before = app.screen.raw.length;
  app.send(`${'j'.repeat(700)}${'k'.repeat(100)}d`);
  await app.screen.waitFor('Delete the key z597?');
  expect(app.screen.raw.length - before).toBeLessThan(10_000);
});

test('exits when the process is interrupted', async () => {
  const app = await openKeys();
  app.interrupt();
  expect(await app.ended).toBe(130);
  expect(app.screen.modes().alternate).toBe(false);
});

test('switches the target, opens its namespaces, and closes the previous session', async () => {
  const app = await openKeys();
  await app.go(['t'], '> ✓ local');
  await app.go(['up', 'enter'], 'PREVIEW');
  await app.screen.waitFor('2 namespaces');
  expect(app.sessions()).toBe(1);
});

test('keeps the current target if the other target cannot be opened', async () => {
  const refuse = (target: string) =>
    target === 'production' ? new Problem('not-signed-in', 'No token.') : undefined;
  const app = await openKeys({ refuse });
  await app.go(['t', 'up', 'up', 'enter'], 'error: No token.');
  await app.go(['esc'], 'user:2');
  expect(app.screen.lines()[0]).toContain('LOCAL');
  expect(app.sessions()).toBe(1);
});

test('fails without drawing anything if the first session cannot be opened', async () => {
  const app = openConsole({ refuse: () => new Problem('not-signed-in', 'No token.') });
  await expect(app.ended).rejects.toMatchObject({ code: 'not-signed-in' });
  expect(app.screen.text().trim()).toBe('');
  expect(app.screen.raw).toBe('\u001b]11;?\u0007');
});

test('shows an escaped note of a session until the next press', async () => {
  const app = await openKeys();
  // A note about a call is cleared when the call ends, so the test first waits until the listing is complete: then a key press moves the
  // selection.
  await app.go(['down'], (screen) => screen.selected()?.startsWith('user:1') ?? false);
  app.note('Retried once\u001b[2J.');
  await app.screen.waitFor('Retried once␛[2J.');
  await app.go(['down'], 'Enter value');
});

test('shows a note that was sent before the screen opened', async () => {
  const app = openConsole({ fill: fillDemo, note: 'Read wrangler.toml.' });
  await app.screen.waitFor('Read wrangler.toml.');
});

test('clears the note about a retry when the call ends, and shows the remedy for a failure', async () => {
  const app = await openKeys();
  const listings = () => app.kv.calls.filter((call) => call.startsWith('listKeys')).length;
  for (const fails of [false, true]) {
    const before = listings();
    const release = app.kv.hold('listKeys');
    app.press('r');
    await expect.poll(listings).toBe(before + 1);
    app.note('No answer; attempt 4 in 2.1 s.');
    await app.screen.waitFor('attempt 4');
    if (fails) app.kv.failNext('listKeys', new Problem('unreachable', 'No answer.'));
    release();
    await app.screen.waitFor(fails ? 'r retry  y copy  Esc dismiss' : 'demo-sessions · 3 keys');
    await app.screen.waitFor((screen) => !screen.text().includes('attempt 4'));
  }
});

test('does not cover the remedy for a failure with an earlier note', async () => {
  const app = openConsole({
    fill(kv) {
      kv.failNext('listNamespaces', new Problem('unreachable', 'No answer.'));
    },
    note: 'Read wrangler.toml.',
  });
  await app.screen.waitFor('r retry  y copy  Esc dismiss');
});

test('finds a shortcut in the help by a word of its description', async () => {
  const app = await openKeys();
  await app.go(['?', ...'prefix'], (screen) => /search: prefix/.test(screen.text()));
  expect(app.screen.text()).toContain('List only names with a prefix, from the server');
  await app.go(['esc', 'esc'], 'Enter value');
});

test('draws nothing while idle', async () => {
  const app = await openKeys();
  await app.screen.waitFor('3 keys');
  await app.go(['down'], (screen) => screen.selected()?.includes('user:1') ?? false);
  const before = app.screen.raw.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(app.screen.raw.length).toBe(before);
});

test('leaves no terminal response in the input of the shell if the console cannot open', async () => {
  const app = openConsole({ refuse: () => new Problem('usage', 'No account.') });
  await app.screen.waitFor((screen) => screen.raw.includes('\u001b]11;?'));
  app.send('\u001b]11;rgb:ffff/ffff/ffff\u0007');
  await expect(app.ended).rejects.toThrow('No account.');
  expect(app.stdin.read()).toBeNull();
  expect(app.isRaw()).toBe(false);
});
