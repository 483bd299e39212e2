import { escapeText } from '../../src/text/escape.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { Dialog } from '../forms/dialog.ts';
import { filterWords } from './filter.ts';
import type { FilterMode } from './list-state.ts';
import { markWords } from './marks.ts';
import { needsPage, type PagedList } from './paged-list.ts';

/** The word for one row of a list, and its plural. */
export interface RowNames {
  readonly one: string;
  readonly many: string;
}

/** A list, how it is filtered, and what stands before it. */
interface Listed<T> {
  readonly list: PagedList<T>;
  readonly filterMode: FilterMode;
  readonly dialog?: Dialog<unknown, string, unknown> | undefined;
}

/**
 * Counts of a list for the header of a pane with `height` rows: whether rows are coming, the pane's own words, marks,
 * filters, the number of rows, and whether more are on the server.
 */
export function listHeader<T>(
  { list, filterMode, dialog }: Listed<T>,
  { one, many }: RowNames,
  height: number,
  words: readonly string[] = [],
): string {
  const { status, prefix, contains } = list;
  return listCounts(list, [one, many], height, [
    ...words,
    markWords(list),
    status === '' ? '' : `status ${escapeText(status)}`,
    prefix === '' ? '' : `${filterMode} ${escapeText(prefix)}`,
    filterWords(contains, dialog),
  ]);
}

/** Why a list shows no rows; undefined when there are none, and nothing filters them. */
export function emptyText<T>({ list, filterMode }: Listed<T>, { one }: RowNames): string | undefined {
  if (list.stopped) return 'The list could not be read: r tries again.';
  if (list.contains !== '' && !list.complete && !list.whole) {
    const asks = filterMode === 'prefix' ? 'for a prefix' : 'the platform';
    return `No loaded ${one} matches: m loads more, Enter asks ${asks}.`;
  }
  if (!list.complete || list.refill !== undefined) return 'Loading…';
  const isFiltered = list.contains !== '' || list.prefix !== '' || list.status !== '';
  return isFiltered ? `No ${one} matches the filter.` : undefined;
}

/**
 * Whether rows are coming to a pane of `height` rows, the pane's own words, how many there are, and whether more are
 * on the server. `names` are one row and many.
 */
export function listCounts<T>(
  list: PagedList<T>,
  names: readonly [string, string],
  height: number,
  words: readonly string[] = [],
): string {
  const isComing = list.loading || list.refill !== undefined || needsPage(list, height);
  const coming = list.marks.isWaiting ? 'marking…' : isComing ? 'loading…' : '';
  return [coming, ...words, loadedWords(list, names, isComing)].filter((part) => part !== '').join(' · ');
}

function loadedWords<T>(
  { rows, matches, stopped, complete }: PagedList<T>,
  [one, many]: readonly [string, string],
  isComing: boolean,
): string {
  if (isComing && rows.length === 0) return '';
  const loaded = groupDigits(rows.length);
  const shown =
    matches === undefined ? `${loaded} loaded` : `${groupDigits(matches.length)} of ${loaded} loaded`;
  if (stopped) return `${shown}, stopped: r reads the list again`;
  if (isComing) return shown;
  if (!complete) return `${shown}, more on the server`;
  return matches === undefined ? `${loaded} ${loaded === '1' ? one : many}` : shown;
}
