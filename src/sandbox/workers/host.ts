import { isProblem } from '../../model/problem.ts';
import type { RunnableWorker } from '../../model/workers/worker.ts';
import type { Runtime } from './runtime.ts';

export interface WorkerHostOptions {
  readonly runtime: Runtime;
  /** The workers that should run now. */
  workers(): readonly RunnableWorker[];
}

/** Keeps a runtime in step with the workers that should run. */
export interface WorkerHost {
  /**
   * Gives `use` the port of a running worker, and waits while workers are replaced. The first visit starts the runtime.
   * Undefined when there is no such worker; rejects with the runtime's Problem when it does not start. `use` rejects
   * with Problem 'unreachable' when nobody listens at the port.
   */
  visit<T>(name: string, use: (port: number) => Promise<T>): Promise<T | undefined>;
  /**
   * Replaces the running workers after a change; visits under way end first, or are cut after three seconds. The next
   * visit meets the change. Does nothing before the first visit.
   */
  refresh(): Promise<void>;
  /** The same at the next visit, so that several changes cost one start. */
  refreshLater(): void;
  /**
   * Runs `work` while no visit is in progress, or when visits have lasted a second: for writes to the data of workers, because
   * workerd does not wait for a lock, and fails a worker's write meanwhile.
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Maximum wait for visits in progress, in milliseconds. */
const patience = { refresh: 3000, write: 1000 };

export function openWorkerHost({ runtime, workers }: WorkerHostOptions): WorkerHost {
  const gate = openGate();
  let started: Promise<void> | undefined;
  let isStale = false;
  const start = (): Promise<void> => {
    isStale = false;
    const attempt = runtime.run(workers());
    attempt.catch(() => {
      // The next visit tries again.
      if (started === attempt) started = undefined;
    });
    started = attempt;
    return attempt;
  };
  const restart = async (): Promise<void> => {
    await started?.catch(() => undefined);
    await start();
  };
  return {
    async visit(name, use) {
      // One that does not start is met below.
      const renew = async () => isStale && restart().catch(() => undefined);
      if (isStale) await gate.alone(renew, patience.refresh);
      return gate.share(async () => {
        await (started ?? start());
        const port = runtime.portOf(name);
        if (port === undefined) return undefined;
        try {
          return await use(port);
        } catch (error) {
          // The runtime has ended unexpectedly; the next visit starts it again.
          if (isProblem(error) && error.code === 'unreachable') started = undefined;
          throw error;
        }
      });
    },
    async refresh() {
      if (started !== undefined) await gate.alone(restart, patience.refresh);
    },
    refreshLater() {
      isStale = started !== undefined;
    },
    alone: (work) => (started === undefined ? work() : gate.alone(work, patience.write)),
    async close() {
      await started?.catch(() => undefined);
      await runtime.close();
    },
  };
}

/** Lets many run at the same time, or one alone. */
interface Gate {
  /** Runs beside others; waits while one runs alone, or waits to. */
  share<T>(work: () => Promise<T>): Promise<T>;
  /** Runs when no other runs, or after waiting `patience` milliseconds for that; one at a time. */
  alone<T>(work: () => Promise<T>, patience: number): Promise<T>;
}

function openGate(): Gate {
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
