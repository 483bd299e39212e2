import { atStart, type Cursor, moveCursorTo } from '../../kit/keys/cursor.ts';
import { findRowIndex } from './find-row.ts';
import { type Marks, noMarks } from './mark-names.ts';
import { newPick, type Pick } from './pick.ts';
import type { RowKind } from './row-kind.ts';
import { eachRow, emptyRows, type Rows, rowAt } from './rows.ts';
import { createOrdering, defaultSort, type Sort } from './sort.ts';
import { folderNameLength, lineAt, lineStart, type Tree, type TreePlace } from './tree-lines.ts';

/** The facts about how far a list has been read. */
interface Extent {
  readonly complete: boolean;
  readonly total: number | undefined;
  readonly shortPage: boolean;
}

/** The rows of a reread in progress, until they replace the rows of the list. */
export interface Refill<T> {
  readonly rows: Rows<T>;
  readonly readAt?: number | undefined;
  readonly id: string | undefined;
  readonly index: number;
  /** Only for a background refresh: the extent of the list before the refresh, which is shown until the refresh ends. */
  readonly before?: Extent | undefined;
  /** Only for a background refresh: the number of rows to reread. */
  readonly count?: number | undefined;
}

/** A changed row; `row` is undefined if the row was deleted. */
export interface RowChange<T> {
  readonly id: string;
  readonly row: T | undefined;
}

/** The state of a list of resources that is loaded page by page, with its selection, filters and marks. */
export interface PagedList<T> {
  readonly kind: RowKind<T>;
  /** Whether all pages are read, no matter which rows are on the screen. */
  readonly whole: boolean;
  /** Number of rows in a full page of the listing. */
  readonly pageSize: number;
  /** Number of times that the list was restarted, including background refreshes. Pages of earlier generations are dropped. */
  readonly generation: number;
  /** The generation of the listing whose next page continues the rows. A background refresh has a separate listing. */
  readonly listing: number;
  /** Number of times that the list was restarted, not including background refreshes. */
  readonly reloads: number;
  /** Number of background refreshes that found new, changed or deleted rows. */
  readonly news: number;
  /** Number of pages that have arrived. */
  readonly pages: number;
  readonly rows: Rows<T>;
  readonly complete: boolean;
  /** Total number of rows; undefined if the platform does not report it. */
  readonly total: number | undefined;
  readonly loading: boolean;
  /** Whether the last page was not full, which means that the end is probably near. */
  readonly shortPage: boolean;
  /** Whether reading a page has failed; no more rows are then loaded until the list is reread. */
  readonly stopped: boolean;
  /** Minimum number of rows to load, even if a filter hides most of them. */
  readonly wanted: number;
  /** The server filter: rows begin with this string, or contain it. */
  readonly prefix: string;
  /** The typed filter for the loaded rows, parsed by `readPattern`. */
  readonly contains: string;
  /** Only rows with all of these tags are shown. */
  readonly only: readonly string[];
  /** The error in the typed filter. A filter with an error has no effect. */
  readonly fault: string | undefined;
  /** The sort column of the loaded rows; undefined for the order of the listing. */
  readonly sort: Sort | undefined;
  /** The filtered and sorted rows; undefined if all rows are shown in the order of the listing. */
  readonly pick: Pick<T> | undefined;
  /** The rows as a tree; undefined for a list without a tree. A tree cannot be sorted. */
  readonly tree: Tree | undefined;
  /** The id of the row that was selected before the filter changed; selected again when the search finds the row. */
  readonly sought: string | undefined;
  /** The saved selection, which is restored when its row has been loaded, unless the user moves first. */
  readonly returns?: TreePlace | undefined;
  readonly cursor: Cursor;
  /** The marked rows. A mark is kept until its row is deleted, even if the filter changes or the list is reread. */
  readonly marks: Marks;
  readonly refill?: Refill<T> | undefined;
  /** The time at which the first page was read, in milliseconds; undefined before that time, and for live rows. */
  readonly readAt?: number | undefined;
}

/** Number of rows in a full page of most listings. */
export const pageLimit = 1000;

