import { linkText, type PlaceLink } from '../../src/model/places/link.ts';
import { type KeptView, viewOf as keptIn, type Memory, withView } from '../../src/model/places/memory.ts';
import { listFrom } from '../lists/list-pages.ts';
import { restoreView, viewOf } from '../lists/narrowing.ts';
import type { PagedList } from '../lists/paged-list.ts';
import type { Sort } from '../lists/sort.ts';

/** How a list begins: asked of the platform what somebody wants, else shown as it was left. */
export function begunList<T>(
  list: PagedList<T>,
  { place, prefix }: { readonly place?: PlaceLink | undefined; readonly prefix?: string | undefined },
  memory: Memory,
): PagedList<T> {
  if (prefix !== undefined) return listFrom(list, prefix);
  const link = place && linkText(place);
  const kept = link === undefined ? undefined : keptIn(memory, link);
  if (kept === undefined) return list;
  const { contains = '', sort, prefix: asked = '', status = '' } = kept;
  const restored = restoreView(list, {
    filter: contains,
    sort: sort === undefined ? undefined : readSort(sort),
  });
  return asked === '' && status === '' ? restored : listFrom(restored, asked, status);
}

/** The memory of how a list is shown now. */
export function keeping<T>(list: PagedList<T>, place: PlaceLink | undefined, memory: Memory): Memory {
  const link = place && linkText(place);
  if (link === undefined) return memory;
  const { filter, sort } = viewOf(list);
  const kept: KeptView = {
    ...(filter !== '' && { contains: filter }),
    ...(sort !== undefined && { sort: sortText(sort) }),
    ...(list.prefix !== '' && { prefix: list.prefix }),
    ...(list.status !== '' && { status: list.status }),
  };
  return withView(memory, link, kept);
}

/** The heading of a column, with a minus before it where it is turned over. */
function sortText({ heading, isReversed }: Sort): string {
  return isReversed ? `-${heading}` : heading;
}

function readSort(text: string): Sort {
  return text.startsWith('-')
    ? { heading: text.slice(1), isReversed: true }
    : { heading: text, isReversed: false };
}
