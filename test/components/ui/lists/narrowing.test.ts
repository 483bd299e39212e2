import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addPage, dropRow, putRow } from '../../../../components/ui/lists/list-pages.ts';
import { filterNote, listHeader } from '../../../../components/ui/lists/list-words.ts';
import {
  changeSort,
  continuePick,
  isPicking,
  narrow,
  sortBy,
} from '../../../../components/ui/lists/narrowing.ts';
import {
  emptyList,
  type PagedList,
  selectedRow,
  shownLength,
  shownRow,
} from '../../../../components/ui/lists/paged-list.ts';
import { byName, compareBytes, nameColumn, type RowKind } from '../../../../components/ui/lists/row-kind.ts';
import { createMatcher, readPattern } from '../../../../src/text/search/pattern.ts';
import { redact } from '../../plain-surface.ts';

interface Row {
  readonly name: string;
  readonly size?: number | undefined;
}

const kind: RowKind<Row> = {
  ...byName,
  sorts: [{ heading: 'SIZE', by: ({ size }) => size }, nameColumn('NAME')],
};
const noList: PagedList<Row> = emptyList(kind);
const page = (list: PagedList<Row>, items: readonly Row[], complete = true) =>
  addPage(list, { generation: list.generation, items, complete });
const whole = page(noList, [
  { name: 'a', size: 30 },
  { name: 'b' },
  { name: 'c', size: 4 },
  { name: 'd', size: 30 },
]);
const names = (list: PagedList<Row>) =>
  Array.from({ length: shownLength(list) }, (_, index) => shownRow(list, index)?.name);
const settle = (list: PagedList<Row>) => {
  let next = list;
  while (isPicking(next)) next = continuePick(next);
  return next;
};

test('sorts by value in both directions, with equal rows in listing order and empty values last, and restores listing order', () => {
  const sorted = changeSort(whole, 'next');
  expect([sorted.sort, names(sorted)]).toEqual([
    { heading: 'SIZE', isReversed: false },
    ['c', 'a', 'd', 'b'],
  ]);
  expect(names(changeSort(sorted, 'reverse'))).toEqual(['a', 'd', 'c', 'b']);
  const byItsName = changeSort(sorted, 'next');
  expect(names(changeSort(byItsName, 'reverse'))).toEqual(['d', 'c', 'b', 'a']);
  expect(changeSort(byItsName, 'next')).toMatchObject({ sort: undefined, pick: undefined });
  expect(names(changeSort(whole, 'reverse'))).toEqual(['d', 'c', 'b', 'a']);
});

test('keeps the selection while sorting, and shows the sort column and the counts', () => {
  const sorted = changeSort({ ...whole, cursor: { index: 2, top: 0 } }, 'next');
  expect(selectedRow(sorted)?.name).toBe('c');
  const words = { one: 'key', many: 'keys' };
  expect(listHeader({ list: sorted }, words, 10, redact)).toBe('sorted by size ↑ · 4 keys');
  const part = { ...changeSort(sorted, 'reverse'), complete: false };
  expect(listHeader({ list: part }, words, 1, redact)).toMatch(/sorted by size ↓ · .* loaded/);
});

test('reports an invalid expression with the valid syntax, and does not change the list', () => {
  const narrowed = narrow(whole, 'a');
  const wrong = narrow(narrowed, '/(/');
  expect(names(wrong)).toEqual(['a']);
  expect(filterNote({ list: wrong, dialog: { kind: 'filter', text: '/(/' } })).toMatchObject({
    text: expect.stringMatching(/^not applied: .*[Gg]roup/),
    role: 'fault',
  });
  expect(filterNote({ list: whole, dialog: { kind: 'filter', text: '' } })?.text).toContain('~fuzzy');
  expect(filterNote({ list: whole, dialog: { kind: 'filter', text: '/ab' } })?.text).toContain('regex');
  expect(filterNote({ list: whole, dialog: { kind: 'filter', text: 'ab' } })).toBeUndefined();
  expect(names(narrow(wrong, '/[ab]/'))).toEqual(['a', 'b']);
});

test('abandons an expression that takes too long in one row, and shows all rows', () => {
  const list = page(noList, [{ name: 'a' }, { name: `b${'a'.repeat(60)}!` }]);
  const slow = settle(narrow(list, '/(a+)+$/'));
  expect(slow.fault).toContain('takes too long');
  expect(shownLength(slow)).toBe(2);
  expect(names(settle(narrow(slow, 'b')))).toHaveLength(1);
});

