import type { World } from '../../src/world.ts';

/** Sleep that only the test lets end: nothing of it depends on how quick the machine is. */
export interface Sleepers {
  readonly sleep: World['sleep'];
  /** How many sleep now. */
  count(): number;
  /** Lets milliseconds pass: whoever slept for no longer than what is left wakes, in the order of their ends. */
  pass(milliseconds: number): void;
}

/** Nobody sleeps yet. */
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
