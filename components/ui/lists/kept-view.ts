import { linkText, type PlaceLink } from '../../../src/model/places/link.ts';
import { type KeptView, viewOf as keptIn, type Memory, withView } from '../../../src/model/places/memory.ts';
import { findIn } from './find-row.ts';
import { listFrom } from './list-pages.ts';
import { restoreView, viewOf } from './narrowing.ts';
import type { PagedList } from './paged-list.ts';
import { isFirstSort, type Sort } from './sort.ts';
import { asTree } from './tree.ts';
import { placeAt } from './tree-places.ts';

/** Returns a list in its first view: with the requested prefix, otherwise in its last view. */
export function begunList<T>(
  list: PagedList<T>,
  { place, prefix }: { readonly place?: PlaceLink | undefined; readonly prefix?: string | undefined },
  memory: Memory,
): PagedList<T> {
  if (prefix !== undefined) return listFrom(list, prefix);
  const link = place && linkText(place);
  const kept = link === undefined ? undefined : keptIn(memory, link);
  if (kept === undefined) return list;
  const { contains = '', sort, prefix: asked = '', only = [] } = kept;
  const restored = restoreView(list, {
    filter: contains,
    only,
    sort: sort === undefined ? undefined : readSort(sort),
  });
  const begun = asked === '' ? restored : listFrom(restored, asked);
  return returning(kept.tree === undefined ? begun : asTree(begun, kept.tree, kept.open), kept.at);
}

/** Maximum number of rows read to reach the one that was selected. */
const farthest = 20_000;

function returning<T>(list: PagedList<T>, at: KeptView['at']): PagedList<T> {
  if (at === undefined) return list;
  const { name, isFolder, index } = at;
  return { ...list, returns: { name, isFolder }, wanted: index < farthest ? index + 1 : list.wanted };
}

/** Maximum number of open folders that are saved. */
const mostOpen = 50;

function placeIn<T>(list: PagedList<T>): Pick<KeptView, 'at' | 'tree' | 'open'> {
  const { cursor, tree, returns } = list;
  const place = returns ?? placeAt(list, cursor.index);
  // The first line is the default.
  const isKept = place !== undefined && (cursor.index > 0 || returns !== undefined);
  const position = isKept ? positionIn(list, place.name) : 0;
  return {
    ...(tree !== undefined && { tree: tree.separator }),
    ...(tree !== undefined && tree.open.size > 0 && { open: [...tree.open].slice(-mostOpen) }),
    ...(isKept && { at: { ...place, index: position } }),
  };
}

/** Returns how many rows must be read before a row is loaded. */
function positionIn<T>(list: PagedList<T>, name: string): number {
  const at = findIn(list.rows, list.kind, name);
  return at === -1 ? Math.max(0, list.wanted - 1) : at;
}

/** Returns the memory with the present view of a list. */
export function keeping<T>(list: PagedList<T>, place: PlaceLink | undefined, memory: Memory): Memory {
  const link = place && linkText(place);
  if (link === undefined) return memory;
  const { filter, only, sort } = viewOf(list);
  const kept: KeptView = {
    ...(filter !== '' && { contains: filter }),
    ...(only.length > 0 && { only: [...only] }),
    ...(sort !== undefined && !isFirstSort(list.kind, sort) && { sort: sortText(sort) }),
    ...(list.prefix !== '' && { prefix: list.prefix }),
    ...placeIn(list),
  };
  return withView(memory, link, kept);
}

/** Returns the heading of the sort column, with a minus before it if the order is reversed. */
function sortText({ heading, isReversed }: Sort): string {
  return isReversed ? `-${heading}` : heading;
}

function readSort(text: string): Sort {
  return text.startsWith('-')
    ? { heading: text.slice(1), isReversed: true }
    : { heading: text, isReversed: false };
}
