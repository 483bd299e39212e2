import { isDeepStrictEqual } from 'node:util';
import { type Move, moveCursor, moveCursorTo } from '../../kit/keys/cursor.ts';
import { dropRowFrom, findRowIndex, indexAfter, putRowIn } from './find-row.ts';
import { filterMarks, withoutMark } from './mark-names.ts';
import { continuePick, replaceRows, restartPick } from './narrowing.ts';
import {
  emptyList,
  type PagedList,
  type Refill,
  type RowChange,
  selectedId,
  selectId,
  shownLength,
} from './paged-list.ts';
import type { RowKind } from './row-kind.ts';
import { appendRows, eachRow, emptyRows, type Rows, rowAt, spliceRows } from './rows.ts';

/**
 * Returns whether the next page must be requested, for example because fewer than two screens of rows follow the cursor. After a short
 * page, another full page of rows must follow.
 */
export function needsPage<T>(list: PagedList<T>, height: number): boolean {
  if (list.complete || list.loading || list.stopped) return false;
  if (list.whole || list.refill !== undefined) return true;
  const ahead = list.pick === undefined && list.tree === undefined ? list.cursor.index + 2 * height : 0;
  return list.rows.length < Math.max(ahead, list.wanted) + (list.shortPage ? list.pageSize : 0);
}

/** Returns the list after a move. A move past the end of a filtered list or a tree requests more rows. */
export function moveCursorIn<T>(list: PagedList<T>, move: Move, height: number): PagedList<T> {
  const length = shownLength(list);
  const cursor = moveCursor(list.cursor, move, length, height);
  const pastEnd =
    (list.pick !== undefined || list.tree !== undefined) &&
    cursor.index === length - 1 &&
    cursor.index === list.cursor.index;
  const wanted = pastEnd ? Math.max(list.wanted, list.rows.length + 1) : list.wanted;
  return {
    ...list,
    cursor,
    wanted,
    sought: undefined,
    tree: list.tree && { ...list.tree, sought: undefined },
  };
}

/** Requests one more page. */
export function wantMore<T>(list: PagedList<T>): PagedList<T> {
  return { ...list, wanted: Math.max(list.wanted, list.rows.length + 1) };
}

/** Requests all pages. */
export function wantAll<T>(list: PagedList<T>): PagedList<T> {
  return list.complete || list.stopped ? list : { ...list, wanted: Number.POSITIVE_INFINITY };
}

/** Returns whether all pages have been requested, and are still being loaded. */
export function loadsAll<T>({ wanted, complete, stopped }: PagedList<T>): boolean {
  return wanted === Number.POSITIVE_INFINITY && !complete && !stopped;
}

/** Restarts the list with another prefix. Keeps the filter, the marks and the sort order. */
export function restartWithPrefix<T>(list: PagedList<T>, prefix: string): PagedList<T> {
  const { kind, generation, reloads, news, marks, contains, only, fault, sort, pick, tree } = list;
  const counters = { generation: generation + 1, listing: generation + 1, reloads: reloads + 1, news };
  const begun = { ...counters, prefix, marks, contains, only, fault, sort, pick, tree };
  return restartPick({ ...emptyList(kind, list), ...begun });
}

/** Restarts the list. The old rows stay on the screen until the selected row has been reread. */
export function rereadList<T>(list: PagedList<T>): PagedList<T> {
  const refill = { rows: emptyRows(list.kind), id: selectedId(list), index: list.cursor.index };
  const fresh = { complete: false, total: undefined, loading: false, shortPage: false, stopped: false };
  const generation = list.generation + 1;
  return { ...list, ...fresh, generation, listing: generation, reloads: list.reloads + 1, refill };
}

/**
 * Starts a refresh in the background, for a screen of `height` rows. The list looks unchanged until enough rows have arrived; loaded rows
 * after the reread rows are kept.
 */
export function refreshList<T>(list: PagedList<T>, height: number): PagedList<T> {
  const { complete, total, shortPage, reloads, listing } = list;
  const again = { ...rereadList(list), reloads, listing };
  const before = { complete, total, shortPage };
  const count = countRowsToRefresh(list, height);
  return { ...again, refill: again.refill && { ...again.refill, before, count } };
}

/** Ends a background refresh without a result. */
export function abandonRefresh<T>(list: PagedList<T>): PagedList<T> {
  const { before } = list.refill ?? {};
  if (before === undefined) return list;
  const { complete, total, shortPage } = before;
  const generation = list.generation + 1;
  return { ...list, generation, complete, total, shortPage, loading: false, refill: undefined };
}

/**
 * Maximum number of loaded pages with which a filtered or sorted list is refreshed completely, because any of their rows may be visible.
 */
