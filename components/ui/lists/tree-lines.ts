import { lowerBound, type Rows, rowAt } from './rows.ts';

/** The names of a list, cut into folders by a separator. Names that begin alike stand together, so a folder is a stretch. */
export interface Tree {
  readonly separator: string;
  /** The open folders, by all of their names up to the separator. */
  readonly open: ReadonlySet<string>;
  /** What is seen of it, line by line: see `lineOf`. */
  readonly lines: Rows<number>;
  /** Number of names processed. */
  readonly at: number;
  /** The folders that the last of them is in, the outermost first. */
  readonly inside: readonly string[];
  /** What was selected before, and is again as soon as it has its line. */
  readonly sought: TreePlace | undefined;
}

/** A line of a tree, wherever it stands. */
export interface TreePlace {
  /** The name of a row, or the beginning that a folder's names have. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** More than the longest name has. */
const longest = 2048;

/** A line as one number: the place of its first name among those of the list, and, of a folder, how long its name is. */
export function lineOf(start: number, folderLength: number): number {
  return start * longest + folderLength;
}

/** The place of a line's first name. */
export function startOf(line: number): number {
  return Math.floor(line / longest);
}

/** How long a folder's name is; 0 for a row. */
export function folderLengthOf(line: number): number {
  return line % longest;
}

/** The last line that begins at a name or before it: its own, or that of the closed folder that it is in. */
export function lineHolding({ lines }: Tree, position: number): number {
  return lowerBound(lines, (line) => startOf(line) <= position) - 1;
}

/** The line of exactly this folder or row; -1 where it is not seen. */
export function lineAt(tree: Tree, position: number, folderLength: number): number {
  const wanted = lineOf(position, folderLength);
  for (let at = lineHolding(tree, position); at >= 0; at--) {
    const line = rowAt(tree.lines, at) ?? -1;
    if (line === wanted) return at;
    if (startOf(line) !== position) return -1;
  }
  return -1;
}
