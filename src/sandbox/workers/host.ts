import { isProblem } from '../../model/problem.ts';
import type { RunnableWorker } from '../../model/workers/worker.ts';
import type { Runtime } from './runtime.ts';

export interface WorkerHostOptions {
  readonly runtime: Runtime;
  /** Returns the workers that should be running. */
  workers(): readonly RunnableWorker[];
}

/** The owner of a runtime, which keeps the runtime in sync with the workers that should be running. */
export interface WorkerHost {
  /**
   * Calls `use` with the port of a running worker, after any ongoing replacement of workers has finished. The first call starts the
   * runtime. Returns undefined if no worker has this name. Rejects with the runtime's Problem if the runtime does not start. `use` must
   * reject with Problem 'unreachable' if the port is closed.
   */
  visit<T>(name: string, use: (port: number) => Promise<T>): Promise<T | undefined>;
  /**
   * Replaces the running workers after a change. Requests in progress have three seconds to finish. Later requests use the new
   * workers. Does nothing before the first request.
   */
  refresh(): Promise<void>;
  /** Replaces the running workers on the next request, so that several changes cause only one restart. */
  refreshLater(): void;
  /**
   * Runs `work` while no request is in progress, or after waiting one second. Used for writes to the data of workers: workerd does not wait
   * for a lock, so a write by a worker would fail during such a write.
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Maximum wait for requests in progress, in milliseconds. */
const maxWaitMs = { refresh: 3000, write: 1000 };

export function openWorkerHost({ runtime, workers }: WorkerHostOptions): WorkerHost {
  const gate = openGate();
  let started: Promise<void> | undefined;
  let isStale = false;
  const start = (): Promise<void> => {
    isStale = false;
    const attempt = runtime.run(workers());
    attempt.catch(() => {
      // The caller of `start` receives the error, and the next request starts the runtime again.
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
      // The error of a failed start is handled below.
      const renew = async () => isStale && restart().catch(() => undefined);
      if (isStale) await gate.alone(renew, maxWaitMs.refresh);
      return gate.share(async () => {
        await (started ?? start());
        const port = runtime.findPort(name);
        if (port === undefined) return undefined;
        try {
          return await use(port);
        } catch (error) {
          // The runtime has stopped unexpectedly; the next request restarts it.
          if (isProblem(error) && error.code === 'unreachable') started = undefined;
          throw error;
        }
      });
    },
    async refresh() {
      if (started !== undefined) await gate.alone(restart, maxWaitMs.refresh);
    },
    refreshLater() {
      isStale = started !== undefined;
    },
    alone: (work) => (started === undefined ? work() : gate.alone(work, maxWaitMs.write)),
    async close() {
      await started?.catch(() => undefined);
      await runtime.close();
    },
  };
}

/** A lock that runs shared tasks in parallel, and exclusive tasks one at a time. */
interface Gate {
  /** Runs a task in parallel with other shared tasks. Waits while an exclusive task is running or waiting. */
  share<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs a task exclusively, one at a time. Waits up to `timeoutMs` for other tasks to end, then runs the task anyway.
   */
  alone<T>(work: () => Promise<T>, timeoutMs: number): Promise<T>;
}

function openGate(): Gate {
  let inside = 0;
  let emptied: (() => void) | undefined;
  let last: Promise<unknown> | undefined;
  const leave = () => {
    inside -= 1;
    if (inside === 0) emptied?.();
  };
  const empty = async (timeoutMs: number) => {
    if (inside === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    emptied = resolve;
    const timer = setTimeout(resolve, timeoutMs);
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
    async alone(work, timeoutMs) {
      const before = last;
      const run = (async () => {
        await before;
        await empty(timeoutMs);
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
