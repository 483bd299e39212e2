import { afterPrefix, keyRange } from '../key-order.ts';
import type { ObjectColumns, ObjectTable } from './table.ts';

/** Where a listing continues: after a key, or after everything that starts with a prefix. */
export interface ListPosition {
  readonly after?: string | undefined;
  readonly afterGroup?: string | undefined;
}

/** A part of a bucket's keys, in UTF-8 byte order. */
export interface PageRequest extends ListPosition {
  readonly prefix?: string | undefined;
  /** The delimiter: keys that contain it after the prefix are grouped by their start up to it. */
  readonly delimiter?: string | undefined;
  /** Maximum number of objects and groups together. */
  readonly limit: number;
}

/** The rows and groups of one page, and where the next page begins; undefined on the last page. */
export interface ObjectListing<T> {
  readonly objects: T[];
  /** Prefixes of the groups, each ending in the delimiter. */
  readonly prefixes: string[];
  readonly next: ListPosition | undefined;
}

/** Lists a page. A group costs one index search, however many keys it has. */
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

/** Returns the range of keys after a position; undefined if it must be empty. */
function toKeyRange(prefix: string, { after, afterGroup }: ListPosition) {
  if (afterGroup === undefined) return keyRange(prefix, after);
  const from = afterPrefix(afterGroup);
  return from === undefined ? undefined : { from, before: keyRange(prefix, undefined).before };
}
