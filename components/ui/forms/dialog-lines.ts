import { markText } from '../../../src/text/mark.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { fitMiddle, fitText, measureCharacter } from '../../../src/text/width.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Role } from '../../kit/theme.ts';
import { foldText } from '../lines/fold.ts';
import type { Part } from '../lines/Line.tsx';
import {
  type DifferenceBlock,
  type DifferenceScroll,
  differenceHeight,
  differenceRows,
  differenceScroll,
} from './difference-rows.ts';

/**
 * A line of a form, a question or a menu: a string, a line with quoted strings, a line with long parts, or a diff. Quoted strings and long
 * parts are shortened when the line is drawn, after redaction, because a shortened credential would not be recognized.
 */
export type DialogLine = string | Quotes | FlexibleLine | DifferenceBlock;

/** A line with long parts, which are shortened in the middle if the dialog does not have enough rows. */
export interface FlexibleLine {
  readonly parts: ReadonlyArray<string | LongPart>;
  /**
   * Whether the line is essential. An essential line is hidden, and its parts with an infinite share are shortened, only after all
   * inessential lines below it have been hidden.
   */
  readonly isEssential?: boolean;
}

/** A part of a line that is shortened in the middle. */
export interface LongPart {
  readonly long: string;
  /** Columns of this part relative to parts with share 1. */
  readonly share: number;
}

interface Quotes {
  readonly before: string;
  /** The strings to quote, not yet shortened. */
  readonly quoted: readonly string[];
  /** Maximum width, in columns, of each quote. */
  readonly columns: number;
  readonly after: string;
  /** The total number of names. Only the first names are quoted; the number of the other names follows the quotes. */
  readonly total?: number;
  /** The style of the line (default: the style of the dialog's lines). */
  readonly role?: Role;
  /** Whether the line is an example: it has only one row, and a form without enough rows omits it first. */
  readonly isExample?: boolean;
}

/** A row of a dialog, escaped by `markText`. */
export interface DialogRow {
  readonly text: string;
  readonly role?: Role | undefined;
  /** The text in parts, if the row has several styles. */
  readonly parts?: readonly Part[];
  /** The position in a diff that scrolls; set in the diff's last row. */
  readonly scroll?: DifferenceScroll | undefined;
}

/** Returns a line that quotes the start of a string. */
export function quoteLine(before: string, text: string, columns: number): DialogLine {
  return { before, quoted: [text], columns, after: '' };
}

/** Returns a line of old (`-`) or new (`+`) content, in the colors of a diff. */
export function differenceLine(
  sign: '-' | '+',
  text: string,
  columns: number,
  before = `${sign} `,
): DialogLine {
  return { before, quoted: [text], columns, after: '', role: sign === '-' ? 'removed' : 'added' };
}

/** Maximum number of quoted names in a line, and maximum width of each name, in columns. */
const sample = { count: 5, columns: 40 };

/** Returns a line with the first names, and the number of the others. */
export function sampleLine(names: readonly string[], before = ''): Quotes {
  const quoted = names.slice(0, sample.count);
  return { before, quoted, columns: sample.columns, after: '.', total: names.length };
}

/** Returns an example line with the first names, and the number of the others. */
export function exampleLine(names: readonly string[], before: string): DialogLine {
  return { ...sampleLine(names, before), isExample: true };
}

/** Returns whether a line is an example, which a form without enough rows omits first. */
export function isExample(line: DialogLine): boolean {
  return typeof line !== 'string' && 'isExample' in line && line.isExample === true;
}

/** Returns a line with the number of marked rows that a filter hides; no line if the filter hides no marked rows. */
export function hiddenLines(hidden: number): string[] {
  if (hidden === 0) return [];
  return [`${groupDigits(hidden)} marked ${hidden === 1 ? 'row is' : 'rows are'} not shown in the list.`];
}

/**
 * Returns the rows of a dialog for a surface: redacted, then shortened, then folded. A diff shows all unchanged lines only if the rows do
 * not exceed `room`.
 */
export function foldLines(lines: readonly DialogLine[], surface: Surface, room = 0): DialogRow[] {
  const rows = lines.map((line) => (isDifference(line) ? [] : foldLine(line, surface)));
  const left = room - rows.flat().length;
  return lines.flatMap((line, index) =>
    isDifference(line) ? foldDifference(line, surface, differenceHeight(line, left)) : (rows[index] ?? []),
  );
}

/**
 * Returns the number of empty rows (0 or 1) between lines that end with a diff and the choices below them. `spare` is the number of unused
 * rows.
 */
export function differenceGap(lines: readonly DialogLine[], spare: number): number {
  const last = lines.at(-1);
  return last !== undefined && isDifference(last) && spare > 0 ? 1 : 0;
}

/** Minimum number of rows of a diff. To leave these rows, lines above the diff are omitted. */
const minDifferenceRows = 4;

/**
 * Returns up to `room` rows of a dialog. Without a diff, long parts are shortened first, and then the last rows are omitted. With a diff, a
 * small `room` omits the lines below the diff first, then shortens the diff, then omits lines above the diff, except the first. A diff that
 * does not fit begins after its first `top` changes.
 */
