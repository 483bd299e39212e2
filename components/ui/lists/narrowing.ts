import { isNarrower, type Matcher, matcherOf, readPattern } from '../../../src/text/search/pattern.ts';
import { type PagedList, selectedId, selectId } from './paged-list.ts';
import { isPicked, narrowerPick, newPick, type Pick, pickSlice, splicedPick, type Wish } from './pick.ts';
import { firstSortOf, nextSort, ordering, reversedSort, type Sort } from './sort.ts';

/**
 * The list that shows only loaded rows that match the typed filter; the selection stays if possible. An incomplete expression
 * does not change the list, which says what is wrong.
 */
export function narrow<T>(list: PagedList<T>, contains: string): PagedList<T> {
  const pattern = readPattern(contains);
  const matcher = matcherOf(pattern);
  if ('fault' in matcher) return { ...list, contains, fault: matcher.fault };
  const wanted = pattern.text === '' ? undefined : matcher;
  return seek({ ...list, contains, fault: undefined, pick: pickFor(list, wanted) }, list);
}

/** The list in the order of its next column, or of the one it has turned over; the selection stays. */
export function sortFurther<T>(list: PagedList<T>, how: 'next' | 'reverse'): PagedList<T> {
  return sortBy(list, (how === 'next' ? nextSort : reversedSort)(list.kind, list.sort));
}

/** The list in an order; undefined for that of the listing. */
export function sortBy<T>(list: PagedList<T>, sort: Sort | undefined): PagedList<T> {
  return pickedBy({ ...list, sort }, list);
}

/** The list that shows only rows that have all of these tags. */
export function narrowTo<T>(list: PagedList<T>, only: readonly string[]): PagedList<T> {
  return pickedBy({ ...list, only }, list);
}

function pickedBy<T>(list: PagedList<T>, before: PagedList<T>): PagedList<T> {
  const matcher = list.pick?.wish.matcher;
  return seek({ ...list, pick: isPlain(list, matcher) ? undefined : newPick(wishOf(list, matcher)) }, before);
}

/** Whether all rows are shown in the order of the listing. */
function isPlain<T>({ sort, only }: PagedList<T>, matcher: Matcher | undefined): boolean {
  return matcher === undefined && sort === undefined && only.length === 0;
}

/** The view of a list: its typed filter, its tags, and its sort column. */
export interface ListView {
  readonly filter: string;
  readonly only: readonly string[];
  readonly sort: Sort | undefined;
}

/** The present view of a list. */
export function viewOf<T>({ contains, only, sort }: PagedList<T>): ListView {
  return { filter: contains, only, sort };
}

/** The list in an earlier view. If it lacks the sort column, it has its default order. */
export function restoreView<T>(list: PagedList<T>, { filter, only, sort }: ListView): PagedList<T> {
  const { kind } = list;
  const isKnown = kind.sorts?.some(({ heading }) => heading === sort?.heading) ?? false;
  const tags = kind.tagsOf === undefined ? [] : only;
  return narrow(narrowTo(sortBy(list, isKnown ? sort : firstSortOf(kind)), tags), filter);
}

/** The list with its rows picked again: they have changed. */
export function pickAgain<T>(list: PagedList<T>): PagedList<T> {
  return list.pick === undefined ? list : pickFurther({ ...list, pick: newPick(list.pick.wish) });
}

/** The list in which a number of rows at an index is replaced by others. */
export function pickSpliced<T>(
  list: PagedList<T>,
  change: { readonly at: number; readonly removed: number; readonly added: number },
): PagedList<T> {
  const { pick, rows, kind } = list;
  return pick === undefined ? list : pickFurther({ ...list, pick: splicedPick(pick, change, rows, kind) });
}

/** Whether there are rows that were not searched. */
export function isPicking<T>({ pick, rows }: PagedList<T>): boolean {
  return pick !== undefined && !isPicked(pick, rows);
}

/** Slices that are searched in one step: a short list is complete with the press. */
const atOnce = 2;

/** The list with some more of its rows searched; all of a short list. */
export function pickFurther<T>(list: PagedList<T>): PagedList<T> {
  let next = list;
  for (let slice = 0; slice < atOnce && isPicking(next); slice++) next = pickOnce(next);
  return isPicking(next) || next.sought === undefined ? next : { ...next, sought: undefined };
}

function pickOnce<T>(list: PagedList<T>): PagedList<T> {
  const { pick, rows, kind } = list;
  if (pick === undefined) return list;
  const further = pickSlice(pick, rows, kind);
  if (further === undefined) return tooSlow(list);
  const next = { ...list, pick: further };
  return next.sought === undefined ? next : selectId(next, next.sought);
}

/** An expression that goes round and round in a single row is given up, and all rows are shown. */
function tooSlow<T>(list: PagedList<T>): PagedList<T> {
  const pick = isPlain(list, undefined) ? undefined : newPick(wishOf(list, undefined));
  return selectId(
    { ...list, pick, fault: 'this expression takes too long: it narrows nothing' },
    list.sought,
  );
}

/** The list, with the selection of another one sought in it. */
function seek<T>(list: PagedList<T>, before: PagedList<T>): PagedList<T> {
  const sought = before.sought ?? selectedId(before);
  return pickFurther(selectId({ ...list, sought }, sought));
}

/** What a matcher finds, looked for only among what an earlier one has found, where that is enough. */
function pickFor<T>(list: PagedList<T>, matcher: Matcher | undefined): Pick<T> | undefined {
  if (isPlain(list, matcher)) return undefined;
  // The order is the same, and knows by now what it goes by.
  const wish = list.pick === undefined ? wishOf(list, matcher) : { ...list.pick.wish, matcher };
  const before = list.pick?.wish.matcher?.pattern;
  const isLess = matcher !== undefined && before !== undefined && isNarrower(matcher.pattern, before);
  return isLess && list.pick !== undefined ? narrowerPick(list.pick, wish, list.rows) : newPick(wish);
}

function wishOf<T>({ kind, sort, only }: PagedList<T>, matcher: Matcher | undefined): Wish<T> {
  const hasTags = (row: T) => {
    const tags = kind.tagsOf?.(row) ?? [];
    return only.every((tag) => tags.includes(tag));
  };
  return { matcher, only: only.length === 0 ? undefined : hasTags, orderOf: ordering(kind, sort) };
}
