import { utf8Length } from '../kv/kv.ts';

const maxNameBytes = 255;
const device = /^(?:aux|con|nul|prn|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/**
 * Explains why the part of a key after a prefix cannot be a path below a folder; undefined if it can. On every system, a segment must not
 * be empty, `.`, `..`, the name of a device or too long, and must not contain a control character. `onWindows` also rejects names that are
 * invalid on Windows, and backslashes, which separate folders on Windows.
 */
export function pathFault(relativeKey: string, onWindows: boolean): string | undefined {
  if (relativeKey.endsWith('/')) return 'it ends in a slash, like a folder';
  if (relativeKey.startsWith('/')) return 'it is absolute';
  for (const part of relativeKey.split('/')) {
    const fault = partFault(part, onWindows);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function partFault(part: string, onWindows: boolean): string | undefined {
  if (part === '') return 'it has an empty part';
  if (part === '.' || part === '..') return `its part "${part}" is not allowed in a path`;
  if (onWindows && part.includes('\\')) return 'it contains a backslash';
  if (/[\u0000-\u001f\u007f-\u009f]/.test(part)) return 'it contains a control character';
  if (device.test(part)) return `its part "${part}" is a reserved device name`;
  if (utf8Length(part) > maxNameBytes) return 'it has a part that is longer than 255 bytes';
  if (onWindows && (/[<>:"|?*]/.test(part) || /[. ]$/.test(part))) return 'the name is not valid on Windows';
  return undefined;
}

/** An item, and the path of its file. */
export interface PlannedPath<T> {
  readonly item: T;
  /** Segments of the path below the folder. */
  readonly parts: readonly string[];
}

export interface PathPlan<T> {
  readonly planned: readonly PlannedPath<T>[];
  readonly faults: readonly { readonly item: T; readonly fault: string }[];
}

/**
 * Plans a path below a folder for each object key, in the same order. Reports a key as a fault if it cannot be a path, or if its path is
 * also the folder of another key (`a` and `a/b`), because a file and a folder would then have the same name.
 */
export function planPaths<T>(
  items: readonly T[],
  toRelativeKey: (item: T) => string,
  onWindows: boolean,
): PathPlan<T> {
  const folders = new Set(items.flatMap((item) => listParents(toRelativeKey(item))));
  const planned: PlannedPath<T>[] = [];
  const faults: { item: T; fault: string }[] = [];
  for (const item of items) {
    const relativeKey = toRelativeKey(item);
    const fault =
      pathFault(relativeKey, onWindows) ??
      (folders.has(relativeKey) ? 'other keys need a folder with this name' : undefined);
    if (fault === undefined) planned.push({ item, parts: relativeKey.split('/') });
    else faults.push({ item, fault });
  }
  return { planned, faults };
}

function listParents(relativeKey: string): string[] {
  const parents: string[] = [];
  for (let at = relativeKey.indexOf('/'); at !== -1; at = relativeKey.indexOf('/', at + 1)) {
    parents.push(relativeKey.slice(0, at));
  }
  return parents;
}

/** Converts a prefix to a folder prefix by adding a slash at the end. An empty prefix is unchanged. */
export function folderPrefix(prefix: string): string {
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}
