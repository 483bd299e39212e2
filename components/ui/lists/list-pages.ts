import { type Move, moveCursor, moveCursorTo } from '../../kit/keys/cursor.ts';
import { dropRowFrom, findRowIndex, putRowIn } from './find-row.ts';
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
import { appendRows, eachRow, emptyRows, type Rows } from './rows.ts';

/** Whether the next page must be requested: one screen ahead of the cursor, and further after a short page. */
export function needsPage<T>(list: PagedList<T>, height: number): boolean {
  if (list.complete || list.loading || list.stopped) return false;
  if (list.whole || list.refill !== undefined) return true;
  const ahead = list.pick === undefined && list.tree === undefined ? list.cursor.index + 2 * height : 0;
  return list.rows.length < Math.max(ahead, list.wanted) + (list.shortPage ? list.pageSize : 0);
}

/** Returns the list after a move. At the end of the filtered rows, a further move loads more. */
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

/** Returns the list with one more page requested. */
export function wantMore<T>(list: PagedList<T>): PagedList<T> {
  return { ...list, wanted: Math.max(list.wanted, list.rows.length + 1) };
}

/** Returns the list with all of its pages requested. */
export function wantAll<T>(list: PagedList<T>): PagedList<T> {
  return list.complete || list.stopped ? list : { ...list, wanted: Number.POSITIVE_INFINITY };
}

/** Whether the list is being read to its end at the user's request. */
export function loadsAll<T>({ wanted, complete, stopped }: PagedList<T>): boolean {
  return wanted === Number.POSITIVE_INFINITY && !complete && !stopped;
}

/** Restarts the list with another prefix. The filter and the order stay. */
export function restartWithPrefix<T>(list: PagedList<T>, prefix: string): PagedList<T> {
  const { kind, generation, marks, contains, only, fault, sort, pick, tree } = list;
  const begun = { generation: generation + 1, prefix, marks, contains, only, fault, sort, pick, tree };
  return restartPick({ ...emptyList(kind, list), ...begun });
}

/** Restarts the list. The old rows stay on the screen until the new ones include the selected one. */
export function rereadList<T>(list: PagedList<T>): PagedList<T> {
  const refill = { rows: emptyRows(list.kind), id: selectedId(list), index: list.cursor.index };
  const fresh = { complete: false, total: undefined, loading: false, shortPage: false, stopped: false };
  return { ...list, ...fresh, generation: list.generation + 1, refill };
}

/** Restarts the list in the background. The old rows stay on a screen of this height until all visible rows have arrived. */
export function rereadQuietly<T>(list: PagedList<T>, height: number): PagedList<T> {
  const { complete, total } = list;
  const again = rereadList(list);
  const before = { complete, total, ahead: 2 * height };
  return { ...again, refill: again.refill && { ...again.refill, before } };
}

/** Returns the list as displayed: one that is reread in the background looks unchanged. */
export function displayedList<T>(list: PagedList<T>): PagedList<T> {
  const { before } = list.refill ?? {};
  if (before === undefined) return list;
  const { complete, total } = before;
  return { ...list, complete, total, loading: false, refill: undefined };
}

/** Marks the list as loading, unless the request was made before a restart. */
export function loadingPage<T>(list: PagedList<T>, generation: number): PagedList<T> {
  return generation === list.generation ? { ...list, loading: true } : list;
}

/** Sets the total number of rows that the platform reported. */
export function countRows<T>(
  list: PagedList<T>,
  { generation, total }: { readonly generation: number; readonly total: number },
): PagedList<T> {
  return generation === list.generation && total !== list.total ? { ...list, total } : list;
}

/** Adds a page to the list, if it belongs to the present generation. */
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
  // A list that was read to its end is later reread only as far as it is shown.
  const next = { ...list, ...arrived, complete, wanted: complete ? 1 : list.wanted };
  const { readAt = page.at } = refill ?? list;
  if (refill === undefined) {
    const longer = continuePick({ ...next, readAt, rows: appendRows(list.rows, items) });
    // In a sorted list new rows are inserted between the others: the selection stays on its row, unless that is the first.
    const stays = list.sort !== undefined && list.cursor.index > 0;
    return withoutDeletedMarks(stays ? selectId(longer, selectedId(list)) : longer);
  }
  const rows = appendRows(refill.rows, items);
  const isReached = complete || (!list.whole && coversShownRows(next, { ...refill, rows }));
  if (!isReached) return { ...next, refill: { ...refill, readAt, rows } };
  return withoutDeletedMarks(selectId(restartPick({ ...next, readAt, rows, refill: undefined }), refill.id));
}

