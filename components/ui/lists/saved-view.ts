import { formatLink, type PlaceLink } from '../../../src/model/places/link.ts';
import {
  findView as keptIn,
  type Memory,
  type SavedView,
  withView,
} from '../../../src/model/places/memory.ts';
import { findRowIndex } from './find-row.ts';
import { restartWithPrefix } from './list-pages.ts';
import { currentView, restoreView } from './narrowing.ts';
import type { PagedList } from './paged-list.ts';
import { isDefaultSort, type Sort } from './sort.ts';
import { asTree } from './tree.ts';
import { placeAt } from './tree-places.ts';

/** Returns a list in its initial view: with the given prefix, or otherwise with the saved view, if there is one. */
export function restoreList<T>(
  list: PagedList<T>,
  { place, prefix }: { readonly place?: PlaceLink | undefined; readonly prefix?: string | undefined },
  memory: Memory,
): PagedList<T> {
  if (prefix !== undefined) return restartWithPrefix(list, prefix);
  const link = place && formatLink(place);
  const saved = link === undefined ? undefined : keptIn(memory, link);
  if (saved === undefined) return list;
  const { contains = '', sort, prefix: asked = '', only = [] } = saved;
  const restored = restoreView(list, {
    filter: contains,
    only,
    sort: sort === undefined ? undefined : readSort(sort),
  });
  const begun = asked === '' ? restored : restartWithPrefix(restored, asked);
  return restorePlace(saved.tree === undefined ? begun : asTree(begun, saved.tree, saved.open), saved.at);
}

/** Maximum number of rows to read to restore the selected row. */
const maxRowsToRestore = 20_000;

function restorePlace<T>(list: PagedList<T>, at: SavedView['at']): PagedList<T> {
  if (at === undefined) return list;
  const { name, isFolder, index } = at;
  return { ...list, returns: { name, isFolder }, wanted: index < maxRowsToRestore ? index + 1 : list.wanted };
}

/** Maximum number of open folders to save. */
const maxOpenFolders = 50;

function savedPlace<T>(list: PagedList<T>): Pick<SavedView, 'at' | 'tree' | 'open'> {
  const { cursor, tree, returns } = list;
  const place = returns ?? placeAt(list, cursor.index);
  // The first line is the default selection.
  const isKept = place !== undefined && (cursor.index > 0 || returns !== undefined);
  const position = isKept ? rowPosition(list, place.name) : 0;
  return {
    ...(tree !== undefined && { tree: tree.separator }),
    ...(tree !== undefined && tree.open.size > 0 && { open: [...tree.open].slice(-maxOpenFolders) }),
    ...(isKept && { at: { ...place, index: position } }),
  };
}

/** Returns the index of a row among the loaded rows, or an estimate if the row is not loaded. */
function rowPosition<T>(list: PagedList<T>, name: string): number {
  const at = findRowIndex(list.rows, list.kind, name);
  return at === -1 ? Math.max(0, list.wanted - 1) : at;
}

/** Returns the memory with the current view of a list added. */
export function rememberView<T>(list: PagedList<T>, place: PlaceLink | undefined, memory: Memory): Memory {
  const link = place && formatLink(place);
  if (link === undefined) return memory;
  const { filter, only, sort } = currentView(list);
  const view: SavedView = {
    ...(filter !== '' && { contains: filter }),
    ...(only.length > 0 && { only: [...only] }),
    ...(sort !== undefined && !isDefaultSort(list.kind, sort) && { sort: formatSortKey(sort) }),
    ...(list.prefix !== '' && { prefix: list.prefix }),
    ...savedPlace(list),
  };
  return withView(memory, link, view);
}

/** Returns the heading of the sort column, with a leading minus if the order is reversed. */
function formatSortKey({ heading, isReversed }: Sort): string {
  return isReversed ? `-${heading}` : heading;
}

function readSort(text: string): Sort {
  return text.startsWith('-')
    ? { heading: text.slice(1), isReversed: true }
    : { heading: text, isReversed: false };
}
