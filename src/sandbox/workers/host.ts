import { isProblem } from '../../model/problem.ts';
import type { RunnableWorker } from '../../model/workers/worker.ts';
import { openGate } from '../http/gate.ts';
import type { Runtime } from './runtime.ts';

export interface WorkerHostOptions {
  readonly runtime: Runtime;
  /** The workers that should run, as they are now. */
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
  /**
   * Runs `work` while no visit is under way, or when visits have gone on for a second: writes to the data of
   * workers, because workerd does not wait for a lock, and fails what a worker does meanwhile.
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** How long visits under way may go on, in milliseconds. */
const patience = { refresh: 3000, write: 1000 };

export function openWorkerHost({ runtime, workers }: WorkerHostOptions): WorkerHost {
  const gate = openGate();
  let started: Promise<void> | undefined;
  const start = (): Promise<void> => {
    const attempt = runtime.run(workers());
    attempt.catch(() => {
      // The next visit tries again.
      if (started === attempt) started = undefined;
    });
    started = attempt;
    return attempt;
  };
  return {
    visit: (name, use) =>
      gate.share(async () => {
        await (started ?? start());
        const port = runtime.portOf(name);
        if (port === undefined) return undefined;
        try {
          return await use(port);
        } catch (error) {
          // The runtime has ended by itself; the next visit starts it again.
          if (isProblem(error) && error.code === 'unreachable') started = undefined;
          throw error;
        }
      }),
    async refresh() {
      if (started === undefined) return;
      await gate.alone(async () => {
        await started?.catch(() => undefined);
        await start();
      }, patience.refresh);
    },
    alone: (work) => (started === undefined ? work() : gate.alone(work, patience.write)),
    async close() {
      await started?.catch(() => undefined);
      await runtime.close();
    },
  };
}
