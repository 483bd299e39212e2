import { groupDigits } from '../size.ts';

/** A range of a string in UTF-16 units; the end is exclusive. */
export type Range = readonly [from: number, to: number];

/**
 * A parsed search: `text` (a substring), `/regular expression/`, `~fuzzy` or `-f fuzzy` (the characters in this order, with any other
 * characters between them). A leading `!` negates the search. A `\` before a special character escapes it.
 */
export interface Pattern {
  readonly how: 'part' | 'expression' | 'fuzzy';
  /** The search text without special characters. An empty search matches everything. */
  readonly text: string;
  readonly isNegated: boolean;
}

/** Parses a typed search. Every string is a valid search; an incomplete expression counts as literal text. */
export function readPattern(typed: string): Pattern {
  if (typed.startsWith('!')) {
    const rest = readPattern(typed.slice(1));
    return { ...rest, isNegated: !rest.isNegated };
  }
  if (typed.startsWith('~')) return { how: 'fuzzy', text: typed.slice(1), isNegated: false };
  if (typed.startsWith('-f ')) return { how: 'fuzzy', text: typed.slice(3), isNegated: false };
  const expression = /^\/(.+)\/$/s.exec(typed)?.[1];
  if (expression !== undefined) return { how: 'expression', text: expression, isNegated: false };
  return { how: 'part', text: typed.replace(/^\\(?=[!~/]|-f )/, ''), isNegated: false };
}

/** Finds strings that match a pattern. */
export interface Matcher {
  readonly pattern: Pattern;
  /** Returns whether a string matches. A regular expression can run forever: use `withinTime`. */
  lets(text: string): boolean;
  /** Returns the matching ranges of a string, in order; none if the pattern is negated. */
  rangesIn(text: string): Range[];
}

/**
 * Maximum length of a search, in UTF-16 units. With longer expressions, the engine takes seconds. Beyond a certain length, the engine's
 * stack overflows when the expression is first used, and not when it is compiled.
 */
const maxPatternLength = { part: 10_000, expression: 1000, fuzzy: 200 } as const;

/** Returns the matcher of a pattern, or the reason why the pattern cannot be used. An upper-case letter makes a pattern case-sensitive. */
export function createMatcher(pattern: Pattern): Matcher | { readonly fault: string } {
  const maxLength = maxPatternLength[pattern.how];
  if (pattern.text.length > maxLength) return { fault: `longer than ${groupDigits(maxLength)} characters` };
  const found = createFinder(pattern);
  if ('fault' in found || pattern.text === '') return 'fault' in found ? found : { pattern, ...everything };
  const { isNegated } = pattern;
  return {
    pattern,
    lets: isNegated ? (text) => !found.lets(text) : found.lets,
    rangesIn: isNegated ? () => [] : found.rangesIn,
  };
}

type Finder = Pick<Matcher, 'lets' | 'rangesIn'>;

const everything: Finder = { lets: () => true, rangesIn: () => [] };

function createFinder({ how, text }: Pattern): Finder | { readonly fault: string } {
  if (how === 'fuzzy') return fuzzyFinder(text);
  if (how === 'part') return partFinder(text);
  const flags = isExact(text.replace(/\\(?:[pP]\{[^}]*\}|.)/gs, '')) ? '' : 'i';
  try {
    return expressionFinder(new RegExp(text, flags));
  } catch (error) {
    return { fault: describeReason(String(error)) };
  }
}

/** Returns the engine's message without the parts that repeat the expression. */
function describeReason(message: string): string {
  return message.replace(/^.*?: Invalid regular expression: \/.*\/[a-z]*: /s, '');
}

/** Returns whether a pattern is case-sensitive because it contains an upper-case letter, which the user presumably typed on purpose. */
export function isExact(text: string): boolean {
  return text !== text.toLowerCase();
}

function partFinder(text: string): Finder {
  const flags = isExact(text) ? '' : 'i';
  // Uses a compiled expression, which does not copy the strings. Changing case would copy up to a million strings.
  const found = expressionFinder(new RegExp(escaped(text), flags));
  return flags === '' ? { ...found, lets: (other) => other.includes(text) } : found;
}

function expressionFinder(expression: RegExp): Finder {
  const all = new RegExp(expression.source, `${expression.flags}g`);
  return {
    lets: (text) => expression.test(text),
    rangesIn: (text) =>
      Array.from(text.matchAll(all), ({ index, 0: { length } }): Range => [index, index + length]).filter(
        ([from, to]) => to > from,
      ),
  };
}

function fuzzyFinder(text: string): Finder {
  const fold = isExact(text) ? (one: string) => one : (one: string) => one.toLowerCase();
  const wanted = [...text];
  // Each step skips all other characters, so that the engine does not backtrack.
  const steps = wanted.map(toCode).map((code) => `[^${code}]*${code}`);
  const expression = new RegExp(`^${steps.join('')}`, isExact(text) ? 'u' : 'iu');
  return {
    lets: (other) => expression.test(other),
    rangesIn(other) {
      const end = expression.exec(other)?.[0].length;
      return end === undefined ? [] : tightest([...other.slice(0, end)].map(fold), wanted, [...other]);
    },
  };
}

/**
 * Returns the ranges of the matched characters, each at its last position before the match of the next one. The text ends with the last
 * wanted character.
 */
function tightest(folded: readonly string[], wanted: readonly string[], shown: readonly string[]): Range[] {
  const places: number[] = [];
  let left = wanted.length - 1;
  for (let at = folded.length - 1; at >= 0 && left >= 0; at--) {
    if (folded[at] !== wanted[left]) continue;
    places.unshift(at);
    left--;
  }
  const starts = unitStarts(shown);
  const ranges: Range[] = [];
  for (const place of places) {
    const from = starts[place] ?? 0;
    const to = starts[place + 1] ?? from;
    const last = ranges.at(-1);
    if (last?.[1] === from) ranges.splice(-1, 1, [last[0], to]);
    else ranges.push([from, to]);
  }
  return ranges;
}

/** Returns the start of each character in UTF-16 units, and the end of the last character. */
function unitStarts(characters: readonly string[]): number[] {
  const starts = [0];
  for (const one of characters) starts.push((starts.at(-1) ?? 0) + one.length);
  return starts;
}

/** Returns the code point escape of a character for a regular expression. */
function toCode(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
}

/** Returns whether all matches of a pattern also match the earlier pattern, so that only the earlier matches must be searched. */
export function isNarrower(pattern: Pattern, before: Pattern): boolean {
  if (before.text === '') return true;
  if (pattern.isNegated || before.isNegated) return false;
  if (pattern.how !== before.how || pattern.how === 'expression') return false;
  if (isExact(before.text)) return isWithin(before.text, pattern.text, pattern.how);
  return isWithin(before.text, pattern.text.toLowerCase(), pattern.how);
}

function isWithin(before: string, text: string, how: 'part' | 'fuzzy'): boolean {
  return how === 'part' ? text.includes(before) : text.startsWith(before);
}

/**
 * Returns a note that is shown next to a pattern while the user types it: what is wrong with it, or what can be typed. The note is escaped.
 */
export function patternNote(
  typed: string,
  fault: string | undefined,
): { readonly text: string; readonly isFault: boolean } | undefined {
  if (fault !== undefined) return { text: `not applied: ${fault}`, isFault: true };
  if (typed === '') return { text: 'text  /regex/  !not  ~fuzzy', isFault: false };
  const isOpen = /^!*\/./s.test(typed) && readPattern(typed).how === 'part';
  return isOpen ? { text: 'add / at the end for a regex', isFault: false } : undefined;
}
