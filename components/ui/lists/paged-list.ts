import { atStart, type Cursor, putCursor } from '../../kit/keys/cursor.ts';
import { findIn } from './find-row.ts';
import { type Marks, noMarks } from './mark-names.ts';
import { newPick, type Pick } from './pick.ts';
import type { RowKind } from './row-kind.ts';
import { eachRow, noRowsOf, type Rows, rowAt } from './rows.ts';
import { firstSortOf, ordering, type Sort } from './sort.ts';
import { folderLengthOf, lineAt, startOf, type Tree, type TreePlace } from './tree-lines.ts';

/** A list that is being read again, until it reaches the row that was selected. */
export interface Refill<T> {
  readonly rows: Rows<T>;
  readonly readAt?: number | undefined;
  readonly id: string | undefined;
  readonly index: number;
  /**
   * For rereading in the background: how far the list had been read, which is shown until then, and how many rows after the
   * selected one must arrive.
   */
  readonly before?:
    | { readonly complete: boolean; readonly total: number | undefined; readonly ahead: number }
    | undefined;
}

/** A present row; undefined if it was deleted. */
export interface RowChange<T> {
  readonly id: string;
  readonly row: T | undefined;
}

/** A list of the platform's that comes page by page, what is selected in it, and what it is filtered by. */
export interface PagedList<T> {
  readonly kind: RowKind<T>;
  /** Whether it is read to its end immediately, whatever part is on the screen. */
  readonly whole: boolean;
  /** Rows in a full page of its listing. */
  readonly pageSize: number;
  /** Counts how often the list has been begun: pages of an earlier one are dropped. */
  readonly generation: number;
  /** Counts the pages that have come. */
  readonly pages: number;
  readonly rows: Rows<T>;
  readonly complete: boolean;
  /** How many rows there are in all; undefined where the platform does not say. */
  readonly total: number | undefined;
  readonly loading: boolean;
  /** Whether the last page was shorter than a page can be: then the end is probably near. */
  readonly shortPage: boolean;
  /** Whether a page failed: nothing is loaded until the list is read again. */
  readonly stopped: boolean;
  /** Rows to load even while a filter hides most of them. */
  readonly wanted: number;
  /** The text that the platform was asked for: rows begin with it, or contain it. */
  readonly prefix: string;
  /** What is typed to show only some of the loaded rows: see `readPattern`. */
  readonly contains: string;
  /** The tags that a row must have to be shown, all of them. */
  readonly only: readonly string[];
  /** What is wrong with that, so that it narrows nothing. */
  readonly fault: string | undefined;
  /** The column that the loaded rows are sorted by; undefined for the order of the listing. */
  readonly sort: Sort | undefined;
  /** The rows that are shown, in their order; undefined for all of them as they came. */
  readonly pick: Pick<T> | undefined;
  /** The same as a tree; undefined for a list. Then it has no other order. */
  readonly tree: Tree | undefined;
  /** The row that was selected before rows were picked again: it is selected when it is found. */
  readonly sought: string | undefined;
  /** What was selected another time: it is again as soon as it comes, unless the reader moves before. */
  readonly returns?: TreePlace | undefined;
  readonly cursor: Cursor;
  /** They stay whatever the filter, and when the list is reread, until their rows are deleted. */
  readonly marks: Marks;
  readonly refill?: Refill<T> | undefined;
  /** When the first of the rows arrived; undefined before, and for rows that change by themselves. */
  readonly readAt?: number | undefined;
}

/** Rows in one page of most listings. */
export const pageLimit = 1000;

