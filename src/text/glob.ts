import { Problem } from '../model/problem.ts';

/** One element of a pattern: a test for one character, any number of characters, or alternative patterns. */
type Step = ((character: string) => boolean) | 'stretch' | readonly Pattern[];
type Pattern = readonly Step[];

/** Maximum length of a pattern: twice the length of the longest name (1,024 characters) with every character escaped. */
const maxPatternLength = 4096;

/**
 * Compiles a pattern that must match the whole name. `*` matches any characters, `?` matches one character, `[a-z]` matches one character
 * in the range, `[!a-z]` matches one character outside the range, and `{a,b}` matches either alternative. A backslash escapes the next
 * character. No character of a name is special, not even `/`. Throws for an invalid pattern.
 *
 * No library is used, because libraries compile a glob to a regular expression, and the expression for `*a*a*a*a*a*a*b` takes a minute to
 * reject a name of a hundred a's. This matcher scans a name once for each element of the pattern.
 */
export function globMatcher(glob: string): (name: string) => boolean {
  if (glob === '' || glob.length > maxPatternLength) {
    const length = glob === '' ? 'empty' : `longer than ${maxPatternLength} characters`;
    throw new Problem('invalid-input', `A pattern must not be ${length}.`);
  }
  const tokens = tokenize(glob);
  const pattern = compilePattern(tokens, bracesIn(tokens), 0, tokens.length);
  return (name) => {
    const characters = [...name];
    return walk(pattern, characters, [0]).at(-1) === characters.length;
  };
}

/** Splits a pattern into tokens. A token is a class in brackets, an escaped character, or a single character. */
function tokenize(glob: string): string[] {
  const characters = glob.match(/\\.|./gsu) ?? [];
  const tokens: string[] = [];
  /** After the first unclosed bracket, no later bracket can be closed either. */
  let isClosed = true;
  for (let at = 0; at < characters.length; at += 1) {
    const end: number | undefined = isClosed && characters[at] === '[' ? classEnd(characters, at) : at;
    if (end === undefined) isClosed = false;
    tokens.push(characters.slice(at, (end ?? at) + 1).join(''));
    at = end ?? at;
  }
  return tokens;
}

/**
 * Returns the index of the bracket that closes the class beginning at `start`; undefined if no bracket closes it. A closing bracket in
 * first position belongs to the class.
 */
function classEnd(characters: readonly string[], start: number): number | undefined {
  const first = /^[!^]$/.test(characters[start + 1] ?? '') ? start + 2 : start + 1;
  const isFirst = characters[first] === ']';
  const end = characters.indexOf(']', isFirst ? first + 1 : first);
  if (end !== -1) return end;
  return isFirst ? first : undefined;
}

/**
 * Braces with alternatives, by the position of the opening brace. Each entry lists the end of every alternative; the last end is the
 * closing brace.
 */
type Braces = ReadonlyMap<number, readonly number[]>;

/** Finds all braces with alternatives. Any other brace is a literal character. */
function bracesIn(tokens: readonly string[]): Braces {
  const braces = new Map<number, readonly number[]>();
  const open: { readonly start: number; readonly ends: number[] }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === '{') open.push({ start: at, ends: [] });
    if (token === ',') open.at(-1)?.ends.push(at);
    const closed = token === '}' ? open.pop() : undefined;
    if (closed !== undefined && closed.ends.length > 0) braces.set(closed.start, [...closed.ends, at]);
  }
  return braces;
}

function compilePattern(tokens: readonly string[], braces: Braces, start: number, end: number): Pattern {
  const steps: Step[] = [];
  for (let at = start; at < end; at += 1) {
    const ends = braces.get(at);
    const opened = at;
    steps.push(
      ends === undefined
        ? toStep(tokens[at] ?? '')
        : ends.map((one, index) => compilePattern(tokens, braces, (ends[index - 1] ?? opened) + 1, one)),
    );
    at = ends?.at(-1) ?? at;
  }
  return steps;
}

function toStep(token: string): Step {
  if (token === '*') return 'stretch';
  if (token === '?') return () => true;
  if (token.startsWith('[') && token !== '[') return tokenKind(token);
  const plain = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
  return (character) => character === plain;
}

/** Returns the test for a class: `[a-z]`, or `[!a-z]`, which matches all characters outside the range. */
function tokenKind(token: string): (character: string) => boolean {
  const others = /^\[[!^]/.test(token);
  const body = token.slice(others ? 2 : 1, -1);
  const ranges = [...body.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(
    ([, first = '', last = first]) => [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0] as const,
  );
  return (character) => {
    const code = character.codePointAt(0) ?? 0;
    return ranges.some(([first, last]) => first <= code && code <= last) !== others;
  };
}

/** Returns the positions in a name that a pattern can reach from the given positions, sorted and without duplicates. */
function walk(pattern: Pattern, characters: readonly string[], from: readonly number[]): readonly number[] {
  let places = from;
  for (const step of pattern) {
    const [first] = places;
    if (first === undefined) return places;
    if (step === 'stretch') places = allFrom(first, characters.length);
    else if (typeof step !== 'function') {
      const before = places;
      places = merged(
        step.map((one) => walk(one, characters, before)),
        characters.length,
      );
    } else places = stepped(step, characters, places);
  }
  return places;
}

/**
 * Returns the positions after all characters that pass the test. Uses a loop for speed, because this code runs for each position of each
 * name.
 */
function stepped(
  step: (character: string) => boolean,
  characters: readonly string[],
  places: readonly number[],
): readonly number[] {
  const next: number[] = [];
  for (const at of places) if (at < characters.length && step(characters[at] ?? '')) next.push(at + 1);
  return next;
}

function merged(all: readonly (readonly number[])[], last: number): readonly number[] {
  const isReached = new Uint8Array(last + 1);
  for (const places of all) for (const at of places) isReached[at] = 1;
  return allFrom(0, last).filter((at) => isReached[at] === 1);
}

function allFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
