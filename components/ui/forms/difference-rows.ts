import type { DifferenceLine, Hunk } from '../../../src/model/kv/line-difference.ts';
import { markText } from '../../../src/text/mark.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { fitText, measureCharacter } from '../../../src/text/width.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Part } from '../lines/Line.tsx';
import { changedWords, differenceRoles, pairLines, showFirstChange } from '../lines/word-difference.ts';

/** A diff in a dialog. The diff gets the rows that the other lines leave. */
export interface DifferenceBlock {
  readonly hunks: readonly Hunk[];
  /** Names of the two sides, for example `stored` and `yours`. */
  readonly sides: readonly [before: string, after: string];
}

/** Maximum rows of a diff: more than a screen has. */
const maxRows = 200;

/** Numbers of unchanged lines around a change: the first that fits is used. */
const contexts = [3, 2, 1, 0] as const;

/** A line of a diff and its place. */
interface PlacedLine extends DifferenceLine {
  /** The line's number: on the old side for a removed line, otherwise on the new side. */
  readonly number: number;
  /** The number of the next line of the new side. */
  readonly next: number;
  /** The line that replaces this line, or that this line replaces. */
  readonly pair: string | undefined;
}

/** A row before it is drawn: a line, or a number of lines that are not shown. */
type Row = PlacedLine | { readonly hidden: number; readonly what: 'unchanged' | 'changed' };

/**
 * Draws a diff in up to `room` rows: the names of the sides, then numbered lines with the changed words marked. If there is
 * not enough room, fewer unchanged lines are shown, and the last row counts the missing changes.
 */
export function differenceRows(
  { hunks, sides }: DifferenceBlock,
  surface: Surface,
  room = maxRows,
): Part[][] {
  const lines = hunks.flatMap(placeLines);
  const rows = arrangeRows(lines, Math.max(1, Math.min(room, maxRows) - 1));
  const digits = Math.max(1, ...lines.map(({ number }) => String(number).length));
  return [nameSides(lines, sides, surface), ...rows.map((row) => drawRow(row, digits, surface))].slice(
    0,
    room,
  );
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

/** Chooses the rows to show. */
function arrangeRows(lines: readonly PlacedLine[], room: number): Row[] {
  for (const context of contexts) {
    const rows = foldUnchanged(lines, context);
    if (rows.length <= room) return rows;
  }
  const changes = lines.filter(({ sign }) => sign !== ' ');
  if (changes.length <= room) return changes;
  const shown = alternate(changes).slice(0, room - 1);
  return [...shown, { hidden: changes.length - shown.length, what: 'changed' }];
}

/** Omits the unchanged lines that are farther from a change than `context`, and counts them. */
function foldUnchanged(lines: readonly PlacedLine[], context: number): Row[] {
  const isNear = (_: PlacedLine, at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' ');
  const rows: Row[] = [];
  let next: number | undefined;
  for (const line of lines.filter(isNear)) {
    const hidden = line.next - (line.sign === '-' ? 0 : 1) - (next ?? Number.POSITIVE_INFINITY);
    if (hidden > 0) rows.push({ hidden, what: 'unchanged' });
    rows.push(line);
    next = line.next;
  }
  return rows;
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

function nameSides(
  lines: readonly PlacedLine[],
  [before, after]: DifferenceBlock['sides'],
  { columns }: Surface,
): Part[] {
  const count = (sign: string) => {
    const lineCount = lines.filter((line) => line.sign === sign).length;
    return ` (${groupDigits(lineCount)} ${lineCount === 1 ? 'line' : 'lines'})`;
  };
  const parts: Part[] = [
    { text: `- ${before}`, role: 'removed' },
    { text: `${count('-')}  `, role: 'dim' },
    { text: `+ ${after}`, role: 'added' },
    { text: count('+'), role: 'dim' },
  ];
  return fitParts(parts, columns);
}

function drawRow(row: Row, digits: number, { columns, redact }: Surface): Part[] {
  if ('hidden' in row) {
    const lines = row.hidden === 1 ? 'line' : 'lines';
    const words = row.what === 'changed' ? `more changed ${lines}` : `unchanged ${lines}`;
    return fitParts(
      [{ text: `${' '.repeat(digits)} … ${groupDigits(row.hidden)} ${words}`, role: 'dim' }],
      columns,
    );
  }
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

/** Cuts parts to a number of columns. */
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
