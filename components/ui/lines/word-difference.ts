import { type DifferenceLine, lineDifference } from '../../../src/model/kv/line-difference.ts';
import { measureCharacter } from '../../../src/text/width.ts';
import type { Role } from '../../kit/theme.ts';

/** A part of an escaped line, and whether only one side contains it. */
export interface WordPart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** The parts of a line before and after a change. */
export interface WordDifference {
  readonly before: readonly WordPart[];
  readonly after: readonly WordPart[];
}

/** The styles for lines of a diff, and for words that only one side contains. */
export const differenceRoles = {
  ' ': { line: 'plain', word: 'plain' },
  '-': { line: 'removed', word: 'removedWord' },
  '+': { line: 'added', word: 'addedWord' },
} as const satisfies Record<DifferenceLine['sign'], { readonly line: Role; readonly word: Role }>;

/**
 * Returns, for each line of a diff, the line that replaces it or that it replaces; undefined if there is no such line. The lines of a
 * change are paired in order.
 */
export function pairLines(lines: readonly DifferenceLine[]): readonly (string | undefined)[] {
  const pairs = Array<string | undefined>(lines.length).fill(undefined);
  const countSign = (from: number, sign: DifferenceLine['sign']) => {
    let count = 0;
    while (lines[from + count]?.sign === sign) count++;
    return count;
  };
  for (let at = 0; at < lines.length; ) {
    const removed = countSign(at, '-');
    const added = countSign(at + removed, '+');
    for (let index = 0; index < Math.min(removed, added); index++) {
      pairs[at + index] = lines[at + removed + index]?.text;
      pairs[at + removed + index] = lines[at + index]?.text;
    }
    at += Math.max(1, removed + added);
  }
  return pairs;
}

/**
 * Splits an escaped line of a diff into equal and changed words; undefined if the line has little in common with the line paired with it.
 */
export function changedWords({ sign, text }: DifferenceLine, pair: string): readonly WordPart[] | undefined {
  return sign === '-' ? wordDifference(text, pair)?.before : wordDifference(pair, text)?.after;
}

/**
 * Maximum length of both lines together, in characters, for which words are compared. In longer lines, the differing middle is one part.
 */
const maxCharacters = 4000;

/** Minimum share of equal characters: with fewer, highlighted words would not help the reader. */
const minEqualShare = 0.3;

/** Splits two escaped lines into equal and changed words; undefined if the lines have little in common. */
export function wordDifference(before: string, after: string): WordDifference | undefined {
  const isLong = before.length + after.length > maxCharacters;
  const [old, next] = [before, after].map((text) => (isLong ? [...text] : (text.match(word) ?? [])));
  if (old === undefined || next === undefined) return undefined;
  const found = isLong ? differingMiddle(old, next) : differingWords(old, next);
  const countInk = (words: readonly string[]) => words.join('').replaceAll(' ', '').length;
  const equal = countInk(old.filter((_, index) => !found.before.has(index)));
  if (equal < minEqualShare * Math.max(countInk(old), countInk(next))) return undefined;
  return { before: joinParts(old, found.before), after: joinParts(next, found.after) };
}

/** Matches a word, spaces, an escaped character (see `src/text/mark.ts`), or any other character. */
const word = /[\p{L}\p{N}\p{M}_]+| +|\ue100[^\ue101]*\ue101|.\p{M}*/gsu;

/** The indexes of the words that only one side contains. */
interface Differing {
  readonly before: Set<number>;
  readonly after: Set<number>;
}

function differingWords(old: readonly string[], next: readonly string[]): Differing {
  const found: Differing = { before: new Set(), after: new Set() };
  for (const { left, right, lines } of lineDifference(old, next)) {
    let [row, column] = [left.from - 1, right.from - 1];
    for (const { sign } of lines) {
      if (sign === '-') found.before.add(row);
      if (sign === '+') found.after.add(column);
      if (sign !== '+') row++;
      if (sign !== '-') column++;
    }
  }
  return found;
}

function differingMiddle(old: readonly string[], next: readonly string[]): Differing {
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === next.at(-1 - tail)) tail++;
  const middle = (length: number) =>
    new Set(Array.from({ length: length - tail - head }, (_, index) => head + index));
  return { before: middle(old.length), after: middle(next.length) };
}

/** Joins adjacent words that are both equal or both changed. A space between two changed words counts as changed. */
function joinParts(words: readonly string[], changed: ReadonlySet<number>): WordPart[] {
  const parts: { text: string; isChanged: boolean }[] = [];
  words.forEach((text, index) => {
    const isBetween = text.trim() === '' && changed.has(index - 1) && changed.has(index + 1);
    const isChanged = changed.has(index) || isBetween;
    const last = parts.at(-1);
    if (last?.isChanged === isChanged) last.text += text;
    else parts.push({ text, isChanged });
  });
  return parts;
}

/** Replaces most of a long unchanged start of a line with `…`, so that the first change fits in the columns. */
export function showFirstChange(parts: readonly WordPart[], columns: number): readonly WordPart[] {
  const [head, ...others] = parts;
  if (head === undefined || head.isChanged || others.length === 0) return parts;
  if (measureCharacter(head.text) <= columns * 0.6) return parts;
  const kept = head.text.slice(-Math.max(1, Math.floor(columns / 4)));
  // Removes half of a surrogate pair, combining characters and part of an escaped character from the start of the shortened text.
  const text = kept.replace(/^(?:[\udc00-\udfff]|\p{M})+/u, '').replace(/^[^\ue100]*\ue101/, '');
  return [{ text: `…${text}`, isChanged: false }, ...others];
}
