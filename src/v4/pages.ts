import { createHash } from 'node:crypto';
import { Problem } from '../model/problem.ts';
import { type Check, callResult } from './client.ts';
import type { ResultInfo } from './parse-envelope.ts';
import { barePath } from './read-answer.ts';
import type { Call, Send } from './send.ts';

interface PageBounds {
  readonly pages: number;
  /** Maximum number of consecutive empty pages. A platform returns some empty pages after many keys were deleted. */
  readonly empty: number;
}

/** The default limits. The maximum number of pages is enough for a hundred million keys or five million custom hostnames. */
const maxListBounds: PageBounds = { pages: 100_000, empty: 10_000 };

/**
 * Yields pages that are linked by cursors, and fetches each page on demand. The list ends only when there is no cursor, because an empty
 * page can be followed by a full one. `getItems` returns the items of a page. Refuses a list that loops or never ends, and a list that
 * announces more items without a cursor.
 */
export async function* cursorPages<P>(
  send: Send,
  callAt: (cursor: string | undefined) => Call,
  check: Check<P>,
  getItems: (page: P) => readonly unknown[],
): AsyncGenerator<P> {
  let cursor: string | undefined;
  const guard = new PageGuard();
  do {
    const call = callAt(cursor);
    const page = await callResult(send, call, check);
    guard.see(call, getItems(page.result));
    yield page.result;
    cursor = page.info.cursor;
    if (cursor !== undefined) guard.follow(call, cursor);
    else if (page.info.truncated === true)
      throw endlessListProblem(call, 'it reports more items, but no cursor');
  } while (cursor !== undefined);
}

/** The position at which to resume a list of numbered pages: the number of the page, starting at 1, and the number of earlier items. */
export interface PageStart {
  readonly page: number;
  readonly seen: number;
}

/**
 * Yields numbered pages, as many as `result_info` states. Without totals, or with totals that are too low, yields pages until a page is
 * shorter than the page size. If the response does not state the page size, the length of the first page is used. Refuses a list that
 * loops, never ends, or ends before its announced total. `tellTotal` is called with the total if a response states it.
 */
export async function* numberedPages<T>(
  send: Send,
  callAt: (page: number) => Call,
  check: Check<T[]>,
  tellTotal?: (total: number) => void,
  start: PageStart = { page: 1, seen: 0 },
): AsyncGenerator<T[]> {
  let { seen } = start;
  let first = 0;
  const guard = new PageGuard();
  for (let number = start.page; ; number += 1) {
    const call = callAt(number);
    const { result, info } = await callResult(send, call, check);
    guard.see(call, result);
    guard.foresee(call, statedPages(info));
    seen += result.length;
    if (info.totalCount !== undefined) tellTotal?.(info.totalCount);
    if (number === start.page) first = result.length;
    if (result.length > 0) yield result;
    const isEmpty = result.length === 0;
    if (isLast(info, number, seen, isEmpty) ?? result.length < fullPage(info, first)) return;
    if (isEmpty)
      throw endlessListProblem(
        call,
        `page ${number} is empty, but is not the last page according to the totals`,
      );
  }
}

/**
 * Returns whether a page is the last page according to the totals. Undefined if the response has no totals, or if a page that is not empty
 * contradicts the totals because there are more items. An empty page does not contradict the totals, because the list may have become
 * shorter meanwhile.
 */
function isLast(
  { totalPages, totalCount }: ResultInfo,
  number: number,
  seen: number,
  isEmpty: boolean,
): boolean | undefined {
  const [reached, total] = totalPages === undefined ? [seen, totalCount] : [number, totalPages];
  if (total === undefined || (reached > total && !isEmpty)) return undefined;
  return reached >= total;
}

/** Returns the number of pages according to the totals; undefined if there are no totals. */
function statedPages({ totalPages, totalCount, perPage }: ResultInfo): number | undefined {
  if (totalPages !== undefined) return totalPages;
  return totalCount === undefined || perPage === undefined ? undefined : totalCount / Math.max(1, perPage);
}

/** Returns the number of items on a full page: at least 1, so that an empty page always counts as the last page. */
function fullPage({ perPage }: ResultInfo, first: number): number {
  return Math.max(1, perPage ?? first);
}

/** Remembers the pages of a list, with a few bytes per page, and refuses a page that repeats. */
export class PageGuard {
  readonly #bounds: PageBounds;
  readonly #pages = new Set<string>();
  readonly #cursors = new Set<string>();
  #count = 0;
  #empty = 0;

  constructor(bounds: PageBounds = maxListBounds) {
    this.#bounds = bounds;
  }

  /**
   * Refuses a page if there are too many pages, if too many pages in a row are empty, or if the page was seen before. A page is identified
   * by its length and by its first and last items, because no item is listed twice.
   */
  see(call: Call, items: readonly unknown[]): void {
    this.#count += 1;
    this.#empty = items.length === 0 ? this.#empty + 1 : 0;
    const { empty } = this.#bounds;
    this.foresee(call, this.#count);
    if (this.#empty > empty)
      throw endlessListProblem(call, `more than ${words(empty)} pages in a row are empty`);
    if (items.length === 0) return;
    const mark = digest(JSON.stringify([items.length, items[0], items.at(-1)]));
    if (this.#pages.has(mark)) throw endlessListProblem(call, 'a page was repeated');
    this.#pages.add(mark);
  }

  /** Refuses a list as soon as it announces too many pages, not only after the maximum number of requests. */
  foresee(call: Call, count = 0): void {
    const { pages } = this.#bounds;
    if (count > pages) throw endlessListProblem(call, `it has more than ${words(pages)} pages`);
  }

  follow(call: Call, cursor: string): void {
    const mark = digest(cursor);
    if (this.#cursors.has(mark)) throw endlessListProblem(call, 'a cursor was repeated');
    this.#cursors.add(mark);
  }
}

function digest(text: string): string {
  return createHash('md5').update(text).digest('base64url');
}

function words(count: number): string {
  return count.toLocaleString('en');
}

function endlessListProblem(call: Call, why: string): Problem {
  const message = `The platform's list (${call.method} ${barePath(call)}) does not end correctly: ${why}.`;
  return new Problem('refused', message, {
    hint: 'The items received so far are not the complete list. Try again; if the error persists, the platform or a proxy is at fault.',
  });
}
