import { anchorAt, clampAnchor, firstVisibleLine, type ReaderPosition, rowsFrom } from './scroll.ts';
import { isSideways } from './sideways.ts';
import { type Anchor, isSource, type Lines } from './source.ts';

/** The position in a document, and the visible part of it. */
interface ReadingPosition {
  readonly lines: Lines;
  readonly position: ReaderPosition;
  readonly columns: number;
  readonly height: number;
}

/** Returns the first column after a sideways move by half a screen; unchanged if no visible line continues. */
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

/** Returns the first visible column that makes a byte visible; undefined if lines are wrapped. */
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

/** Returns the position of the same bytes in other lines. */
export function translatePosition(
  after: Lines,
  before: Lines,
  { top, line }: ReaderPosition,
): ReaderPosition {
  if (!isSource(before) || !isSource(after)) return { top, line };
  const there = (anchor: Anchor) => anchorAt(after, before.getStart(clampAnchor(before, anchor).segment));
  return { top: there(top), line: line && there(line) };
}

/** Returns the words for the header; empty if lines are wrapped. */
export function formatSideways(left: number | undefined): string {
  if (left === undefined) return '';
  return left === 0 ? 'not wrapped' : `from column ${left + 1}`;
}
