import { anchorAt, clampAnchor, firstVisibleLine, type ReaderPosition, rowsFrom } from './scroll.ts';
import { isSideways } from './sideways.ts';
import { type Anchor, isSource, type Lines } from './source.ts';

/** A document, the position in it, and the size of the screen area. */
interface ReadingPosition {
  readonly lines: Lines;
  readonly position: ReaderPosition;
  readonly columns: number;
  readonly height: number;
}

/** Returns the first visible column after a move by half a screen to the side; unchanged if no visible line continues to the right. */
export function shiftSideways(
  left: number,
  direction: 'shift-left' | 'shift-right',
  { lines, position, columns, height }: ReadingPosition,
): number {
  const step = Math.max(1, Math.floor(columns / 2));
  if (direction === 'shift-left') return Math.max(0, left - step);
  const rows = rowsFrom(lines, firstVisibleLine(lines, position, height), height);
  const goesOn = isSideways(lines) && rows.some(({ segment }) => lines.goesOn(segment));
  return goesOn ? left + step : left;
}

/**
 * Returns a first visible column that makes a byte visible: `left` if the byte is already visible. Returns undefined if lines are wrapped.
 */
export function leftColumnFor(
  lines: Lines,
  offset: number,
  left: number | undefined,
  columns: number,
): number | undefined {
  if (left === undefined || !isSideways(lines)) return left;
  const column = lines.columnAt(offset);
  const isShown = column >= left && column < left + columns - 1;
  return isShown ? left : column < columns - 1 ? 0 : column - Math.floor(columns / 2);
}

/** Converts a position to other lines of the same bytes, for example unwrapped lines. */
export function translatePosition(
  after: Lines,
  before: Lines,
  { top, line }: ReaderPosition,
): ReaderPosition {
  if (!isSource(before) || !isSource(after)) return { top, line };
  const there = (anchor: Anchor) => anchorAt(after, before.getStart(clampAnchor(before, anchor).segment));
  return { top: there(top), line: line && there(line) };
}

/** Formats the first visible column for the header; empty if lines are wrapped. */
export function formatSideways(left: number | undefined): string {
  if (left === undefined) return '';
  return left === 0 ? 'not wrapped' : `from column ${left + 1}`;
}
