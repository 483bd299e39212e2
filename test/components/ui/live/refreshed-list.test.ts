import { expect, test } from 'vitest';
import { addPage, refreshList, wantAll } from '../../../../components/ui/lists/list-pages.ts';
import { narrow } from '../../../../components/ui/lists/narrowing.ts';
import { emptyList, type PagedList, shownLength } from '../../../../components/ui/lists/paged-list.ts';
import { byName } from '../../../../components/ui/lists/row-kind.ts';
import { eachRow } from '../../../../components/ui/lists/rows.ts';

interface Row {
  readonly name: string;
  readonly tag?: string;
}

const pageSize = 10;
const height = 4;
const names = (list: PagedList<Row>) => [...eachRow(list.rows)].map(({ name, tag }) => `${name}${tag ?? ''}`);
const key = (at: number) => `k${String(at).padStart(3, '0')}`;
const platform = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ name: key(at) }));

/** Reads the list from a platform with these rows, up to this number of pages. */
function read(list: PagedList<Row>, all: readonly Row[], pages = Number.POSITIVE_INFINITY): PagedList<Row> {
  let next = list;
  for (let page = 0; page < pages && (page === 0 || next.refill !== undefined || !next.complete); page++) {
    const items = all.slice(page * pageSize, (page + 1) * pageSize);
    const complete = (page + 1) * pageSize >= all.length;
    next = addPage(next, { generation: next.generation, items, complete, at: 1 });
    if (list.refill !== undefined && next.refill === undefined) return next;
  }
  return next;
}

const listed = (count: number, pages?: number) =>
  read(emptyList<Row>(byName, { pageSize }), platform(count), pages);

test('rereads only the rows on the screen, and keeps all other rows', () => {
  const list = listed(100);
  const changed = platform(100).map((row, at) => (at === 3 || at === 50 ? { ...row, tag: '!' } : row));
  const after = read(refreshList(list, height), changed);
  expect(after.pages - list.pages).toBe(1);
  expect([after.complete, after.rows.length, after.news]).toEqual([true, 100, 1]);
  expect(names(after).filter((name) => name.endsWith('!'))).toEqual(['k003!']);
});

test('removes deleted rows, and inserts new rows that sort before the last reread row', () => {
  const list = listed(100);
  const others = [{ name: 'k000a' }, ...platform(100).filter((_, at) => at !== 2)];
  const sorted = others.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const after = read(refreshList(list, height), sorted);
  expect(names(after)).toEqual(sorted.map(({ name }) => name));
});

test('updates only the age of the list if no row has changed', () => {
  const list = listed(100);
  const after = read(refreshList(list, height), platform(100));
  expect(after.rows).toBe(list.rows);
  expect(after.pick).toBe(list.pick);
  expect([after.news, after.complete, after.cursor]).toEqual([list.news, true, list.cursor]);
});

test('finds rows added after a complete list whose last page was full', () => {
  const list = listed(10);
  expect(list.complete).toBe(true);
  const after = read(refreshList(list, height), platform(14));
  expect([after.rows.length, after.complete]).toEqual([14, true]);
});

test('continues the previous listing if rows that it returned remain, and otherwise starts a new listing', () => {
  const list = listed(100, 3);
  const refreshing = refreshList(list, height);
  expect(refreshing.listing).toBe(list.listing);
  const after = read(refreshing, platform(100));
  expect([after.rows.length, after.complete, after.listing]).toEqual([30, false, list.listing]);
  // Rows were deleted, so the reread page extends beyond the loaded rows: continuing the old listing would repeat rows.
  const one = listed(100, 1);
  const fewer = read(refreshList(one, height), platform(100).slice(3));
  expect(fewer.rows.length).toBe(10);
  expect(fewer.listing).toBe(fewer.generation);
});

test('rereads all rows of a short filtered list, and keeps the filter', () => {
  const list = narrow(wantAll(listed(40)), '5');
  const added = [...platform(40), { name: 'k995' }];
  const after = read(refreshList(list, height), added);
  expect(shownLength(after)).toBe(shownLength(list) + 1);
});
