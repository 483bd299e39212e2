import type { Range } from './pattern.ts';

/** An entry that a search finds by a few letters of its name. The strings are not escaped. */
export interface Findable {
  readonly name: string;
  /** A description. A search matches only the starts of words in the description, and these matches rank below all matches of names. */
  readonly about?: string;
  /**
   * Words that narrow a search, such as the place of the entry, or its link. An entry that matches only in these words is listed only if no
   * other entry matches.
   */
  readonly context?: string;
}

/** Additional criteria for sorting entries that match equally well. */
export interface Preferences<T> {
  /** Returns how long ago an entry was used: 0 for the entry that was used last, infinite for an entry that was never used. */
  readonly age?: (one: T) => number;
  /** Returns the distance of an entry. Nearer entries come first. */
  readonly distance?: (one: T) => number;
}

/** The kinds of matches, best first. The fractional part of a cost orders matches of the same kind. */
const tiers = { wholeName: 0, wordStart: 1, initials: 2, part: 3, close: 4, about: 5, context: 6 } as const;

/** The cost at which weak matches start. */
const weakCost = tiers.close;

/**
 * Minimum number of strong matches for omitting weak matches. Entries that match only in their context are listed only if no other entry
 * matches.
 */
const minStrong = 3;

/** A match of a word in a string: the cost of the match, and the ranges that match. */
interface WordMatch {
  readonly cost: number;
  readonly ranges: readonly Range[];
}

/** A string in lower case, with values that are computed only once, because every typed letter needs them for every entry. */
interface Folded {
  readonly text: string;
  /** A bit for each ASCII letter or digit in the string. The bits rule out most entries without a search. */
  readonly letters: number;
  /** The offsets at which words start in the string; set when initials are first searched. */
  starts?: readonly number[];
}

/** The strings of an entry in lower case. */
interface FoldedEntry {
  readonly name: Folded;
  readonly about: string;
  readonly context: string;
}

const foldedEntries = new WeakMap<Findable, FoldedEntry>();

/**
 * Returns the entries that match a search, best first: the whole name, starts of words, initials of words, parts of words, letters that are
 * close together, and words of the description. Matches of the same kind are sorted by age, quality of the match, distance and name. Every
 * word of the search must match. An empty search returns all entries in their original order.
 */
export function rankMatches<T extends Findable>(
  all: Iterable<T>,
  search: string,
  { age = () => 0, distance = () => 0 }: Preferences<T> = {},
): T[] {
  const words = searchWords(search);
  if (words.length === 0) return [...all];
  const phrase = foldCase(search.trim());
  const found: Ranked<T>[] = [];
  for (const one of all) {
    const cost = rank(foldEntry(one), words, phrase);
    if (cost !== undefined) found.push({ one, cost, age: age(one), distance: distance(one) });
  }
  const strong = found.filter(({ cost }) => cost < weakCost);
  const named = found.filter(({ cost }) => cost < tiers.context);
  const listed = strong.length >= minStrong ? strong : named.length > 0 ? named : found;
  return listed.sort(compareRanked).map(({ one }) => one);
}

interface Ranked<T> {
  readonly one: T;
  readonly cost: number;
  readonly age: number;
  readonly distance: number;
}

function compareRanked<T extends Findable>(left: Ranked<T>, right: Ranked<T>): number {
  return (
    Math.floor(left.cost) - Math.floor(right.cost) ||
    compareNumbers(left.age, right.age) ||
    left.cost - right.cost ||
    left.distance - right.distance ||
    compareText(left.one.name, right.one.name)
  );
}

