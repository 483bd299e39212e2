import { escapeText } from '../../src/text/escape.ts';
import type { Dialog } from '../forms/dialog.ts';
import { filterWords } from './filter.ts';
import { markWords } from './marks.ts';
import { listCounts, type PagedList } from './paged-list.ts';

/** What the rows of a list are called. */
export interface ListNoun {
  readonly one: string;
  readonly many: string;
}

/**
 * What is coming, how many rows are marked, what filters them, how many there are, and whether more are on the server,
 * for the header of a pane with `height` rows.
 */
export function listHeader<T>(
  { list, dialog }: { list: PagedList<T>; dialog?: Dialog<unknown, string, unknown> | undefined },
  { one, many }: ListNoun,
  height: number,
): string {
  const prefix = list.prefix === '' ? '' : `prefix ${escapeText(list.prefix)}`;
  return listCounts(list, [one, many], height, [markWords(list), prefix, filterWords(list.contains, dialog)]);
}

/** Why a list shows no rows; undefined when there are none, and nothing filters them. */
export function emptyText<T>(list: PagedList<T>, { one }: ListNoun): string | undefined {
  if (list.stopped) return 'The list could not be read: r tries again.';
  if (list.contains !== '' && !list.complete && !list.whole) {
    return `No loaded ${one} matches: m loads more, Enter asks for a prefix.`;
  }
  if (!list.complete || list.refill !== undefined) return 'Loading…';
  return list.contains === '' && list.prefix === '' ? undefined : `No ${one} matches the filter.`;
}
