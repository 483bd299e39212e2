import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { deployVersion, readChangedSecrets } from '../workers/deployments.ts';
import { readWorkerFacts } from '../workers/facts.ts';
import { putSecret, removeSecret } from '../workers/secrets.ts';
import { type TailNews, tailWorker } from '../workers/tail.ts';
import { deleteWorker, listWorkers } from '../workers/workers.ts';

export type WorkerService = ReturnType<typeof workerService>;

/** Workers for panes: `src/services` over one session. All operations throw a Problem on failure. */
export function workerService(session: Session) {
  return {
    list: (signal: AbortSignal) => listWorkers(session, signal),
    read: (name: string, signal: AbortSignal) => readWorkerFacts(stoppable(session, signal), name),
    /** Ends when the signal fires. */
    async *tail(worker: string, signal: AbortSignal): AsyncGenerator<TailNews> {
      const ended = new AbortController();
      try {
        const edgeUrl = await session.runWorkers?.(AbortSignal.any([signal, ended.signal]));
        if (edgeUrl !== undefined) yield { kind: 'notice', message: refuseUnserved(worker, edgeUrl) };
        yield* tailWorker(session, worker, [], signal);
      } finally {
        ended.abort();
      }
    },
    putSecret: (worker: string, name: string, text: string, signal: AbortSignal) =>
      putSecret(stoppable(session, signal), worker, name, text),
    removeSecret: (worker: string, name: string, signal: AbortSignal) =>
      removeSecret(stoppable(session, signal), worker, name),
    /** Deletes a worker with its versions and secrets. */
    remove: (name: string, signal: AbortSignal) => deleteWorker(stoppable(session, signal), name),
    /**
     * Redeploys an earlier version of a worker. Without `force`, changes nothing if secrets have changed since, and returns
     * their names.
     */
    async rollBack(worker: string, versionId: string, force: boolean, signal: AbortSignal) {
      try {
        await deployVersion(stoppable(session, signal), worker, versionId, { force });
        return undefined;
      } catch (error) {
        const secrets = readChangedSecrets(error);
        if (secrets === undefined) throw error;
        return secrets;
      }
    },
  };
}

/** A worker of an embedded platform runs in the process that reads its log, where it can be visited. */
function refuseUnserved(worker: string, edgeUrl: string): string {
  return `the worker runs here: ${edgeUrl.replace('//', `//${worker}.`)}`;
}