/** Whether all displayed rows have arrived. In the background, no further page may be needed afterwards. */
function coversShownRows<T>({ shortPage }: PagedList<T>, { rows, index, before }: Refill<T>): boolean {
  if (before === undefined) return rows.length > index;
  return rows.length > index + before.ahead && !shortPage;
}

/** Removes the marks of deleted rows from a complete list. */
function withoutDeletedMarks<T>(list: PagedList<T>): PagedList<T> {
  const { complete, kind, marks, rows, prefix } = list;
  if (!complete || marks.names.size === 0) return list;
  const there = new Set<string>();
  for (const row of eachRow(rows)) there.add(kind.idOf(row));
  return { ...list, marks: filterMarks(marks, (name) => there.has(name) || !name.startsWith(prefix)) };
}

/** Returns the list after a page could not be read. */
export function stopList<T>(list: PagedList<T>): PagedList<T> {
  return { ...list, wanted: list.rows.length, loading: false, stopped: true, refill: undefined };
}

/** Inserts and selects a row. A row after the loaded ones is not inserted: its page will contain it. */
export function putRow<T>(list: PagedList<T>, row: T): PagedList<T> {
  const id = list.kind.idOf(row);
  const { rows, index } = putRowIn(list.rows, list.kind, row);
  const isReached = index < rows.length - 1 || rows.length === list.rows.length || list.complete;
  if (!isReached || !isRequested(list, row)) return list;
  const refill = list.refill && { ...putInRefill(list.refill, list.kind, row), id };
  return selectId(withPut({ ...list, refill }, rows, index), id);
}

/** Also inserts the row into rows that are being reread, unless its page is still to come. */
function putInRefill<T>(refill: Refill<T>, kind: RowKind<T>, row: T): Refill<T> {
  const { rows, index } = putRowIn(refill.rows, kind, row);
  const isAmong = rows.length === refill.rows.length || index < rows.length - 1;
  return isAmong ? { ...refill, rows } : refill;
}

/** Whether the platform would list this new row for the present prefix. */
function isRequested<T>({ kind, prefix }: PagedList<T>, row: T): boolean {
  return kind.order === 'newest-first' || kind.idOf(row).startsWith(prefix);
}

/** Updates rows that changed on the platform, if the list contains them. The selection stays. */
export function updateRows<T>(list: PagedList<T>, changes: readonly RowChange<T>[]): PagedList<T> {
  const renewed = changes.reduce((next, { id, row }) => {
    if (findRowIndex(next.rows, next.kind, id) === -1) return next;
    if (row === undefined) return dropRow(next, id);
    const put = putRowIn(next.rows, next.kind, row);
    return withPut(next, put.rows, put.index);
  }, list);
  return renewed === list ? list : selectId(renewed, selectedId(list));
}

/** Returns the list without this row. The cursor stays at its position. */
export function dropRow<T>(list: PagedList<T>, id: string): PagedList<T> {
  const at = findRowIndex(list.rows, list.kind, id);
  const marks = withoutMark(list.marks, id);
  if (at === -1) return { ...list, marks };
  const rows = dropRowFrom(list.rows, list.kind, id);
  const refill = list.refill && { ...list.refill, rows: dropRowFrom(list.refill.rows, list.kind, id) };
  const next = { ...replaceRows({ ...list, rows, refill }, { at, removed: 1, added: 0 }), marks };
  return { ...next, cursor: moveCursorTo(list.cursor, list.cursor.index, shownLength(next)) };
}

/** Returns the list with rows in which one was inserted or replaced at an index. */
function withPut<T>(list: PagedList<T>, rows: Rows<T>, at: number): PagedList<T> {
  const isNew = rows.length > list.rows.length;
  const next = { ...list, rows };
  // In a list ordered by a string of its rows, the row may have moved.
  if (!isNew && typeof list.kind.order !== 'string') return restartPick(next);
  return replaceRows(next, { at, removed: isNew ? 0 : 1, added: 1 });
}