/** Returns a list without rows. */
export function emptyList<T>(
  kind: RowKind<T>,
  { whole = false, pageSize = pageLimit }: { whole?: boolean; pageSize?: number | undefined } = {},
): PagedList<T> {
  const sort = defaultSort(kind);
  const createOrder = createOrdering(kind, sort);
  return {
    kind,
    whole,
    pageSize,
    generation: 0,
    listing: 0,
    reloads: 0,
    news: 0,
    pages: 0,
    rows: emptyRows(kind),
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
    pick: createOrder && newPick({ matcher: undefined, condition: undefined, createOrder: createOrder }),
    tree: undefined,
    sought: undefined,
    cursor: atStart,
    marks: noMarks,
  };
}

/** Returns the number of filtered rows, including rows in closed folders. */
export function foundLength<T>({ pick, rows }: PagedList<T>): number {
  return pick?.indexes.length ?? rows.length;
}

/** Returns the number of displayed lines: rows, and folders of a tree. */
export function shownLength<T>(list: PagedList<T>): number {
  return list.tree?.lines.length ?? foundLength(list);
}

/** Returns the id of the filtered row at a position; empty if the position has no row. */
export function idAt<T>(list: PagedList<T>, position: number): string {
  const row = foundRow(list, position);
  return row === undefined ? '' : list.kind.getId(row);
}

function foundRow<T>({ rows, pick }: PagedList<T>, position: number): T | undefined {
  return rowAt(rows, pick === undefined ? position : (pick.indexes[position] ?? -1));
}

/** Returns the row on a displayed line; undefined for a folder, or if the line does not exist. */
export function shownRow<T>(list: PagedList<T>, index: number): T | undefined {
  if (list.tree === undefined) return foundRow(list, index);
  const line = rowAt(list.tree.lines, index);
  return line === undefined || folderNameLength(line) > 0 ? undefined : foundRow(list, lineStart(line));
}

/** Returns the position of a row among the filtered rows; -1 if the filter hides the row. */
export function foundIndex<T>({ kind, rows, pick }: PagedList<T>, id: string): number {
  const index = findRowIndex(rows, kind, id);
  return pick === undefined || index === -1 ? index : pick.indexes.indexOf(index);
}

/** Returns the displayed line of a row; -1 if the row is not displayed. */
export function shownIndex<T>(list: PagedList<T>, id: string): number {
  const position = foundIndex(list, id);
  return list.tree === undefined || position === -1 ? position : lineAt(list.tree, position, 0);
}

/** Returns the loaded row with this id, displayed or not; undefined if none has it. */
export function findRow<T>({ kind, rows }: PagedList<T>, id: string): T | undefined {
  return rowAt(rows, findRowIndex(rows, kind, id));
}

/** Yields the filtered rows, including rows in closed folders, starting at a position. */
export function* eachShown<T>({ rows, pick }: PagedList<T>, from = 0): Generator<T> {
  if (pick === undefined) return yield* eachRow(rows, from);
  for (const index of pick.indexes.subarray(from)) {
    const row = rowAt(rows, index);
    if (row !== undefined) yield row;
  }
}

/** Yields the ids of the filtered rows from position `from` up to, but not including, `to`. */
export function* shownIds<T>(list: PagedList<T>, from = 0, to = Number.POSITIVE_INFINITY): Generator<string> {
  let left = to - from;
  for (const row of eachShown(list, from)) {
    if (left-- <= 0) return;
    yield list.kind.getId(row);
  }
}

/** Returns the row under the cursor; undefined for a folder or an empty list. */
export function selectedRow<T>(list: PagedList<T>): T | undefined {
  return shownRow(list, list.cursor.index);
}

/** Returns the id of the row under the cursor; undefined for a folder or an empty list. */
export function selectedId<T>(list: PagedList<T>): string | undefined {
  const row = selectedRow(list);
  return row === undefined ? undefined : list.kind.getId(row);
}

/** Moves the cursor to a row. If the row is not displayed, the cursor does not move. */
export function selectId<T>(list: PagedList<T>, id: string | undefined): PagedList<T> {
  const found = id === undefined ? -1 : shownIndex(list, id);
  const at = found === -1 ? list.cursor.index : found;
  return { ...list, cursor: moveCursorTo(list.cursor, at, shownLength(list)) };
}
