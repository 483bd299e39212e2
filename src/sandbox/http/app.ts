import { channel } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import type { Namespace } from '../../model/kv/kv.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { NamedOrigins } from '../../model/sandbox/exposure.ts';
import type { ZonePlan } from '../../model/zones/plan.ts';
import { openKvStore } from '../../store/kv/disk.ts';
import type { KvStore } from '../../store/kv/kv.ts';
import { openObjectStore } from '../../store/objects/disk.ts';
import type { ObjectStore } from '../../store/objects/objects.ts';
import { openRegistry, type Registry, registryFile } from '../../store/registry.ts';
import { Room } from '../../store/room.ts';
import { finishTakeOver } from '../../store/take-over.ts';
import { refused } from '../../v4/envelope.ts';
import { declaredRoutes } from '../../v4/routes.ts';
import type { Answer, Call, Method, Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { hostnameRoutes } from '../hostnames/routes/routes.ts';
import { kvRoutes } from '../kv/routes.ts';
import { objectRoutes } from '../objects/routes.ts';
import { seedRoutes } from '../seed/routes.ts';
import { accountRoutes } from '../session/accounts.ts';
import { emptyProductRoutes } from '../session/empty-products.ts';
import { userRoutes } from '../session/user.ts';
import { trafficRoutes } from '../traffic/routes.ts';
import { workerRoutes } from '../workers/routes/routes.ts';
import { zoneRoutes } from '../zones/routes.ts';
import { codes } from './codes.ts';
import { type CallerToken, type Platform, type Route, unroutableAnswer } from './exchange.ts';
import { platformRoutes, replaceData } from './platform.ts';
import { createRouter, type Match, type Router } from './router.ts';

export interface SandboxOptions {
  /**
   * `local`: accepts any namespace id and account id, without sign-in. `sandbox`: has a registry, and requires credentials.
   */
  readonly kind: 'local' | 'sandbox';
  /** Folder of the registry and the lease. */
  readonly folder: string;
  /** Root of Miniflare's layout. The data is in `<persistRoot>/v3`. */
  readonly persistRoot: string;
  /** Returns the time in milliseconds since the UNIX epoch. */
  now(): number;
  /** Returns cryptographically strong random bytes. */
  random(bytes: number): Uint8Array;
  /** Returns the local namespaces that a configuration declares, including namespaces without keys. */
  readonly known?: () => Promise<readonly Namespace[]>;
  /** The answer of `GET /sandbox/info`: version, pid, addresses. */
  readonly info?: Readonly<Record<string, unknown>>;
  /** Maximum number of certificates issued per minute (default: the provider's own limit). */
  readonly issuanceLimit?: number;
  /** Whether a write to a single key is synced to disk before it is answered (default: true). */
  readonly durable?: boolean;
  /** The plan of the sandbox's zones (default: Enterprise). */
  readonly plan?: ZonePlan;
  /**
   * Runs the work that parses a seed; meanwhile, a signal can end the process (see `World.endable`). Set only while a server loads the seed
   * given on its command line.
   */
  readonly endable?: World['endable'] | undefined;
  /** The origins that were named when the sandbox started; if omitted, any loopback port can be set as an origin. */
  readonly origins?: NamedOrigins;
  /** Whether to send an empty page with a cursor before each page of keys, for tests of clients. */
  readonly emptyPages?: boolean;
  /** Receives every bug of the sandbox itself. Answers do not show bugs. */
  readonly onBug?: (error: unknown) => void;
}

/** The account of a sandbox, and its credentials. */
export interface Access {
  readonly accountId: string;
  readonly accountName: string;
  readonly apiToken: string;
  readonly email: string;
  readonly apiKey: string;
}

export interface Sandbox {
  readonly kind: 'local' | 'sandbox';
  readonly folder: string;
  /**
   * Answers a call in this process. Refusals and internal errors are returned as answers. Rejects only with a Problem without an HTTP
   * status, for example if the data on disk cannot be used (`store-busy`, `store-invalid`), or if the call was aborted.
   */
  readonly send: Send;
  /**
   * Returns the account and its credentials, created on first use. The kind must be `sandbox`, because local data has no account.
   */
  access(): Access;
  /** Returns the pattern of the route for a call, if any. */
  findRoute(call: Pick<Call, 'method' | 'path'>): string | undefined;
  /** The platform that an edge serves. */
  readonly platform: Platform;
  readonly persistRoot: string;
  /** See `SandboxOptions`. */
  readonly onBug: SandboxOptions['onBug'];
  close(): void;
}

/** Returns whether a folder contains a sandbox. Changes nothing. */
export function isSandbox(folder: string): boolean {
  return existsSync(registryFile(folder));
}

/** Opens the embedded platform on a folder. Does not access the disk before the first call that needs it. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const room = new Room(options.folder, options.random);
  const { platform, close } = openPlatform(options);
  platform.enter = (effect) => room.enter(effect);
  const router = createRouter(routes, declaredRoutes);
  const ray = createRayIds(options.now);
  return {
    kind: options.kind,
    folder: options.folder,
    async send(call) {
      call.signal?.throwIfAborted();
      const answer = await answerCall({ platform, router }, call, options.onBug);
      publishAnswer(() => ({ method: call.method, pattern: findPattern(router, call), call, answer }));
      return { ...answer, headers: { ...answer.headers, 'cf-ray': ray() } };
    },
    findRoute: (call) => findPattern(router, call),
    access() {
      room.enter('read');
      return readAccess(platform);
    },
    platform,
    persistRoot: options.persistRoot,
    onBug: options.onBug,
    close() {
      close();
      room.leave();
    },
  };
}

function findPattern(router: Router, { method, path }: Pick<Call, 'method' | 'path'>): string | undefined {
  try {
    return findMatch(router, path.split('?')[0] ?? '', method)?.route.pattern;
  } catch {
    // A malformed path has no route. The answer to the call explains the error.
    return undefined;
  }
}

/**
 * Finds the route for a path. GET paths of zones may end in a slash: ddclient sends such paths, and the platform accepts them.
 */
function findMatch(router: Router, path: string, method: Method): Match | undefined {
  const match = router(path)[method];
  if (match !== undefined || method !== 'GET' || !/^\/zones\/(?:.*\/)?$/s.test(path)) return match;
  return router(path.slice(0, -1)).GET;
}

/** All routes of a sandbox: the provider's routes, and the sandbox's own routes below `/sandbox/`. */
export const routes: readonly Route[] = [
  ...kvRoutes,
  ...objectRoutes,
  ...accountRoutes,
  ...userRoutes,
  ...emptyProductRoutes,
  ...workerRoutes,
  ...zoneRoutes,
  ...hostnameRoutes,
  ...platformRoutes,
  ...trafficRoutes,
  ...seedRoutes,
];

function openPlatform(options: SandboxOptions, tenantOf?: string) {
  let kv: KvStore | undefined;
  let objects: ObjectStore | undefined;
  let registry: Registry | undefined;
  /** Returns the data root. Opens the registry first, which completes an interrupted replacement of the data. */
  const settled = (): string => {
    if (options.kind === 'sandbox') platform.registry();
    return options.persistRoot;
  };
  const platform: Platform = {
    kind: options.kind,
    info: options.info ?? {},
    emptyPages: options.emptyPages ?? false,
    known: options.known ?? (async () => []),
    kv: () => (kv ??= openKvStore(settled(), options)),
    objects: () => (objects ??= openObjectStore(settled(), options)),
    registry: () => (registry ??= openRecovered(options, tenantOf)),
    now: () => options.now(),
    random: (bytes) => options.random(bytes),
    ...(options.issuanceLimit !== undefined && { issuanceLimit: options.issuanceLimit }),
    ...(options.plan !== undefined && { plan: options.plan }),
    ...(options.origins !== undefined && { origins: options.origins }),
    ...(options.endable !== undefined && { endable: options.endable }),
  };
  const closeData = () => {
    kv?.close();
    objects?.close();
    kv = undefined;
    objects = undefined;
  };
  const close = () => {
    closeData();
    registry?.close();
    registry = undefined;
  };
  if (options.kind === 'sandbox' && tenantOf === undefined) {
    const { folder } = options;
    const openBeside = (beside: string) =>
      openPlatform({ ...options, folder: beside, persistRoot: beside }, folder);
    platform.replace = (fill) => replaceData({ platform, folder, closeData, openBeside }, fill);
  }
  return { platform, close };
}

/** Opens the registry. If a process was killed during a replacement of the data, completes the replacement. */
function openRecovered(options: SandboxOptions, tenantOf: string | undefined): Registry {
  const { now, random, kind, folder } = options;
  const registry = openRegistry(folder, { now, random, readOnly: kind === 'local', tenantOf });
  if (kind === 'local' || tenantOf !== undefined) return registry;
  try {
    finishTakeOver(folder, () => registry.taken());
    return registry;
  } catch (error) {
    registry.close();
    throw error;
  }
}

interface Answering {
  readonly platform: Platform;
  readonly router: Router;
}

async function answerCall(answering: Answering, call: Call, onBug: SandboxOptions['onBug']): Promise<Answer> {
  try {
    return await route(answering, call);
  } catch (error) {
    if (isProblem(error)) {
      if (error.status === undefined) throw error;
      return refused(error.status, error.platformCode ?? 0, error.message);
    }
    if (call.signal?.aborted) throw error;
    onBug?.(error);
    return refused(500, codes.internalError, 'internal error');
  }
}

async function route({ platform, router }: Answering, call: Call): Promise<Answer> {
  const mark = call.path.indexOf('?');
  const path = mark === -1 ? call.path : call.path.slice(0, mark);
  const match = findMatch(router, path, call.method);
  if (match === undefined) return noRoute(path, call, Object.keys(router(path)));
  const access = await authorizeCaller(platform, match, call);
  if (access !== undefined && 'status' in access) return access;
  // Only callers with access may use the reserved disk space.
  platform.enter?.(match.declared.effect);
  return handle(platform, match, call, mark === -1 ? '' : call.path.slice(mark + 1), access);
}

// The imported modules are kept, because even the import of a loaded module takes longer than the called function.
let auth: typeof import('./auth.ts') | undefined;
let edgeModule: typeof import('../workers/while-workers-run.ts') | undefined;

/**
 * Returns a refusal if the caller has no access, otherwise the caller's token if the token has policies. Local data requires no sign-in, so
 * no module is loaded for it.
 */
async function authorizeCaller(
  platform: Platform,
  match: Match,
  call: Call,
): Promise<Answer | CallerToken | undefined> {
  if (platform.kind === 'local') return undefined;
  auth ??= await import('./auth.ts');
  return auth.authorize(platform, match, call);
}

async function handle(
  platform: Platform,
  { route, params }: Match,
  call: Call,
  query: string,
  token: CallerToken | undefined,
) {
  const seen = await platformFor(platform, params['account']);
  const exchange = { platform: seen, call, params, query: new URLSearchParams(query), token };
  if (platform.edge === undefined) return route.handle(exchange);
  edgeModule ??= await import('../workers/while-workers-run.ts');
  return edgeModule.handleWhileWorkersRun(platform.edge, route, exchange);
}

/** Returns the platform as the account in a path sees it; `platform` itself if the path contains no additional account. */
async function platformFor(platform: Platform, account: string | undefined): Promise<Platform> {
  if (platform.kind === 'local' || account === undefined || account === platform.registry().account().id)
    return platform;
  const { findAccountPlatform } = await import('../session/account-platform.ts');
  return findAccountPlatform(platform, account) ?? platform;
}

function noRoute(path: string, call: Call, allowed: readonly string[]): Answer {
  if (allowed.length > 0) {
    const message =
      `${call.method} method not allowed for this route: the sandbox supports only ${allowed.join(', ')} here; the platform may ` +
      'support more (docs/api.md)';
    const answer = refused(405, codes.methodNotAllowed, message);
    return { ...answer, headers: { ...answer.headers, allow: allowed.join(', ') } };
  }
  return unroutableAnswer(path, 'docs/api.md lists the routes of the sandbox');
}

function readAccess(platform: Platform): Access {
  if (platform.kind === 'local') throw new Problem('bug', 'Local data has no account.');
  const account = platform.registry().account();
  const { apiToken, email, apiKey } = platform.registry().credentials();
  return { accountId: account.id, accountName: account.name, apiToken, email, apiKey };
}

/** Creates request ids from the time and a counter. Random ids would load node:crypto, which adds 3 ms to the start. */
function createRayIds(now: () => number): () => string {
  let count = 0;
  return () => {
    count = (count + 1) % 0x10000;
    const hex = now().toString(16).padStart(12, '0') + count.toString(16).padStart(4, '0');
    return `${hex}-SBX`;
  };
}

/** An answer with its route. */
export interface AnsweredCall {
  readonly method: Method;
  /** Pattern of the route; undefined if no route matches. */
  readonly pattern: string | undefined;
  readonly call: Call;
  readonly answer: Answer;
}

const answers = channel('edgectl:sandbox:answer');

/** Publishes an answer on the channel `edgectl:sandbox:answer` if the channel has subscribers in this process. */
function publishAnswer(answered: () => AnsweredCall): void {
  if (answers.hasSubscribers) answers.publish(answered());
}