/** A list without rows yet. One that is `whole` is read to its end immediately. */
export function emptyList<T>(
  kind: RowKind<T>,
  { whole = false, pageSize = pageLimit }: { whole?: boolean; pageSize?: number | undefined } = {},
): PagedList<T> {
  const sort = firstSortOf(kind);
  const orderOf = ordering(kind, sort);
  return {
    kind,
    whole,
    pageSize,
    generation: 0,
    pages: 0,
    rows: noRowsOf(kind),
    complete: false,
    total: undefined,
    loading: false,
    shortPage: false,
    stopped: false,
    wanted: 1,
    prefix: '',
    contains: '',
    only: [],
    fault: undefined,
    sort,
    pick: orderOf && newPick({ matcher: undefined, only: undefined, orderOf }),
    tree: undefined,
    sought: undefined,
    cursor: atStart,
    marks: noMarks,
  };
}

/** How many rows are found, in closed folders as well. */
export function foundLength<T>({ pick, rows }: PagedList<T>): number {
  return pick?.indexes.length ?? rows.length;
}

/** How many lines are shown: rows, and folders of a tree. */
export function shownLength<T>(list: PagedList<T>): number {
  return list.tree?.lines.length ?? foundLength(list);
}

/** The identity of the row at a place among those that are found; empty where there is none. */
export function idAt<T>(list: PagedList<T>, position: number): string {
  const row = foundRow(list, position);
  return row === undefined ? '' : list.kind.idOf(row);
}

function foundRow<T>({ rows, pick }: PagedList<T>, position: number): T | undefined {
  return rowAt(rows, pick === undefined ? position : (pick.indexes[position] ?? -1));
}

/** The row on a line of those that are shown; undefined where that is a folder. */
export function shownRow<T>(list: PagedList<T>, index: number): T | undefined {
  if (list.tree === undefined) return foundRow(list, index);
  const line = rowAt(list.tree.lines, index);
  return line === undefined || folderLengthOf(line) > 0 ? undefined : foundRow(list, startOf(line));
}

/** The place of a row among those that are found; -1 where it is not. */
export function foundIndex<T>({ kind, rows, pick }: PagedList<T>, id: string): number {
  const index = findIn(rows, kind, id);
  return pick === undefined || index === -1 ? index : pick.indexes.indexOf(index);
}

/** The line of a row among those that are shown; -1 when it is not. */
export function shownIndex<T>(list: PagedList<T>, id: string): number {
  const position = foundIndex(list, id);
  return list.tree === undefined || position === -1 ? position : lineAt(list.tree, position, 0);
}

/** The row with an identity, shown or not. */
export function findRow<T>({ kind, rows }: PagedList<T>, id: string): T | undefined {
  return rowAt(rows, findIn(rows, kind, id));
}

/** The rows that are found, in closed folders as well, from one place on. */
export function* eachShown<T>({ rows, pick }: PagedList<T>, from = 0): Generator<T> {
  if (pick === undefined) return yield* eachRow(rows, from);
  for (const index of pick.indexes.subarray(from)) {
    const row = rowAt(rows, index);
    if (row !== undefined) yield row;
  }
}

/** The identities of the rows that are found, from one place to before another. */
export function* shownIds<T>(list: PagedList<T>, from = 0, to = Number.POSITIVE_INFINITY): Generator<string> {
  let left = to - from;
  for (const row of eachShown(list, from)) {
    if (left-- <= 0) return;
    yield list.kind.idOf(row);
  }
}

/** The row under the cursor. */
export function selectedRow<T>(list: PagedList<T>): T | undefined {
  return shownRow(list, list.cursor.index);
}

/** The identity of the row under the cursor. */
export function selectedId<T>(list: PagedList<T>): string | undefined {
  const row = selectedRow(list);
  return row === undefined ? undefined : list.kind.idOf(row);
}

/** The list with the cursor on a row, or where it was while that is not shown. */
export function selectId<T>(list: PagedList<T>, id: string | undefined): PagedList<T> {
  const found = id === undefined ? -1 : shownIndex(list, id);
  const at = found === -1 ? list.cursor.index : found;
  return { ...list, cursor: putCursor(list.cursor, at, shownLength(list)) };
}
