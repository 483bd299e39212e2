import { isExact, type Matcher } from './pattern.ts';

/**
 * Many strings joined into one, which takes a third of the memory and is searched in one pass. There are no separators, so that
 * strings can contain any character.
 */
export interface Joined {
  readonly text: string;
  /** The end of each string, in UTF-16 units. */
  readonly ends: Uint32Array;
  /** Whether all strings are ASCII, in which a change of case does not change lengths. */
  readonly isAscii: boolean;
}

const ascii = /^[\x00-\x7f]*$/;

/** Joins strings. */
export function joinTexts(texts: readonly string[]): Joined {
  let end = 0;
  const ends = Uint32Array.from(texts, (text) => {
    end += text.length;
    return end;
  });
  const text = texts.join('');
  return { text, ends, isAscii: ascii.test(text) };
}

/** The text at an index. */
export function textAt({ text, ends }: Joined, index: number): string {
  return text.slice(index === 0 ? 0 : ends[index - 1], ends[index]);
}

/**
 * Whether a matcher can search joined strings in one pass. Only matchers for literal text that can ignore case search
 * this way.
 */
export function isSearchedAtOnce({ pattern }: Matcher, joined: Joined): boolean {
  return pattern.how === 'part' && pattern.text !== '' && (joined.isAscii || isExact(pattern.text));
}

/**
 * Writes the index of each matching string, plus an offset, to a list, starting at the given position. Returns the next
 * position. Only matchers that search in one pass have positions.
 */
export function writeFound(
  { text, ends }: Joined,
  { pattern: { text: wanted, isNegated } }: Matcher,
  into: { readonly list: Uint32Array; readonly from: number; readonly offset: number },
): number {
  const all = hasCase(wanted) && !isExact(wanted) ? text.toLowerCase() : text;
  const { list, offset } = into;
  let place = into.from;
  let next = all.indexOf(wanted);
  let start = 0;
  for (let index = 0; index < ends.length && (next !== -1 || isNegated); index++) {
    const end = ends[index] ?? 0;
    // A match across two strings does not count.
    while (next !== -1 && (next < start || (next < end && next + wanted.length > end))) {
      next = all.indexOf(wanted, Math.max(start, next + 1));
    }
    if ((next !== -1 && next < end) !== isNegated) list[place++] = offset + index;
    start = end;
  }
  return place;
}

function hasCase(text: string): boolean {
  return text.toLowerCase() !== text.toUpperCase();
}
