import { afterPrefix, keyRange } from '../key-order.ts';
import type { ObjectColumns, ObjectTable } from './table.ts';

/** The position at which a listing continues: after a key, or after all keys that start with a prefix. */
export interface ListPosition {
  readonly after?: string | undefined;
  readonly afterGroup?: string | undefined;
}

/** A part of a bucket's keys, listed in UTF-8 byte order. */
export interface PageRequest extends ListPosition {
  readonly prefix?: string | undefined;
  /** The delimiter. Keys that contain the delimiter after the prefix are grouped by their start, up to and including the delimiter. */
  readonly delimiter?: string | undefined;
  /** Maximum number of objects and groups in total. */
  readonly limit: number;
}

/** The objects and groups of one page, and the position at which the next page begins; `next` is undefined on the last page. */
export interface ObjectListing<T> {
  readonly objects: T[];
  /** Prefixes of the groups, each ending in the delimiter. */
  readonly prefixes: string[];
  readonly next: ListPosition | undefined;
}

/** Lists a page. Each group costs one index search, regardless of its number of keys. */
export function listRows(table: ObjectTable, page: PageRequest): ObjectListing<ObjectColumns> {
  const objects: ObjectColumns[] = [];
  const prefixes: string[] = [];
  const { prefix = '', delimiter = '', limit } = page;
  let position: ListPosition | undefined = page;
  let last: ListPosition | undefined;
  while (position !== undefined) {
    const range = toKeyRange(prefix, position);
    if (range === undefined) break;
    position = undefined;
    for (const row of table.walk(range)) {
      if (objects.length + prefixes.length === limit) return { objects, prefixes, next: last };
      const group = findGroup(row.key, prefix, delimiter);
      if (group === undefined) {
        objects.push(row);
        last = { after: row.key };
        continue;
      }
      prefixes.push(group);
      last = { afterGroup: group };
      position = last;
      break;
    }
  }
  return { objects, prefixes, next: undefined };
}

function findGroup(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '') return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at === -1 ? undefined : key.slice(0, at + delimiter.length);
}

/** Returns the range of keys after a position; undefined if the range is empty. */
function toKeyRange(prefix: string, { after, afterGroup }: ListPosition) {
  if (afterGroup === undefined) return keyRange(prefix, after);
  const from = afterPrefix(afterGroup);
  return from === undefined ? undefined : { from, before: keyRange(prefix, undefined).before };
}
