import type { ObjectEntry } from '../../src/model/objects/object.ts';
import type { ObjectPage } from '../../src/services/objects/objects.ts';
import { compareBytes } from '../ui/lists/row-kind.ts';

/** A row of a folder: an object or a subfolder directly in the folder. The name of a subfolder ends in a slash. */
export interface ObjectRow {
  /** The key without the folder's prefix; empty for an object whose key equals the prefix. */
  readonly name: string;
  readonly key: string;
  readonly entry: ObjectEntry | undefined;
}

/** Returns the rows of a page: folders and objects, sorted together by name in byte order. */
export function toRows(folder: string, { objects, prefixes }: ObjectPage): ObjectRow[] {
  const rows = [
    ...objects.map((entry): ObjectRow => ({ name: entry.key.slice(folder.length), key: entry.key, entry })),
    ...prefixes.map((key): ObjectRow => ({ name: key.slice(folder.length), key, entry: undefined })),
  ];
  return rows.toSorted((one, other) => compareBytes(one.name, other.name));
}

/**
 * Returns the row of an object in the list of a folder: its own row, or the row of the subfolder that contains it. Returns undefined for an
 * object outside the folder.
 */
export function toRow(folder: string, key: string, entry: ObjectEntry | undefined): ObjectRow | undefined {
  if (!key.startsWith(folder)) return undefined;
  const slash = key.indexOf('/', folder.length);
  if (slash === -1) return { name: key.slice(folder.length), key, entry };
  const deeper = key.slice(0, slash + 1);
  return { name: deeper.slice(folder.length), key: deeper, entry: undefined };
}
