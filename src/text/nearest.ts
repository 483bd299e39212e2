import { distance } from 'fastest-levenshtein';

/** The candidate that a misspelt word most likely means, or undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const scored = candidates.map((candidate) => ({ candidate, distance: distance(word, candidate) }));
  const near = scored.filter((one) => isNear(word, one));
  return near.sort((left, right) => left.distance - right.distance)[0]?.candidate;
}

/** Two letters may be wrong, and a third where most of the longer word is right; of a short word one. */
function isNear(word: string, { candidate, distance }: { candidate: string; distance: number }): boolean {
  if (word.length < 3) return distance <= 1;
  return distance <= 2 || (distance === 3 && Math.max(word.length, candidate.length) > 5);
}
