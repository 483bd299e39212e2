import { isDeepStrictEqual } from 'node:util';
import { hexLines, hexOffsetLength, hexRanges, hexRowLength } from '../../../src/text/hex.ts';
import { markBytes } from '../../../src/text/mark.ts';
import type { Range } from '../../../src/text/search/pattern.ts';
import { characterStart } from '../../../src/text/utf8.ts';
import type { Role } from '../../kit/theme.ts';
import { cutText } from '../lines/fold.ts';
import { clipped, placesIn, rangesByLine } from './shown-bytes.ts';

/** Text for the clipboard. */
export interface Copied {
  readonly text: string;
  /** A description of the text, for the notice: `the value`. */
  readonly what: string;
}

/** A part of an escaped line with one style. */
export interface Stretch {
  readonly text: string;
  readonly role: Role;
}

/**
 * A document of any length, divided into segments of bounded cost. Only segments on the screen are converted to lines. Lines are escaped
 * (`src/text/mark.ts`) and no wider than the screen.
 */
export interface Lines {
  /** The number of segments, at least one. */
  readonly segments: number;
  /** Returns the lines of a segment; at least one line, even if the segment does not exist. */
  lines(segment: number): readonly string[];
  /** Returns the style of a segment's lines. */
  segmentRole?(segment: number): Role | undefined;
  /** Returns the styled parts of a line; undefined if the whole line has the style of its segment. */
  stretches?(row: Row): readonly Stretch[] | undefined;
  /** Returns the text of a segment for the clipboard. */
  segmentCopy?(segment: number): Copied | undefined;
  /** Returns the subject of a segment, for an action on the segment. */
  segmentSubject?(segment: number): string | undefined;
  /** Returns whether `next` jumps to a segment. */
  isStop?(segment: number): boolean;
}

/** The lines of bytes, which can be searched. */
export interface Source extends Lines {
  /** The bytes to search. */
  readonly bytes: Uint8Array;
  /** Returns the offset of a segment's first byte. */
  getStart(segment: number): number;
  /** Returns the segment that contains a byte. */
  segmentAt(offset: number): number;
  /** Converts ascending byte ranges to ranges of each line of a segment, in UTF-16 units. */
  shows(segment: number, found: readonly Range[]): readonly (readonly Range[])[];
}

/** Returns whether these are the lines of bytes. */
export function isSource(lines: Lines): lines is Source {
  return 'bytes' in lines;
}

/** Maximum number of segments to compare: more than a screen shows. */
const maxComparedSegments = 200;

/** Returns whether two documents have the same bytes and number of segments, and look the same in the first segments. */
export function hasSameLines(one: Lines, other: Lines): boolean {
  if (isSource(one) && isSource(other) && Buffer.compare(one.bytes, other.bytes) !== 0) return false;
  if (one.segments !== other.segments) return false;
  for (let segment = 0; segment < Math.min(one.segments, maxComparedSegments); segment++) {
    if (!isDeepStrictEqual(one.lines(segment), other.lines(segment))) return false;
    if (one.segmentRole?.(segment) !== other.segmentRole?.(segment)) return false;
  }
  return true;
}

/** The position of a line in a document: its segment, and its index in the segment. */
export interface Anchor {
  readonly segment: number;
  readonly line: number;
}

/** A line of the screen, with its position in the document. */
export interface Row extends Anchor {
  readonly text: string;
}

export const atTop: Anchor = { segment: 0, line: 0 };

/** The position of the last line of any document, even if it grows. */
export const atEnd: Anchor = { segment: Number.MAX_SAFE_INTEGER, line: Number.MAX_SAFE_INTEGER };

/** Maximum number of bytes in a segment. A longer line is split, so that no frame has to process the whole line. */
const maxSegmentBytes = 4096;

/** Maximum number of segments whose lines are cached: the segments on and near the screen. */
const maxCachedSegments = 256;

/** Returns bytes as text: each line wrapped to the width, and invalid UTF-8 escaped byte by byte. */
export function textSource(bytes: Uint8Array, width: number): Source {
  const starts = segmentStarts(bytes);
  const segments = Math.max(1, starts.length);
  const getStart = (segment: number) => starts[segment] ?? bytes.length;
  const getEnd = (segment: number) => lineEnd(bytes, getStart(segment), getStart(segment + 1));
  const cache = new Map<number, readonly string[]>();
  const lines = (segment: number): readonly string[] => {
    const known = cache.get(segment);
    if (known !== undefined) return known;
    const made = cutText(markBytes(bytes.subarray(getStart(segment), getEnd(segment))), width);
    if (cache.size >= maxCachedSegments) cache.clear();
    cache.set(segment, made);
    return made;
  };
  return {
    bytes,
    segments,
    getStart,
    segmentAt: (offset) => lastIndexAtMost(starts, offset),
    lines,
    shows(segment, found) {
      const all = lines(segment);
      const part = { start: getStart(segment), end: getEnd(segment), text: all.join('') };
      return rangesByLine(all, placesIn(bytes, part, found));
    },
  };
}

/** Returns the end of a line without its line feed. */
export function lineEnd(bytes: Uint8Array, start: number, end: number): number {
  return end > start && bytes[end - 1] === 0x0a ? end - 1 : end;
}

/** Returns bytes as a hex dump with as many bytes per row as fit. */
export function hexSource(bytes: Uint8Array, width: number): Source {
  const length = hexRowLength(width);
  return {
    bytes,
    segments: Math.max(1, Math.ceil(bytes.length / length)),
    getStart: (segment) => Math.min(segment * length, bytes.length),
    segmentAt: (offset) => Math.floor(offset / length),
    lines: (segment) => {
      const start = segment * length;
      const [line = ''] = hexLines(bytes.subarray(start, start + length), start, length);
      return [line];
    },
    stretches: ({ text }) => [
      { text: text.slice(0, hexOffsetLength), role: 'dim' },
      { text: text.slice(hexOffsetLength), role: 'plain' },
    ],
    shows: (segment, found) => [hexRanges(clipped(found, segment * length, length), length)],
  };
}

const startsCache = new WeakMap<Uint8Array, Uint32Array>();

/** Returns the offsets of the segments of a document: lines, and parts of long lines. Caches them by the bytes. */
export function segmentStarts(bytes: Uint8Array): Uint32Array {
  const starts = startsCache.get(bytes) ?? findStarts(bytes);
  startsCache.set(bytes, starts);
  return starts;
}

function findStarts(bytes: Uint8Array): Uint32Array {
  let starts = new Uint32Array(1024);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    if (count === starts.length) starts = growStarts(starts);
    starts[count++] = at;
    const limit = Math.min(at + maxSegmentBytes, bytes.length);
    const feed = bytes.subarray(at, limit).indexOf(0x0a);
    at = feed !== -1 ? at + feed + 1 : limit === bytes.length ? limit : characterStart(bytes, limit);
  }
  return starts.subarray(0, count);
}

function growStarts(starts: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(starts.length * 2);
  larger.set(starts);
  return larger;
}

/** Returns the index of the last of the ascending numbers that is not greater than `offset`; 0 if all are greater. */
export function lastIndexAtMost(starts: Uint32Array, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
