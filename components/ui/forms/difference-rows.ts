import { type DifferenceLine, type Hunk, lineDifference } from '../../../src/model/kv/line-difference.ts';
import { markText } from '../../../src/text/mark.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { fitText, measureCharacter } from '../../../src/text/width.ts';
import { formatPress } from '../../kit/keys/presses.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Part } from '../lines/Line.tsx';
import { changedWords, differenceRoles, pairLines, showFirstChange } from '../lines/word-difference.ts';

/** A diff in a dialog. */
export interface DifferenceBlock extends DifferenceNames {
  /** All lines if they fit on a screen; otherwise the changed lines and the unchanged lines around them. */
  readonly lines: readonly PlacedLine[];
  /** Number of unchanged lines, including those that `lines` omits. */
  readonly unchanged: number;
}

interface DifferenceNames {
  /** Names of the two sides, for example `stored` and `new`. */
  readonly sides: readonly [before: string, after: string];
  /** How both sides differ from the compared values, for example in their format. Omitted if there is not enough room. */
  readonly note?: string;
}

/** Maximum number of rows of a diff: more than any screen has. */
const maxRows = 200;

/** Numbers of unchanged lines to show around a change, most preferred first: the first number that fits is used. */
const contexts = [Number.POSITIVE_INFINITY, 3, 2, 1, 0] as const;

/** The number of unchanged lines around a change in a diff with unlimited room. */
const usualContext = 3;

/** A line of a diff and its position. */
interface PlacedLine extends DifferenceLine {
  /** The line's number: on the old side for a removed line, otherwise on the new side. */
  readonly number: number;
  /** The number of the next line on the new side. */
  readonly next: number;
  /** The text of the line that replaces this line, or that this line replaces. */
  readonly pair: string | undefined;
}

/** A row before it is drawn: a line, a number of hidden lines, or the position in the diff. */
type Row = PlacedLine | { readonly hidden: number } | DifferenceScroll;

/** The position in a diff whose changed lines do not all fit on the screen. */
export interface DifferenceScroll {
  /** Number of changed lines above the first line on the screen. */
  readonly top: number;
  readonly shown: number;
  readonly count: number;
}

/** Compares two texts line by line. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
  names: DifferenceNames,
): DifferenceBlock {
  const changed = lineDifference(before, after).flatMap(placeLines);
  const added = changed.filter(({ sign }) => sign === '+').length;
  const isShort = after.length + changed.length <= maxRows;
  const lines = isShort ? fillGaps(changed, after) : changed;
  return { ...names, lines, unchanged: after.length - added };
}

/** Adds the unchanged lines before, between and after the lines of hunks. */
function fillGaps(changed: readonly PlacedLine[], after: readonly string[]): PlacedLine[] {
  const gap = (from: number, to: number): PlacedLine[] =>
    after.slice(from - 1, to - 1).map((text, index) => ({
      sign: ' ',
      text,
      number: from + index,
      next: from + index + 1,
      pair: undefined,
    }));
  const lines: PlacedLine[] = [];
  for (const line of changed) lines.push(...gap(lines.at(-1)?.next ?? 1, newNumber(line)), line);
  return [...lines, ...gap(lines.at(-1)?.next ?? 1, after.length + 1)];
}

/** Returns the number of a line on the new side; for a removed line, the number of the next line on the new side. */
function newNumber({ sign, next }: PlacedLine): number {
  return sign === '-' ? next : next - 1;
}

/**
 * Returns the number of rows that a diff needs: for all lines if they fit in `room`, otherwise for the changes and the usual number of
 * unchanged lines around them.
 */
export function differenceHeight(block: DifferenceBlock, room: number): number {
  const whole = foldUnchanged(block, Number.POSITIVE_INFINITY).length;
  return 1 + (whole < room ? whole : Math.min(maxRows, foldUnchanged(block, usualContext).length));
}

/**
 * Returns the rows of a diff, up to `room`: the names of the sides, then numbered lines with the changed words highlighted. A small `room`
 * shows fewer unchanged lines, with the number of hidden lines. If not all changed lines fit, the rows start after the first `top` changed
 * lines, and the last row contains the position and the scroll keys.
 */
