import { hexLines, hexRanges } from '../../../src/text/hex.ts';
import type { Range } from '../../../src/text/search/pattern.ts';
import { cachedLongLines, type ShownLine, type Window } from './long-lines.ts';
import { clipped } from './shown-bytes.ts';
import { lastIndexAtMost, type Source } from './source.ts';

/** Unwrapped lines: each line is a segment, of which a window shows a part. */
export interface SidewaysSource extends Source {
  /** Returns whether a line continues to the right of the window. */
  goesOn(segment: number): boolean;
  /** Returns the column of a byte in its line. */
  columnAt(offset: number): number;
}

/** Returns whether these lines are unwrapped and can be scrolled sideways. */
export function isSideways(lines: object | undefined): lines is SidewaysSource {
  return lines !== undefined && 'goesOn' in lines;
}

/** Maximum number of displayed lines in the cache: the lines on and near the screen. */
const maxCachedLines = 256;

/** Returns a function with the results of `make` cached by segment. */
export function cacheLines(make: (segment: number) => ShownLine): (segment: number) => ShownLine {
  const made = new Map<number, ShownLine>();
  return (segment) => {
    const line = made.get(segment) ?? make(segment);
    if (made.size >= maxCachedLines) made.clear();
    made.set(segment, line);
    return line;
  };
}

/** Returns bytes as unwrapped text. */
export function textSideways(bytes: Uint8Array, window: Window): SidewaysSource {
  const lines = cachedLongLines(bytes);
  const { starts, firsts } = lines;
  const lineAtOffset = (offset: number) => lastIndexAtMost(firsts, lastIndexAtMost(starts, offset));
  const shown = cacheLines((segment) => lines.shown(firsts[segment] ?? starts.length, window));
  return {
    bytes,
    segments: Math.max(1, firsts.length),
    getStart: (segment) => starts[firsts[segment] ?? starts.length] ?? bytes.length,
    segmentAt: lineAtOffset,
    lines: (segment) => [shown(segment).text],
    shows: (segment, found) => [shown(segment).shows(found)],
    goesOn: (segment) => shown(segment).goesOn,
    columnAt: (offset) => lines.columnAt(firsts[lineAtOffset(offset)] ?? 0, offset),
  };
}

/** Number of bytes per row of an unwrapped hex dump. */
const rowLength = 16;

/** Returns bytes as a hex dump with rows of fixed length. */
export function hexSideways(bytes: Uint8Array, { columns, left }: Window): SidewaysSource {
  const rowAt = (segment: number) => {
    const start = segment * rowLength;
    return hexLines(bytes.subarray(start, start + rowLength), start, rowLength)[0] ?? '';
  };
  const rowRanges = (segment: number, found: readonly Range[]) =>
    hexRanges(clipped(found, segment * rowLength, rowLength), rowLength);
  return {
    bytes,
    segments: Math.max(1, Math.ceil(bytes.length / rowLength)),
    getStart: (segment) => Math.min(segment * rowLength, bytes.length),
    segmentAt: (offset) => Math.floor(offset / rowLength),
    lines: (segment) => [rowAt(segment).slice(left, left + columns)],
    shows: (segment, found) => [clipped(rowRanges(segment, found), left, columns)],
    goesOn: (segment) => rowAt(segment).length > left + columns,
    columnAt: (offset) => hexRanges([[offset % rowLength, (offset % rowLength) + 1]], rowLength)[0]?.[0] ?? 0,
  };
}
