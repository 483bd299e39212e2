import { groupDigits } from '../../src/text/size.ts';
import type { MarkAction } from '../keymap/marks.ts';
import { moveCursor } from './cursor.ts';
import { listFrom, loadsAll } from './list-pages.ts';
import { noMarks, turned, turnedOver, withMarks } from './mark-names.ts';
import type { NameSet } from './name-set.ts';
import { narrow } from './narrowing.ts';
import { eachShown, type PagedList, selectedRow, shownIds, shownIndex, shownLength } from './paged-list.ts';

/** The list after a press that marks. `height` is that of the pane in rows. */
export function markIn<T>(list: PagedList<T>, action: MarkAction, height: number): PagedList<T> {
  switch (action) {
    case 'mark':
      return toggle(list, height);
    case 'mark-range':
      return markRange(list);
    case 'mark-shown':
      return { ...list, marks: withMarks(list.marks, shownIds(list)) };
    case 'invert-marks':
      return { ...list, marks: turnedOver(list.marks, shownIds(list)) };
    case 'clear-marks':
      return { ...list, marks: noMarks };
  }
}

/**
 * The list after one step back: not read to its end any more, without its filter, its prefix, its status, its marks, in turn.
 * Undefined when there is nothing left to step back from.
 */
export function stepBack<T>(list: PagedList<T>): PagedList<T> | undefined {
  if (loadsAll(list)) return { ...list, wanted: list.rows.length };
  if (list.contains !== '') return narrow(list, '');
  if (list.prefix !== '') return listFrom(list, '');
  if (list.status !== '') return listFrom(list, '', '');
  return list.marks.names.size === 0 ? undefined : { ...list, marks: noMarks };
}

/** Names that an action is for: the marked ones, or else the selected one, in the order of their UTF-8 bytes. */
export function markedNames<T>(list: PagedList<T>): string[] {
  const { names } = list.marks;
  if (names.size > 0) return inOrder([...names]);
  const selected = selectedRow(list);
  return selected === undefined ? [] : [list.kind.idOf(selected)];
}

/** How many rows are marked. */
export function markCount<T>({ marks }: PagedList<T>): number {
  return marks.names.size;
}

/** Tells the rows that are marked, for a table; undefined when none is. */
export function markTest<T>({ kind, marks }: PagedList<T>): ((row: T) => boolean) | undefined {
  return marks.names.size === 0 ? undefined : (row) => marks.names.has(kind.idOf(row));
}

/** How many of the marked rows are not shown: because of a filter, or because they have not been read again. */
export function hiddenMarks<T>(list: PagedList<T>): number {
  return list.marks.names.size - countShown(list);
}

/** How much is marked, for the header: `12 marked, 3 not shown`; empty when nothing is. */
export function markWords<T>(list: PagedList<T>): string {
  const { size } = list.marks.names;
  if (size === 0) return '';
  const hidden = hiddenMarks(list);
  return `${groupDigits(size)} marked${hidden === 0 ? '' : `, ${groupDigits(hidden)} not shown`}`;
}

function toggle<T>(list: PagedList<T>, height: number): PagedList<T> {
  const row = selectedRow(list);
  if (row === undefined) return list;
  const id = list.kind.idOf(row);
  const marks = turned(list.marks, id);
  const { rows, pick } = list;
  const count = countShown(list) + (marks.names.has(id) ? 1 : -1);
  counts.set(marks.names, { rows, shown: pick?.indexes, count });
  return { ...list, marks, cursor: moveCursor(list.cursor, 'down', shownLength(list), height) };
}

/** From the row that was marked last to the selected one; only the selected one where there is no such row. */
function markRange<T>(list: PagedList<T>): PagedList<T> {
  const row = selectedRow(list);
  if (row === undefined) return list;
  const { index } = list.cursor;
  const begin = list.marks.anchor === undefined ? -1 : shownIndex(list, list.marks.anchor);
  const other = begin === -1 ? index : begin;
  const names = shownIds(list, Math.min(index, other), Math.max(index, other) + 1);
  return { ...list, marks: withMarks(list.marks, names, list.kind.idOf(row)) };
}

function inOrder(names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, bytes: Buffer.from(name) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ name }) => name);
}

interface Count {
  readonly rows: unknown;
  readonly shown: unknown;
  readonly count: number;
}

/** Counts of what never changes, so that a move through 100,000 marked rows counts nothing, and one more mark one. */
const counts = new WeakMap<NameSet, Count>();

function countShown<T>(list: PagedList<T>): number {
  const { rows, pick } = list;
  const { names } = list.marks;
  const known = counts.get(names);
  if (known !== undefined && known.rows === rows && known.shown === pick?.indexes) return known.count;
  let count = 0;
  for (const row of eachShown(list)) if (names.has(list.kind.idOf(row))) count++;
  counts.set(names, { rows, shown: pick?.indexes, count });
  return count;
}
