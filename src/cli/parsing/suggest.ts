import { distance } from 'fastest-levenshtein';

/** The candidate that a misspelt word most likely means, or undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const scored = candidates.map((candidate) => ({ candidate, distance: distance(word, candidate) }));
  const best = scored.sort((left, right) => left.distance - right.distance)[0];
  const allowed = word.length < 3 ? 1 : Math.max(2, Math.floor(word.length * 0.4));
  return best !== undefined && best.distance <= allowed ? best.candidate : undefined;
}