export function fitLines(lines: readonly DialogLine[], surface: Surface, room: number, top = 0): DialogRow[] {
  const at = lines.findIndex(isDifference);
  const block = lines[at];
  if (block === undefined || !isDifference(block)) {
    if (lines.some(isFlexible)) return fitFlexible(lines, surface, room);
    return foldLines(lines, surface).slice(0, room);
  }
  const [above, below] = [foldLines(lines.slice(0, at), surface), foldLines(lines.slice(at + 1), surface)];
  const head = above.slice(0, Math.max(1, room - minDifferenceRows));
  const whole = differenceHeight(block, 0);
  const isEnough = head.length + whole + below.length <= room;
  const left = room - head.length - (isEnough || room >= 20 ? below.length : 0);
  const rows = left > 0 ? foldDifference(block, surface, left, top) : [];
  return [...head, ...rows, ...below].slice(0, room);
}

/** Maximum width, in columns, of a long part with share 1, from the preferred to the smallest. */
const partColumns = [Infinity, 1000, 700, 500, 350, 250, 180, 120, 80, 50, 24, 16] as const;

/** Returns up to `room` rows of lines without a diff. If rows are omitted, the last row contains their number. */
function fitFlexible(lines: readonly DialogLine[], surface: Surface, room: number): DialogRow[] {
  const fold = (cap: Cap, end = lines.length) =>
    lines.slice(0, end).flatMap((line) => (isDifference(line) ? [] : foldLine(line, surface, cap)));
  for (const part of partColumns) {
    const rows = fold({ part });
    if (rows.length <= room) return rows;
  }
  const rows = fold(findCap(lines, (cap, end) => fold(cap, end).length < room));
  if (rows.length <= room) return rows;
  const shown = Math.max(1, room - 1);
  const hidden = rows.length - shown;
  const note = `${groupDigits(hidden)} more ${hidden === 1 ? 'line is' : 'lines are'} hidden. Enlarge the terminal.`;
  const last: DialogRow = { text: fitText(note, surface.columns), role: 'warning' };
  return [...rows.slice(0, shown), last].slice(0, room);
}

/** Returns the limits of long parts that let the most lines fit, and at least all lines up to the last essential line. */
function findCap(lines: readonly DialogLine[], fits: (cap: Cap, end: number) => boolean): Cap {
  const essential = lines.findLastIndex((line) => isFlexible(line) && line.isEssential) + 1;
  for (let end = lines.length - 1; end >= essential; end--) {
    const cap = [{ part: 24 }, { part: 16 }].find((one) => fits(one, end));
    if (cap !== undefined) return cap;
  }
  const whole = partColumns.find((one) => fits({ part: 16, whole: one }, essential)) ?? 16;
  return { part: 16, whole };
}

/** Returns whether a line has long parts, which `fitLines` can shorten. */
export function isFlexible(line: DialogLine): line is FlexibleLine {
  return typeof line !== 'string' && 'parts' in line;
}

type FoldedLine = Exclude<DialogLine, DifferenceBlock>;

/** Maximum width, in columns, of long parts: of a part with share 1, and of a part with an infinite share (default: unlimited). */
interface Cap {
  readonly part: number;
  readonly whole?: number;
}

function isDifference(line: DialogLine): line is DifferenceBlock {
  return typeof line !== 'string' && 'unchanged' in line;
}

function foldDifference(block: DifferenceBlock, surface: Surface, room?: number, top?: number): DialogRow[] {
  const scroll = differenceScroll(block, room, top);
  return differenceRows(block, surface, room, top).map((parts, index, { length }) => ({
    text: parts.map(({ text }) => text).join(''),
    parts,
    ...(index === length - 1 && { scroll }),
  }));
}

function foldLine(line: FoldedLine, surface: Surface, cap: Cap = { part: Infinity }): DialogRow[] {
  if (isFlexible(line))
    return foldText(formatFlexible(line, surface, cap), surface.columns).map((text) => ({ text }));
  const role = typeof line === 'string' ? undefined : line.role;
  if (typeof line !== 'string' && line.isExample === true)
    return [{ text: formatExample(line, surface), role }];
  const text = formatLine(line, surface.redact);
  return foldText(text, surface.columns).map((row) => ({ text: row, role }));
}

function formatFlexible(
  { parts }: FlexibleLine,
  { redact }: Surface,
  { part, whole = Infinity }: Cap,
): string {
  const texts = parts.map((one) => (typeof one === 'string' ? one : one.long));
  const redacted = redact(texts.join(''));
  // A credential that spans several parts is recognized only in the whole line.
  if (redacted !== texts.map((text) => redact(text)).join('')) return markText(redacted);
  const formatted = parts.map((one) => {
    if (typeof one === 'string') return markText(redact(one));
    const columns = one.share === Infinity ? whole * 4 : part * one.share;
    const text = markText(redact(one.long));
    return columns === Infinity ? text : fitMiddle(text, columns);
  });
  return formatted.join('');
}

/** Formats an example on one row, with as many names as fit, but at least one. */
function formatExample(line: Quotes, { columns, redact }: Surface): string {
  for (let count = line.quoted.length; count > 1; count--) {
    const text = formatLine({ ...line, quoted: line.quoted.slice(0, count) }, redact);
    if (measureCharacter(text) <= columns) return text;
  }
  return fitText(formatLine({ ...line, quoted: line.quoted.slice(0, 1) }, redact), columns);
}

function formatLine(line: string | Quotes, redact: Surface['redact']): string {
  if (typeof line === 'string') return markText(redact(line));
  const quoted = line.quoted.map((text) => fitText(markText(redact(text)), line.columns));
  const more = (line.total ?? 0) - quoted.length;
  const others = more > 0 ? ` and ${groupDigits(more)} more` : '';
  return markText(redact(line.before)) + quoted.join(', ') + others + markText(redact(line.after));
}
