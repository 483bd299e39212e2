import { Problem } from '../../src/model/problem.ts';
import type { DeployedWorker } from '../../src/model/workers/worker.ts';
import type { Session } from '../../src/services/session/session.ts';
import { stoppable } from '../../src/services/session/stoppable.ts';
import { listSecrets, putSecret, removeSecret } from '../../src/services/workers/secrets.ts';
import {
  type Deployment,
  listDeployments,
  listWorkers,
  readWorkerSettings,
  type WorkerSummary,
} from '../../src/services/workers/workers.ts';

/** What is known of a worker but its code. */
export interface WorkerFacts extends Omit<DeployedWorker, 'modules'> {
  /** The newest first, which is the one that runs. */
  readonly deployments: readonly Deployment[];
  /** Names; texts cannot be had back. */
  readonly secrets: readonly string[];
}

/** What a pane can do with workers: `src/services` over one session. All refuse with a Problem. */
export interface WorkerService {
  list(signal: AbortSignal): Promise<WorkerSummary[]>;
  read(name: string, signal: AbortSignal): Promise<WorkerFacts>;
  putSecret(worker: string, name: string, text: string): Promise<void>;
  removeSecret(worker: string, name: string): Promise<void>;
}

/** The real service over a session. */
export function workersOver(session: Session): WorkerService {
  return {
    list: (signal) => listWorkers(session, signal),
    read: (name, signal) => read(stoppable(session, signal), name),
    putSecret: (worker, name, text) => putSecret(session, worker, name, text),
    removeSecret: (worker, name) => removeSecret(session, worker, name),
  };
}

async function read(session: Session, name: string): Promise<WorkerFacts> {
  const [settings, deployments, secrets] = await Promise.all([
    readWorkerSettings(session, name),
    listDeployments(session, name),
    listSecrets(session, name),
  ]);
  if (settings === undefined) throw new Problem('not-found', `There is no worker "${name}".`);
  return { ...settings, deployments, secrets: secrets.map((secret) => secret.name) };
}
