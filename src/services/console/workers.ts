import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { changedSecretsIn, deployVersion } from '../workers/deployments.ts';
import { readWorkerFacts, type WorkerFacts } from '../workers/facts.ts';
import { putSecret, removeSecret } from '../workers/secrets.ts';
import { type TailNews, tailWorker } from '../workers/tail.ts';
import { deleteWorker, listWorkers, type WorkerSummary } from '../workers/workers.ts';

/** Workers for panes: `src/services` over one session. All refuse with a Problem. */
export interface WorkerService {
  list(signal: AbortSignal): Promise<WorkerSummary[]>;
  read(name: string, signal: AbortSignal): Promise<WorkerFacts>;
  /** Ends with the signal. */
  tail(worker: string, signal: AbortSignal): AsyncIterable<TailNews>;
  putSecret(worker: string, name: string, text: string, signal: AbortSignal): Promise<void>;
  removeSecret(worker: string, name: string, signal: AbortSignal): Promise<void>;
  /** Deletes a worker with its versions and secrets. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Makes a version of a worker run that ran before. Without `force` nothing is changed where secrets have another text since:
   * their names are returned.
   */
  rollBack(
    worker: string,
    versionId: string,
    force: boolean,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined>;
}

/** The real service over a session. */
export function workersOver(session: Session): WorkerService {
  return {
    list: (signal) => listWorkers(session, signal),
    read: (name, signal) => readWorkerFacts(stoppable(session, signal), name),
    async *tail(worker, signal) {
      const ended = new AbortController();
      try {
        const edgeUrl = await session.runWorkers?.(AbortSignal.any([signal, ended.signal]));
        if (edgeUrl !== undefined) yield { kind: 'notice', message: runsHere(worker, edgeUrl) };
        yield* tailWorker(session, worker, [], signal);
      } finally {
        ended.abort();
      }
    },
    putSecret: (worker, name, text, signal) => putSecret(stoppable(session, signal), worker, name, text),
    removeSecret: (worker, name, signal) => removeSecret(stoppable(session, signal), worker, name),
    remove: (name, signal) => deleteWorker(stoppable(session, signal), name),
    async rollBack(worker, versionId, force, signal) {
      try {
        await deployVersion(stoppable(session, signal), worker, versionId, { force });
        return undefined;
      } catch (error) {
        const secrets = changedSecretsIn(error);
        if (secrets === undefined) throw error;
        return secrets;
      }
    },
  };
}

/** A worker of an embedded platform runs where its log is read; there it can be visited. */
function runsHere(worker: string, edgeUrl: string): string {
  return `the worker runs here: ${edgeUrl.replace('//', `//${worker}.`)}`;
}
