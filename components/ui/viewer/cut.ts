import { markLength } from '../../../src/text/mark.ts';
import { graphemeLength, measureCharacter } from '../../../src/text/width.ts';

/** The part of an escaped text that fits in a number of columns. */
export interface Cut {
  /** The range in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** Number of empty columns before the part, where a wide character would be cut in two. */
  readonly gap: number;
  /** Number of columns that the part takes, including the gap. */
  readonly columns: number;
  /** Whether the text continues. */
  readonly goesOn: boolean;
}

const plain = /^[ -[\]-~]*$/;

/**
 * Returns the part of an escaped text that starts at column `left` and has up to `width` columns. Does not split graphemes and escaped
 * characters.
 */
export function cutColumns(text: string, left: number, width: number): Cut {
  if (plain.test(text)) {
    const from = Math.min(left, text.length);
    const to = Math.min(from + width, text.length);
    return { from, to, gap: 0, columns: to - from, goesOn: to < text.length };
  }
  let at = 0;
  let column = 0;
  for (; at < text.length && column < left; at += unitLength(text, at)) column += unitColumns(text, at);
  const from = at;
  const gap = Math.min(width, Math.max(0, column - left));
  let columns = gap;
  while (at < text.length && columns + unitColumns(text, at) <= width) {
    columns += unitColumns(text, at);
    at += unitLength(text, at);
  }
  return { from, to: at, gap, columns, goesOn: at < text.length };
}

function unitColumns(text: string, at: number): number {
  return measureCharacter(text.slice(at, at + unitLength(text, at)));
}

/** Returns the length of the escaped character or grapheme at a position. */
function unitLength(text: string, at: number): number {
  return markLength(text, at) ?? graphemeLength(text, at);
}
