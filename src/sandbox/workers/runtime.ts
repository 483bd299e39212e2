import { rmSync } from 'node:fs';
import os from 'node:os';
import { join, posix } from 'node:path';
import process from 'node:process';
import { getCACertificates } from 'node:tls';
import type { Miniflare, MiniflareOptions, V4WorkerOptions } from 'miniflare';
import { makePrivateFolder, makeTemporaryFolder } from '../../files/folders.ts';
import { Problem } from '../../model/problem.ts';
import type { ModuleKind, RunnableWorker, WorkerBinding, WorkerModule } from '../../model/workers/worker.ts';
import { checkTree } from '../../store/inside.ts';
import { withWatchdog } from '../http/watchdog.ts';
import { createTracerOptions, setTracedWorkers, type Tracing, toTailOptions, tracerName } from './tracer.ts';

export interface RuntimeOptions {
  /** The folder whose subfolder `v3` contains the data of bindings. If omitted, the data is discarded on close. */
  readonly persistRoot?: string;
  /** Receives the console output of workers. */
  readonly onLog?: (log: RuntimeLog) => void;
  /** Receives each run of a worker that has a tail. */
  readonly trace?: Tracing;
  /**
   * The only loopback ports that workers can reach, by origin name. If omitted, workers can reach everything that this machine can reach.
   */
  readonly onlyOrigins?: Readonly<Record<string, number>> | undefined;
}

/** A message that a worker wrote to its console, or an error reported by the runtime. */
export interface RuntimeLog {
  /** `log`, `info`, `warn`, `error` or `debug`. */
  readonly level: string;
  readonly message: string;
}

/** A workerd process with its workers. workerd always ends with this process, even after `kill -9`. */
export interface Runtime {
  /**
   * Runs exactly these workers. Resolves once each worker answers at its port. Rejects with the runtime's message if code does not load;
   * then no worker runs until the next call. The first call rejects if the data contains symlinks.
   */
  run(workers: readonly RunnableWorker[]): Promise<void>;
  /** Updates the set of workers whose runs are reported, if workers are running. */
  updateTraced(): Promise<void>;
  /**
   * Returns the loopback port of a worker, which answers HTTP with any Host header; undefined if the worker is not running.
   */
  findPort(name: string): number | undefined;
  /** Stops workerd. */
  close(): Promise<void>;
}

/**
 * Opens a runtime for workers: workerd through Miniflare. Nothing is loaded or started before the first `run`, which throws a Problem if
 * Miniflare, an optional package, is not installed or too old.
 */
export function openRuntime(options: RuntimeOptions): Runtime {
  let miniflare: Miniflare | undefined;
  let temporary: string | undefined;
  let ports: ReadonlyMap<string, number> = new Map();
  let isReady = false;
  let tracer: number | undefined;
  const traceOthers = async () => {
    if (tracer !== undefined) await setTracedWorkers(tracer, options.trace?.workers() ?? []);
  };
  const removeTemporary = () => {
    process.removeListener('exit', removeTemporary);
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    temporary = undefined;
  };
  const start = (Library: typeof Miniflare, settings: MiniflareOptions) => {
    temporary = makeTemporaryFolder('edgectl-workers-');
    // This listener runs after Miniflare's own exit listener, which empties the folder.
    const made = withTemporaryFolder(temporary, () => withoutSignals(() => new Library(settings)));
    process.once('exit', removeTemporary);
    return made;
  };
  const stop = async () => {
    const running = miniflare;
    miniflare = undefined;
    ports = new Map();
    tracer = undefined;
    // If Miniflare failed to start, `dispose` fails with the same error.
    await running?.dispose().catch(() => undefined);
    removeTemporary();
  };
  return {
    async run(workers) {
      if (workers.length === 0) return stop();
      if (options.persistRoot !== undefined && !isReady) prepareData(join(options.persistRoot, 'v3'));
      isReady = true;
      const faults: string[] = [];
      try {
        const { Miniflare, ...library } = await loadMiniflare();
        const settings = toMiniflareOptions(library, options, workers, faults);
        const running = await withWatchdog('workerd', async () => {
          await miniflare?.setOptions(settings);
          miniflare ??= start(Miniflare, settings);
          await miniflare.ready;
          return miniflare;
        });
        ports = await readPorts(running, workers);
        tracer = options.trace && (await readPort(running, tracerName));
        await traceOthers();
      } catch (error) {
        await stop();
        throw toStartProblem(error, faults);
      }
    },
    updateTraced: traceOthers,
    findPort: (name) => ports.get(name),
    close: stop,
  };
}

