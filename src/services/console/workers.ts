import { readNamespace } from '../kv/namespaces.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { deployVersion, readChangedSecrets } from '../workers/deployments.ts';
import { readWorkerFacts, type WorkerFacts } from '../workers/facts.ts';
import { putSecret, removeSecret } from '../workers/secrets.ts';
import { type TailNews, tailWorker } from '../workers/tail.ts';
import { deleteWorker, listWorkers } from '../workers/workers.ts';

export type WorkerService = ReturnType<typeof workerService>;

/** Returns the operations on workers that panes use, bound to one session. The operations throw a Problem on failure. */
export function workerService(session: Session) {
  const titles = new Map<string, Promise<string | undefined>>();
  return {
    list: (signal: AbortSignal) => listWorkers(session, signal),
    async read(name: string, signal: AbortSignal): Promise<NamedWorkerFacts> {
      const facts = await readWorkerFacts(stoppable(session, signal), name);
      return { ...facts, namespaceTitles: await readTitles(session, facts, titles) };
    },
    /** Yields the runs of a worker until the signal is aborted. For a sandbox in this process, runs the sandbox's workers until then. */
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
     * Deploys an earlier version of a worker again. If secrets have changed since that version, changes nothing and returns the names of
     * these secrets, unless `force` is set.
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

/** Returns the message that shows the URL of a worker on an embedded platform. The worker runs in this process while its log is read. */
function refuseUnserved(worker: string, edgeUrl: string): string {
  return `the worker runs here: ${edgeUrl.replace('//', `//${worker}.`)}`;
}

/** A worker without its code, with the titles of its namespaces. */
export interface NamedWorkerFacts extends WorkerFacts {
  /** The titles, by namespace id, except for namespaces that cannot be read. */
  readonly namespaceTitles: ReadonlyMap<string, string>;
}

/** Maximum number of titles to read for a worker. Each title costs one request. */
const maxTitles = 20;

/** Reads the titles of a worker's namespaces. Reads each title only once per session, because a displayed worker is reread repeatedly. */
async function readTitles(
  session: Session,
  { bindings }: WorkerFacts,
  titles: Map<string, Promise<string | undefined>>,
): Promise<ReadonlyMap<string, string>> {
  const ids = bindings.flatMap(({ type, namespace_id: id }) =>
    type === 'kv_namespace' && typeof id === 'string' ? [id] : [],
  );
  const found = await Promise.all(
    ids.slice(0, maxTitles).map(async (id) => {
      const title = titles.get(id) ?? readTitle(session, id);
      titles.set(id, title);
      return [id, await title] as const;
    }),
  );
  return new Map(found.flatMap(([id, title]) => (title === undefined ? [] : [[id, title] as const])));
}

/** Reads the title of a namespace. Returns undefined on failure, so that the console shows the id instead. */
async function readTitle(session: Session, id: string): Promise<string | undefined> {
  try {
    return (await readNamespace(session, id)).title;
  } catch {
    return undefined;
  }
}
