import { expect, test } from 'vitest';
import { loadShortcuts } from '../../../../components/kit/keys/loading.ts';
import { fillDemo, openKeys, sessions } from '../../open-console.tsx';

test('marks a row with Space, shows a column of marks while any row is marked, and clears the marks on Esc before leaving', async () => {
  const app = await openKeys();
  expect(app.screen.lines()[3]).toMatch(/^KEY/);
  await app.go(['space'], '1 marked');
  expect(app.screen.lines()[3]).toMatch(/^ {2}KEY/);
  expect(app.screen.lines()[4]).toMatch(/^\* image/);
  expect(app.screen.selected()).toMatch(/^user:1/);
  await app.go(['space'], '2 marked');
  await app.go(['esc'], (screen) => !screen.text().includes('marked'));
  expect(app.screen.lines()[3]).toMatch(/^KEY/);
  await app.go(['esc'], 'demo-flags');
});

test('marks a range, all rows, the unmarked rows or none; the header counts marks that a filter hides', async () => {
  const app = await openKeys();
  await app.go(['space', 'v'], '2 marked');
  await app.go(['*'], '1 marked');
  expect(app.screen.text()).toMatch(/^\* user:2/m);
  await app.go(['/', 'i', 'm', 'down'], '1 marked, 1 not shown');
  await app.go(['a'], '2 marked, 1 not shown');
  await app.go(['esc'], (screen) => /2 marked · 3 keys/.test(screen.text()));
  await app.go(['A'], (screen) => !screen.text().includes('marked'));
  await app.go(['A'], 'Nothing is marked.');
});

test('keeps marks after a reload, and removes the mark of a deleted key', async () => {
  const app = await openKeys();
  await app.go(['space', 'space', 'r'], '2 marked · 3 keys');
  app.kv.remove(sessions, 'image');
  await app.go(['r'], '1 marked · 2 keys');
});

test('shows marks on a screen of 40x12', async () => {
  const app = await openKeys({ columns: 40, rows: 12 });
  await app.go(['space', 'space'], '2 marked');
  expect(app.screen.lines()[1]).toBe('‹ demo-sessions · 2 marked · 3 keys');
  expect(app.screen.lines()[3]).toMatch(/^\* image/);
});

test('marks all loaded rows, and reports that more rows exist; another key loads all rows', async () => {
  const app = await openKeys({
    fill(kv) {
      fillDemo(kv);
      for (let at = 0; at < 3500; at++) kv.put(sessions, `user:2:${String(at).padStart(4, '0')}`, '');
    },
  });
  const offered = (complete: boolean) =>
    loadShortcuts.map(({ quietIn }) => quietIn?.({ readOnly: false, selected: true, complete }) !== true);
  expect([offered(false), offered(true)]).toEqual([
    [true, true],
    [false, false],
  ]);
  await app.go(['a'], 'More on the server: press m for a page, L for all.');
  expect(app.screen.text()).toContain('1,000 marked · 1,000 loaded, more on the server');
  await app.go(['L'], '1,000 marked · 3,503 keys');
  await app.go(['L'], 'All rows are loaded.');
  await app.go(['a'], '3,503 marked · 3,503 keys');
});