/** Prepares the data folder, because workerd itself follows symlinks and creates folders that other users can read. */
function prepareData(folder: string): void {
  checkTree(folder);
  makePrivateFolder(folder);
}

function toMiniflareOptions(
  { NoOpLog, convertV4MiniflareOptions, Response }: Pick<Library, LoadedNames>,
  { persistRoot, onLog, trace, onlyOrigins }: RuntimeOptions,
  workers: readonly RunnableWorker[],
  faults: string[],
): MiniflareOptions {
  // The older form of the option is used, as wrangler does, because Miniflare's current form is still changing.
  return convertV4MiniflareOptions({
    workers: [
      ...workers.map((worker) => ({
        ...toWorkerOptions(worker),
        ...(trace && { tails: [toTailOptions(worker)] }),
        ...(onlyOrigins && { outboundService: egressName }),
      })),
      ...(onlyOrigins ? [createEgressOptions(onlyOrigins)] : []),
      ...(trace ? [createTracerOptions(trace, () => new Response(null))] : []),
    ],
    ...(persistRoot === undefined ? {} : { resourcePersistencePath: join(persistRoot, 'v3') }),
    host: '127.0.0.1',
    port: 0,
    cf: false,
    log: new NoOpLog(),
    unsafeLocalExplorer: false,
    unsafeObservability: false,
    handleStructuredLogs({ level, message }) {
      if (/^service core:user:/.test(message)) faults.push(message);
      else onLog?.({ level, message: formatMessage(message) });
    },
  });
}

/**
 * Creates a Miniflare instance that stores its temporary files in `folder`. In the system's temporary folder, these files could not be
 * distinguished from the files of other programs that use Miniflare, and other users could read them. Miniflare has no option for the
 * folder, but its constructor reads the path of the system's temporary folder only once.
 */
