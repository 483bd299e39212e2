import type { World } from '../../src/world.ts';

/** Sleeps that only the test ends, so that they do not depend on the machine's speed. */
export interface Sleepers {
  readonly sleep: World['sleep'];
  /** Returns the current number of sleepers. */
  count(): number;
  /** Advances the time, and wakes the sleepers whose time has passed, in order. */
  pass(milliseconds: number): void;
}

/** Creates a sleep function and its sleepers. */
export function sleepers(): Sleepers {
  let now = 0;
  const asleep = new Set<{ readonly until: number; wake(): void }>();
  return {
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const sleeper = { until: now + milliseconds, wake: resolve };
        asleep.add(sleeper);
        const disturb = () => {
          asleep.delete(sleeper);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', disturb, { once: true });
      }),
    count: () => asleep.size,
    pass(milliseconds) {
      now += milliseconds;
      for (const sleeper of [...asleep].toSorted((one, other) => one.until - other.until)) {
        if (sleeper.until > now) continue;
        asleep.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
