import { prettyJson } from '../../../src/text/json.ts';
import { markBytes } from '../../../src/text/mark.ts';
import type { Range } from '../../../src/text/search/pattern.ts';
import { groupDigits } from '../../../src/text/size.ts';
import type { Role } from '../../kit/theme.ts';
import { cutText } from '../lines/fold.ts';
import { cutColumns } from './cut.ts';
import { type Folded, type JsonTree, jsonTree, shownLine, shownLines, unfoldTo } from './json-tree.ts';
import { cachedLongLines, type ShownLine, type Window } from './long-lines.ts';
import { placesIn, rangesByLine } from './shown-bytes.ts';
import { cacheLines, type SidewaysSource, textSideways } from './sideways.ts';
import { lastIndexAtMost, lineEnd, type Source, type Stretch, textSource } from './source.ts';

/** The lines of a JSON document, in which containers can be folded. */
export interface JsonSource extends Source {
  readonly tree: JsonTree;
  /** Returns the line of the tree that a segment shows. */
  lineAt(segment: number): number;
  /** Returns the segment of a line, or of the folded line that hides it. */
  findSegment(line: number): number;
}

/** Unfolds the containers that hide an offset of the bytes, and returns the folds; the same folds if the offset is visible. */
export function unfoldedAt(
  { tree }: JsonSource,
  folded: Folded | undefined,
  offset: number,
): Folded | undefined {
  if (folded?.length !== tree.starts.length) return folded;
  return unfoldTo(tree, folded, lastIndexAtMost(tree.starts, offset));
}

/** Returns whether these lines are a tree of JSON. */
export function isJsonSource(lines: object | undefined): lines is JsonSource {
  return lines !== undefined && 'tree' in lines;
}

/** A cache of trees by their bytes, so that folding does not rebuild a tree. The value is text if the bytes have no tree. */
const trees = new WeakMap<Uint8Array, JsonTree | Uint8Array>();

/** Returns the lines of JSON, wrapped to a width. JSON with too many lines for a tree is shown as plain text. */
export function jsonSource(
  bytes: Uint8Array,
  folded: Folded | undefined,
  width: number,
  noJson: string,
): Source {
  const made = cachedTree(bytes, noJson);
  return made instanceof Uint8Array
    ? textSource(made, width)
    : treeSource(made, matchingFolds(made, folded), width);
}

/** Returns the unwrapped lines of JSON, with a window on each line. */
export function jsonSideways(
  bytes: Uint8Array,
  folded: Folded | undefined,
  window: Window,
  noJson: string,
): SidewaysSource {
  const made = cachedTree(bytes, noJson);
  return made instanceof Uint8Array
    ? textSideways(made, window)
    : treeSideways(made, matchingFolds(made, folded), window);
}

/** Returns the folds if they have as many lines as the tree; otherwise undefined. */
function matchingFolds({ starts }: JsonTree, folded: Folded | undefined): Folded | undefined {
  return folded?.length === starts.length ? folded : undefined;
}

function cachedTree(bytes: Uint8Array, noJson: string): JsonTree | Uint8Array {
  const made = trees.get(bytes) ?? buildTree(bytes, noJson);
  trees.set(bytes, made);
  return made;
}

function buildTree(bytes: Uint8Array, noJson: string): JsonTree | Uint8Array {
  const pretty = prettyJson(bytes);
  return pretty === undefined ? Buffer.from(noJson) : (jsonTree(pretty) ?? pretty);
}

function treeSource(tree: JsonTree, folded: Folded | undefined, width: number): JsonSource {
  const { bytes, starts } = tree;
  const shown = shownLines(tree, folded);
  const getStart = (segment: number) => starts[shown[segment] ?? starts.length] ?? bytes.length;
  const findSegment = (line: number) => lastIndexAtMost(shown, shownLine(tree, folded, line));
  const cache = new Map<number, Wrapped>();
  const wrapped = (segment: number): Wrapped => {
    const line = shown[segment] ?? 0;
    const known = cache.get(line);
    if (known !== undefined) return known;
    const made = wrapLine(lineText(tree, line, folded?.[line] === 1), width);
    if (cache.size >= 256) cache.clear();
    cache.set(line, made);
    return made;
  };
  return {
    tree,
    bytes,
    segments: Math.max(1, shown.length),
    getStart,
    lineAt: (segment) => shown[segment] ?? 0,
    findSegment,
    segmentAt: (offset) => findSegment(lastIndexAtMost(starts, offset)),
    lines: (segment) => wrapped(segment).lines,
    shows(segment, found) {
      const line = shown[segment] ?? 0;
      const start = starts[line] ?? 0;
      const end = lineEnd(bytes, start, starts[line + 1] ?? bytes.length);
      const text = markBytes(bytes.subarray(start, end));
      const { pieces, indent } = wrapped(segment);
      const ranges = rangesByLine(pieces, placesIn(bytes, { start, end, text }, found));
      return ranges.map((all, line) =>
        line === 0 ? all : all.map(([from, to]): Range => [from + indent, to + indent]),
      );
    },
    stretches: ({ segment, text, line }) => {
      if (line === 0) return jsonStretches(text, true);
      const { indent } = wrapped(segment);
      return [{ text: text.slice(0, indent), role: 'plain' }, ...jsonStretches(text.slice(indent), false)];
    },
  };
}

/** A line of JSON, wrapped to a width. */
interface Wrapped {
  readonly lines: readonly string[];
  /** The text of `lines` without the indentation of the second and later lines. */
  readonly pieces: readonly string[];
  readonly indent: number;
}

