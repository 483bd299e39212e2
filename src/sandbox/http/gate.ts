/** Lets many run at the same time, or one alone. */
export interface Gate {
  /** Runs beside others; waits while one runs alone, or waits to. */
  share<T>(work: () => Promise<T>): Promise<T>;
  /** Runs when no other runs, or after waiting `patience` milliseconds for that; one at a time. */
  alone<T>(work: () => Promise<T>, patience: number): Promise<T>;
}

export function openGate(): Gate {
  let inside = 0;
  let emptied: (() => void) | undefined;
  let last: Promise<unknown> | undefined;
  const leave = () => {
    inside -= 1;
    if (inside === 0) emptied?.();
  };
  const empty = async (patience: number) => {
    if (inside === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    emptied = resolve;
    const timer = setTimeout(resolve, patience);
    await promise;
    clearTimeout(timer);
  };
  return {
    async share(work) {
      while (last !== undefined) await last;
      inside += 1;
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async alone(work, patience) {
      const before = last;
      const run = (async () => {
        await before;
        await empty(patience);
        return work();
      })();
      const settled: Promise<unknown> = run
        .catch(() => undefined)
        .then(() => {
          if (last === settled) last = undefined;
        });
      last = settled;
      return run;
    },
  };
}
