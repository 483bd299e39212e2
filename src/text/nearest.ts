import { distance } from 'fastest-levenshtein';

/**
 * The candidate that a misspelt word most likely means, or undefined when none is near. A number is not misspelt: another
 * one is meant by chance.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const words = candidates.filter((candidate) => /\p{L}/u.test(candidate));
  const scored = words.map((candidate) => ({ candidate, distance: distance(word, candidate) }));
  const near = scored.filter((one) => isNear(word, one));
  return near.sort((left, right) => left.distance - right.distance)[0]?.candidate;
}

/**
 * Two letters may be wrong, and a third where most of the longer word is right. Of a short word one may be, or two that have
 * changed places, or its end is missing: with two other letters it is another word.
 */
function isNear(word: string, { candidate, distance }: { candidate: string; distance: number }): boolean {
  if (word.length <= 3) return distance <= 1 || (word.length === 3 && isTyped(word, candidate));
  return distance <= 2 || (distance === 3 && Math.max(word.length, candidate.length) > 5);
}

/** Whether a short word has the letters of another one, or begins it. */
function isTyped(word: string, candidate: string): boolean {
  return lettersOf(word) === lettersOf(candidate) || candidate.startsWith(word);
}

function lettersOf(word: string): string {
  return [...word].sort().join('');
}