/** The additional indentation of the second and later pieces of a wrapped line, and the minimum width, in columns, for their text. */
const hang = { more: 2, least: 16 } as const;

/** Wraps a line of JSON, and indents the second and later pieces. */
function wrapLine(text: string, width: number): Wrapped {
  const [first = '', ...others] = cutText(text, width);
  if (others.length === 0) return { lines: [first], pieces: [first], indent: 0 };
  const own = /^ */.exec(text)?.[0].length ?? 0;
  const indent = Math.max(0, Math.min(own + hang.more, width - hang.least));
  const rest = cutText(text.slice(first.length), width - indent);
  return {
    lines: [first, ...rest.map((line) => ' '.repeat(indent) + line)],
    pieces: [first, ...rest],
    indent,
  };
}

function treeSideways(
  tree: JsonTree,
  folded: Folded | undefined,
  window: Window,
): JsonSource & SidewaysSource {
  const { bytes, starts } = tree;
  const long = cachedLongLines(bytes, starts);
  const begins = (line: number) => line === 0 || bytes[(starts[line] ?? 0) - 1] === 0x0a;
  const shown = shownLines(tree, folded).filter(begins);
  const firstLine = (segment: number) => shown[segment] ?? 0;
  const findSegment = (line: number) => lastIndexAtMost(shown, shownLine(tree, folded, line));
  const lineAt = cacheLines((segment) => {
    const line = firstLine(segment);
    return folded?.[line] === 1
      ? foldedLine(lineText(tree, line, true), window, long.shown(line, window))
      : long.shown(line, window);
  });
  const segmentAt = (offset: number) => findSegment(lastIndexAtMost(starts, offset));
  return {
    tree,
    bytes,
    segments: Math.max(1, shown.length),
    getStart: (segment) => starts[shown[segment] ?? starts.length] ?? bytes.length,
    lineAt: firstLine,
    findSegment,
    segmentAt,
    lines: (segment) => [lineAt(segment).text],
    shows: (segment, found) => [lineAt(segment).shows(found)],
    goesOn: (segment) => lineAt(segment).goesOn,
    columnAt: (offset) => long.columnAt(firstLine(segmentAt(offset)), offset),
    stretches({ segment, text }) {
      const head = jsonStretches(
        lineText(tree, firstLine(segment), folded?.[firstLine(segment)] === 1),
        true,
      );
      return stretchesFrom(head, lineAt(segment).first[0], text);
    },
  };
}

/** Returns the part of a folded line that is visible in a window. `text` is the text of the line. */
function foldedLine(text: string, { columns, left }: Window, opening: ShownLine): ShownLine {
  const { from, to, gap, goesOn } = cutColumns(text, left, columns);
  return { ...opening, text: ' '.repeat(gap) + text.slice(from, to), goesOn, first: [from, to] };
}

/** Returns the styled parts of `text`, which starts at offset `from` of the styled line `head`. Text beyond `head` gets the last style. */
function stretchesFrom(head: readonly Stretch[], from: number, text: string): Stretch[] {
  const found: Stretch[] = [];
  let begin = 0;
  let left = text;
  for (const stretch of head) {
    const part = stretch.text.slice(Math.max(0, from - begin)).slice(0, left.length);
    begin += stretch.text.length;
    if (part !== '') found.push({ ...stretch, text: part });
    left = left.slice(part.length);
  }
  return left === '' ? found : [...found, { text: left, role: head.at(-1)?.role ?? 'plain' }];
}

/** Returns a displayed line, escaped. A folded line ends with its closing bracket and the number of hidden lines. */
function lineText({ bytes, starts, ends }: JsonTree, line: number, isFolded: boolean): string {
  const markedLine = (at: number) => {
    const start = starts[at] ?? 0;
    return markBytes(bytes.subarray(start, lineEnd(bytes, start, starts[at + 1] ?? bytes.length)));
  };
  if (!isFolded) return markedLine(line);
  const last = ends[line] ?? line;
  const hidden = last - line - 1;
  return `${markedLine(line)}…${markedLine(last).trimStart()}  ${groupDigits(hidden)} ${hidden === 1 ? 'line' : 'lines'}`;
}

const linePattern = /^(\s*)("(?:[^"\\]|\\.)*"(?=: ))?(: )?(.*)$/s;

const wholeValue = /^(?:"(?:[^"\\]|\\.)*"|[^"].*),$/s;

/** Returns the styled parts of a line of JSON. A later piece of a wrapped line (`isFirst` is false) is styled as part of a string. */
export function jsonStretches(text: string, isFirst: boolean): Stretch[] {
  if (!isFirst) return withoutComma(text, 'string', text.endsWith('",'));
  const [, indent = '', name = '', colon = '', value = ''] = linePattern.exec(text) ?? [];
  return [
    { text: indent, role: 'plain' as const },
    { text: name, role: 'name' as const },
    { text: colon, role: 'dim' as const },
    ...withoutComma(value, valueRole(value), wholeValue.test(value)),
  ].filter((stretch) => stretch.text !== '');
}

/** Splits off the comma after a value, because the comma has the style of punctuation. */
function withoutComma(text: string, role: Role, hasComma: boolean): Stretch[] {
  if (!hasComma || role === 'dim') return [{ text, role }];
  return [
    { text: text.slice(0, -1), role },
    { text: ',', role: 'dim' },
  ];
}

function valueRole(value: string): Role {
  if (value.startsWith('"')) return 'string';
  if (/^[-\d]/.test(value)) return 'number';
  return /^[tfn]/.test(value) ? 'title' : 'dim';
}
