import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asProblem, type Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import {
  type EdgeHandler,
  loadLeases,
  loadPlatform,
  loadServer,
  loadWorkerServer,
  type RuntimeLog,
  type WorkerHost,
} from '../sandbox/embedded-platform.ts';
import { localFolder } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import type { WorkerChoice } from './deploy-project.ts';
import { buildLocalWorker, type LocalWorker } from './dev-worker.ts';
import { watchFiles } from './watch-files.ts';

export interface DevOptions extends WorkerChoice {
  /** The port to listen on; 0 selects any free port. */
  readonly port: number;
  onEvent(event: DevEvent): void;
}

/** An event of a worker that runs on this machine. */
export type DevEvent =
  | { readonly kind: 'log'; readonly log: RuntimeLog }
  | { readonly kind: 'warning'; readonly message: string }
  /** The worker now runs with the changed files. */
  | { readonly kind: 'reloaded' }
  /** The changed code cannot run. The previous code continues to run, unless the runtime has rejected the new code. */
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface DevServer {
  readonly name: string;
  /** URL of the worker, for example `http://localhost:8787`. */
  readonly url: string;
  /** Absolute path of the folder with the local data. */
  readonly folder: string;
  /** Base URL of the API through which other programs can access the local data while the worker runs. */
  readonly apiBaseUrl: string;
  close(): Promise<void>;
}

/**
 * Runs a worker on this machine with local data, and restarts the worker when one of its files changes. Holds the data folder, so that other
 * sessions on local data go through this server. Throws if the worker cannot be built or started, if another process holds the folder, or if
 * the port is in use.
 */
export async function startDev(session: Session, options: DevOptions): Promise<DevServer> {
  /** Cleanup steps, which run from last to first when the server closes or fails to start. */
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    const folder = await localFolder(session.world, session.choice);
    const state = { current: await buildLocalWorker(session, options) };
    const { name } = state.current.worker;
    reportWarnings(options, state.current);
    const served = await serveLocal(session, folder, options, state, undo);
    await served.host.visit(name, async () => undefined);
    watchWorker(session, options, state, served.host, undo);
    return { name, url: served.url, folder, apiBaseUrl: served.apiBaseUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function reportWarnings({ onEvent }: DevOptions, { warnings }: LocalWorker): void {
  for (const message of warnings) onEvent({ kind: 'warning', message });
}

/** The worker as last built. */
interface State {
  current: LocalWorker;
}

interface Served {
  readonly url: string;
  readonly apiBaseUrl: string;
  readonly host: WorkerHost;
}

async function serveLocal(
  { world }: Session,
  folder: string,
  { port, onEvent }: DevOptions,
  state: State,
  undo: (() => unknown)[],
): Promise<Served> {
  const room = await loadSandbox();
  const { openSandbox, serve, leaseFolder, newToken, openRuntime, openWorkerHost, serveEdge } = room;
  const { now, random } = world;
  const sandbox = openSandbox({ kind: 'local', folder, persistRoot: folder, now, random });
  undo.push(() => sandbox.close());
  const api = await serve(sandbox, { port: 0, token: newToken(world) });
  undo.push(() => api.close());
  const lease = leaseFolder(folder, api, world);
  undo.push(() => lease.release());
  const runtime = openRuntime({ persistRoot: folder, onLog: (log) => onEvent({ kind: 'log', log }) });
  const host = openWorkerHost({ runtime, workers: () => [state.current.worker] });
  undo.push(() => host.close());
  const visitWorker: EdgeHandler = async (visit) => {
    if (!room.isHostOfWorker(visit.host, state.current.routes)) {
      room.sendText(visit.response, 403, foreignHostAnswer);
      return true;
    }
    await host.visit(state.current.worker.name, (at) => room.forward(visit, at));
    return true;
  };
  const edge = await serveEdge({ port, handlers: [visitWorker] });
  undo.push(() => edge.close());
  // API calls do not change the worker, because its code comes from the project.
  const workersChanged = (): void => undefined;
  const refreshWorkers = async (): Promise<void> => undefined;
  sandbox.platform.edge = { url: edge.url, workersChanged, refreshWorkers, alone: host.alone };
  return { url: edge.url, apiBaseUrl: api.apiBaseUrl, host };
}

/** The response to a request with another host name. A web page could send such requests through DNS rebinding. */
const foreignHostAnswer =
  'This worker accepts requests only for localhost, subdomains of localhost, and the hosts in its routes.\n';

async function loadSandbox() {
  const modules = await Promise.all([loadPlatform(), loadServer(), loadLeases(), loadWorkerServer()]);
  const [platform, server, leases, workers] = modules;
  return { ...platform, ...server, ...leases, ...workers };
}

/**
 * Rebuilds the worker when a file changes, and replaces the running worker if the build succeeds. Reports a repeated failure only once,
 * because the report may itself change a file, such as a log in the project's folder.
 */
function watchWorker(
  session: Session,
  options: DevOptions,
  state: State,
  host: WorkerHost,
  undo: (() => unknown)[],
): void {
  const update = async (onRead: (path: string) => void) => {
    const next = await buildLocalWorker(session, options, onRead);
    const isSame = isDeepStrictEqual(next.worker, state.current.worker);
    state.current = next;
    if (isSame) return;
    reportWarnings(options, next);
    await host.refresh();
    options.onEvent({ kind: 'reloaded' });
  };
  let lastMessage: string | undefined;
  const reload = openReload(session.world, async () => {
    const wanted = new Set<string>();
    try {
      await update((path) => wanted.add(path));
      lastMessage = undefined;
      wanted.clear();
    } catch (error) {
      const problem = asProblem(error);
      if (lastMessage !== problem.message) options.onEvent({ kind: 'failed', problem });
      lastMessage = problem.message;
      for (const name of manifests) wanted.add(join(session.world.cwd, name));
    }
    watch.set(state.current.inputs, [...wanted]);
  });
  const watch = watchFiles(reload.poke);
  watch.set(state.current.inputs, []);
  undo.push(() => reload.close());
  undo.push(() => watch.close());
}

/** The files that a package manager writes last when it installs packages. */
const manifests = ['package.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock'];

/** Time to wait for further changes, in milliseconds: saving a file in an editor causes several changes. */
const settleMs = 20;

/** Runs `work` after each call of `poke`. Calls in quick succession cause one run; calls during a run cause one more run. */
function openReload(world: World, work: () => Promise<void>) {
  let isPoked = false;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (isPoked) {
      isPoked = false;
      await world.sleep(settleMs);
      if (!isPoked) await work();
    }
    running = undefined;
  };
  return {
    poke(): void {
      isPoked = true;
      running ??= run();
    },
    close: () => running,
  };
}
