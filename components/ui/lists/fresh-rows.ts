import { topOf } from '../../kit/keys/cursor.ts';
import { type PagedList, shownLength, shownRow } from './paged-list.ts';

/** Rows beyond the screen that are remembered, so that one that comes into sight is not taken for a new one. */
const margin = 200;

/** Present rows on the screen and around it, by their identities. */
export function rowsNear<T>(list: PagedList<T>, height: number): ReadonlyMap<string, string> {
  const length = shownLength(list);
  const top = topOf(list.cursor, length, height);
  const near = new Map<string, string>();
  for (let index = Math.max(0, top - margin); index < Math.min(length, top + height + margin); index++) {
    const row = shownRow(list, index);
    if (row !== undefined) near.set(list.kind.idOf(row), JSON.stringify(row));
  }
  return near;
}

/** The identities of rows on the screen that are new or others. */
export function freshRows<T>(
  before: ReadonlyMap<string, string>,
  list: PagedList<T>,
  height: number,
): ReadonlySet<string> {
  const length = shownLength(list);
  const top = topOf(list.cursor, length, height);
  const fresh = new Set<string>();
  for (let index = top; index < Math.min(length, top + height); index++) {
    const row = shownRow(list, index);
    if (row === undefined) continue;
    const id = list.kind.idOf(row);
    if (before.get(id) !== JSON.stringify(row)) fresh.add(id);
  }
  return fresh;
}
