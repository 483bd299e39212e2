import { createHash } from 'node:crypto';

/** Random choices determined by a seed. */
export interface Chance {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from 0 to `end` - 1. */
  below(end: number): number;
  isLikely(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Returns the random choices of a seed, which are always the same (mulberry32 over a hash of the seed). */
export function chanceFrom(seed: string): Chance {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    isLikely: (share) => next() < share,
    pick(from) {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
}
