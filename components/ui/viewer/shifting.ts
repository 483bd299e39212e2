import { anchorAt, type ReaderPosition, rowsFrom, settle, topOf } from './scroll.ts';
import { isSideways } from './sideways.ts';
import { type Anchor, isSource, type Lines } from './source.ts';

/** The position in a document, and the visible part of it. */
interface Reading {
  readonly lines: Lines;
  readonly position: ReaderPosition;
  readonly columns: number;
  readonly height: number;
}

/** Returns the first column after a move sideways by half a screen; unchanged if no visible line continues. */
export function shifted(
  left: number,
  way: 'shift-left' | 'shift-right',
  { lines, position, columns, height }: Reading,
): number {
  const step = Math.max(1, Math.floor(columns / 2));
  if (way === 'shift-left') return Math.max(0, left - step);
  const rows = rowsFrom(lines, topOf(lines, position, height), height);
  const goesOn = isSideways(lines) && rows.some(({ segment }) => lines.goesOn(segment));
  return goesOn ? left + step : left;
}

/** Returns the first column to show, so that a byte is visible; undefined if lines are wrapped. */
export function leftFor(
  lines: Lines,
  offset: number,
  left: number | undefined,
  columns: number,
): number | undefined {
  if (left === undefined || !isSideways(lines)) return left;
  const column = lines.columnOf(offset);
  const isShown = column >= left && column < left + columns - 1;
  return isShown ? left : column < columns - 1 ? 0 : column - Math.floor(columns / 2);
}

/** Returns the same position in other lines of the same bytes. */
export function placeIn(after: Lines, before: Lines, { top, line }: ReaderPosition): ReaderPosition {
  if (!isSource(before) || !isSource(after)) return { top, line };
  const there = (anchor: Anchor) => anchorAt(after, before.startOf(settle(before, anchor).segment));
  return { top: there(top), line: line && there(line) };
}

/** Returns the words for the header; empty if lines are wrapped. */
export function sidewaysWords(left: number | undefined): string {
  if (left === undefined) return '';
  return left === 0 ? 'not wrapped' : `from column ${left + 1}`;
}
