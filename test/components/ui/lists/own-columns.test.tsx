import { expect, test } from 'vitest';
import type { Column } from '../../../../components/ui/lists/columns.ts';
import { chooseColumns, formatColumns, parseColumns } from '../../../../components/ui/lists/own-columns.ts';
import { openKeys } from '../../open-console.tsx';

const known = ['KEY', 'EXPIRES', 'META'];

const columns: readonly Column<string>[] = [
  { heading: 'EXPIRES', width: 7, importance: 2, cell: () => '' },
  { heading: 'META', width: 6, maxWidth: 36, importance: 1, isExtra: true, cell: () => '' },
];

test.each([
  ['meta expires:9', [{ heading: 'META' }, { heading: 'EXPIRES', width: 9 }]],
  ['KEY:40, META', [{ heading: 'KEY', width: 40 }, { heading: 'META' }]],
  ['  ', undefined],
])('parses the columns %j', (text, own) => {
  expect(parseColumns(text, known)).toEqual({ own });
  if (own !== undefined) expect(parseColumns(formatColumns(own), known)).toEqual({ own });
});

test.each([
  ['SIZE', 'Unknown column "SIZE". Columns: KEY, EXPIRES, META.'],
  ['META meta', 'META appears twice.'],
  ['META:2', 'META: the width must be a whole number from 3 to 120.'],
  ['META:x', 'META: the width must be a whole number from 3 to 120.'],
  ['META:9:9', 'META: the width must be a whole number from 3 to 120.'],
])('rejects the columns %j with the reason', (text, fault) => {
  expect(parseColumns(text, known)).toEqual({ errors: { columns: fault } });
});

test('orders, sizes and hides columns, and shows the chosen columns before the preview', () => {
  const chosen = chooseColumns(columns, [{ heading: 'META', width: 10 }, { heading: 'GONE' }]);
  expect(chosen).toEqual([expect.objectContaining({ heading: 'META', width: 10 })]);
  expect(chosen[0]).not.toHaveProperty('maxWidth');
  expect(chosen[0]).not.toHaveProperty('isExtra');
  expect(chooseColumns(columns, undefined)).toBe(columns);
});

test('saves the columns for each kind of list, and restores the default columns', async () => {
  const app = await openKeys({ columns: 120, rows: 30 });
  await app.go(['#'], 'Columns of keys');
  await app.screen.waitFor('> Columns  EXPIRES META');
  await app.go(['ctrl+u', ...'SIZE', 'enter'], 'Unknown column "SIZE".');
  await app.go(['ctrl+u', ...'meta:12 expires', 'enter'], 'Saved the columns.');
  await app.go([], (screen) => /KEY +META +EXPIRES/.test(screen.text()));
  await app.go(['esc'], 'demo-flags');
  await app.go(['enter'], (screen) => /KEY +META +EXPIRES/.test(screen.text()));
  await app.go(['#', 'ctrl+u', 'enter'], 'Default columns.');
  await app.go([], (screen) => /KEY +EXPIRES +META/.test(screen.text()));
});
