import { utf8Length } from '../kv/kv.ts';

const longestName = 255;
const device = /^(?:aux|con|nul|prn|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/**
 * Why the part of a key behind a prefix cannot be a path below a folder, or undefined. Holds on every system alike:
 * no part is empty, `.`, `..`, a device's name or too long, and none holds a control character. `onWindows` refuses besides
 * what that system cannot name, and a backslash, which is a slash there.
 */
export function pathFault(relativeKey: string, onWindows: boolean): string | undefined {
  if (relativeKey.endsWith('/')) return 'it ends in a slash, as a folder does';
  if (relativeKey.startsWith('/')) return 'it is absolute';
  for (const part of relativeKey.split('/')) {
    const fault = partFault(part, onWindows);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function partFault(part: string, onWindows: boolean): string | undefined {
  if (part === '') return 'a part of it is empty';
  if (part === '.' || part === '..') return `its part "${part}" leads elsewhere`;
  if (onWindows && part.includes('\\')) return 'it holds a backslash';
  if (/[\u0000-\u001f\u007f-\u009f]/.test(part)) return 'it holds a control character';
  if (device.test(part)) return `its part "${part}" is the name of a device`;
  if (utf8Length(part) > longestName) return 'a part of it is longer than 255 bytes';
  if (onWindows && (/[<>:"|?*]/.test(part) || /[. ]$/.test(part))) return 'Windows has no such name';
  return undefined;
}

/** A key that becomes a file, or why it does not. */
export interface PlannedPath<T> {
  readonly item: T;
  /** Parts of the path below the folder. */
  readonly parts: readonly string[];
}

export interface PathPlan<T> {
  readonly planned: readonly PlannedPath<T>[];
  readonly faults: readonly { readonly item: T; readonly fault: string }[];
}

/**
 * Paths below a folder for the keys of objects, in their order. A key that cannot be a path is a fault, and so is one
 * whose path is a folder for another key (`a` beside `a/b`): the file would take the folder's place.
 */
export function planPaths<T>(
  items: readonly T[],
  relativeKeyOf: (item: T) => string,
  onWindows: boolean,
): PathPlan<T> {
  const folders = new Set(items.flatMap((item) => parentsOf(relativeKeyOf(item))));
  const planned: PlannedPath<T>[] = [];
  const faults: { item: T; fault: string }[] = [];
  for (const item of items) {
    const relativeKey = relativeKeyOf(item);
    const fault =
      pathFault(relativeKey, onWindows) ??
      (folders.has(relativeKey) ? 'other keys need a folder in its place' : undefined);
    if (fault === undefined) planned.push({ item, parts: relativeKey.split('/') });
    else faults.push({ item, fault });
  }
  return { planned, faults };
}

function parentsOf(relativeKey: string): string[] {
  const parents: string[] = [];
  for (let at = relativeKey.indexOf('/'); at !== -1; at = relativeKey.indexOf('/', at + 1)) {
    parents.push(relativeKey.slice(0, at));
  }
  return parents;
}

/** A prefix as a folder of keys: it ends in a slash, unless it is empty. */
export function folderPrefix(prefix: string): string {
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}
