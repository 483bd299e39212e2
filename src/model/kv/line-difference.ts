import type { ValueOf } from '../shape.ts';
import type { differenceLine, hunk } from './difference-shape.ts';

export type DifferenceLine = ValueOf<typeof differenceLine>;

export type Hunk = ValueOf<typeof hunk>;

/**
 * The maximum number of differing lines, and of changes in these lines, up to which the shortest difference is computed. The time is
 * proportional to the product of both numbers.
 */
const maximum = { lines: 20_000, changes: 2000 };

/** Number of unchanged lines shown before and after a change. */
const context = 3;

/** Returns the line ranges in which two strings differ. If there are very many changes, unchanged lines between them may be included. */
export function lineDifference(left: readonly string[], right: readonly string[]): Hunk[] {
  const { head, tail } = countSame(left, right);
  const [old, next] = [left.slice(head, left.length - tail), right.slice(head, right.length - tail)];
  if (old.length + next.length === 0) return [];
  const before = Math.min(context, head);
  const after = Math.min(context, tail);
  const lines = [
    ...left.slice(head - before, head).map(equalLines),
    ...(shortest(old, next) ?? [...old.map(removed), ...next.map(added)]),
    ...left.slice(left.length - tail, left.length - tail + after).map(equalLines),
  ];
  return toHunks(lines, head - before + 1);
}

/** Counts the equal lines at the start, and the equal lines at the end of the rest. */
function countSame(left: readonly string[], right: readonly string[]): { head: number; tail: number } {
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  return { head, tail };
}

const equalLines = (text: string): DifferenceLine => ({ sign: ' ', text });
const removed = (text: string): DifferenceLine => ({ sign: '-', text });
const added = (text: string): DifferenceLine => ({ sign: '+', text });

/** Returns the shortest difference (Myers 1986); undefined if computing it would take too long. */
function shortest(left: readonly string[], right: readonly string[]): DifferenceLine[] | undefined {
  const [rows, columns] = [left.length, right.length];
  if (rows + columns > maximum.lines) return undefined;
  const middle = Math.min(rows + columns, maximum.changes) + 1;
  const reach = new Int32Array(2 * middle + 1);
  const trace: Int32Array[] = [];
  for (let changes = 0; changes < middle; changes++) {
    trace.push(reach.slice(middle - changes - 1, middle + changes + 2));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const below = reach[middle + diagonal - 1] ?? 0;
      const above = reach[middle + diagonal + 1] ?? 0;
      let row = diagonal === -changes || (diagonal !== changes && below < above) ? above : below + 1;
      while (row < rows && row - diagonal < columns && left[row] === right[row - diagonal]) row++;
      reach[middle + diagonal] = row;
      if (row >= rows && row - diagonal >= columns) return walkBack(left, right, trace);
    }
  }
  return undefined;
}

/**
 * Reconstructs the path through the trace, starting at its end. Each list in the trace contains one number per diagonal, with diagonal 0 in
 * the middle.
 */
function walkBack(
  left: readonly string[],
  right: readonly string[],
  trace: readonly Int32Array[],
): DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  let row = left.length;
  let column = right.length;
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const reached = trace[changes] ?? new Int32Array();
    const at = (diagonal: number) => reached[diagonal + changes + 1] ?? 0;
    const diagonal = row - column;
    const isAdded = diagonal === -changes || (diagonal !== changes && at(diagonal - 1) < at(diagonal + 1));
    const from = isAdded ? diagonal + 1 : diagonal - 1;
    const [fromRow, fromColumn] = changes === 0 ? [0, 0] : [at(from), at(from) - from];
    while (row > fromRow && column > fromColumn) {
      row--;
      column--;
      lines.push(equalLines(left[row] ?? ''));
    }
    if (changes === 0) break;
    lines.push(isAdded ? added(right[fromColumn] ?? '') : removed(left[fromRow] ?? ''));
    [row, column] = [fromRow, fromColumn];
  }
  return lines.reverse();
}

/** Groups lines into hunks. Changes are in the same hunk if there are fewer unchanged lines between them than twice the context. */
function toHunks(lines: readonly DifferenceLine[], from: number): Hunk[] {
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const groups: [first: number, last: number][] = [];
  for (const index of changed) {
    const group = groups.at(-1);
    if (group !== undefined && index - group[1] <= 2 * context) group[1] = index;
    else groups.push([index, index]);
  }
  const count = (part: readonly DifferenceLine[], other: '+' | '-') =>
    part.filter(({ sign }) => sign !== other).length;
  return groups.map(([first, last]) => {
    const start = Math.max(0, first - context);
    const part = lines.slice(start, last + context + 1);
    const before = lines.slice(0, start);
    return {
      left: { from: from + count(before, '+'), count: count(part, '+') },
      right: { from: from + count(before, '-'), count: count(part, '-') },
      lines: part,
    };
  });
}