function withTemporaryFolder<T>(folder: string, make: () => T): T {
  const { tmpdir } = os;
  os.tmpdir = () => folder;
  try {
    return make();
  } finally {
    os.tmpdir = tmpdir;
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Creates a Miniflare instance that ignores the process's signals. Miniflare's handlers would end the process immediately, before anything
 * else is closed. Miniflare still stops workerd on exit.
 */
function withoutSignals<T>(make: () => T): T {
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  const made = make();
  for (const [signal, known] of before) {
    for (const listener of process.listeners(signal)) {
      if (!known.includes(listener)) process.removeListener(signal, listener);
    }
  }
  return made;
}

type Library = typeof import('miniflare');
type LoadedNames = 'NoOpLog' | 'convertV4MiniflareOptions' | 'Response';

/** Returns whether workers can run on this machine. */
export async function isRuntimeInstalled(): Promise<boolean> {
  return (await loadMiniflare().catch(() => undefined)) !== undefined;
}

/** Throws a Problem with an installation hint if workers cannot run on this machine. */
export async function requireRuntime(): Promise<void> {
  await loadMiniflare();
}

async function loadMiniflare(): Promise<Library> {
  const library = await import('miniflare').catch(refuseWorkers);
  // The version is checked, because another tool may have installed an older version.
  return 'convertV4MiniflareOptions' in library ? library : refuseWorkers();
}

function refuseWorkers(cause?: unknown): never {
  const message = 'Workers cannot run here: the package "miniflare" is not installed, or is too old.';
  throw new Problem('refused', message, { remedy: { kind: 'install-workers' }, cause });
}

async function readPorts(
  miniflare: Miniflare,
  workers: readonly RunnableWorker[],
): Promise<Map<string, number>> {
  const ports = new Map<string, number>();
  for (const { name } of workers) {
    ports.set(name, await readPort(miniflare, name));
  }
  return ports;
}

async function readPort(miniflare: Miniflare, name: string): Promise<number> {
  return Number((await miniflare.unsafeGetDirectURL(name)).port);
}

function toWorkerOptions(worker: RunnableWorker): V4WorkerOptions {
  return {
    name: worker.name,
    ...toSource(worker),
    ...(worker.compatibilityDate === undefined ? {} : { compatibilityDate: worker.compatibilityDate }),
    compatibilityFlags: [...worker.compatibilityFlags],
    ...toMiniflareBindings(worker.bindings),
    // A direct socket accepts any Host header, and passes requests on unchanged.
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    unsafeRegisterWorker: false,
  };
}

type Source = {
  modules: { type: MiniflareType; path: string; contents: string | Uint8Array<ArrayBuffer> }[];
};
type MiniflareType = 'ESModule' | 'CommonJS' | 'Text' | 'Data' | 'CompiledWasm';

function toSource({ code }: RunnableWorker): (Source & { modulesRoot: string }) | { script: string } {
  const entry = code.modules.find(({ name }) => name === code.entry);
  if (entry === undefined)
    throw new Problem('bug', `The worker's entry "${code.entry}" is not among its modules.`);
  if (code.format === 'script') return { script: Buffer.from(entry.content).toString('utf8') };
  const others = code.modules.filter((module) => module !== entry);
  return { modules: [entry, ...others].flatMap(toModules), modulesRoot: '/' };
}

const types: Readonly<Record<ModuleKind, MiniflareType | undefined>> = {
  esm: 'ESModule',
  script: 'CommonJS',
  text: 'Text',
  data: 'Data',
  wasm: 'CompiledWasm',
  'source-map': undefined,
};

/**
 * Converts a module to Miniflare's format, with an absolute path, which does not depend on the working directory. Source maps are omitted.
 */
function toModules({ name, kind, content }: WorkerModule): Source['modules'] {
  const type = types[kind];
  if (type === undefined) return [];
  const binary = kind === 'data' || kind === 'wasm';
  const contents = binary ? new Uint8Array(content) : Buffer.from(content).toString('utf8');
  return [{ type, path: posix.join('/', name), contents }];
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

function toMiniflareBindings(bindings: readonly WorkerBinding[]) {
  const values: Record<string, Json> = {};
  const kvNamespaces: Record<string, string> = {};
  const r2Buckets: Record<string, string> = {};
  for (const binding of bindings) {
    if (binding.type === 'kv_namespace') kvNamespaces[binding.name] = binding.namespace_id;
    else if (binding.type === 'r2_bucket') r2Buckets[binding.name] = binding.bucket_name;
    else values[binding.name] = binding.type === 'json' ? (binding.json as Json) : binding.text;
  }
  return { bindings: values, kvNamespaces, r2Buckets };
}

/** Removes the position in the runtime's own source code from an exception's message. */
function formatMessage(message: string): string {
  return message.replace(/^Uncaught exception: \S+: failed: remote\.jsg\./, 'Uncaught ');
}

/**
 * Creates the Problem for code that does not start, with the runtime's message, but without Miniflare's name for the worker.
 */
function toStartProblem(error: unknown, faults: readonly string[]): Problem {
  if (error instanceof Problem) return error;
  const said = faults.map((fault) => fault.replace(/^service core:user:[^:]*: /, '')).join('\n');
  if (said !== '') return new Problem('refused', said, { cause: error });
  const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  return new Problem('refused', message, { cause: error });
}

/** The name of the worker for outgoing requests, which no user's worker can have. */
const egressName = 'EGRESS';

/**
 * The source code of the worker through which all other workers fetch. This worker can reach public addresses and the named origins, but no
 * other ports of this machine or its network. Without this restriction, anyone who is allowed to deploy a worker could reach these ports.
 * Without a `connect` handler, TCP sockets are refused.
 */
const source = `export default {
  async fetch(request, env) {
    const { host } = new URL(request.url);
    const place = env.ORIGINS.includes(host) ? env['ORIGIN ' + host] : env.PUBLIC;
    try {
      return await place.fetch(request);
    } catch (error) {
      throw new Error('Cannot fetch from ' + host + ' (' + error.message + '). Other machines can reach this sandbox, so its ' + 'workers can only reach public addresses and the origins specified when it was started.');
    }
  },
};`;

/**
 * Creates the options of the worker for outgoing requests, with the ports of origins by name. workerd checks the resolved address, not the
 * name.
 */
function createEgressOptions(ports: Readonly<Record<string, number>>) {
  const origins = Object.entries(ports).map(([name, port]) => [
    `ORIGIN ${name}`,
    { external: { address: `127.0.0.1:${port}`, http: {} } },
  ]);
  return {
    name: egressName,
    modules: [{ type: 'ESModule' as const, path: '/egress.js', contents: source }],
    modulesRoot: '/',
    compatibilityDate: '2026-11-01',
    bindings: { ORIGINS: Object.keys(ports) },
    serviceBindings: {
      PUBLIC: {
        network: {
          allow: ['public'],
          tlsOptions: { trustBrowserCas: true, trustedCertificates: getCACertificates('extra') },
        },
      },
      ...Object.fromEntries(origins),
    },
    unsafeRegisterWorker: false,
  };
}
