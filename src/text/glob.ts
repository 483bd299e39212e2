import { Problem } from '../model/problem.ts';

/** One step of a pattern: a character of some kind, any stretch of characters, or one of several patterns. */
type Step = ((character: string) => boolean) | 'stretch' | readonly Pattern[];
type Pattern = readonly Step[];

/** Twice as long as a name in which each character stands for itself behind a backslash, and then some. */
const longestPattern = 4096;

/**
 * A pattern over whole names: `*` is any characters, `?` one, `[a-z]` one of them, `[!a-z]` none of them, `{a,b}` either;
 * a backslash takes the next one as it is. No character of a name is special, `/` neither. Refuses what is no pattern.
 *
 * Our own, because libraries make a regular expression of it: `*a*a*a*a*a*a*b` then takes a minute for one name of a
 * hundred a's. This one walks a name once for each place of the pattern.
 */
export function globMatcher(glob: string): (name: string) => boolean {
  if (glob === '' || glob.length > longestPattern) {
    const length = glob === '' ? 'empty' : `longer than ${longestPattern} characters`;
    throw new Problem('invalid-input', `A pattern that is ${length} fits no key.`);
  }
  const pattern = patternOf(glob.match(/\\.|\[[!^]?\]?(?:\\.|[^\]\\])*\]|./gsu) ?? []);
  return (name) => {
    const characters = [...name];
    return walk(pattern, characters, [0]).at(-1) === characters.length;
  };
}

function patternOf(tokens: readonly string[]): Pattern {
  const steps: Step[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    const braces = token === '{' ? bracesAt(tokens, at) : undefined;
    steps.push(braces === undefined ? stepOf(token) : braces.parts.map(patternOf));
    at = braces?.end ?? at;
  }
  return steps;
}

/** The alternatives in the braces that open at `start`; undefined where the braces are characters like others. */
function bracesAt(tokens: readonly string[], start: number) {
  const commas: number[] = [];
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    if (tokens[at] === '{') depth += 1;
    if (tokens[at] === ',' && depth === 1) commas.push(at);
    if (tokens[at] === '}') depth -= 1;
    if (depth > 0) continue;
    const ends = [start, ...commas, at];
    const parts = ends.slice(1).map((end, index) => tokens.slice((ends[index] ?? start) + 1, end));
    return commas.length === 0 ? undefined : { parts, end: at };
  }
  return undefined;
}

function stepOf(token: string): Step {
  if (token === '*') return 'stretch';
  if (token === '?') return () => true;
  if (token.startsWith('[') && token !== '[') return kindOf(token);
  const plain = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
  return (character) => character === plain;
}

/** `[a-z]`, or `[!a-z]` for all others. */
function kindOf(token: string): (character: string) => boolean {
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

/** The places in a name that a pattern reaches from the given ones, in ascending order, each once. */
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

/** A loop: this runs for each place of each name. */
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
