import { distance } from 'fastest-levenshtein';

/**
 * Returns the candidate that a misspelled word most likely means; undefined if no candidate is similar. Numbers are not corrected, because
 * a similar number is a coincidence.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const words = candidates.filter((candidate) => /\p{L}/u.test(candidate));
  const scored = words.map((candidate) => ({ candidate, distance: distance(word, candidate) }));
  const near = scored.filter((one) => isNear(word, one));
  return near.sort((left, right) => left.distance - right.distance)[0]?.candidate;
}

/**
 * Returns whether a candidate is similar to a word. Two letters may differ, or three if the longer word has more than five letters. In a
 * word of up to three letters, only one letter may differ. In a word of exactly three letters, two letters may also be swapped, or the end
 * of the candidate may be missing.
 */
function isNear(word: string, { candidate, distance }: { candidate: string; distance: number }): boolean {
  if (word.length <= 3) return distance <= 1 || (word.length === 3 && isTyped(word, candidate));
  return distance <= 2 || (distance === 3 && Math.max(word.length, candidate.length) > 5);
}

/** Returns whether a short word is an anagram of the candidate, or its beginning. */
function isTyped(word: string, candidate: string): boolean {
  return normalizeLetters(word) === normalizeLetters(candidate) || candidate.startsWith(word);
}

function normalizeLetters(word: string): string {
  return [...word].sort().join('');
}
