import { markText } from '../../../src/text/mark.ts';
import type { Matcher, Range } from '../../../src/text/search/pattern.ts';
import { withinTime } from '../../../src/text/search/within-time.ts';
import { fitText, graphemeLength, measureCharacter } from '../../../src/text/width.ts';
import type { Role } from '../../kit/theme.ts';
import type { Part } from './Line.tsx';

/** Maximum number of milliseconds for a regular expression on all visible strings. */
const searchTimeMs = 20;

/**
 * Returns the ranges that match a search in each string. If a regular expression takes too long, no ranges are returned for the remaining
 * strings.
 */
export function matchRanges(
  texts: readonly string[],
  matcher: Matcher | undefined,
): readonly (readonly Range[])[] {
  if (matcher === undefined) return texts.map(() => []);
  const found: Range[][] = texts.map(() => []);
  const work = () => {
    texts.forEach((text, index) => {
      found[index] = matcher.rangesIn(text);
    });
  };
  if (matcher.pattern.how === 'expression') withinTime(searchTimeMs, work);
  else work();
  return found;
}

/**
 * Returns untrusted data as parts, escaped and shortened to a width. Matches of a search are highlighted as whole characters, including
 * combining marks.
 */
export function highlightMatches(
  text: string,
  ranges: readonly Range[],
  width: number,
  role: Role = 'plain',
): Part[] {
  const whole = markText(text);
  const shown = fitText(whole, width);
  const pieces = splitAtRanges(text, wholeCharacters(text, ranges)).map((piece) => ({
    ...piece,
    text: markText(piece.text),
  }));
  // If pieces are escaped differently from the whole string, as happens with combining characters, nothing is highlighted.
  const isWhole = pieces.map((piece) => piece.text).join('') === whole;
  if (ranges.length === 0 || !isWhole) return [{ text: shown, role }];
  const isCut = shown !== whole;
  let left = isCut ? shown.length - 1 : shown.length;
  const parts = pieces.map((piece): Part => {
    const visible = piece.text.slice(0, left);
    left -= visible.length;
    return { text: visible, role: piece.isFound ? 'found' : role };
  });
  return [...parts, { text: isCut ? '…' : '', role }].filter((part) => part.text !== '');
}

const ascii = /^[\x00-\x7f]*$/;

/** Extends ranges to whole graphemes. */
function wholeCharacters(text: string, ranges: readonly Range[]): readonly Range[] {
  if (ascii.test(text)) return ranges;
  const extended: Range[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    let start = at;
    while (at < text.length && at + graphemeLength(text, at) <= from) {
      at += graphemeLength(text, at);
      start = at;
    }
    while (at < to) at += graphemeLength(text, at);
    const last = extended.at(-1);
    if (last !== undefined && start <= last[1]) extended.splice(-1, 1, [last[0], Math.max(last[1], at)]);
    else extended.push([start, at]);
  }
  return extended;
}

function splitAtRanges(
  text: string,
  ranges: readonly Range[],
): { readonly text: string; readonly isFound: boolean }[] {
  const ends = ranges.map(([, to]) => to);
  const pieces = ranges.flatMap(([from, to], index) => [
    { text: text.slice(index === 0 ? 0 : ends[index - 1], from), isFound: false },
    { text: text.slice(from, to), isFound: true },
  ]);
  return [...pieces, { text: text.slice(ends.at(-1)), isFound: false }].filter((piece) => piece.text !== '');
}

/** Returns the number of columns that parts need. */
export function measureParts(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + measureCharacter(text), 0);
}
