import { groupDigits } from '../../../src/text/size.ts';
import { moveCursorTo } from '../../kit/keys/cursor.ts';
import { foundLength, idAt, type PagedList, shownIndex, shownLength, shownRow } from './paged-list.ts';
import { compareBytes } from './row-kind.ts';
import { rowAt } from './rows.ts';
import { folderNameLength, lineAt, lineContaining, lineStart, type TreePlace } from './tree-lines.ts';

/** A folder of a tree. */
export interface Folder {
  /** The common prefix of the folder's names, including the separator. */
  readonly prefix: string;
  /** The positions of the folder's names among the filtered rows; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
}

/** Returns the folder on a line; undefined if the line is not a folder. */
export function folderAt<T>(list: PagedList<T>, index: number): Folder | undefined {
  const line = list.tree && rowAt(list.tree.lines, index);
  if (list.tree === undefined || line === undefined || folderNameLength(line) === 0) return undefined;
  const from = lineStart(line);
  const prefix = idAt(list, from).slice(0, folderNameLength(line));
  return {
    prefix,
    from,
    to: folderEnd(list, prefix, from, foundLength(list)),
    isOpen: list.tree.open.has(prefix),
  };
}

/** Returns the folder under the cursor; undefined if the cursor is on a row. */
export function selectedFolder<T>(list: PagedList<T>): Folder | undefined {
  return folderAt(list, list.cursor.index);
}

/** Yields the names in a folder that are loaded and pass the filter. */
export function* folderNames<T>(list: PagedList<T>, { from, to }: Folder): Generator<string> {
  for (let at = from; at < to; at++) yield idAt(list, at);
}

/** Returns the position after the last name with this prefix, at most `limit`. The name at `from` must have the prefix. */
export function folderEnd<T>(list: PagedList<T>, prefix: string, from: number, limit: number): number {
  const isIn = (at: number) => idAt(list, at).startsWith(prefix);
  let step = 1;
  while (from + step < limit && isIn(from + step)) step *= 2;
  let low = from + (step >>> 1);
  let high = Math.min(limit, from + step);
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (isIn(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** Returns the folder or row on a line, identified independently of the index; undefined if the line does not exist. */
export function placeAt<T>(list: PagedList<T>, index: number): TreePlace | undefined {
  const folder = folderAt(list, index);
  if (folder !== undefined) return { name: folder.prefix, isFolder: true };
  const row = shownRow(list, index);
  return row === undefined ? undefined : { name: list.kind.getId(row), isFolder: false };
}

/** Returns the position of a name among the filtered rows, or the position at which the name would be inserted. */
export function namePosition<T>(list: PagedList<T>, name: string): number {
  let low = 0;
  let high = foundLength(list);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(idAt(list, middle), name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Moves the cursor to a folder or row, or to the closed folder that contains it. If the tree has not been built that far, remembers the
 * target in `sought`.
 */
export function selectPlace<T>(list: PagedList<T>, place: TreePlace): PagedList<T> {
  const { tree, cursor } = list;
  if (tree === undefined) return list;
  const position = namePosition(list, place.name);
  if (position >= tree.at && tree.at < foundLength(list)) {
    return {
      ...list,
      tree: { ...tree, sought: place },
      cursor: moveCursorTo(cursor, cursor.index, shownLength(list)),
    };
  }
  const exact = lineAt(tree, position, place.isFolder ? place.name.length : 0);
  const at = exact === -1 ? Math.max(0, lineContaining(tree, position)) : exact;
  return {
    ...list,
    tree: { ...tree, sought: undefined },
    cursor: moveCursorTo(cursor, at, shownLength(list)),
  };
}

/**
 * Moves the cursor to the saved selection as soon as its row or folder has been loaded. If all rows are loaded and the row or folder does
 * not exist: in a list, the cursor does not move; in a tree, the cursor moves to the nearest line.
 */
export function restoreCursor<T>(list: PagedList<T>): PagedList<T> {
  const { returns, tree, complete } = list;
  if (returns === undefined) return list;
  const back = { ...list, returns: undefined };
  if (tree === undefined) {
    const at = shownIndex(list, returns.name);
    if (at !== -1) return { ...back, cursor: moveCursorTo(list.cursor, at, shownLength(list)) };
    return complete ? back : list;
  }
  const isThere = namePosition(list, returns.name) < tree.at;
  if (isThere) return selectPlace(back, returns);
  return complete && tree.at >= foundLength(list) ? back : list;
}

/** Maximum number of indented levels: more would leave no room for names. */
const maxIndentLevels = 12;

/** Formats a line: the indentation, the last part of the name, and for a folder its sign and count. */
export function formatTreeLine<T>(list: PagedList<T>, index: number): string {
  const place = placeAt(list, index);
  if (list.tree === undefined || place === undefined) return '';
  const { separator } = list.tree;
  const { name, isFolder } = place;
  const begin = name.lastIndexOf(separator, isFolder ? name.length - 2 : name.length) + 1;
  const depth = name.slice(0, isFolder ? name.length - 1 : begin).split(separator).length - 1;
  const indent = '  '.repeat(Math.min(depth, maxIndentLevels));
  const rest = isFolder && begin >= name.length ? separator : name.slice(begin);
  const folder = folderAt(list, index);
  if (folder === undefined) return `${indent}  ${rest === '' ? '(the folder itself)' : rest}`;
  return `${indent}${folder.isOpen ? '-' : '+'} ${rest}  (${formatFolderCount(list, folder)})`;
}

/** Formats the number of loaded names in a folder, followed by a plus if the server may have more. */
export function formatFolderCount<T>(list: PagedList<T>, { from, to }: Folder): string {
  const isLast = to === foundLength(list) && !list.complete;
  return `${groupDigits(to - from)}${isLast ? '+' : ''}`;
}
