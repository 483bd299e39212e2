import type { TraceEvent } from '../../model/workers/trace.ts';
import type { RunnableWorker, WorkerBinding } from '../../model/workers/worker.ts';
import { accountInDiskName, diskName } from '../../store/disk-name.ts';
import type { WorkerTable } from '../../store/workers/workers.ts';
import { type Edge, type EdgeHandler, serveEdge } from '../edge/edge.ts';
import type { Sandbox } from '../http/app.ts';
import { forward, type Visit } from '../http/forward.ts';
import { openWorkerHost, type WorkerHost } from './host.ts';
import { openRuntime, type RuntimeLog } from './runtime.ts';

export interface SandboxEdgeOptions {
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  /** The addresses to listen on, as in `Exposure` (default: 127.0.0.1). */
  readonly address?: string | undefined;
  /** Receives the console output of deployed workers. */
  readonly onLog?: (log: RuntimeLog) => void;
  /** Handlers for other hosts, tried after the handler for the workers. These handlers may pass requests to workers. */
  readonly more?: (host: WorkerHost) => readonly EdgeHandler[];
}

/**
 * Serves the edge of a sandbox: each deployed worker at `<worker>.localhost`, if its route is enabled. Workers use the sandbox's
 * own data. The runtime starts with the first request to a worker and stops with the edge.
 */
export async function serveSandboxEdge(sandbox: Sandbox, options: SandboxEdgeOptions): Promise<Edge> {
  const { platform, persistRoot } = sandbox;
  const { onLog, more } = options;
  const trace = {
    workers: () => platform.tails?.workers() ?? [],
    onRuns: (worker: string, runs: readonly TraceEvent[]) => platform.tails?.publish(worker, runs),
  };
  const { origins } = platform;
  const runtime = openRuntime({
    persistRoot,
    trace,
    ...(origins?.only && { onlyOrigins: origins.ports }),
    ...(onLog === undefined ? {} : { onLog }),
  });
  const host = openWorkerHost({ runtime, workers: () => listRunnableWorkers(platform.registry().workers) });
  const handlers = [workerHandler(host, () => platform.registry().workers), ...(more?.(host) ?? [])];
  const edge = await serveEdge({ port: options.port, address: options.address, handlers });
  platform.edge = {
    url: edge.url,
    visitWorker: (name, visit) => visitWorker(host, name, visit),
    tailsChanged: () => runtime.updateTraced(),
    workersChanged: () => host.refreshLater(),
    refreshWorkers: () => host.refresh(),
    alone: (work) => host.alone(work),
  };
  return {
    ...edge,
    async close() {
      platform.edge = undefined;
      await edge.close();
      await host.close();
    },
  };
}

/**
 * Answers requests to `<worker>.localhost` for every worker whose route is enabled. The host of a worker in an additional account is
 * `<worker>.<account id>.localhost`.
 */
export function workerHandler(
  host: WorkerHost,
  workers: () => Pick<WorkerTable, 'findEverywhere'>,
): EdgeHandler {
  return async (visit) => {
    const [, worker, account] = /^([^.]+)(?:\.([0-9a-f]{32}))?\.localhost$/.exec(visit.host) ?? [];
    if (worker === undefined) return false;
    const name = account === undefined ? worker : diskName(account, worker);
    const found = workers().findEverywhere(name);
    return found?.routed === true && visitWorker(host, name, visit);
  };
}

/** Passes a request to a worker. Returns false if no worker has this name. */
async function visitWorker(host: WorkerHost, name: string, visit: Visit): Promise<boolean> {
  const visited = await host.visit(name, async (port) => {
    await forward(visit, port);
    return true;
  });
  return visited ?? false;
}

/** Returns the deployed workers in all accounts, each with its deployed version. */
function listRunnableWorkers(workers: WorkerTable): RunnableWorker[] {
  return workers.everywhere().flatMap(({ name }) => {
    const [deployment] = workers.deployments(name);
    const id = deployment?.versions[0]?.id;
    const version = workers.versions(name).find((one) => one.id === id);
    if (version === undefined) return [];
    const { codeId, bindings, compatibilityDate, compatibilityFlags } = version;
    const date = compatibilityDate === undefined ? {} : { compatibilityDate };
    return [
      {
        name,
        versionId: version.id,
        code: workers.code(codeId),
        bindings: bindings.map((binding) => toStoredBinding(accountInDiskName(name), binding)),
        ...date,
        compatibilityFlags,
      },
    ];
  });
}

/** Replaces the name of a bucket with its name on disk, which differs for additional accounts. */
function toStoredBinding(account: string | undefined, binding: WorkerBinding): WorkerBinding {
  if (account === undefined || binding.type !== 'r2_bucket') return binding;
  return { ...binding, bucket_name: diskName(account, binding.bucket_name) };
}