const many = Array.from({ length: 100_000 }, (_, index) => ({
  name: `k${String(index).padStart(6, '0')}`,
  size: (index * 7919) % 1000,
}));

test('searches a long list in slices, shows matches as they are found, and restores the selection', () => {
  const long = { ...page(noList, many), cursor: { index: 90_007, top: 90_000 } };
  const begun = narrow(long, '7');
  expect(isPicking(begun)).toBe(true);
  expect(listHeader({ list: begun }, { one: 'key', many: 'keys' }, 10, redact)).toMatch(
    /^filter: 7 · [\d,]+… of 100,000/,
  );
  const done = settle(begun);
  expect(names(done)).toEqual(many.filter(({ name }) => name.includes('7')).map(({ name }) => name));
  expect(selectedRow(done)?.name).toBe('k090007');
  const sorted = settle(sortBy(done, { heading: 'SIZE', isReversed: true }));
  expect(shownRow(sorted, 0)?.size).toBe(999);
  expect(selectedRow(sorted)?.name).toBe('k090007');
  expect(shownLength(settle(narrow(sorted, '')))).toBe(100_000);
});

test('narrows the results of a filter before the earlier filter has finished', () => {
  const long = page(noList, many);
  const done = settle(narrow(continuePick(narrow(narrow(long, '1'), '12')), '123'));
  expect(names(done)).toEqual(many.filter(({ name }) => name.includes('123')).map(({ name }) => name));
});

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
const row = fc.record({ name: letters, size: fc.option(fc.nat(3), { nil: undefined }) });
const step = fc.oneof(
  fc.record({
    type: fc.constant('filter' as const),
    text: fc.constantFrom('', 'a', 'ab', '!b', '~ac', '/c$/', '/(/'),
  }),
  fc.record({ type: fc.constantFrom('next' as const, 'reverse' as const) }),
  fc.record({ type: fc.constant('page' as const), rows: fc.array(row, { maxLength: 5 }) }),
  fc.record({ type: fc.constant('put' as const), row }),
  fc.record({ type: fc.constant('drop' as const), name: letters }),
);

/** Returns the rows shown for a filter and an order, computed from scratch. */
function expectedRows(rows: readonly Row[], { sort, pick }: PagedList<Row>): string[] {
  const column = kind.sorts?.find(({ heading }) => heading === sort?.heading);
  const found = rows.filter(({ name }) => pick?.query.matcher?.lets(name) ?? true);
  const sign = sort?.isReversed ? -1 : 1;
  const sorted = found.toSorted((one, other) => {
    const [left, right] = [column?.by(one), column?.by(other)];
    if (left === right) return 0;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    return left < right ? -sign : sign;
  });
  return sorted.map(({ name }) => name);
}

test('shows the same rows as a new list after any sequence of filters, orders, pages and changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let list = page(noList, [], false);
      let rows: Row[] = [];
      let typed = '';
      for (const one of steps) {
        if (one.type === 'filter') {
          list = narrow(list, one.text);
          typed = one.text;
        } else if (one.type === 'put') {
          rows = [...rows.filter(({ name }) => name !== one.row.name), one.row];
          list = putRow({ ...list, complete: true }, one.row);
        } else if (one.type === 'drop') {
          rows = rows.filter(({ name }) => name !== one.name);
          list = dropRow(list, one.name);
        } else if (one.type === 'page') {
          const last =
            rows
              .map(({ name }) => name)
              .toSorted(compareBytes)
              .at(-1) ?? '';
          const known = new Map(one.rows.map((other) => [`${last}${other.name}`, other]));
          const fresh = [...known].map(([name, { size }]) => ({ name, size }));
          fresh.sort((left, right) => compareBytes(left.name, right.name));
          rows = [...rows, ...fresh];
          list = page(list, fresh, false);
        } else list = changeSort(list, one.type);
        rows.sort((left, right) => compareBytes(left.name, right.name));
        expect(names(settle(list))).toEqual(expectedRows(rows, list));
        const wanted = createMatcher(readPattern(typed));
        expect(list.fault === undefined).toBe(!('fault' in wanted));
      }
    }),
    { numRuns: 400 },
  );
});
