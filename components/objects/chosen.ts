import type { ObjectAddress } from '../../src/model/objects/object.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import type { MarkedObject } from '../../src/services/tasks/objects.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { type DialogLine, hiddenLines, sampleLine } from '../ui/forms/dialog-lines.ts';

/** Objects and folders in a folder of a bucket that were marked or selected when a form was opened. */
export interface Chosen {
  readonly bucket: string;
  /** The folder of the selected objects: a prefix that ends in a slash; empty for the whole bucket. */
  readonly folder: string;
  readonly marked: readonly MarkedObject[];
  /** Number of marked rows that a filter hides. */
  readonly hidden: number;
}

/** Returns the address of the selected object; undefined unless exactly one row is selected, and the row is an object. */
export function singleObject({ bucket, marked }: Chosen): ObjectAddress | undefined {
  const [one] = marked;
  return marked.length === 1 && one !== undefined && 'key' in one ? { bucket, key: one.key } : undefined;
}

/** Returns the prefix of the selected folder; undefined unless exactly one row is selected, and the row is a folder. */
export function singleFolder({ marked }: Chosen): string | undefined {
  const [one] = marked;
  return marked.length === 1 && one !== undefined && 'prefix' in one ? one.prefix : undefined;
}

/** Describes the selected rows: the name of a single row, or `12 objects and 1 folder`. */
export function describeChosen(chosen: Chosen): string {
  const { folder, marked } = chosen;
  const [one] = marked;
  if (marked.length === 1 && one !== undefined) {
    return rowName(one, folder) || ('key' in one ? one.key : one.prefix);
  }
  const folders = marked.filter((item) => 'prefix' in item).length;
  const parts = [
    [marked.length - folders, 'object'],
    [folders, 'folder'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${groupDigits(count)} ${name}${count === 1 ? '' : 's'}`)
    .join(' and ');
}

/** Returns whether at least one folder is selected. */
export function hasFolders({ marked }: Chosen): boolean {
  return marked.some((item) => 'prefix' in item);
}

/** Returns the names of the selected rows in their folder. The names of folders end in a slash. */
function chosenNames({ folder, marked }: Chosen): string[] {
  return marked.map((item) => rowName(item, folder));
}

function rowName(item: MarkedObject, folder: string): string {
  return ('key' in item ? item.key : item.prefix).slice(folder.length);
}

/** Returns the number and size in bytes of the marked objects. Objects below marked folders are not counted. */
export function countMarked(marked: readonly MarkedObject[]): ObjectCount {
  const objects = marked.filter((item) => 'key' in item);
  const bytes = objects.reduce((sum, { size = 0 }) => sum + size, 0);
  return { objects: objects.length, bytes, more: false };
}

/** Formats a count: "no object", "12 objects (3.2 MiB)", "more than 10,000 objects". */
export function formatAmount({ objects, bytes, more }: ObjectCount): string {
  if (objects === 0) return 'no object';
  const counted = `${groupDigits(objects)} ${objects === 1 ? 'object' : 'objects'}`;
  return more ? `more than ${counted}` : `${counted} (${formatSize(bytes)})`;
}

/**
 * Returns the number of rows that a filter hides, and a sample of the selection. A single row needs no sample: the title contains its name.
 */
export function sampleLines(chosen: Chosen): DialogLine[] {
  const names = chosenNames(chosen);
  return [...hiddenLines(chosen.hidden), ...(names.length === 1 ? [] : [sampleLine(names)])];
}

/** Returns the last part of a folder's prefix, without the slash. */
export function folderName(prefix: string): string {
  const path = prefix.slice(0, -1);
  return path.slice(path.lastIndexOf('/') + 1);
}
