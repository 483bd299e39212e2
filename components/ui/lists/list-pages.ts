import { type Move, moveCursor, putCursor } from '../../kit/keys/cursor.ts';
import { dropIn, findIn, putIn } from './find-row.ts';
import { marksThat, withoutMark } from './mark-names.ts';
import { pickAgain, pickFurther, pickSpliced } from './narrowing.ts';
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
import { appendRows, eachRow, noRowsOf, type Rows } from './rows.ts';

/** Whether the next page should be asked for: one screen ahead of the cursor, and on while a page came short. */
export function needsPage<T>(list: PagedList<T>, height: number): boolean {
  if (list.complete || list.loading || list.stopped) return false;
  if (list.whole || list.refill !== undefined) return true;
  const ahead = list.pick === undefined && list.tree === undefined ? list.cursor.index + 2 * height : 0;
  return list.rows.length < Math.max(ahead, list.wanted) + (list.shortPage ? list.pageSize : 0);
}

/** The list after a move; at the end of what is picked, a further move loads more. */
export function moveIn<T>(list: PagedList<T>, way: Move, height: number): PagedList<T> {
  const length = shownLength(list);
  const cursor = moveCursor(list.cursor, way, length, height);
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

/** The list with one more page wanted. */
export function wantMore<T>(list: PagedList<T>): PagedList<T> {
  return { ...list, wanted: Math.max(list.wanted, list.rows.length + 1) };
}

/** The list with all of its pages wanted. */
export function wantAll<T>(list: PagedList<T>): PagedList<T> {
  return list.complete || list.stopped ? list : { ...list, wanted: Number.POSITIVE_INFINITY };
}

/** Whether the list is being read to its end because somebody asked for that. */
export function loadsAll<T>({ wanted, complete, stopped }: PagedList<T>): boolean {
  return wanted === Number.POSITIVE_INFINITY && !complete && !stopped;
}

/** Restarts the list, with another prefix. Its filter and its order stay. */
export function listFrom<T>(list: PagedList<T>, prefix: string): PagedList<T> {
  const { kind, generation, marks, contains, only, fault, sort, pick, tree } = list;
  const begun = { generation: generation + 1, prefix, marks, contains, only, fault, sort, pick, tree };
  return pickAgain({ ...emptyList(kind, list), ...begun });
}

/** The list read again: what is shown stays until the new rows reach the selected one. */
export function listAgain<T>(list: PagedList<T>): PagedList<T> {
  const refill = { rows: noRowsOf(list.kind), id: selectedId(list), index: list.cursor.index };
  const fresh = { complete: false, total: undefined, loading: false, shortPage: false, stopped: false };
  return { ...list, ...fresh, generation: list.generation + 1, refill };
}

/** The list read again without a word of it, on a screen of this height: what is shown stays until all of that has come. */
export function listQuietly<T>(list: PagedList<T>, height: number): PagedList<T> {
  const { complete, total } = list;
  const again = listAgain(list);
  const before = { complete, total, ahead: 2 * height };
  return { ...again, refill: again.refill && { ...again.refill, before } };
}

/** The list as shown to the reader: one that is reread in the background is unchanged. */
export function toldList<T>(list: PagedList<T>): PagedList<T> {
  const { before } = list.refill ?? {};
  if (before === undefined) return list;
  const { complete, total } = before;
  return { ...list, complete, total, loading: false, refill: undefined };
}

/** The list whose next page was requested, unless that was before a restart. */
export function loadingPage<T>(list: PagedList<T>, generation: number): PagedList<T> {
  return generation === list.generation ? { ...list, loading: true } : list;
}

/** The list of which the platform has said how many rows there are in all. */
export function countRows<T>(
  list: PagedList<T>,
  { generation, total }: { readonly generation: number; readonly total: number },
): PagedList<T> {
  return generation === list.generation && total !== list.total ? { ...list, total } : list;
}

/** The list with its next page, if that belongs to it. */
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
  const come = { loading: false, pages: list.pages + 1, shortPage: items.length < list.pageSize };
  // A list that was read to its end is reread only as far as it is shown.
  const next = { ...list, ...come, complete, wanted: complete ? 1 : list.wanted };
  const { readAt = page.at } = refill ?? list;
  if (refill === undefined) {
    const longer = pickFurther({ ...next, readAt, rows: appendRows(list.rows, items) });
    // In another order rows come between: the reader stays on theirs, unless that is the first line.
    const stays = list.sort !== undefined && list.cursor.index > 0;
    return withoutGone(stays ? selectId(longer, selectedId(list)) : longer);
  }
  const rows = appendRows(refill.rows, items);
  const isReached = complete || (!list.whole && isThere(next, { ...refill, rows }));
  if (!isReached) return { ...next, refill: { ...refill, readAt, rows } };
  return withoutGone(selectId(pickAgain({ ...next, readAt, rows, refill: undefined }), refill.id));
}

