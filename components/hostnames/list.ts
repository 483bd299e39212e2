import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { groupDigits } from '../../src/text/size.ts';
import { atStart, type Cursor, type Move, moveCursor, putCursor } from '../lists/cursor.ts';
import { appendRows, noRows, type Rows, rowAt } from '../lists/rows.ts';
import { dropHostname, hostnamesContaining, indexOfHostname, putHostname } from './rows.ts';
import type { HostnameSearch } from './service.ts';

/** A list that is being read again, until it reaches the row that was selected. */
interface Refill {
  readonly rows: Rows<HostnameRow>;
  readonly id: string | undefined;
  readonly index: number;
}

/** Custom hostnames that come page by page, in the platform's order. */
export interface HostnameList {
  /** Counts how often the list has been begun: pages of an earlier one are dropped. */
  readonly generation: number;
  /** Counts the pages that have come. */
  readonly pages: number;
  readonly rows: Rows<HostnameRow>;
  readonly complete: boolean;
  readonly loading: boolean;
  /** Whether the last page was shorter than a page can be: then the end is probably near. */
  readonly shortPage: boolean;
  /** Whether a page failed: nothing is loaded until the list is read again. */
  readonly stopped: boolean;
  /** Rows to load even while a filter hides most of them. */
  readonly wanted: number;
  /** What the platform was asked for. */
  readonly search: HostnameSearch;
  /** Shows only loaded hostnames that contain this text. */
  readonly contains: string;
  /** Indexes of the rows that `contains` lets through; undefined without it. */
  readonly matches: readonly number[] | undefined;
  readonly cursor: Cursor;
  readonly refill?: Refill | undefined;
}

/** Hostnames in one page of a listing. */
export const pageLimit = 50;

/** A list of which nothing has come. */
export const noHostnames: HostnameList = {
  generation: 0,
  pages: 0,
  rows: noRows,
  complete: false,
  loading: false,
  shortPage: false,
  stopped: false,
  wanted: 1,
  search: { contains: '', status: '' },
  contains: '',
  matches: undefined,
  cursor: atStart,
};

/** Whether the next page should be asked for: one screen ahead of the cursor, and on while a page came short. */
export function needsPage(list: HostnameList, height: number): boolean {
  if (list.complete || list.loading || list.stopped) return false;
  if (list.refill !== undefined) return true;
  const ahead = list.matches === undefined ? list.cursor.index + 2 * height : 0;
  return list.rows.length < Math.max(ahead, list.wanted) + (list.shortPage ? pageLimit : 0);
}

/** Whether the platform has been asked for rows and has not answered yet. */
export function isComing({ loading, refill, pages, stopped, complete }: HostnameList): boolean {
  return loading || refill !== undefined || (pages === 0 && !stopped && !complete);
}

/** How many rows are shown. */
export function shownLength(list: HostnameList): number {
  return list.matches?.length ?? list.rows.length;
}

/** The hostname at an index of those that are shown. */
export function shownHostname(list: HostnameList, index: number): HostnameRow | undefined {
  return rowAt(list.rows, list.matches === undefined ? index : (list.matches[index] ?? -1));
}

/** The hostname under the cursor. */
export function selectedHostname(list: HostnameList): HostnameRow | undefined {
  return shownHostname(list, list.cursor.index);
}

/** How many there are, and whether more are on the server. */
export function listCounts(list: HostnameList): string {
  const loaded = groupDigits(list.rows.length);
  const open = !list.complete && list.refill === undefined;
  const more = list.stopped ? ', stopped: r reads the list again' : open ? ', more on the server' : '';
  if (list.matches !== undefined) return `${groupDigits(list.matches.length)} of ${loaded} loaded${more}`;
  if (more !== '') return `${loaded} loaded${more}`;
  return `${loaded} ${loaded === '1' ? 'hostname' : 'hostnames'}`;
}

