import { createMatcher, isNarrower, type Matcher, readPattern } from '../../../src/text/search/pattern.ts';
import { type PagedList, selectedId, selectId } from './paged-list.ts';
import { isPicked, narrowerPick, newPick, type Pick, type PickQuery, pickSlice, splicePick } from './pick.ts';
import { createOrdering, defaultSort, nextSort, reversedSort, type Sort } from './sort.ts';

/**
 * Filters the loaded rows by the typed filter. Keeps the selection if possible. An incomplete expression does not change the rows; the list
 * then contains the error.
 */
export function narrow<T>(list: PagedList<T>, contains: string): PagedList<T> {
  const pattern = readPattern(contains);
  const matcher = createMatcher(pattern);
  if ('fault' in matcher) return { ...list, contains, fault: matcher.fault };
  const wanted = pattern.text === '' ? undefined : matcher;
  return seek({ ...list, contains, fault: undefined, pick: choosePick(list, wanted) }, list);
}

/** Sorts the list by its next column, or reverses its order. Keeps the selection. */
export function changeSort<T>(list: PagedList<T>, how: 'next' | 'reverse'): PagedList<T> {
  return sortBy(list, (how === 'next' ? nextSort : reversedSort)(list.kind, list.sort));
}

/** Sorts the list; undefined means the order of the listing. */
export function sortBy<T>(list: PagedList<T>, sort: Sort | undefined): PagedList<T> {
  return rebuildPick({ ...list, sort }, list);
}

/** Shows only the rows that have all of these tags. */
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

/** Whether all rows are shown in the order of the listing. */
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

/** Restores an earlier view of the list. If the sort column does not exist, the list gets its default order. */
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

/** Updates the filtered rows after rows at an index were replaced. */
export function replaceRows<T>(
  list: PagedList<T>,
  change: { readonly at: number; readonly removed: number; readonly added: number },
): PagedList<T> {
  const { pick, rows, kind } = list;
  return pick === undefined ? list : continuePick({ ...list, pick: splicePick(pick, change, rows, kind) });
}

/** Whether some rows have not been searched yet. */
export function isPicking<T>({ pick, rows }: PagedList<T>): boolean {
  return pick !== undefined && !isPicked(pick, rows);
}

/** Slices that are searched in one step: enough to complete a short list immediately. */
const slicesPerStep = 2;

/** Searches more rows of the list; all rows of a short list. */
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
  return selectId(
    { ...list, pick, fault: 'the expression takes too long, so all rows are shown' },
    list.sought,
  );
}

/** Restores the selection of an earlier state of the list. */
function seek<T>(list: PagedList<T>, before: PagedList<T>): PagedList<T> {
  const sought = before.sought ?? selectedId(before);
  return continuePick(selectId({ ...list, sought }, sought));
}

/** Returns the pick for a matcher. If no other rows can match, the pick searches only the previous matches. */
function choosePick<T>(list: PagedList<T>, matcher: Matcher | undefined): Pick<T> | undefined {
  if (showsAllInOrder(list, matcher)) return undefined;
  // The sort order is unchanged, and its sort values are cached.
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