/** Whether as much has arrived as is shown; in the background, no further page may be needed afterwards. */
function isThere<T>({ shortPage }: PagedList<T>, { rows, index, before }: Refill<T>): boolean {
  if (before === undefined) return rows.length > index;
  return rows.length > index + before.ahead && !shortPage;
}

/** A complete list has no marks of deleted rows. */
function withoutGone<T>(list: PagedList<T>): PagedList<T> {
  const { complete, kind, marks, rows, prefix } = list;
  if (!complete || marks.names.size === 0) return list;
  const there = new Set<string>();
  for (const row of eachRow(rows)) there.add(kind.idOf(row));
  return { ...list, marks: marksThat(marks, (name) => there.has(name) || !name.startsWith(prefix)) };
}

/** The list when a page of it could not be read. */
export function stopList<T>(list: PagedList<T>): PagedList<T> {
  return { ...list, wanted: list.rows.length, loading: false, stopped: true, refill: undefined };
}

/** The list with this row in its place, and selected; one behind what has come is left to its page. */
export function putRow<T>(list: PagedList<T>, row: T): PagedList<T> {
  const id = list.kind.idOf(row);
  const { rows, index } = putIn(list.rows, list.kind, row);
  const isReached = index < rows.length - 1 || rows.length === list.rows.length || list.complete;
  if (!isReached || !isAskedFor(list, row)) return list;
  const refill = list.refill && { ...putAgain(list.refill, list.kind, row), id };
  return selectId(withPut({ ...list, refill }, rows, index), id);
}

/** Rows that are being read again, and were read before this one was put: behind what has come, its page brings it. */
function putAgain<T>(refill: Refill<T>, kind: RowKind<T>, row: T): Refill<T> {
  const { rows, index } = putIn(refill.rows, kind, row);
  const isAmong = rows.length === refill.rows.length || index < rows.length - 1;
  return isAmong ? { ...refill, rows } : refill;
}

/** Whether the platform would list a row that was not there when it was asked. */
function isAskedFor<T>({ kind, prefix }: PagedList<T>, row: T): boolean {
  return kind.order === 'newest-first' || kind.idOf(row).startsWith(prefix);
}

/** The list with rows that changed by themselves, if it contains them: the selection stays. */
export function renewRows<T>(list: PagedList<T>, changes: readonly RowChange<T>[]): PagedList<T> {
  const renewed = changes.reduce((next, { id, row }) => {
    if (findIn(next.rows, next.kind, id) === -1) return next;
    if (row === undefined) return dropRow(next, id);
    const put = putIn(next.rows, next.kind, row);
    return withPut(next, put.rows, put.index);
  }, list);
  return renewed === list ? list : selectId(renewed, selectedId(list));
}

/** The list without this row; the cursor stays in its place. */
export function dropRow<T>(list: PagedList<T>, id: string): PagedList<T> {
  const at = findIn(list.rows, list.kind, id);
  const marks = withoutMark(list.marks, id);
  if (at === -1) return { ...list, marks };
  const rows = dropIn(list.rows, list.kind, id);
  const refill = list.refill && { ...list.refill, rows: dropIn(list.refill.rows, list.kind, id) };
  const next = { ...pickSpliced({ ...list, rows, refill }, { at, removed: 1, added: 0 }), marks };
  return { ...next, cursor: putCursor(list.cursor, list.cursor.index, shownLength(next)) };
}

/** The list with rows among which one was put at an index: in the stead of the one that was there, or as a new one. */
function withPut<T>(list: PagedList<T>, rows: Rows<T>, at: number): PagedList<T> {
  const isNew = rows.length > list.rows.length;
  const next = { ...list, rows };
  // In a list ordered by a string of its rows, the row may have had another place.
  if (!isNew && typeof list.kind.order !== 'string') return pickAgain(next);
  return pickSpliced(next, { at, removed: isNew ? 0 : 1, added: 1 });
}