export function differenceRows(block: DifferenceBlock, surface: Surface, room = maxRows, top = 0): Part[][] {
  const rows = arrangeRows(block, rowsBelowSides(room), top);
  const digits = String(block.lines.reduce((most, { number }) => Math.max(most, number), 1)).length;
  const isCounted = rows.some((row) => 'hidden' in row || ('sign' in row && row.sign === ' '));
  return [
    nameSides(block, isCounted ? 0 : block.unchanged, surface),
    ...rows.map((row) => drawRow(row, digits, surface)),
  ].slice(0, room);
}

/** Returns the number of rows below the names of the sides. */
function rowsBelowSides(room: number): number {
  return Math.max(1, Math.min(room, maxRows) - 1);
}

/** Returns the position in a diff; undefined if all changed lines fit in `room` rows. */
export function differenceScroll(
  { lines }: DifferenceBlock,
  room = maxRows,
  top = 0,
): DifferenceScroll | undefined {
  return findScroll(lines.filter(isChange).length, rowsBelowSides(room), top);
}

function findScroll(count: number, room: number, top: number): DifferenceScroll | undefined {
  const shown = room - 1;
  return count <= room ? undefined : { top: Math.max(0, Math.min(top, count - shown)), shown, count };
}

function isChange({ sign }: DifferenceLine): boolean {
  return sign !== ' ';
}

function placeLines({ left, right, lines }: Hunk): PlacedLine[] {
  let [old, next] = [left.from, right.from];
  const pairs = pairLines(lines);
  return lines.map((line, index): PlacedLine => {
    const number = line.sign === '-' ? old : next;
    if (line.sign !== '+') old++;
    if (line.sign !== '-') next++;
    return { ...line, number, next, pair: pairs[index] };
  });
}

/** Returns the rows to show: with as much context as fits, otherwise only changed lines. */
function arrangeRows(block: DifferenceBlock, room: number, top: number): Row[] {
  for (const context of contexts) {
    const rows = foldUnchanged(block, context);
    if (rows.length <= room) return rows;
  }
  const changes = block.lines.filter(isChange);
  const scroll = findScroll(changes.length, room, top);
  if (scroll === undefined) return changes;
  return [...alternate(changes).slice(scroll.top, scroll.top + scroll.shown), scroll];
}

/**
 * Replaces unchanged lines that are farther from a change than `context` with the number of these lines. Keeps a single such line, because
 * its replacement would need as much room.
 */
function foldUnchanged(block: DifferenceBlock, context: number): Row[] {
  const { lines } = block;
  const end = countNewLines(block) + 1;
  const near = findNear(lines, context);
  const isSingle = (at: number) =>
    context > 0 && near[at - 1] !== false && near[at + 1] !== false && isAdjacent(lines, at, end);
  const rows: Row[] = [];
  let next = 1;
  for (const line of lines.filter((_, at) => near[at] === true || isSingle(at))) {
    const hidden = newNumber(line) - next;
    if (hidden > 0) rows.push({ hidden });
    rows.push(line);
    next = line.next;
  }
  if (next < end) rows.push({ hidden: end - next });
  return rows;
}

/** Returns whether each line is at most `context` lines from a change. */
function findNear(lines: readonly PlacedLine[], context: number): boolean[] {
  const near = lines.map(() => false);
  let end = 0;
  for (const [at, line] of lines.entries()) {
    if (!isChange(line)) continue;
    const start = Math.max(end, at - context);
    end = Math.min(lines.length, at + context + 1);
    near.fill(true, start, end);
  }
  return near;
}

function countNewLines({ lines, unchanged }: DifferenceBlock): number {
  return unchanged + lines.filter(({ sign }) => sign === '+').length;
}

/**
 * Returns whether the lines before and after an unchanged line are its neighbors in the complete text, not in another hunk. `end` is the
 * number after the last line.
 */
function isAdjacent(lines: readonly PlacedLine[], at: number, end: number): boolean {
  const [before, line, after] = [lines[at - 1], lines[at], lines[at + 1]];
  if (line === undefined || (before?.next ?? 1) !== line.number) return false;
  return (after === undefined ? end : newNumber(after)) === line.next;
}