const maxRefreshedPages = 5;

/** Returns the number of rows, from the start of the list, that must be reread to refresh the rows on a screen of `height` rows. */
export function countRowsToRefresh<T>(list: PagedList<T>, height: number): number {
  const { rows, cursor, pick, tree, whole, pageSize } = list;
  if (whole) return rows.length;
  const isInOrder = pick === undefined && tree === undefined;
  if (isInOrder) return Math.min(rows.length, cursor.index + 2 * height);
  if (rows.length <= maxRefreshedPages * pageSize || pick === undefined) return rows.length;
  return 1 + Math.max(0, ...pick.indexes.subarray(Math.max(0, cursor.index - height), cursor.index + height));
}

/** Returns the list as displayed: unchanged during a background refresh. */
export function displayedList<T>(list: PagedList<T>): PagedList<T> {
  const { before } = list.refill ?? {};
  if (before === undefined) return list;
  const { complete, total } = before;
  return { ...list, complete, total, loading: false, refill: undefined };
}

/** Marks the list as loading, unless the request belongs to an earlier generation. */
export function loadingPage<T>(list: PagedList<T>, generation: number): PagedList<T> {
  return generation === list.generation ? { ...list, loading: true } : list;
}

/** Sets the total number of rows that the platform has reported, unless the number belongs to another generation. */
export function countRows<T>(
  list: PagedList<T>,
  { generation, total }: { readonly generation: number; readonly total: number },
): PagedList<T> {
  return generation === list.generation && total !== list.total ? { ...list, total } : list;
}

/** Adds a page to the list, unless the page belongs to another generation. */
export function addPage<T>(
  list: PagedList<T>,
  page: {
    readonly generation: number;
    readonly items: readonly T[];
    readonly complete: boolean;
    readonly at?: number;
  },
): PagedList<T> {
  if (page.generation !== list.generation) return list;
  const { items, complete } = page;
  const { refill } = list;
  const arrived = { loading: false, pages: list.pages + 1, shortPage: items.length < list.pageSize };
  // After the list has been read to its end, a reread stops at the rows that are shown.
  const next = { ...list, ...arrived, complete, wanted: complete ? 1 : list.wanted };
  const { readAt = page.at } = refill ?? list;
  if (refill === undefined) {
    const longer = continuePick({ ...next, readAt, rows: appendRows(list.rows, items) });
    // In a sorted list, new rows can appear anywhere: the selection stays on its row, unless it is the first row.
    const stays = list.sort !== undefined && list.cursor.index > 0;
    return withoutDeletedMarks(stays ? selectId(longer, selectedId(list)) : longer);
  }
  const rows = appendRows(refill.rows, items);
  const isReached = complete || (!list.whole && coversShownRows(next, { ...refill, rows }));
  if (!isReached) return { ...next, refill: { ...refill, readAt, rows } };
  if (refill.before !== undefined) return endRefresh({ ...next, readAt }, list, { ...refill, rows });
  return withoutDeletedMarks(selectId(restartPick({ ...next, readAt, rows, refill: undefined }), refill.id));
}

/** Returns whether enough rows have arrived to replace the displayed rows. */
function coversShownRows<T>(list: PagedList<T>, { rows, index, before, count }: Refill<T>): boolean {
  if (before === undefined || count === undefined) return rows.length > index;
  // Reread rows can be separated from kept rows only if the list is ordered by id.
  if (list.kind.order !== 'by-id' || list.shortPage || rows.length < count) return false;
  return !before.complete || rowsAfter(list, rows) > 0;
}

/** Returns the number of loaded rows after the last reread row. */
function rowsAfter<T>({ rows, kind }: PagedList<T>, reread: Rows<T>): number {
  const last = rowAt(reread, reread.length - 1);
  return last === undefined ? rows.length : rows.length - indexAfter(rows, kind, kind.getId(last));
}

/** Ends a refresh: replaces the reread rows, and keeps loaded rows after them. If no row has changed, only the age of the list changes. */
function endRefresh<T>(
  next: PagedList<T>,
  old: PagedList<T>,
  { rows: reread, before }: Refill<T>,
): PagedList<T> {
  const { kind, generation } = next;
  const oldCount = next.complete ? 0 : rowsAfter(old, reread);
  const keeps = oldCount > 0;
  const end = old.rows.length - oldCount;
  const extent = keeps ? before : { listing: generation };
  const ended = { ...next, ...extent, refill: undefined };
  const rows = keeps ? spliceRows(old.rows, 0, end, [...eachRow(reread)]) : reread;
  const isSameExtent = ended.complete === (before?.complete ?? false);
  if (isSameExtent && areSameRows(kind, old.rows, rows, reread.length))
    return { ...ended, rows: kind.getCompared === undefined ? old.rows : rows };
  const changed = { ...ended, rows, news: next.news + 1 };
  const shown = replaceRows(changed, { at: 0, removed: end, added: reread.length });
  return withoutDeletedMarks(selectId(shown, selectedId(old)));
}