/** The list after a move; at the end of what a filter lets through, a further move loads more. */
export function moveIn(list: HostnameList, way: Move, height: number): HostnameList {
  const length = shownLength(list);
  const cursor = moveCursor(list.cursor, way, length, height);
  const pastEnd =
    list.matches !== undefined && cursor.index === length - 1 && cursor.index === list.cursor.index;
  return { ...list, cursor, wanted: pastEnd ? list.rows.length + 1 : list.wanted };
}

/** The list that shows only loaded hostnames with this text; the selection stays where it can. */
export function narrow(list: HostnameList, contains: string): HostnameList {
  const selected = selectedHostname(list)?.record.id;
  const matches = contains === '' ? undefined : hostnamesContaining(list.rows, contains);
  return select({ ...list, contains, matches }, selected);
}

/** The list without its innermost filter: the text that is shown, the text that was asked for, the status. */
export function widen(list: HostnameList): HostnameList {
  const { search } = list;
  if (list.contains !== '') return narrow(list, '');
  if (search.contains !== '') return listFrom(list, { ...search, contains: '' });
  return search.status === '' ? list : listFrom(list, { ...search, status: '' });
}

/** Whether anything is filtered. */
export function isFiltered({ contains, search }: HostnameList): boolean {
  return contains !== '' || search.contains !== '' || search.status !== '';
}

/** The list begun anew with another search. */
export function listFrom(list: HostnameList, search: HostnameSearch): HostnameList {
  return { ...noHostnames, generation: list.generation + 1, search };
}

/** The list read again: what is shown stays until the new rows reach the selected one. */
export function listAgain(list: HostnameList): HostnameList {
  const refill = { rows: noRows, id: selectedHostname(list)?.record.id, index: list.cursor.index };
  const fresh = { complete: false, loading: false, shortPage: false, stopped: false };
  return { ...list, ...fresh, generation: list.generation + 1, refill };
}

/** The list when a page of it could not be read. */
export function stopList(list: HostnameList): HostnameList {
  return { ...list, loading: false, stopped: true, refill: undefined };
}

/** The list with its next page, if that is one of its own. */
export function addPage(
  list: HostnameList,
  page: { readonly generation: number; readonly rows: readonly HostnameRow[]; readonly complete: boolean },
): HostnameList {
  if (page.generation !== list.generation) return list;
  const { complete, rows: added } = page;
  const { refill } = list;
  const shortPage = added.length < pageLimit;
  const next = { ...list, loading: false, pages: list.pages + 1, shortPage, complete };
  if (refill === undefined) return withRows(next, appendRows(list.rows, added));
  const rows = appendRows(refill.rows, added);
  if (!complete && rows.length <= refill.index) return { ...next, refill: { ...refill, rows } };
  return select(withRows({ ...next, refill: undefined }, rows), refill.id);
}

/** The list with this hostname as it now is. A new one comes first, is selected, and no filter hides it. */
export function putRow(list: HostnameList, row: HostnameRow): HostnameList {
  const { id, hostname } = row.record;
  const isNew = indexOfHostname(list.rows, id) === -1;
  const next = withRows(list, putHostname(list.rows, row));
  if (!isNew) return next;
  return select(hostname.includes(list.contains.toLowerCase()) ? next : narrow(next, ''), id);
}

/** The list without this hostname; the cursor stays in its place. */
export function dropRow(list: HostnameList, id: string): HostnameList {
  const next = withRows(list, dropHostname(list.rows, id));
  return { ...next, cursor: putCursor(list.cursor, list.cursor.index, shownLength(next)) };
}

function withRows(list: HostnameList, rows: Rows<HostnameRow>): HostnameList {
  return { ...list, rows, matches: list.matches && hostnamesContaining(rows, list.contains) };
}

function select(list: HostnameList, id: string | undefined): HostnameList {
  const index = id === undefined ? -1 : indexOfHostname(list.rows, id);
  const shown = list.matches === undefined || index === -1 ? index : list.matches.indexOf(index);
  const at = shown === -1 ? list.cursor.index : shown;
  return { ...list, cursor: putCursor(list.cursor, at, shownLength(list)) };
}