/** Puts each added line directly below the line that it replaces, so that the first rows show both sides. */
function alternate(changes: readonly PlacedLine[]): PlacedLine[] {
  const removed = changes.filter(({ sign }) => sign === '-');
  const added = changes.filter(({ sign }) => sign === '+');
  const rows: PlacedLine[] = [];
  for (const line of removed) {
    while (added[0] !== undefined && added[0].next <= line.next) rows.push(...added.splice(0, 1));
    rows.push(line);
    if (line.pair !== undefined) rows.push(...added.splice(0, 1));
  }
  return [...rows, ...added];
}

/** Returns the row with the names of the sides and the counts; `hidden` unchanged lines have no row. */
function nameSides(
  { lines, sides: [before, after], note }: DifferenceBlock,
  hidden: number,
  { columns }: Surface,
): Part[] {
  const count = (wanted: string) => lines.filter(({ sign }) => sign === wanted).length;
  const removed = count('-');
  const counts: Part[] = [
    { text: `${groupDigits(removed)} ${removed === 1 ? 'line' : 'lines'} removed`, role: 'removed' },
    { text: ', ', role: 'dim' },
    { text: `${groupDigits(count('+'))} added`, role: 'added' },
  ];
  const allCounts: Part[] =
    hidden === 0 ? counts : [...counts, { text: `, ${groupDigits(hidden)} unchanged`, role: 'dim' }];
  const parts: Part[] = [
    { text: `- ${before}`, role: 'removed' },
    { text: '  ' },
    { text: `+ ${after}`, role: 'added' },
    { text: '  ' },
    ...allCounts,
  ];
  const noted: Part[] = note === undefined ? parts : [...parts, { text: `  ${note}`, role: 'dim' }];
  const tries = [noted, parts, allCounts];
  return tries.find((wanted) => measureParts(wanted) <= columns) ?? fitParts(counts, columns);
}

function drawRow(row: Row, digits: number, { columns, redact }: Surface): Part[] {
  const indent = `${' '.repeat(digits)} … `;
  if ('hidden' in row) {
    const lines = row.hidden === 1 ? 'line' : 'lines';
    return fitParts(
      [{ text: `${indent}${groupDigits(row.hidden)} unchanged ${lines}`, role: 'dim' }],
      columns,
    );
  }
  if ('shown' in row) return fitParts(scrollParts(row, indent), columns);
  const { sign, number, text, pair } = row;
  const role = differenceRoles[sign];
  const gutter: Part[] = [
    { text: `${String(number).padStart(digits)} `, role: 'dim' },
    { text: `${sign} `, role: role.line },
  ];
  const room = columns - digits - 3;
  const shown = markText(redact(text));
  const words = pair === undefined ? undefined : changedWords({ sign, text: shown }, markText(redact(pair)));
  const parts = words ?? [{ text: shown, isChanged: false }];
  const content = showFirstChange(parts, room).map(
    (part): Part => ({ text: part.text, role: part.isChanged ? role.word : role.line }),
  );
  return [...gutter, ...fitParts(content, room)];
}

/** Returns the parts of the row with the position in a diff and the scroll keys. */
function scrollParts({ top, shown, count }: DifferenceScroll, indent: string): Part[] {
  const last = top + shown;
  const span = shown > 1 ? `${groupDigits(top + 1)}-${groupDigits(last)}` : groupDigits(last);
  const presses = [
    ...(top > 0 ? [formatPress('pageup')] : []),
    ...(last < count ? [formatPress('pagedown')] : []),
  ];
  return [
    { text: `${indent}${span} of ${groupDigits(count)} changed lines`, role: 'dim' },
    { text: `  ${presses.join(' ')}`, role: 'press' },
  ];
}

function measureParts(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + measureCharacter(text), 0);
}

/** Shortens parts to a number of columns. */
function fitParts(parts: readonly Part[], columns: number): Part[] {
  const fitted: Part[] = [];
  let left = columns;
  for (const [index, part] of parts.entries()) {
    const isLast = parts.slice(index + 1).every(({ text }) => text === '');
    const width = measureCharacter(part.text);
    if (width < left || (width === left && isLast)) fitted.push(part);
    else return [...fitted, { ...part, text: fitText(`${part.text}${isLast ? '' : '…'}`, left) }];
    left -= width;
  }
  return fitted;
}
