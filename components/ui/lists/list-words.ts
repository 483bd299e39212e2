import type { Redact } from '../../../src/text/redact.ts';
import { patternNote } from '../../../src/text/search/pattern.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { fitText } from '../../../src/text/width.ts';
import type { Role } from '../../kit/theme.ts';
import type { Dialog } from '../forms/dialog.ts';
import { formatMore } from '../lines/counts.ts';
import { displayedList, loadsAll, needsPage } from './list-pages.ts';
import type { ServerFilter } from './list-state.ts';
import { formatMarks } from './marks.ts';
import { isPicking } from './narrowing.ts';
import { type PagedList, shownLength } from './paged-list.ts';
import { isDefaultSort, type Sort } from './sort.ts';
import type { TableLine } from './table-lines.ts';

/** The noun for one row of a list, and its plural. */
export interface RowNames {
  readonly one: string;
  readonly many: string;
}

/** A list, its server filter, and its dialog. */
interface Listed<T> {
  readonly list: PagedList<T>;
  readonly serverFilter?: ServerFilter | undefined;
  readonly dialog?: Dialog<unknown> | undefined;
}

/**
 * Formats the facts about a list for the header of a pane with `height` rows, least important first, as `fitCounts` requires: the pane's
 * own facts, tree and sort order, filters, marks, whether rows are loading, the number of rows, and whether the server has more rows.
 */
export function listHeader<T>(
  { list: now, serverFilter, dialog }: Listed<T>,
  { one, many }: RowNames,
  height: number,
  redact: Redact,
  words: readonly string[] = [],
): string {
  const list = displayedList(now);
  const { only, prefix, contains } = list;
  return listCounts(list, [one, many], height, [
    ...words,
    list.tree === undefined ? '' : `tree by ${list.tree.separator}`,
    formatSort(list),
    only.length === 0 ? '' : `only ${only.join(', ').replace(/^only /, '')}`,
    prefix === '' ? '' : `${serverFilter} ${fitText(redact(prefix), maxFilterColumns)} on the server`,
    formatFilter(contains, dialog, redact),
    formatMarks(list),
  ]);
}

/** Returns whether a list is complete and empty, without a filter that could hide rows. */
export function isEmptyList<T>(listed: Listed<T>, names: RowNames): boolean {
  return shownLength(listed.list) === 0 && emptyText(listed, names) === undefined;
}

/** Formats the numbers of rows above and below the lines on the screen; empty if all rows are on the screen. */
export function formatOutside<T>(list: PagedList<T>, lines: readonly TableLine[], height: number): string {
  const shown = lines.flatMap((line) => ('index' in line ? [line.index] : []));
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return '';
  const below = shownLength(list) - last - 1;
  const { complete, stopped } = displayedList(list);
  // The number of rows below is known only if all rows are loaded, or the list has stopped.
  return formatMore(first, complete || stopped || lines.length < height ? below : 'unknown');
}

const serverFilterLabels: Readonly<Record<ServerFilter, string>> = {
  prefix: 'a prefix',
  contains: 'a string',
};

/** Returns why a list shows no rows; undefined if the list is complete and not filtered. */
export function emptyText<T>(
  { list: now, serverFilter, dialog }: Listed<T>,
  { one }: RowNames,
): string | undefined {
  const list = displayedList(now);
  if (list.stopped) return 'The list could not be read. Press r to retry.';
  if (list.contains !== '' && !list.complete && !list.whole) {
    if (loadsAll(list)) return `No loaded ${one} matches so far. Press Esc to stop loading.`;
    // While a filter is being typed, keys insert text, so the hint names no key.
    if (dialog?.kind === 'filter') return `No loaded ${one} matches. The server has more.`;
    const further =
      serverFilter === undefined ? '' : `, p to ask the server for ${serverFilterLabels[serverFilter]}`;
    return `No loaded ${one} matches. Press m to load more, L to load all${further}.`;
  }
  if (!list.complete || list.refill !== undefined) return 'Loading…';
  const isFiltered = list.contains !== '' || list.prefix !== '' || list.only.length > 0;
  if (!isFiltered) return undefined;
  return dialog?.kind === 'filter'
    ? `No ${one} matches the filter.`
    : `No ${one} matches the filter. Press Esc to show all.`;
}

/**
 * Formats the pane's own facts, whether rows are loading for a pane of `height` rows, the number of rows, and whether the server has more
 * rows. `names` contains the noun and its plural.
 */
export function listCounts<T>(
  list: PagedList<T>,
  names: readonly [string, string],
  height: number,
  words: readonly string[] = [],
): string {
  const isComing = list.loading || list.refill !== undefined || needsPage(list, height);
  const coming = loadsAll(list) ? 'loading all, Esc to stop' : isComing ? 'loading…' : '';
  return [...words, coming, formatLoaded(list, names, isComing)].filter((part) => part !== '').join(' · ');
}

function formatLoaded<T>(
  list: PagedList<T>,
  [one, many]: readonly [string, string],
  isComing: boolean,
): string {
  const { rows, contains, only, stopped, complete } = list;
  if (isComing && rows.length === 0) return '';
  const loaded = groupDigits(rows.length);
  const isFiltered = contains !== '' || only.length > 0;
  const found = `${groupDigits(shownLength(list))}${isPicking(list) ? '…' : ''}`;
  const total = pendingTotal(list);
  const of =
    total === undefined ? '' : isFiltered ? `, ${groupDigits(total)} in all` : ` of ${groupDigits(total)}`;
  const shown = isFiltered ? `${found} of ${loaded} loaded${of}` : `${loaded}${of} loaded`;
  if (stopped) return `${shown}, stopped: press r to reload`;
  if (isComing) return shown;
  if (!complete) return total === undefined ? `${shown}, more on the server` : shown;
  return isFiltered ? shown : `${loaded} ${loaded === '1' ? one : many}`;
}

/** Returns the reported total; undefined if all rows are loaded, or the total is not greater than the number of loaded rows. */
function pendingTotal<T>({ rows, total, complete }: PagedList<T>): number | undefined {
  return complete || total === undefined || total <= rows.length ? undefined : total;
}

/** Maximum width, in columns, of a filter in the header, so that the counts after it stay visible on a narrow screen. */
const maxFilterColumns = 16;

/** Formats the filter for the header; empty without a filter, and while the filter is being typed. */
function formatFilter(contains: string, dialog: Listed<unknown>['dialog'], redact: Redact): string {
  if (contains === '' || dialog?.kind === 'filter') return '';
  return `filter: ${fitText(redact(contains), maxFilterColumns)}`;
}

/** Formats the sort order for the header; empty for the default order. */
function formatSort<T>(list: PagedList<T>): string {
  const { kind, sort } = list;
  if (sort === undefined || isDefaultSort(kind, sort)) return '';
  if (isPicking(list)) return 'sorting…';
  return `sorted by ${sort.heading.toLowerCase()} ${sortArrow(sort)}`;
}

/** Returns the arrow next to the heading of the sort column. */
export function sortArrow({ isReversed }: Sort): string {
  return isReversed ? '↓' : '↑';
}

/** Returns the error in a filter that is being typed, or a hint about what can be typed; undefined if there is neither. */
export function filterNote<T>({
  list,
  dialog,
}: Listed<T>): { readonly text: string; readonly role: Role } | undefined {
  if (dialog?.kind !== 'filter') return undefined;
  const note = patternNote(dialog.text, list.fault);
  return note && { text: note.text, role: note.isFault ? 'fault' : 'dim' };
}
