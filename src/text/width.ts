import stringWidth from 'string-width';

const asciiOnly = /^[ -~]*$/;

/**
 * Cached column widths of short non-ASCII strings, most of which are one grapheme. Every frame measures the same few strings repeatedly.
 */
const measured = new Map<string, number>();
const shortest = 16;
const maxMeasured = 4096;

/** Returns the width of an escaped string in terminal columns. */
export function measureCharacter(text: string): number {
  if (asciiOnly.test(text)) return text.length;
  if (text.length > shortest) return stringWidth(text);
  const known = measured.get(text);
  if (known !== undefined) return known;
  if (measured.size === maxMeasured) measured.clear();
  const columns = stringWidth(text);
  measured.set(text, columns);
  return columns;
}

/** Cuts an escaped string to at most `width` columns, between graphemes. `…` replaces the rest. */
export function fitText(text: string, width: number): string {
  if (width <= 0) return '';
  if (text.length <= width && asciiOnly.test(text)) return text;
  const head = text.slice(0, width + 1);
  if (asciiOnly.test(head)) return `${head.slice(0, width - 1)}…`;
  return fitGraphemes(text, width);
}

/** Cuts a string like `fitText`, but removes the middle, because many names differ only at the end. */
export function fitMiddle(text: string, width: number): string {
  const head = fitText(text, width);
  if (width <= 0 || head === text) return head;
  const tail = lastGraphemes(text, (width - 1) >> 1);
  return `${fitText(text, width - measureCharacter(tail))}${tail}`;
}

function lastGraphemes(text: string, width: number): string {
  let from = text.length;
  for (let columns = 0; from > 0; ) {
    const start = from - graphemeLengthBefore(text, from);
    columns += measureCharacter(text.slice(start, from));
    if (columns > width) break;
    from = start;
  }
  return text.slice(from);
}

/** Cuts a string like `fitText`, and pads the result to exactly `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const fitted = fitText(text, width);
  const spaces = ' '.repeat(Math.max(0, width - measureCharacter(fitted)));
  return align === 'left' ? fitted + spaces : spaces + fitted;
}

function fitGraphemes(text: string, width: number): string {
  let columns = 0;
  let fitting = 0;
  for (let at = 0; at < text.length; ) {
    const end = at + graphemeLength(text, at);
    columns += measureCharacter(text.slice(at, end));
    if (columns > width) return `${text.slice(0, fitting)}…`;
    if (columns <= width - 1) fitting = end;
    at = end;
  }
  return text;
}

/** Returns the length in code units, at most 64, of the grapheme that begins at an offset. */
export function graphemeLength(text: string, at: number): number {
  if (text.charCodeAt(at) < 0x80 && (text.charCodeAt(at + 1) || 0) < 0x80) return 1;
  const { from, ends } = stretchAround(text, at, Math.min(text.length, at + maxGrapheme), at);
  return Math.min(maxGrapheme, from + (ends[at - from] ?? 0) - at);
}

/** Returns the length in code units of the grapheme that ends at an offset; 0 at the start of the string. */
export function graphemeLengthBefore(text: string, at: number): number {
  if (at > 1 && text.charCodeAt(at - 1) < 0x80 && text.charCodeAt(at - 2) < 0x80) return 1;
  if (at === 0) return 0;
  const begin = Math.max(0, at - stretchLength);
  const { from, ends } = stretchAround(text, Math.max(0, at - maxGrapheme), at, begin);
  let start = at - 1;
  while (start > from && at - start < maxGrapheme && ends[start - 1 - from] === ends[at - 1 - from]) start--;
  return at - start;
}

/** A range of a string, with the end of the grapheme at each offset. Ends are relative to the start of the range. */
interface Stretch {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The offset at which the ends become reliable, because the range may begin in the middle of a grapheme. */
  readonly sound: number;
  readonly ends: Uint16Array;
}

/** Maximum length of a grapheme in code units. Longer graphemes are not readable anyway. */
const maxGrapheme = 64;
const stretchLength = 1024;

let segmenter: Intl.Segmenter | undefined;
let last: Stretch | undefined;

/**
 * Returns the last segmented range if it covers `least` to `end` of this string; otherwise, segments a new range that starts at `begin`. A
 * string is segmented in ranges, because each call of the segmenter leaves kilobytes outside the heap: 90 MB for 10,000 characters that are
 * segmented one by one.
 */
function stretchAround(text: string, least: number, end: number, begin: number): Stretch {
  if (last !== undefined && last.text === text && last.sound <= least && end <= last.to) return last;
  segmenter ??= new Intl.Segmenter('en');
  const to = Math.min(text.length, begin + stretchLength);
  const ends = new Uint16Array(to - begin);
  for (const { segment, index } of segmenter.segment(text.slice(begin, to)))
    ends.fill(index + segment.length, index, index + segment.length);
  const sound = begin === least || begin === 0 ? begin : begin + maxGrapheme;
  last = { text, from: begin, to, sound, ends };
  return last;
}
