import { createMatcher, isNarrower, type Matcher, readPattern } from '../../../src/text/search/pattern.ts';
import { type PagedList, selectedId, selectId } from './paged-list.ts';
import { isPicked, narrowerPick, newPick, type Pick, type PickQuery, pickSlice, splicePick } from './pick.ts';
import { createOrdering, defaultSort, nextSort, reversedSort, type Sort } from './sort.ts';

/**
 * Filters the loaded rows by the typed filter, and keeps the selection if possible. For an invalid expression, sets `fault` and leaves the
 * rows unchanged.
 */
export function narrow<T>(list: PagedList<T>, contains: string): PagedList<T> {
  const pattern = readPattern(contains);
  const matcher = createMatcher(pattern);
  if ('fault' in matcher) return { ...list, contains, fault: matcher.fault };
  const wanted = pattern.text === '' ? undefined : matcher;
  return seek({ ...list, contains, fault: undefined, pick: choosePick(list, wanted) }, list);
}

/** Sorts the list by its next column, or reverses the order. Keeps the selection. */
export function changeSort<T>(list: PagedList<T>, how: 'next' | 'reverse'): PagedList<T> {
  return sortBy(list, (how === 'next' ? nextSort : reversedSort)(list.kind, list.sort));
}

/** Sorts the list; for undefined, restores the order of the listing. Keeps the selection. */
export function sortBy<T>(list: PagedList<T>, sort: Sort | undefined): PagedList<T> {
  return rebuildPick({ ...list, sort }, list);
}

/** Shows only the rows that have all of these tags. Keeps the selection. */
export function narrowTo<T>(list: PagedList<T>, only: readonly string[]): PagedList<T> {
  return rebuildPick({ ...list, only }, list);
}

function rebuildPick<T>(list: PagedList<T>, before: PagedList<T>): PagedList<T> {
  const matcher = list.pick?.query.matcher;
  return seek(
    { ...list, pick: showsAllInOrder(list, matcher) ? undefined : newPick(toPickQuery(list, matcher)) },
    before,
  );
}

/** Returns whether all rows are shown in the order of the listing. */
function showsAllInOrder<T>({ sort, only }: PagedList<T>, matcher: Matcher | undefined): boolean {
  return matcher === undefined && sort === undefined && only.length === 0;
}

/** The view of a list: its typed filter, its tags, and its sort column. */
export interface ListView {
  readonly filter: string;
  readonly only: readonly string[];
  readonly sort: Sort | undefined;
}

/** Returns the current view of a list. */
export function currentView<T>({ contains, only, sort }: PagedList<T>): ListView {
  return { filter: contains, only, sort };
}

/** Restores a saved view of the list. If the list lacks the saved sort column, the list is shown in its default order. */
export function restoreView<T>(list: PagedList<T>, { filter, only, sort }: ListView): PagedList<T> {
  const { kind } = list;
  const isKnown = kind.sorts?.some(({ heading }) => heading === sort?.heading) ?? false;
  const tags = kind.getTags === undefined ? [] : only;
  return narrow(narrowTo(sortBy(list, isKnown ? sort : defaultSort(kind)), tags), filter);
}

/** Filters and sorts all rows again after the rows have changed. */
export function restartPick<T>(list: PagedList<T>): PagedList<T> {
  return list.pick === undefined ? list : continuePick({ ...list, pick: newPick(list.pick.query) });
}

/** Updates the shown rows after `removed` rows at index `at` were replaced by `added` rows. */
export function replaceRows<T>(
  list: PagedList<T>,
  change: { readonly at: number; readonly removed: number; readonly added: number },
): PagedList<T> {
  const { pick, rows, kind } = list;
  return pick === undefined ? list : continuePick({ ...list, pick: splicePick(pick, change, rows, kind) });
}

/** Returns whether some rows have not been searched yet. */
export function isPicking<T>({ pick, rows }: PagedList<T>): boolean {
  return pick !== undefined && !isPicked(pick, rows);
}

/** Number of slices that are searched in one step: enough to search a short list completely. */
const slicesPerStep = 2;

/** Searches the next rows of the list; in a short list, all rows. */
export function continuePick<T>(list: PagedList<T>): PagedList<T> {
  let next = list;
  for (let slice = 0; slice < slicesPerStep && isPicking(next); slice++) next = pickOnce(next);
  return isPicking(next) || next.sought === undefined ? next : { ...next, sought: undefined };
}

function pickOnce<T>(list: PagedList<T>): PagedList<T> {
  const { pick, rows, kind } = list;
  if (pick === undefined) return list;
  const further = pickSlice(pick, rows, kind);
  if (further === undefined) return abandonExpression(list);
  const next = { ...list, pick: further };
  return next.sought === undefined ? next : selectId(next, next.sought);
}

/** Abandons a regular expression that takes too long for a single row, and shows all rows. */
function abandonExpression<T>(list: PagedList<T>): PagedList<T> {
  const pick = showsAllInOrder(list, undefined) ? undefined : newPick(toPickQuery(list, undefined));
  return selectId({ ...list, pick, fault: 'the expression takes too long; all rows are shown' }, list.sought);
}

/** Selects the row that was selected in an earlier state of the list, as soon as the search finds it. */
function seek<T>(list: PagedList<T>, before: PagedList<T>): PagedList<T> {
  const sought = before.sought ?? selectedId(before);
  return continuePick(selectId({ ...list, sought }, sought));
}

/**
 * Returns the pick for a matcher. If the new pattern can match only rows that the old pattern matches, the pick searches only these rows.
 */
function choosePick<T>(list: PagedList<T>, matcher: Matcher | undefined): Pick<T> | undefined {
  if (showsAllInOrder(list, matcher)) return undefined;
  // Keeps the query's sort order, because it caches sort values.
  const query = list.pick === undefined ? toPickQuery(list, matcher) : { ...list.pick.query, matcher };
  const before = list.pick?.query.matcher?.pattern;
  const isLess = matcher !== undefined && before !== undefined && isNarrower(matcher.pattern, before);
  return isLess && list.pick !== undefined ? narrowerPick(list.pick, query, list.rows) : newPick(query);
}

function toPickQuery<T>({ kind, sort, only }: PagedList<T>, matcher: Matcher | undefined): PickQuery<T> {
  const hasTags = (row: T) => {
    const tags = kind.getTags?.(row) ?? [];
    return only.every((tag) => tags.includes(tag));
  };
  return {
    matcher,
    condition: only.length === 0 ? undefined : hasTags,
    createOrder: createOrdering(kind, sort),
  };
}
