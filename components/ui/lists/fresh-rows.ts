import { firstVisibleRow } from '../../kit/keys/cursor.ts';
import { type PagedList, shownLength, shownRow } from './paged-list.ts';

/** Number of rows above and below the screen that are remembered, so that they do not count as new when they scroll into view. */
const margin = 200;

/** Returns the rows on and near the screen as comparable strings, by id. */
export function rowsNear<T>(list: PagedList<T>, height: number): ReadonlyMap<string, string> {
  const length = shownLength(list);
  const top = firstVisibleRow(list.cursor, length, height);
  const near = new Map<string, string>();
  for (let index = Math.max(0, top - margin); index < Math.min(length, top + height + margin); index++) {
    const row = shownRow(list, index);
    if (row !== undefined) near.set(list.kind.getId(row), comparable(list, row));
  }
  return near;
}

function comparable<T>({ kind }: PagedList<T>, row: T): string {
  return JSON.stringify(kind.getCompared?.(row) ?? row);
}

/** Returns the ids of the rows on the screen that are new or changed since `before`. */
export function freshRows<T>(
  before: ReadonlyMap<string, string>,
  list: PagedList<T>,
  height: number,
): ReadonlySet<string> {
  const length = shownLength(list);
  const top = firstVisibleRow(list.cursor, length, height);
  const fresh = new Set<string>();
  for (let index = top; index < Math.min(length, top + height); index++) {
    const row = shownRow(list, index);
    if (row === undefined) continue;
    const id = list.kind.getId(row);
    if (before.get(id) !== comparable(list, row)) fresh.add(id);
  }
  return fresh;
}
