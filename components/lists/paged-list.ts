import { atStart, type Cursor, type Move, moveCursor, putCursor } from './cursor.ts';
import { filterTest } from './filter.ts';
import { dropIn, findIn, putIn } from './find-row.ts';
import { type Marks, marksThat, noMarks, withoutMark } from './mark-names.ts';
import type { RowKind } from './row-kind.ts';
import { appendRows, eachRow, matchesIn, noRows, type Rows, rowAt } from './rows.ts';

/** A list that is being read again, until it reaches the row that was selected. */
interface Refill<T> {
  readonly rows: Rows<T>;
  readonly id: string | undefined;
  readonly index: number;
}

/** A row as it now is; undefined when it is gone. */
export interface RowChange<T> {
  readonly id: string;
  readonly row: T | undefined;
}

/** A list of the platform's that comes page by page, what is selected in it, and what it is filtered by. */
export interface PagedList<T> {
  readonly kind: RowKind<T>;
  /** Whether it is read to its end at once, whatever of it is on the screen. */
  readonly whole: boolean;
  /** Rows in a full page of its listing. */
  readonly pageSize: number;
  /** Counts how often the list has been begun: pages of an earlier one are dropped. */
  readonly generation: number;
  /** Counts the pages that have come. */
  readonly pages: number;
  readonly rows: Rows<T>;
  readonly complete: boolean;
  readonly loading: boolean;
  /** Whether the last page was shorter than a page can be: then the end is probably near. */
  readonly shortPage: boolean;
  /** Whether a page failed: nothing is loaded until the list is read again. */
  readonly stopped: boolean;
  /** Rows to load even while a filter hides most of them. */
  readonly wanted: number;
  /** The text that the platform was asked for: rows begin with it, or contain it. */
  readonly prefix: string;
  /** The status that the platform was asked for; empty for all. */
  readonly status: string;
  /** Shows only loaded rows that contain this text. */
  readonly contains: string;
  /** Indexes of the rows that `contains` lets through; undefined without it. */
  readonly matches: readonly number[] | undefined;
  readonly cursor: Cursor;
  /** They stay whatever the filter, and when the list is read again, until their rows are gone. */
  readonly marks: Marks;
  readonly refill?: Refill<T> | undefined;
}

/** Rows in one page of most listings. */
export const pageLimit = 1000;

/** A list of which nothing has come. One that is `whole` is read to its end at once. */
export function emptyList<T>(
  kind: RowKind<T>,
  { whole = false, pageSize = pageLimit }: { whole?: boolean; pageSize?: number | undefined } = {},
): PagedList<T> {
  return {
    kind,
    whole,
    pageSize,
    generation: 0,
    pages: 0,
    rows: noRows,
    complete: false,
    loading: false,
    shortPage: false,
    stopped: false,
    wanted: 1,
    prefix: '',
    status: '',
    contains: '',
    matches: undefined,
    cursor: atStart,
    marks: noMarks,
  };
}

/** Whether the next page should be asked for: one screen ahead of the cursor, and on while a page came short. */
export function needsPage<T>(list: PagedList<T>, height: number): boolean {
  if (list.complete || list.loading || list.stopped) return false;
  if (list.whole || list.refill !== undefined) return true;
  const ahead = list.matches === undefined ? list.cursor.index + 2 * height : 0;
  return list.rows.length < Math.max(ahead, list.wanted) + (list.shortPage ? list.pageSize : 0);
}

/** How many rows are shown. */
export function shownLength<T>(list: PagedList<T>): number {
  return list.matches?.length ?? list.rows.length;
}

/** The row at an index of those that are shown. */
export function shownRow<T>(list: PagedList<T>, index: number): T | undefined {
  return rowAt(list.rows, list.matches === undefined ? index : (list.matches[index] ?? -1));
}

/** Where a row is among those that are shown; -1 when it is not. */
export function shownIndex<T>({ kind, rows, matches }: PagedList<T>, id: string): number {
  const index = findIn(rows, kind, id);
  return matches === undefined || index === -1 ? index : matches.indexOf(index);
}

/** The row with an identity, shown or not. */
export function findRow<T>({ kind, rows }: PagedList<T>, id: string): T | undefined {
  return rowAt(rows, findIn(rows, kind, id));
}

/** The rows that are shown, from one index on. */
export function* eachShown<T>({ rows, matches }: PagedList<T>, from = 0): Generator<T> {
  if (matches === undefined) return yield* eachRow(rows, from);
  for (let at = from; at < matches.length; at++) {
    const row = rowAt(rows, matches[at] ?? -1);
    if (row !== undefined) yield row;
  }
}

/** The identities of the rows that are shown, from one index to before another. */
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

function selectedId<T>(list: PagedList<T>): string | undefined {
  const row = selectedRow(list);
  return row === undefined ? undefined : list.kind.idOf(row);
}

