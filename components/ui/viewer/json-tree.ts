import { segmentStarts } from './source.ts';

/** The structure of indented JSON by lines. A long line counts as several lines, so that no frame has to process the whole line. */
export interface JsonTree {
  readonly bytes: Uint8Array;
  /** The offset of each line in the bytes. */
  readonly starts: Uint32Array;
  /** For each line, the line that opens its container; -1 at the top level. */
  readonly parents: Int32Array;
  /** For each line that opens a container, the last line of the container; for all other lines, the line itself. */
  readonly ends: Uint32Array;
}

/** For each line, 1 if it is folded, otherwise 0. Must not be modified. */
export type Folded = Uint8Array;

/** Maximum number of lines of a tree. A tree uses 13 bytes for each line. */
const maxLines = 4_000_000;

const closingBrackets = new Set([0x5d, 0x7d]);
const openingBrackets = new Set([0x5b, 0x7b]);
const lineFeed = 0x0a;

/** Returns the tree of indented JSON; undefined for JSON with more than `maxLines` lines. */
export function jsonTree(bytes: Uint8Array): JsonTree | undefined {
  const starts = segmentStarts(bytes);
  const { length } = starts;
  if (length > maxLines) return undefined;
  const parents = new Int32Array(length).fill(-1);
  const ends = new Uint32Array(length);
  const open: number[] = [];
  for (let line = 0; line < length; line++) {
    const start = starts[line] ?? 0;
    const end = starts[line + 1] ?? bytes.length;
    ends[line] = line;
    const begins = start === 0 || bytes[start - 1] === lineFeed;
    parents[line] = open.at(-1) ?? -1;
    if (begins && closingBrackets.has(firstByte(bytes, start))) {
      const opened = open.pop();
      if (opened !== undefined) ends[opened] = line;
    }
    if (opensContainer(bytes, end)) open.push(line);
  }
  return { bytes, starts, parents, ends };
}

function firstByte(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === 0x20) at++;
  return bytes[at] ?? 0;
}

/** Returns whether the line that ends before this offset opens a container: its last character is an opening bracket. */
function opensContainer(bytes: Uint8Array, end: number): boolean {
  return bytes[end - 1] === lineFeed && openingBrackets.has(bytes[end - 2] ?? 0);
}

/** Returns the numbers of the visible lines. */
export function shownLines({ starts, ends }: JsonTree, folded: Folded | undefined): Uint32Array {
  const shown = new Uint32Array(starts.length);
  let count = 0;
  for (let line = 0; line < starts.length; line++) {
    shown[count++] = line;
    if (folded?.[line] === 1) line = ends[line] ?? line;
  }
  return shown.subarray(0, count);
}

/**
 * Folds or unfolds the container that a line opens, or otherwise the container around the line. Returns the folds and the container's line;
 * undefined if there is no such container.
 */
export function toggleFold(
  { starts, parents, ends }: JsonTree,
  folded: Folded | undefined,
  line: number,
): { readonly folded: Folded; readonly line: number } | undefined {
  const target = ends[line] === line ? (parents[line] ?? -1) : line;
  if (target === -1) return undefined;
  const next = folded === undefined ? new Uint8Array(starts.length) : folded.slice();
  next[target] = folded?.[target] === 1 ? 0 : 1;
  return { folded: next, line: target };
}

/** Returns folds in which all containers except the outermost are folded. */
export function foldAll({ parents, ends }: JsonTree): Folded {
  return Uint8Array.from(ends, (end, line) => (end !== line && parents[line] !== -1 ? 1 : 0));
}

/** Returns folds in which a line is visible; the same folds if it already is. */
export function unfoldTo({ parents }: JsonTree, folded: Folded, line: number): Folded {
  let next = folded;
  for (let at = parents[line] ?? -1; at !== -1; at = parents[at] ?? -1) {
    if (next[at] !== 1) continue;
    if (next === folded) next = folded.slice();
    next[at] = 0;
  }
  return next;
}

/** Returns the line itself, or the visible folded line that hides it. */
export function shownLine(tree: JsonTree, folded: Folded | undefined, line: number): number {
  let shown = line;
  for (let at = line; at !== -1; at = tree.parents[at] ?? -1)
    if (folded?.[at] === 1 && at !== line) shown = at;
  return shown;
}

/** Returns the JSONPath of a line: `$.a[3]["b c"]`. */
export function pathOfLine(tree: JsonTree, line: number): string {
  const steps: string[] = [];
  for (let at = owningLine(tree, line); at !== -1; at = tree.parents[at] ?? -1)
    steps.unshift(pathStep(tree, at));
  return `$${steps.join('')}`;
}

/** Returns the line to whose value a line belongs: for a closing bracket, the opening line; for the rest of a long line, its beginning. */
function owningLine({ bytes, starts, parents }: JsonTree, line: number): number {
  let at = line;
  while (at > 0 && bytes[(starts[at] ?? 0) - 1] !== lineFeed) at--;
  return closingBrackets.has(firstByte(bytes, starts[at] ?? 0)) ? (parents[at] ?? -1) : at;
}

function pathStep(tree: JsonTree, line: number): string {
  const { bytes, starts, parents } = tree;
  const parent = parents[line] ?? -1;
  if (parent === -1) return '';
  const parentEnd = starts[parent + 1] ?? bytes.length;
  if (bytes[parentEnd - 2] === 0x5b) return `[${itemIndex(tree, parent, line)}]`;
  const name = propertyName(bytes, starts[line] ?? 0);
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function itemIndex({ bytes, starts, parents, ends }: JsonTree, parent: number, line: number): number {
  let index = 0;
  for (let at = parent + 1; at < line; at = (ends[at] ?? at) + 1) {
    const begins = bytes[(starts[at] ?? 0) - 1] === lineFeed;
    if (begins && parents[at] === parent) index++;
  }
  return index;
}

function propertyName(bytes: Uint8Array, start: number): string {
  const from = bytes.indexOf(0x22, start);
  let to = from + 1;
  while (to < bytes.length && bytes[to] !== 0x22) to += bytes[to] === 0x5c ? 2 : 1;
  const name: unknown = JSON.parse(Buffer.from(bytes.subarray(from, to + 1)).toString());
  return String(name);
}
