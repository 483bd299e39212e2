import { lowerBound, type Rows, rowAt } from './rows.ts';

/**
 * The names of a list, split into folders by a separator. A folder is a range of names, because names with the same prefix are adjacent.
 */
export interface Tree {
  readonly separator: string;
  /** The open folders, by their full prefix including the separator. */
  readonly open: ReadonlySet<string>;
  /** The visible lines of the tree, encoded by `encodeLine`. */
  readonly lines: Rows<number>;
  /** Number of names processed so far. */
  readonly at: number;
  /** The folders that contain the last processed name, outermost first. */
  readonly inside: readonly string[];
  /** The line to select as soon as the tree contains it. */
  readonly sought: TreePlace | undefined;
}

/** A line of a tree, identified independently of its index. */
export interface TreePlace {
  /** The name of a row, or the prefix of a folder. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** The factor of the position in an encoded line: greater than the length of the longest name. */
const maxNameLength = 2048;

/** Encodes a line as one number: the position of its first name in the list, and the length of its folder's prefix (0 for a row). */
export function encodeLine(start: number, folderLength: number): number {
  return start * maxNameLength + folderLength;
}

/** Returns the position of a line's first name. */
export function lineStart(line: number): number {
  return Math.floor(line / maxNameLength);
}

/** Returns the length of a folder's prefix; 0 for a row. */
export function folderNameLength(line: number): number {
  return line % maxNameLength;
}

/** Returns the index of the line that contains the name at a position: the name's own line, or the line of a closed folder. */
export function lineContaining({ lines }: Tree, position: number): number {
  return lowerBound(lines, (line) => lineStart(line) <= position) - 1;
}

/** Returns the index of the line of exactly this folder or row; -1 if it is not among the lines. */
export function lineAt(tree: Tree, position: number, folderLength: number): number {
  const wanted = encodeLine(position, folderLength);
  for (let at = lineContaining(tree, position); at >= 0; at--) {
    const line = rowAt(tree.lines, at) ?? -1;
    if (line === wanted) return at;
    if (lineStart(line) !== position) return -1;
  }
  return -1;
}
