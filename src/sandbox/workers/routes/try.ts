import { isProblem } from '../../../model/problem.ts';
import type { RunnableWorker } from '../../../model/workers/worker.ts';
import { refusal } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';

/**
 * Refuses a worker that does not start, in the runtime's words. It is started once, away from all data. Where no
 * runtime is installed, nothing is refused.
 */
export async function refuseBroken(worker: RunnableWorker): Promise<void> {
  const { isRuntimeInstalled, openRuntime } = await import('../runtime.ts');
  if (!(await isRuntimeInstalled())) return;
  const runtime = openRuntime({});
  try {
    await runtime.run([worker]);
  } catch (error) {
    throw isProblem(error) ? refusal(400, workerCodes.uploadInvalid, error.message) : error;
  } finally {
    await runtime.close();
  }
}
