import { expect, test } from 'vitest';
import {
  addPage,
  countRows,
  dropRow,
  moveCursorIn,
  needsPage,
  putRow,
  rereadList,
  restartWithPrefix,
  stopList,
  wantAll,
  wantMore,
} from '../../../../components/ui/lists/list-pages.ts';
import { listCounts } from '../../../../components/ui/lists/list-words.ts';
import { narrow } from '../../../../components/ui/lists/narrowing.ts';
import {
  emptyList,
  type PagedList,
  pageLimit,
  selectedRow,
  shownLength,
  shownRow,
} from '../../../../components/ui/lists/paged-list.ts';
import { byName } from '../../../../components/ui/lists/row-kind.ts';

interface Row {
  readonly name: string;
  readonly size?: number;
}

const words = ['entry', 'entries'] as const;
const rows = (...names: string[]): Row[] => names.map((name) => ({ name }));
const many = (count: number, from = 0): Row[] =>
  rows(...Array.from({ length: count }, (_, index) => `k${String(from + index).padStart(5, '0')}`));

const noList: PagedList<Row> = emptyList(byName);

function page(list: PagedList<Row>, items: readonly Row[], complete = false): PagedList<Row> {
  return addPage(list, { generation: list.generation, items, complete });
}

const whole = page(noList, rows('a', 'b/', 'c', 'd'), true);
const names = (list: PagedList<Row>) =>
  Array.from({ length: shownLength(list) }, (_, index) => shownRow(list, index)?.name);

test('requests the first page, then pages up to one screen ahead of the cursor, and never two pages in parallel', () => {
  expect(needsPage(noList, 20)).toBe(true);
  const full = page(noList, many(pageLimit));
  expect(needsPage(full, 20)).toBe(false);
  const atEnd = moveCursorIn(full, 'last', 20);
  expect(needsPage(atEnd, 20)).toBe(true);
  expect(needsPage({ ...atEnd, loading: true }, 20)).toBe(false);
  expect(needsPage(stopList(atEnd), 20)).toBe(false);
  expect(needsPage(page(atEnd, [], true), 20)).toBe(false);
});

test('requests the next page after a short or empty page if the cursor is near the end of the list', () => {
  expect(needsPage(page(noList, rows('a')), 20)).toBe(true);
  expect(needsPage(page(noList, []), 20)).toBe(true);
});

test('recognizes a full page by the page size of the listing', () => {
  const short = page(emptyList<Row>(byName, { pageSize: 50 }), many(49));
  expect(needsPage(short, 10)).toBe(true);
  const full = page(emptyList<Row>(byName, { pageSize: 50 }), many(50));
  expect(needsPage(full, 10)).toBe(false);
  expect(needsPage(page(restartWithPrefix(full, 'k'), many(50)), 10)).toBe(false);
});

test('loads more rows on request, regardless of the screen', () => {
  const full = page(noList, many(pageLimit));
  expect(needsPage(wantMore(full), 20)).toBe(true);
});

test('drops a page that was requested before the list was restarted', () => {
  const again = restartWithPrefix(whole, 'x');
  expect(addPage(again, { generation: whole.generation, items: rows('z'), complete: true })).toBe(again);
});

test('counts loaded rows, shows that the server has more, and counts filtered rows', () => {
  expect(listCounts(whole, words, 10)).toBe('4 entries');
  expect(listCounts(page(noList, rows('a'), true), words, 10)).toBe('1 entry');
  expect(listCounts(page(noList, many(1000)), words, 10)).toBe('1,000 loaded, more on the server');
  expect(listCounts(narrow(whole, 'b'), words, 10)).toBe('1 of 4 loaded');
  expect(listCounts(stopList(page(noList, many(5))), words, 10)).toContain('stopped: press r to reload');
});

test('shows loaded rows and the total that the platform reports', () => {
  const some = countRows(page(noList, many(1000)), { generation: 0, total: 4000 });
  expect(listCounts(some, words, 10)).toBe('1,000 of 4,000 loaded');
  expect(listCounts(narrow(some, 'k00001'), words, 10)).toBe('1 of 1,000 loaded, 4,000 in all');
  expect(listCounts(wantAll(some), words, 10)).toBe('loading all, Esc to stop · 1,000 of 4,000 loaded');
  expect(listCounts(countRows(some, { generation: 0, total: 7 }), words, 10)).toBe(
    '1,000 loaded, more on the server',
  );
  expect(countRows(some, { generation: 3, total: 7 })).toBe(some);
  expect(listCounts(page(some, [], true), words, 10)).toBe('1,000 entries');
});

test('shows that rows are loading', () => {
  expect(listCounts(noList, words, 10)).toBe('loading…');
  expect(listCounts(rereadList(whole), words, 10)).toBe('loading… · 4 loaded');
  expect(listCounts(page(noList, rows('a')), words, 10)).toBe('loading… · 1 loaded');
});

test('filters loaded rows and keeps the selection if the filter shows the selected row', () => {
  const atC = moveCursorIn(moveCursorIn(whole, 'down', 10), 'down', 10);
  expect(selectedRow(atC)?.name).toBe('c');
  const list = narrow(atC, 'c');
  expect(names(list)).toEqual(['c']);
  expect(selectedRow(narrow(list, ''))?.name).toBe('c');
  const longer = narrow(narrow(page(noList, rows('ab', 'abc', 'b'), true), 'b'), 'bc');
  expect(names(longer)).toEqual(['abc']);
});

test('applies the current filter to a new page', () => {
  const list = page(narrow(page(noList, rows('a1', 'b1')), 'a'), rows('a2', 'b2'), true);
  expect(names(list)).toEqual(['a1', 'a2']);
});

test('keeps the shown rows while it rereads, and restores the selection', () => {
  const again = rereadList(moveCursorIn(whole, 'last', 10));
  const half = page(again, rows('a', 'aa'));
  expect(names(half)).toEqual(['a', 'b/', 'c', 'd']);
  const done = page(half, rows('b/', 'd', 'e'), true);
  expect(names(done)).toEqual(['a', 'aa', 'b/', 'd', 'e']);
  expect(selectedRow(done)?.name).toBe('d');
});

test('inserts a row in order and selects it, or replaces an existing row', () => {
  const put = putRow(whole, { name: 'bb' });
  expect(names(put)).toEqual(['a', 'b/', 'bb', 'c', 'd']);
  expect(selectedRow(put)?.name).toBe('bb');
  const changed = putRow(whole, { name: 'c', size: 3 });
  expect(names(changed)).toHaveLength(4);
  expect(selectedRow(changed)).toEqual({ name: 'c', size: 3 });
});

test('does not insert a row that sorts after the loaded rows or lacks the prefix', () => {
  const open = page(noList, rows('a', 'b'));
  expect(putRow(open, { name: 'z' })).toBe(open);
  const filtered = page(restartWithPrefix(whole, 'a'), rows('a'), true);
  expect(putRow(filtered, { name: 'b' })).toBe(filtered);
});

test('removes a row without moving the cursor, even at the end, and ignores an unknown row', () => {
  const last = moveCursorIn(whole, 'last', 10);
  expect(selectedRow(dropRow(last, 'd'))?.name).toBe('c');
  expect(names(dropRow(last, 'nothing'))).toHaveLength(4);
});
