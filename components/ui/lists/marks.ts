import { groupDigits } from '../../../src/text/size.ts';
import { moveCursor } from '../../kit/keys/cursor.ts';
import type { MarkAction } from '../../kit/keys/marks.ts';
import { loadsAll, restartWithPrefix } from './list-pages.ts';
import { filterMarks, invertMarks, noMarks, toggleMark, withMarks } from './mark-names.ts';
import type { NameSet } from './name-set.ts';
import { narrow, narrowTo } from './narrowing.ts';
import {
  eachShown,
  foundIndex,
  idAt,
  type PagedList,
  selectedRow,
  shownIds,
  shownLength,
} from './paged-list.ts';
import { eachRow } from './rows.ts';
import { type Folder, folderNames, selectedFolder } from './tree-places.ts';

/** Returns the list after a mark action. `height` is the height of the pane in rows. */
export function applyMark<T>(list: PagedList<T>, action: MarkAction, height: number): PagedList<T> {
  switch (action) {
    case 'mark':
      return toggle(list, height);
    case 'mark-range':
      return markRange(list);
    case 'mark-shown':
      return { ...list, marks: withMarks(list.marks, shownIds(list)) };
    case 'invert-marks':
      return { ...list, marks: invertMarks(list.marks, shownIds(list)) };
    case 'clear-marks':
      return { ...list, marks: noMarks };
  }
}

/**
 * Returns the list after one step back; undefined if nothing is left to clear. Successive steps stop loading all rows, then clear the
 * filter, the prefix, the tags and the marks.
 */
export function stepBack<T>(list: PagedList<T>): PagedList<T> | undefined {
  if (loadsAll(list)) return { ...list, wanted: list.rows.length };
  if (list.contains !== '') return narrow(list, '');
  if (list.prefix !== '') return restartWithPrefix(list, '');
  if (list.only.length > 0) return narrowTo(list, []);
  return list.marks.names.size === 0 ? undefined : { ...list, marks: noMarks };
}

/** Returns the names for an action: the marked names in the order of their UTF-8 bytes, or the selected name if none is marked. */
export function markedNames<T>(list: PagedList<T>): string[] {
  const { names } = list.marks;
  if (names.size > 0) return sortByBytes([...names]);
  const selected = selectedRow(list);
  return selected === undefined ? [] : [list.kind.getId(selected)];
}

/** Returns the marked rows in the order of the list; empty if no row is marked. */
export function markedRows<T>({ kind, rows, marks }: PagedList<T>): readonly T[] {
  if (marks.names.size === 0) return [];
  return [...eachRow(rows)].filter((row) => marks.names.has(kind.getId(row)));
}

/** Returns the number of marked rows. */
export function markCount<T>({ marks }: PagedList<T>): number {
  return marks.names.size;
}

/** Returns a function that checks whether a row is marked; undefined if no row is marked. */
export function createMarkTest<T>({ kind, marks }: PagedList<T>): ((row: T) => boolean) | undefined {
  return marks.names.size === 0 ? undefined : (row) => marks.names.has(kind.getId(row));
}

/** Returns the number of marked rows that the list does not show, because a filter hides them or they have not been reread yet. */
export function countHiddenMarks<T>(list: PagedList<T>): number {
  return list.marks.names.size - countShown(list);
}

/** Formats the number of marks for the header: `12 marked, 3 not shown`; empty without marks. */
export function formatMarks<T>(list: PagedList<T>): string {
  const { size } = list.marks.names;
  if (size === 0) return '';
  const hidden = countHiddenMarks(list);
  return `${groupDigits(size)} marked${hidden === 0 ? '' : `, ${groupDigits(hidden)} not shown`}`;
}

function toggle<T>(list: PagedList<T>, height: number): PagedList<T> {
  const folder = selectedFolder(list);
  if (folder !== undefined) return toggleFolder(list, folder, height);
  const row = selectedRow(list);
  if (row === undefined) return list;
  const id = list.kind.getId(row);
  const marks = toggleMark(list.marks, id);
  const { rows, pick } = list;
  const count = countShown(list) + (marks.names.has(id) ? 1 : -1);
  shownCounts.set(marks.names, { rows, shown: pick?.indexes, count });
  return { ...list, marks, cursor: moveCursor(list.cursor, 'down', shownLength(list), height) };
}

/** Marks all loaded rows in a folder, or removes their marks if all of them are marked. */
function toggleFolder<T>(list: PagedList<T>, folder: Folder, height: number): PagedList<T> {
  const names = new Set(folderNames(list, folder));
  const marks = isFolderMarked(list, folder)
    ? filterMarks(list.marks, (name) => !names.has(name))
    : withMarks(list.marks, names);
  return { ...list, marks, cursor: moveCursor(list.cursor, 'down', shownLength(list), height) };
}

/** Returns whether all loaded rows in a folder are marked. */
export function isFolderMarked<T>(list: PagedList<T>, folder: Folder): boolean {
  const { names } = list.marks;
  if (names.size < folder.to - folder.from) return false;
  for (const name of folderNames(list, folder)) if (!names.has(name)) return false;
  return true;
}

/** Marks the rows from the last marked row to the selected row, or only the selected row if the last marked row is not shown. */
function markRange<T>(list: PagedList<T>): PagedList<T> {
  const here = cursorRange(list);
  if (here === undefined) return list;
  const begin = list.marks.anchor === undefined ? -1 : foundIndex(list, list.marks.anchor);
  const from = begin === -1 ? here.from : Math.min(begin, here.from);
  const names = shownIds(list, from, Math.max(begin + 1, here.to));
  return { ...list, marks: withMarks(list.marks, names, idAt(list, here.to - 1)) };
}

/** Returns the range of shown rows under the cursor: one row, or all rows of a folder; undefined for an empty list. */
function cursorRange<T>(list: PagedList<T>): { readonly from: number; readonly to: number } | undefined {
  const row = selectedRow(list);
  if (row === undefined) return selectedFolder(list);
  const from = foundIndex(list, list.kind.getId(row));
  return { from, to: from + 1 };
}

function sortByBytes(names: readonly string[]): string[] {
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

/** A cache of the last count for each set of names, so that moving in a list with 100,000 marked rows does not count the marks again. */
const shownCounts = new WeakMap<NameSet, Count>();

function countShown<T>(list: PagedList<T>): number {
  const { rows, pick } = list;
  const { names } = list.marks;
  const known = shownCounts.get(names);
  if (known !== undefined && known.rows === rows && known.shown === pick?.indexes) return known.count;
  let count = 0;
  for (const row of eachShown(list)) if (names.has(list.kind.getId(row))) count++;
  shownCounts.set(names, { rows, shown: pick?.indexes, count });
  return count;
}