/** Compares two numbers, which may be infinite. */
function compareNumbers(left: number, right: number): number {
  return left === right ? 0 : left - right;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns the cost of an entry; undefined if a word does not match. */
function rank(
  { name, about, context }: FoldedEntry,
  words: readonly string[],
  phrase: string,
): number | undefined {
  let highest = -1;
  let sum = 0;
  let isDescribed = false;
  const named: string[] = [];
  for (const word of words) {
    const cost = matchWord(word, name)?.cost;
    if (cost !== undefined) {
      highest = Math.max(highest, cost);
      sum += cost;
      named.push(word);
    } else if (isSearchable(word) && context !== '' && findWordStart(word, context) !== undefined) {
      // A word that matches only the context narrows the search, but does not change the kind of the match.
      sum += 0.1;
    } else if (isSearchable(word) && about !== '' && findWordStart(word, about) !== undefined) {
      isDescribed = true;
    } else return undefined;
  }
  if (isDescribed) return tiers.about + sum / 100;
  if (name.text === phrase || name.text === named.join(' ')) return tiers.wholeName + sum / 100;
  if (highest === -1) return tiers.context;
  return Math.floor(highest) + Math.min(0.99, (highest % 1) + sum / 100);
}

/**
 * Returns whether a word of a search is long enough to be searched in descriptions and contexts. Too many words start with the same single
 * character.
 */
function isSearchable(word: string): boolean {
  return word.length >= 2;
}

/** Returns the ranges of a name that match the words of a search, in order and without overlaps. */
export function nameRanges(search: string, name: string): readonly Range[] {
  const text = fold(name);
  return mergeRanges(searchWords(search).flatMap((word) => matchWord(word, text)?.ranges ?? []));
}

/** Returns the ranges of a description that match those words of a search that the name does not match. */
export function aboutRanges(search: string, { name, about = '' }: Findable): readonly Range[] {
  const [text, title] = [foldCase(about), fold(name)];
  const words = searchWords(search).filter(
    (word) => isSearchable(word) && matchWord(word, title) === undefined,
  );
  return mergeRanges(words.flatMap((word) => findWordStart(word, text)?.ranges ?? []));
}

function searchWords(search: string): string[] {
  return foldCase(search)
    .split(/\s+/)
    .filter((word) => word !== '');
}

function foldEntry(one: Findable): FoldedEntry {
  const known = foldedEntries.get(one);
  if (known !== undefined) return known;
  const { name, about = '', context = '' } = one;
  const folded = { name: fold(name), about: foldCase(about), context: foldCase(context) };
  foldedEntries.set(one, folded);
  return folded;
}

function fold(name: string): Folded {
  const text = foldCase(name);
  return { text, letters: letterBits(text) };
}

/** Returns a bit for each ASCII letter and digit of a string in lower case. The ten digits share six bits. */
function letterBits(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) bits |= 1 << (26 + (code % 6));
  }
  return bits;
}

/** Returns a string in lower case, with the same length. A character whose lower case has another length is unchanged. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one)).join(
    '',
  );
}

/** Maximum length of a search word that is matched by initials or by letters that are close together. */
const maxLooseLength = 32;

function matchWord(word: string, name: Folded): WordMatch | undefined {
  const { text, letters } = name;
  const bits = letterBits(word);
  if ((letters & bits) !== bits) return undefined;
  const start = findWordStart(word, text);
  if (start !== undefined) return start;
  const isLoose = word.length >= 2 && word.length <= maxLooseLength;
  const initials = isLoose ? findInitials(word, name) : undefined;
  if (initials !== undefined) return { cost: tiers.initials, ranges: initials };
  const part = canBePart(word) ? text.indexOf(word) : -1;
  if (part !== -1) return { cost: tiers.part, ranges: [[part, part + word.length]] };
  return isLoose ? findClose(word, text) : undefined;
}

/** Finds a search word at the start of a word in the text. Prefers the first word, and whole-word matches. */
function findWordStart(word: string, text: string): WordMatch | undefined {
  let best: WordMatch | undefined;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (at > 0 && isWordCharacter(text, at - 1) && isWordCharacter(text, at)) continue;
    const cost = tiers.wordStart + (at === 0 ? 0 : 0.4) + (isWordEnd(text, end) ? 0 : 0.2);
    if (best === undefined || cost < best.cost) best = { cost, ranges: [[at, end]] };
    if (cost === tiers.wordStart) break;
  }
  return best;
}

function isWordEnd(text: string, end: number): boolean {
  return end === text.length || !isWordCharacter(text, end) || !isWordCharacter(text, end - 1);
}

