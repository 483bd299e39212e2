import { isSearchedAtOnce, writeFound } from '../../../src/text/search/joined.ts';
import type { Matcher } from '../../../src/text/search/pattern.ts';
import { withinTime } from '../../../src/text/search/within-time.ts';
import type { RowKind } from './row-kind.ts';
import { chunkIndex, chunkSize as largestChunk, type Rows, rowAt } from './rows.ts';

/** Compares two rows by their indexes; never returns 0 for two different rows. */
export type Order = (one: number, other: number) => number;

/** The filter and the order of a pick. */
export interface PickQuery<T> {
  readonly matcher: Matcher | undefined;
  /** An additional condition; undefined for none. */
  readonly condition: ((row: T) => boolean) | undefined;
  /** Creates the order; undefined for the order of the list. */
  readonly createOrder: ((rows: Rows<T>) => Order) | undefined;
}

/**
 * The indexes of the shown rows of a list, computed in slices, because searching a million rows in one step would delay key presses. When
 * rows arrive, the indexes are extended.
 */
export interface Pick<T> {
  readonly query: PickQuery<T>;
  /** The matches so far, in their order. */
  readonly indexes: Uint32Array;
  /** Matches of an earlier pick to recheck, starting at the index `at`. */
  readonly again: Uint32Array;
  readonly at: number;
  /** Number of rows of the list that have been searched. */
  readonly checked: number;
}

const noIndexes = new Uint32Array();

/** Returns a pick that has not searched any row. */
export function newPick<T>(query: PickQuery<T>): Pick<T> {
  return { query, indexes: noIndexes, again: noIndexes, at: 0, checked: 0 };
}

/** Number of earlier matches above which searching all joined strings is faster than rechecking each match. */
const joinedSearchMinRows = 65_536;

/**
 * Returns a pick that searches only the matches of an earlier pick and the rows that the earlier pick has not searched, or all rows if that
 * is faster.
 */
export function narrowerPick<T>(
  { indexes, again, at, checked }: Pick<T>,
  query: PickQuery<T>,
  rows: Rows<T>,
): Pick<T> {
  const isSearched =
    rows.chunks[0]?.joined !== undefined &&
    query.condition === undefined &&
    query.matcher?.pattern.how === 'part';
  if (isSearched && indexes.length + again.length - at > joinedSearchMinRows) return newPick(query);
  // First the earlier pick's own matches, then the matches that it has not rechecked.
  return { query, indexes: noIndexes, again: concatIndexes(indexes, again.subarray(at)), at: 0, checked };
}

/** Returns whether all rows have been searched. */
export function isPicked<T>({ again, at, checked }: Pick<T>, rows: Rows<T>): boolean {
  return at >= again.length && checked >= rows.length;
}

/** Number of rows in a slice: for rows tested one by one, and for joined strings. */
const sliceRows = { each: 4096, joined: 131_072 };

/** Maximum milliseconds that a regular expression may take for a slice, and for a single row. */
const sliceTimeMs = { all: 40, one: 250 };

/** Searches the next slice. Returns undefined if the regular expression takes too long for a single row. */
export function pickSlice<T>(pick: Pick<T>, rows: Rows<T>, kind: RowKind<T>): Pick<T> | undefined {
  const { again, at, checked } = pick;
  if (at < again.length) {
    const slice = again.subarray(at, at + sliceRows.each);
    const tested = testAll(slice, pick, rows, kind);
    if (tested === undefined) return undefined;
    return { ...pick, indexes: concatIndexes(pick.indexes, tested.found), at: at + tested.count };
  }
  const tested =
    searchNext(pick, rows) ?? testAll(indexRange(checked, checked + sliceRows.each, rows), pick, rows, kind);
  if (tested === undefined) return undefined;
  return { ...pick, indexes: mergeFound(pick, tested.found, rows), checked: checked + tested.count };
}

function indexRange<T>(from: number, to: number, { length }: Rows<T>): Uint32Array {
  return Uint32Array.from({ length: Math.max(0, Math.min(to, length) - from) }, (_, index) => from + index);
}

/**
 * Searches the next joined strings. Returns undefined if the next rows have no joined strings, or the query has a condition or no matcher.
 */
