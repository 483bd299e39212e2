import { expect, test } from 'vitest';
import { measureCharacter } from '../../../src/text/width.ts';
import type { MemoryKv } from '../memory-kv.ts';
import { fillDemo, type OpenConsole, openConsole } from '../open-console.tsx';

const sessions = 'a'.repeat(32);

function fill(kv: MemoryKv): void {
  fillDemo(kv);
  for (let index = 0; index < 200; index++) kv.put(sessions, `key:${index}`, `value ${index}\n`.repeat(100));
}

/** Expects all rows of the screen, with the header at the top and the footer at the bottom, and no row wider than the screen. */
function expectWhole(app: OpenConsole, columns: number, rows: number): void {
  const lines = app.screen.lines();
  expect(lines.length).toBe(rows);
  expect(lines[0]).toMatch(/^LOCAL {2}demo/);
  expect(app.screen.head()).toMatch(/demo-sessions|‹ key:0/);
  expect(lines.at(-1)).toMatch(/\? more$/);
  expect(lines.every((line) => measureCharacter(line) <= columns)).toBe(true);
}

async function openKeys(columns: number, rows: number): Promise<OpenConsole> {
  const app = openConsole({ fill, columns, rows });
  await app.screen.waitFor('demo-sessions');
  await app.go(['down', 'enter'], 'key:0');
  return app;
}

test.each([
  [120, 40],
  [80, 24],
  [40, 12],
  [40, 10],
])('draws keys, value and forms on %ix%i', async (columns, rows) => {
  const app = await openKeys(columns, rows);
  expectWhole(app, columns, rows);
  await app.go(['down', 'enter'], 'y copy');
  expectWhole(app, columns, rows);
  await app.go(['esc'], 'Enter value');
  await app.go(['n'], '> Key');
  app.press('tab', 'tab', 'tab', ...'x', 'enter');
  await app.screen.waitFor('cannot be empty');
  expect(app.screen.lines().length).toBe(rows);
});

test('wraps the help on a narrow screen, and scrolls to its end', async () => {
  const app = await openKeys(40, 12);
  await app.go(['?', ...'capital'], 'search: capital');
  const about = app.screen.lines().map((line) => line.trim());
  expect(about.join(' ')).toContain(
    'Show only matches: part of the name, /regex/, !not, ~fuzzy; a capital letter makes the filter case-sensitive',
  );
  await app.go(['esc'], 'Here: Keys');
  await app.go(Array<string>(24).fill('pagedown'), (screen) =>
    /Redraw the screen.*Set your own keys/s.test(screen.text()),
  );
  await app.go(['esc'], 'Enter value');
});

test('asks before deleting on the smallest screen, and shows the question and both answers', async () => {
  const app = await openKeys(40, 10);
  await app.go(['d'], 'Delete the key');
  expect(app.screen.text()).toContain('> No');
  expect(app.screen.text()).toContain('Yes: delete it');
});

test('shows the required size on a screen that is too small, and returns to the same pane when the screen grows', async () => {
  const app = await openKeys(80, 24);
  await app.go(['down'], (screen) => screen.selected()?.includes('key:0') ?? false);
  app.resize({ columns: 30, rows: 6 });
  await app.screen.waitFor('The console needs 40x10');
  app.resize({ columns: 10, rows: 3 });
  await app.screen.waitFor((screen) => screen.lines().join('|') === 'Needs|40x10; has|10x3');
  app.press('down', 'enter', 'x');
  app.resize({ columns: 35, rows: 7 });
  await app.screen.waitFor('35x7');
  app.resize({ columns: 80, rows: 24 });
  await app.screen.waitFor(
    (screen) =>
      (screen.selected()?.includes('key:0') ?? false) && /\? more$/.test(screen.lines().at(-1) ?? ''),
  );
  expectWhole(app, 80, 24);
});

test('exits on Ctrl-C on a screen that is too small', async () => {
  const app = await openKeys(80, 24);
  app.resize({ columns: 12, rows: 4 });
  await app.screen.waitFor('Needs 40x10;');
  app.press('ctrl+c');
  expect(await app.ended).toBe(130);
});

test('leaves no old characters on the screen after a resize', async () => {
  const app = await openKeys(120, 40);
  for (const [columns, rows] of [
    [60, 15],
    [130, 30],
    [41, 11],
    [100, 24],
  ] as const) {
    app.resize({ columns, rows });
    await app.screen.waitFor(
      (screen) => screen.lines().length === rows && /\? more$/.test(screen.lines().at(-1) ?? ''),
    );
    await app.screen.waitFor(
      (screen) => screen.lines().filter((line) => line.includes('LOCAL')).length === 1,
    );
    expectWhole(app, columns, rows);
  }
});

test('draws no colors if they are disabled, but marks the selection', async () => {
  const app = openConsole({ fill, env: { NO_COLOR: '1' } });
  await app.screen.waitFor('demo-sessions');
  expect(app.screen.selected()).toContain('demo-flags');
  expect(app.screen.raw).not.toMatch(/\u001b\[(?:[34]\d|9\d)m/);
});