/** The list after a move; at the end of what a filter lets through, a further move loads more. */
export function moveIn<T>(list: PagedList<T>, way: Move, height: number): PagedList<T> {
  const length = shownLength(list);
  const cursor = moveCursor(list.cursor, way, length, height);
  const pastEnd =
    list.matches !== undefined && cursor.index === length - 1 && cursor.index === list.cursor.index;
  return { ...list, cursor, wanted: pastEnd ? Math.max(list.wanted, list.rows.length + 1) : list.wanted };
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

/** The list that shows only loaded rows with this text; the selection stays where it can. */
export function narrow<T>(list: PagedList<T>, contains: string): PagedList<T> {
  const selected = selectedId(list);
  const matches = contains === '' ? undefined : narrowed(list, contains);
  return selectId({ ...list, contains, matches }, selected);
}

/** A longer filter only looks at what the shorter one let through. */
function narrowed<T>(list: PagedList<T>, contains: string): number[] {
  const { rows, matches, contains: before } = list;
  const lets = testOf(list, contains);
  if (matches === undefined || before === '' || !contains.includes(before)) return matchesIn(rows, lets);
  return matches.filter((index) => {
    const row = rowAt(rows, index);
    return row !== undefined && lets(row);
  });
}

function testOf<T>({ kind }: PagedList<T>, contains: string): (row: T) => boolean {
  const lets = filterTest(contains);
  return (row) => lets(kind.textOf(row));
}

/** The list begun anew, with another prefix, or in another status. Its filter stays. */
export function listFrom<T>(list: PagedList<T>, prefix: string, status = list.status): PagedList<T> {
  const { kind, generation, marks, contains } = list;
  const begun = { generation: generation + 1, prefix, status, marks, contains };
  return { ...emptyList(kind, list), ...begun, matches: contains === '' ? undefined : [] };
}

/** The list read again: what is shown stays until the new rows reach the selected one. */
export function listAgain<T>(list: PagedList<T>): PagedList<T> {
  const refill = { rows: noRows, id: selectedId(list), index: list.cursor.index };
  const fresh = { complete: false, loading: false, shortPage: false, stopped: false };
  return { ...list, ...fresh, generation: list.generation + 1, refill };
}

/** The list whose next page has been asked for, unless it was asked for before the list was begun anew. */
export function loadingPage<T>(list: PagedList<T>, generation: number): PagedList<T> {
  return generation === list.generation ? { ...list, loading: true } : list;
}

/** The list with its next page, if that is one of its own. */
export function addPage<T>(
  list: PagedList<T>,
  page: { readonly generation: number; readonly items: readonly T[]; readonly complete: boolean },
): PagedList<T> {
  if (page.generation !== list.generation) return list;
  const { items, complete } = page;
  const { refill } = list;
  const come = { loading: false, pages: list.pages + 1, shortPage: items.length < list.pageSize };
  // Read to its end, it is read again only as far as it is looked at.
  const next = { ...list, ...come, complete, wanted: complete ? 1 : list.wanted };
  if (refill === undefined) return withoutGone(withRows(next, appendRows(list.rows, items)));
  const rows = appendRows(refill.rows, items);
  const isReached = complete || (!list.whole && rows.length > refill.index);
  if (!isReached) return { ...next, refill: { ...refill, rows } };
  return withoutGone(selectId({ ...withAllRows(next, rows), refill: undefined }, refill.id));
}

/** A list that has come whole has no marks of rows that are gone. */
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
  return selectId(withAllRows(list, rows), id);
}

/** Whether the platform would list a row that was not there when it was asked. */
function isAskedFor<T>({ kind, prefix }: PagedList<T>, row: T): boolean {
  return kind.order === 'newest-first' || kind.idOf(row).startsWith(prefix);
}

/** The list with rows that have changed by themselves, where it has them: the selection stays. */
export function renewRows<T>(list: PagedList<T>, changes: readonly RowChange<T>[]): PagedList<T> {
  const renewed = changes.reduce((next, { id, row }) => {
    if (findIn(next.rows, next.kind, id) === -1) return next;
    return row === undefined ? dropRow(next, id) : withAllRows(next, putIn(next.rows, next.kind, row).rows);
  }, list);
  return renewed === list ? list : selectId(renewed, selectedId(list));
}

/** The list without this row; the cursor stays in its place. */
export function dropRow<T>(list: PagedList<T>, id: string): PagedList<T> {
  const rows = dropIn(list.rows, list.kind, id);
  const next = { ...withAllRows(list, rows), marks: withoutMark(list.marks, id) };
  return { ...next, cursor: putCursor(list.cursor, list.cursor.index, shownLength(next)) };
}

/** The list with rows that begin with the ones it had. */
function withRows<T>(list: PagedList<T>, rows: Rows<T>): PagedList<T> {
  const matches = list.matches && [
    ...list.matches,
    ...matchesIn(rows, testOf(list, list.contains), list.rows.length),
  ];
  return { ...list, rows, matches };
}

function withAllRows<T>(list: PagedList<T>, rows: Rows<T>): PagedList<T> {
  return { ...list, rows, matches: list.matches && matchesIn(rows, testOf(list, list.contains)) };
}

function selectId<T>(list: PagedList<T>, id: string | undefined): PagedList<T> {
  const found = id === undefined ? -1 : shownIndex(list, id);
  const at = found === -1 ? list.cursor.index : found;
  return { ...list, cursor: putCursor(list.cursor, at, shownLength(list)) };
}
