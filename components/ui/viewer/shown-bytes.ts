import { markBytes } from '../../../src/text/mark.ts';
import type { Range } from '../../../src/text/search/pattern.ts';

/**
 * Converts ascending byte ranges to ranges of the escaped text of the bytes from `start` to `end`, in UTF-16 units. Omits parts of ranges
 * outside these bytes.
 */
export function placesIn(
  bytes: Uint8Array,
  { start, end, text }: { readonly start: number; readonly end: number; readonly text: string },
  ranges: readonly Range[],
): Range[] {
  // If each byte is one character, positions need no counting.
  const isPlain = text.length === end - start;
  let at = start;
  let place = 0;
  const toPlace = (offset: number): number => {
    if (offset < at) [at, place] = [start, 0];
    place += isPlain ? offset - at : markBytes(bytes.subarray(at, offset)).length;
    at = offset;
    return place;
  };
  return ranges
    .map(([from, to]): Range => [Math.max(start, from), Math.min(end, to)])
    .filter(([from, to]) => to > from)
    .map(([from, to]): Range => [toPlace(from), toPlace(to)]);
}

/** Splits ranges of a string into ranges for each of the string's lines. */
export function rangesByLine(lines: readonly string[], ranges: readonly Range[]): Range[][] {
  let first = 0;
  return lines.map(({ length }) => {
    const begin = first;
    first += length;
    return clipped(ranges, begin, length);
  });
}

/** Returns the parts of ranges from offset `begin` to `begin + length`, relative to `begin`. */
export function clipped(ranges: readonly Range[], begin: number, length: number): Range[] {
  return ranges
    .map(([from, to]): Range => [Math.max(0, from - begin), Math.min(length, to - begin)])
    .filter(([from, to]) => to > from);
}