/** Returns whether two lists of rows have the same length and equal rows up to index `count`. */
function areSameRows<T>(kind: RowKind<T>, old: Rows<T>, rows: Rows<T>, count: number): boolean {
  if (old.length !== rows.length) return false;
  const getCompared = (row: T) => kind.getCompared?.(row) ?? row;
  for (let index = 0; index < count; index++) {
    const [one, other] = [rowAt(old, index), rowAt(rows, index)];
    if (one === undefined || other === undefined) return one === other;
    if (!isDeepStrictEqual(getCompared(one), getCompared(other))) return false;
  }
  return true;
}

/** Removes the marks of deleted rows from a complete list. */
function withoutDeletedMarks<T>(list: PagedList<T>): PagedList<T> {
  const { complete, kind, marks, rows, prefix } = list;
  if (!complete || marks.names.size === 0) return list;
  const there = new Set<string>();
  for (const row of eachRow(rows)) there.add(kind.getId(row));
  return { ...list, marks: filterMarks(marks, (name) => there.has(name) || !name.startsWith(prefix)) };
}

/** Stops the list after a page could not be read. */
export function stopList<T>(list: PagedList<T>): PagedList<T> {
  return { ...list, wanted: list.rows.length, loading: false, stopped: true, refill: undefined };
}

/** Inserts and selects a row. A row that belongs after the loaded rows is not inserted, because a later page will contain it. */
export function putRow<T>(list: PagedList<T>, row: T): PagedList<T> {
  const id = list.kind.getId(row);
  const { rows, index } = putRowIn(list.rows, list.kind, row);
  const isReached = index < rows.length - 1 || rows.length === list.rows.length || list.complete;
  if (!isReached || !isRequested(list, row)) return list;
  const refill = list.refill && { ...putInRefill(list.refill, list.kind, row), id };
  return selectId(withPut({ ...list, refill }, rows, index), id);
}

/** Inserts the row into the rows that are being reread, unless the row belongs after them. */
function putInRefill<T>(refill: Refill<T>, kind: RowKind<T>, row: T): Refill<T> {
  const { rows, index } = putRowIn(refill.rows, kind, row);
  const isAmong = rows.length === refill.rows.length || index < rows.length - 1;
  return isAmong ? { ...refill, rows } : refill;
}

/** Returns whether the platform would list a new row for the current prefix. */
function isRequested<T>({ kind, prefix }: PagedList<T>, row: T): boolean {
  return kind.order === 'newest-first' || kind.getId(row).startsWith(prefix);
}

/** Updates or removes rows that have changed on the platform, if the list contains them. Keeps the selection. */
export function updateRows<T>(list: PagedList<T>, changes: readonly RowChange<T>[]): PagedList<T> {
  const renewed = changes.reduce((next, { id, row }) => {
    if (findRowIndex(next.rows, next.kind, id) === -1) return next;
    if (row === undefined) return dropRow(next, id);
    const put = putRowIn(next.rows, next.kind, row);
    return withPut(next, put.rows, put.index);
  }, list);
  return renewed === list ? list : selectId(renewed, selectedId(list));
}

/** Removes the row with this id, and its mark. The cursor stays at its position. */
export function dropRow<T>(list: PagedList<T>, id: string): PagedList<T> {
  const at = findRowIndex(list.rows, list.kind, id);
  const marks = withoutMark(list.marks, id);
  if (at === -1) return { ...list, marks };
  const rows = dropRowFrom(list.rows, list.kind, id);
  const refill = list.refill && { ...list.refill, rows: dropRowFrom(list.refill.rows, list.kind, id) };
  const next = { ...replaceRows({ ...list, rows, refill }, { at, removed: 1, added: 0 }), marks };
  return { ...next, cursor: moveCursorTo(list.cursor, list.cursor.index, shownLength(next)) };
}

/** Returns the list after a row was inserted or replaced at an index. */
function withPut<T>(list: PagedList<T>, rows: Rows<T>, at: number): PagedList<T> {
  const isNew = rows.length > list.rows.length;
  const next = { ...list, rows };
  // In a list ordered by a string other than the id, the row may have moved.
  if (!isNew && typeof list.kind.order !== 'string') return restartPick(next);
  return replaceRows(next, { at, removed: isNew ? 0 : 1, added: 1 });
}
