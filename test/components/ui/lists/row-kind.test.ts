import { expect, test } from 'vitest';
import {
  addPage,
  dropRow,
  moveCursorIn,
  needsPage,
  putRow,
  rereadList,
  restartWithPrefix,
  updateRows,
} from '../../../../components/ui/lists/list-pages.ts';
import { applyMark, markedNames } from '../../../../components/ui/lists/marks.ts';
import { narrow } from '../../../../components/ui/lists/narrowing.ts';
import {
  emptyList,
  type PagedList,
  selectedRow,
  shownLength,
  shownRow,
} from '../../../../components/ui/lists/paged-list.ts';
import type { RowKind } from '../../../../components/ui/lists/row-kind.ts';

interface Row {
  readonly id: string;
  readonly title: string;
}

const kind = (order: RowKind<Row>['order']): RowKind<Row> => ({
  getId: ({ id }) => id,
  getText: ({ id, title }) => `${title}\n${id}`,
  order,
});
const titled = kind(({ title }) => title);
const rows: readonly Row[] = [
  { id: '3', title: 'alpha' },
  { id: '1', title: 'beta' },
  { id: '2', title: 'gamma' },
];

function page(list: PagedList<Row>, items: readonly Row[], complete = true): PagedList<Row> {
  return addPage(list, { generation: list.generation, items, complete });
}

const listed = (order: RowKind<Row>['order']) => page(emptyList(kind(order)), rows);
const shown = (list: PagedList<Row>) =>
  Array.from({ length: shownLength(list) }, (_, index) => shownRow(list, index)?.title);

test('moves a renamed row to its new position, and keeps it selected and marked', () => {
  const marked = applyMark(listed(titled.order), 'mark', 10);
  const renamed = putRow(marked, { id: '3', title: 'delta' });
  expect(shown(renamed)).toEqual(['beta', 'delta', 'gamma']);
  expect(selectedRow(renamed)?.id).toBe('3');
  expect(markedNames(renamed)).toEqual(['3']);
});

test('in listing order, keeps the position of a changed row, and adds a new row at the end', () => {
  const list = listed('as-listed');
  expect(shown(putRow(list, { id: '3', title: 'zeta' }))).toEqual(['zeta', 'beta', 'gamma']);
  expect(shown(putRow(list, { id: '9', title: 'aaa' }))).toEqual(['alpha', 'beta', 'gamma', 'aaa']);
  expect(shown(dropRow(list, '1'))).toEqual(['alpha', 'gamma']);
});

test('in newest-first order, adds a new row at the top and selects it, regardless of the prefix', () => {
  const list = restartWithPrefix(listed('newest-first'), 'other');
  const some = page(list, rows, false);
  const put = putRow(some, { id: '9', title: 'zeta' });
  expect(shown(put)).toEqual(['zeta', 'alpha', 'beta', 'gamma']);
  expect(selectedRow(put)?.id).toBe('9');
  expect(shown(putRow(put, { id: '2', title: 'delta' }))).toEqual(['zeta', 'alpha', 'beta', 'delta']);
});

test('updates live rows in place, and keeps the selection', () => {
  const list = moveCursorIn(listed('as-listed'), 'down', 10);
  const renewed = updateRows(list, [
    { id: '2', row: { id: '2', title: 'delta' } },
    { id: '3', row: undefined },
    { id: 'other', row: { id: 'other', title: 'not listed' } },
  ]);
  expect(shown(renewed)).toEqual(['beta', 'delta']);
  expect(selectedRow(renewed)?.id).toBe('1');
});

test('compares a filter with the text that the row kind defines', () => {
  expect(shown(narrow(listed('as-listed'), 'MA'))).toEqual([]);
  expect(shown(narrow(listed('as-listed'), 'ma'))).toEqual(['gamma']);
  expect(shown(narrow(listed('as-listed'), '3'))).toEqual(['alpha']);
});

test('requests all pages of a list that must be complete, and redraws the list after rereading', () => {
  const first = page(emptyList(titled, { whole: true }), rows.slice(0, 2), false);
  expect(needsPage(first, 1)).toBe(true);
  const whole = moveCursorIn(page(first, rows.slice(2)), 'last', 10);
  expect(needsPage(whole, 1)).toBe(false);
  const again = page(rereadList(whole), [{ id: '0', title: 'aaa' }, ...rows.slice(0, 2)], false);
  expect(shown(again)).toEqual(['alpha', 'beta', 'gamma']);
  const done = page(again, rows.slice(2));
  expect(shown(done)).toEqual(['aaa', 'alpha', 'beta', 'gamma']);
  expect(selectedRow(done)?.id).toBe('2');
});