function searchNext<T>({ query, checked }: Pick<T>, rows: Rows<T>): Tested | undefined {
  const { matcher, condition } = query;
  const first = chunkIndex(rows, checked);
  if (matcher === undefined || condition !== undefined || rows.starts[first] !== checked) return undefined;
  const list = new Uint32Array(Math.min(sliceRows.joined + largestChunk, rows.length - checked));
  let from = 0;
  let end = checked;
  for (let at = first; at < rows.chunks.length && end - checked < sliceRows.joined; at++) {
    const texts = rows.chunks[at]?.joined;
    if (texts === undefined || !isSearchedAtOnce(matcher, texts)) break;
    from = writeFound(texts, matcher, { list, from, offset: end });
    end += rows.chunks[at]?.length ?? 0;
  }
  return end === checked ? undefined : { found: list.slice(0, from), count: end - checked };
}

/** Updates a pick after `removed` rows at index `at` were replaced by `added` rows. */
export function splicePick<T>(
  pick: Pick<T>,
  { at, removed, added }: { readonly at: number; readonly removed: number; readonly added: number },
  rows: Rows<T>,
  kind: RowKind<T>,
): Pick<T> {
  if (pick.again.length > pick.at || at > pick.checked) return newPick(pick.query);
  const shift = (index: number) => (index < at ? index : index + added - removed);
  const remaining = pick.indexes.filter((index) => index < at || index >= at + removed).map(shift);
  const spliced = { ...pick, indexes: remaining, checked: shift(pick.checked) };
  const fresh = Uint32Array.from({ length: added }, (_, index) => at + index);
  const tested = testAll(fresh, pick, rows, kind);
  if (tested?.count !== added) return newPick(pick.query);
  return { ...spliced, indexes: mergeFound(spliced, tested.found, rows) };
}

/** The indexes of matching rows, and the number of rows tested. */
interface Tested {
  readonly found: Uint32Array;
  readonly count: number;
}

/** Tests rows one by one. Returns undefined if the first row takes too long. */
function testAll<T>(
  slice: Uint32Array,
  { query: { matcher, condition } }: Pick<T>,
  rows: Rows<T>,
  kind: RowKind<T>,
): Tested | undefined {
  if (matcher === undefined && condition === undefined) return { found: slice, count: slice.length };
  const isWanted = (row: T) => (condition?.(row) ?? true) && (matcher?.lets(kind.getText(row)) ?? true);
  const found = new Uint32Array(slice.length);
  let length = 0;
  let count = 0;
  const work = () => {
    for (; count < slice.length; count++) {
      const index = slice[count] ?? 0;
      const row = rowAt(rows, index);
      if (row !== undefined && isWanted(row)) found[length++] = index;
    }
  };
  if (matcher?.pattern.how !== 'expression' || slice.length === 0) work();
  else if (!withinTime(sliceTimeMs.all, work) && count === 0) withinTime(sliceTimeMs.one, work);
  if (count === 0 && slice.length > 0) return undefined;
  return { found: found.slice(0, length), count };
}

/** Merges new matches into the matches of a pick. */
function mergeFound<T>({ query, indexes }: Pick<T>, found: Uint32Array, rows: Rows<T>): Uint32Array {
  const order = query.createOrder?.(rows);
  // New matches are in the order of the list.
  return order === undefined
    ? mergeOrdered(indexes, found, asListed)
    : mergeOrdered(indexes, found.sort(order), order);
}

const asListed: Order = (one, other) => one - other;

function mergeOrdered(before: Uint32Array, added: Uint32Array, order: Order): Uint32Array {
  const last = before.at(-1);
  if (added.length === 0) return before;
  if (last === undefined || order(last, added[0] ?? 0) < 0) return concatIndexes(before, added);
  const all = new Uint32Array(before.length + added.length);
  let from = 0;
  added.forEach((index, place) => {
    const to = insertionIndex(before, index, order, from);
    all.set(before.subarray(from, to), from + place);
    all[to + place] = index;
    from = to;
  });
  all.set(before.subarray(from), from + added.length);
  return all;
}

/** Returns the position at which to insert an index into ordered indexes, at least `from`. */
function insertionIndex(among: Uint32Array, index: number, order: Order, from: number): number {
  let low = from;
  let high = among.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(among[middle] ?? 0, index) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function concatIndexes(before: Uint32Array, added: Uint32Array): Uint32Array {
  if (before.length === 0) return added;
  if (added.length === 0) return before;
  const all = new Uint32Array(before.length + added.length);
  all.set(before);
  all.set(added, before.length);
  return all;
}
