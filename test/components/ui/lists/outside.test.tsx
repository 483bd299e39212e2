import { expect, test } from 'vitest';
import { openConsole } from '../../open-console.tsx';

/** Opens the console on 60 namespaces, which are more than any screen in these tests can show. */
async function openMany(columns: number, rows: number) {
  const app = openConsole({
    columns,
    rows,
    fill(kv) {
      for (let at = 10; at < 70; at++) kv.namespaces.push({ id: `${at}`.repeat(16), title: `title-${at}` });
    },
  });
  await app.go([], (screen) => screen.selected()?.includes('title-10') ?? false);
  return app;
}

test.each([
  [120, 24, '↓ 42 more ─╯'],
  [80, 24, '↓ 42 more ─'],
  [40, 12, '↓ 52 more'],
] as const)('shows how many rows are below and above a screen of %ix%i', async (columns, rows, words) => {
  const app = await openMany(columns, rows);
  await app.screen.waitFor(words);
  await app.go(['pagedown'], (screen) => /↑ \d+ ↓ \d+ more/.test(screen.text()));
  const listed = app.screen.text().match(/^(?:│ )?title-\d\d/gm);
  const [, above, below] = /↑ (\d+) ↓ (\d+) more/.exec(app.screen.text()) ?? [];
  expect(Number(above) + (listed?.length ?? 0) + Number(below)).toBe(60);
  await app.go(['end'], (screen) => /↑ \d+ more/.test(screen.text()) && !screen.text().includes('↓'));
});

test('shows no count of other rows if all rows are on the screen', async () => {
  const app = openConsole({
    fill: (kv) => kv.namespaces.push({ id: 'a'.repeat(32), title: 'only' }),
  });
  await app.go([], (screen) => screen.selected()?.includes('only') ?? false);
  expect(app.screen.text()).not.toMatch(/[↑↓]/);
});

test('does not show the count of other rows next to a notice', async () => {
  const app = await openMany(80, 24);
  await app.screen.waitFor('↓ 42 more ─');
  await app.go(['F'], (screen) => /(?:paused|resumed|refresh)/i.test(screen.text().split('\n').at(-2) ?? ''));
  expect(app.screen.text()).not.toContain('more ─');
});
