import { Problem } from '../../model/problem.ts';
import { nearest } from '../../text/nearest.ts';

/** Finds the value of a flag in a list, ignoring case; undefined if the flag is absent. Rejects a value that is not in the list. */
export function parseOneOf<W extends string>(
  flag: string,
  text: string | undefined,
  words: readonly W[],
): W | undefined {
  if (text === undefined) return undefined;
  const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  throw unknownWordProblem(flag, text, words);
}

/** Returns the error for a value that is not in a list. */
export function unknownWordProblem(from: string, text: string, words: readonly string[]): Problem {
  const near = nearest(text.toLowerCase(), words);
  return new Problem('usage', `${from} must be one of ${words.join(', ')}, not "${text}".`, {
    hint: near === undefined ? undefined : `Did you mean ${near}?`,
  });
}