/**
 * Returns whether a search word may match inside another word. One or two ASCII characters do not match there, because nearly every name
 * contains them. Characters of other scripts match there, because some scripts write no spaces between words.
 */
function canBePart(word: string): boolean {
  return word.length >= 3 || /[^\x00-\x7f]/.test(word);
}

/**
 * Finds a search word that is composed of the first letters of consecutive words, for example `fo` in `set fallback origin`. Words that are
 * separated by a dot or a slash are not consecutive.
 */
function findInitials(word: string, name: Folded): readonly Range[] | undefined {
  const { text } = name;
  name.starts ??= wordStarts(text);
  const { starts } = name;
  if (starts.length < 2) return undefined;
  let failed: Set<number> | undefined;
  const follow = (index: number, from: number): Range[] | undefined => {
    if (from === word.length) return [];
    const at = starts[index];
    const state = index * (maxLooseLength + 1) + from;
    if (at === undefined || failed?.has(state)) return undefined;
    for (let length = commonLength(word, from, text, at); length > 0; length--) {
      const isLast = from + length === word.length;
      const rest =
        isLast || isSameName(text, at, starts[index + 1]) ? follow(index + 1, from + length) : undefined;
      if (rest !== undefined) return [[at, at + length], ...rest];
    }
    failed ??= new Set();
    failed.add(state);
    return undefined;
  };
  for (const [index, at] of starts.entries()) {
    if (text[at] !== word[0]) continue;
    const found = follow(index, 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Maximum number of words whose initials are searched. */
const maxWords = 32;

function wordStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length && starts.length < maxWords; at++) {
    if (isWordCharacter(text, at) && (at === 0 || !isWordCharacter(text, at - 1))) starts.push(at);
  }
  return starts;
}

function isSameName(text: string, from: number, to: number | undefined): boolean {
  return to !== undefined && !/[./]/.test(text.slice(from, to));
}

/** Returns the length of the common prefix of `word`, starting at one index, and `text`, starting at another. */
function commonLength(word: string, from: number, text: string, at: number): number {
  let length = 0;
  while (from + length < word.length && word[from + length] === text[at + length]) length++;
  return length;
}

/** Finds the letters of a search word in order, beginning at the start of a word of the text, with few other letters between them. */
function findClose(word: string, text: string): WordMatch | undefined {
  if (word.length < 3) return undefined;
  const maxOthers = Math.max(1, Math.floor(word.length / 3));
  for (let at = text.indexOf(word[0] ?? ''); at !== -1; at = text.indexOf(word[0] ?? '', at + 1)) {
    if (at > 0 && isWordCharacter(text, at - 1)) continue;
    const ranges = lettersFrom(at, word, text, maxOthers);
    if (ranges !== undefined) return { cost: tiers.close + (ranges.length - 1) / 100, ranges };
  }
  return undefined;
}

/** Returns the ranges of the letters of a word, starting at an index of the text, with up to `maxOthers` other letters between them. */
function lettersFrom(start: number, word: string, text: string, maxOthers: number): Range[] | undefined {
  const ranges: [number, number][] = [];
  let at = start;
  for (const letter of word) {
    const next = text.indexOf(letter, at);
    if (next === -1 || next + letter.length - start > word.length + maxOthers) return undefined;
    const last = ranges.at(-1);
    if (last?.[1] === next) last[1] = next + letter.length;
    else ranges.push([next, next + letter.length]);
    at = next + letter.length;
  }
  return ranges;
}

function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const [from, to] of [...ranges].sort((left, right) => left[0] - right[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) merged.splice(-1, 1, [last[0], Math.max(last[1], to)]);
    else merged.push([from, to]);
  }
  return merged;
}

/** Returns whether the UTF-16 unit at an index belongs to a word. */
function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80)
    return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  // Each half of a surrogate pair counts as a letter, because the pair may be a letter.
  return (code >= 0xd800 && code <= 0xdfff) || /[\p{L}\p{N}\p{M}]/u.test(text[at] ?? '');
}
