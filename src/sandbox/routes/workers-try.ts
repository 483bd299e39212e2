import { isProblem } from '../../model/problem.ts';
import type { RunnableWorker } from '../../model/worker.ts';

/**
 * Refuses a worker that does not start, with code 10021 and what the runtime says. It is started once, away from all
 * data. Where no runtime is installed, nothing is refused.
 */
export async function refuseBroken(worker: RunnableWorker): Promise<void> {
  const { openRuntime } = await import('../runtime.ts');
  const runtime = openRuntime({});
  try {
    await runtime.run([worker]);
  } catch (error) {
    if (isProblem(error) && error.platformCode === undefined) return;
    throw error;
  } finally {
    await runtime.close();
  }
}
