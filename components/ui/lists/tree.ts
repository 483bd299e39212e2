import { moveCursorTo } from '../../kit/keys/cursor.ts';
import { sortBy } from './narrowing.ts';
import { foundLength, idAt, type PagedList, shownLength } from './paged-list.ts';
import { appendRows, noRows } from './rows.ts';
import { encodeLine, type Tree } from './tree-lines.ts';
import { folderAt, folderEnd, namePosition, placeAt, selectedFolder, selectPlace } from './tree-places.ts';

/** The separators that split names into folders. */
export const separators: readonly string[] = [':', '/', '.'];

/** Returns the separator that occurs in most of the first names. */
export function commonSeparator<T>({ rows, kind }: PagedList<T>): string {
  const sample = [...(rows.chunks[0] ?? [])].map((row) => kind.getId(row));
  const countNames = (separator: string) => sample.filter((name) => name.includes(separator)).length;
  return separators.reduce((best, other) => (countNames(other) > countNames(best) ? other : best));
}

/** Switches between the list and a tree with all folders closed. The selected row, or its folder, stays selected. */
export function toggleTree<T>(list: PagedList<T>): PagedList<T> {
  return list.tree === undefined ? asTree(list, commonSeparator(list)) : asList(list);
}

/** Returns the list as a tree with the given separator, in the order of names. The folders with a prefix in `open` are open. */
export function asTree<T>(list: PagedList<T>, separator: string, open: Iterable<string> = []): PagedList<T> {
  const inOrder = sortBy(list, undefined);
  return regrowTree(list, { ...inOrder, tree: newTree(separator, new Set(open)) }, false);
}

/** Returns the tree with the next separator. */
export function nextSeparator<T>(list: PagedList<T>): PagedList<T> {
  const at = separators.indexOf(list.tree?.separator ?? '');
  return list.tree === undefined ? list : asTree(list, separators[(at + 1) % separators.length] ?? ':');
}

function asList<T>(list: PagedList<T>): PagedList<T> {
  const place = placeAt(list, list.cursor.index);
  const flat = { ...list, tree: undefined };
  const at = place === undefined ? list.cursor.index : namePosition(list, place.name);
  return { ...flat, cursor: moveCursorTo(list.cursor, at, shownLength(flat)) };
}

/** Opens or closes the selected folder. */
export function toggleFolder<T>(list: PagedList<T>): PagedList<T> {
  const folder = selectedFolder(list);
  if (list.tree === undefined || folder === undefined) return list;
  const open = new Set(list.tree.open);
  if (!open.delete(folder.prefix)) open.add(folder.prefix);
  return regrowTree(list, { ...list, tree: newTree(list.tree.separator, open) }, false);
}

/** Closes the selected folder, or selects the parent folder; undefined if there is no parent folder. */
export function stepOut<T>(list: PagedList<T>): PagedList<T> | undefined {
  const { tree, cursor } = list;
  const place = placeAt(list, cursor.index);
  if (tree === undefined || place === undefined) return undefined;
  if (folderAt(list, cursor.index)?.isOpen) return toggleFolder(list);
  const around = place.isFolder ? place.name.slice(0, -1) : place.name;
  const end = around.lastIndexOf(tree.separator);
  return end === -1 ? undefined : selectPlace(list, { name: around.slice(0, end + 1), isFolder: true });
}

function newTree(separator: string, open: ReadonlySet<string>): Tree {
  return { separator, open, lines: noRows, at: 0, inside: [], sought: undefined };
}

/** Returns whether the tree does not contain all filtered rows yet. */
export function isGrowing<T>(list: PagedList<T>): boolean {
  return list.tree !== undefined && list.tree.at < foundLength(list);
}

/** Updates the tree after a change: extends it if rows were only appended (`isAdded`), otherwise rebuilds it. Keeps the selection. */
export function regrowTree<T>(before: PagedList<T>, list: PagedList<T>, isAdded: boolean): PagedList<T> {
  const { tree } = list;
  if (tree === undefined) return list;
  if (isAdded) return growTree(list, tree);
  const sought = before.tree?.sought ?? placeAt(before, before.cursor.index);
  return growTree(list, { ...newTree(tree.separator, tree.open), sought });
}

/** Maximum number of names and closed folders to process before presses are handled. */
const sliceNames = 8192;

function growTree<T>(list: PagedList<T>, from: Tree): PagedList<T> {
  const tree = growLines(list, from, sliceNames);
  const next = { ...list, tree };
  if (tree.sought !== undefined) return selectPlace(next, tree.sought);
  return { ...next, cursor: moveCursorTo(next.cursor, next.cursor.index, shownLength(next)) };
}

/** Extends the tree in at most `maxNames` steps. A closed folder of any size is skipped in one step. */
function growLines<T>(list: PagedList<T>, tree: Tree, maxNames: number): Tree {
  const { separator, open } = tree;
  const inside = [...tree.inside];
  const lines: number[] = [];
  const end = foundLength(list);
  let { at } = tree;
  for (let processed = 0; at < end && processed < maxNames; processed++) {
    const name = idAt(list, at);
    while (inside.length > 0 && !name.startsWith(inside.at(-1) ?? '')) inside.pop();
    const around = inside.at(-1) ?? '';
    if (around !== '' && !open.has(around)) {
      at = folderEnd(list, around, at, end);
      continue;
    }
    const next = name.indexOf(separator, around.length);
    if (next === -1) lines.push(encodeLine(at++, 0));
    else {
      lines.push(encodeLine(at, next + 1));
      inside.push(name.slice(0, next + 1));
    }
  }
  return { ...tree, at, inside, lines: appendRows(tree.lines, lines) };
}
