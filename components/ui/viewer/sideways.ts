import { hexLines, hexRanges } from '../../../src/text/hex.ts';
import type { Range } from '../../../src/text/search/pattern.ts';
import { longLinesOf, type ShownLine, type Window } from './long-lines.ts';
import { clipped } from './shown-bytes.ts';
import { lastAtMost, type Source } from './source.ts';

/** Unwrapped lines: each is a segment of which a window is shown. */
export interface SidewaysSource extends Source {
  /** Whether a line continues to the right of the window. */
  goesOn(segment: number): boolean;
  /** Returns the column of a byte in its line. */
  columnOf(offset: number): number;
}

/** Whether these lines are unwrapped and can be scrolled sideways. */
export function isSideways(lines: object | undefined): lines is SidewaysSource {
  return lines !== undefined && 'goesOn' in lines;
}

/** Number of displayed lines in the cache: those of the screen and around it. */
const keptLines = 256;

/** Caches displayed lines by their segments. */
export function kept(make: (segment: number) => ShownLine): (segment: number) => ShownLine {
  const made = new Map<number, ShownLine>();
  return (segment) => {
    const line = made.get(segment) ?? make(segment);
    if (made.size >= keptLines) made.clear();
    made.set(segment, line);
    return line;
  };
}

/** Returns bytes as unwrapped text. */
export function textSideways(bytes: Uint8Array, window: Window): SidewaysSource {
  const lines = longLinesOf(bytes);
  const { starts, firsts } = lines;
  const lineOf = (offset: number) => lastAtMost(firsts, lastAtMost(starts, offset));
  const shown = kept((segment) => lines.shown(firsts[segment] ?? starts.length, window));
  return {
    bytes,
    segments: Math.max(1, firsts.length),
    startOf: (segment) => starts[firsts[segment] ?? starts.length] ?? bytes.length,
    segmentAt: lineOf,
    lines: (segment) => [shown(segment).text],
    shows: (segment, found) => [shown(segment).shows(found)],
    goesOn: (segment) => shown(segment).goesOn,
    columnOf: (offset) => lines.columnOf(firsts[lineOf(offset)] ?? 0, offset),
  };
}

/** Bytes per row of an unwrapped hex dump. */
const rowLength = 16;

/** Returns bytes as a hex dump with rows of fixed length. */
export function hexSideways(bytes: Uint8Array, { columns, left }: Window): SidewaysSource {
  const rowAt = (segment: number) => {
    const start = segment * rowLength;
    return hexLines(bytes.subarray(start, start + rowLength), start, rowLength)[0] ?? '';
  };
  const placesOf = (segment: number, found: readonly Range[]) =>
    hexRanges(clipped(found, segment * rowLength, rowLength), rowLength);
  return {
    bytes,
    segments: Math.max(1, Math.ceil(bytes.length / rowLength)),
    startOf: (segment) => Math.min(segment * rowLength, bytes.length),
    segmentAt: (offset) => Math.floor(offset / rowLength),
    lines: (segment) => [rowAt(segment).slice(left, left + columns)],
    shows: (segment, found) => [clipped(placesOf(segment, found), left, columns)],
    goesOn: (segment) => rowAt(segment).length > left + columns,
    columnOf: (offset) => hexRanges([[offset % rowLength, (offset % rowLength) + 1]], rowLength)[0]?.[0] ?? 0,
  };
}
