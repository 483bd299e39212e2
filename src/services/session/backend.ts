import { platformBudget, type RequestsLeft } from '../../model/budget.ts';
import type { Project } from '../../model/config.ts';
import { idFault, malformedId } from '../../model/id.ts';
import type { Namespace } from '../../model/kv/kv.ts';
import type { Where } from '../../model/where.ts';
import type { ReadOnlyProfile } from '../../profiles/credentials.ts';
import type { Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import {
  type Access,
  type DoubtedServer,
  loadDemoVisits,
  loadLeases,
  loadPlatform,
  loadS3,
  loadWorkersHere,
  type RunningServer,
  type Sandbox,
  type SessionServer,
} from '../sandbox/embedded-platform.ts';
import { sandboxFolder, sandboxFolderToUse, sandboxLabel } from '../sandbox/folder.ts';
import { shareWorkers } from '../workers/shared-workers.ts';
import { onlyAccount } from './account.ts';
import { type FailoverSend, withFailover } from './failover.ts';
import { reportingSend } from './guards.ts';
import type { SessionLock } from './lock.ts';
import { openPlatform, openS3 } from './platform-connection.ts';
import { type S3Connection, s3InProcess, s3Over } from './s3.ts';
import { withSandboxReads } from './sandbox-reads.ts';
import { openServer, type Server } from './server.ts';
import type { ApiAccess, Choice, CredentialKind, Listener, S3Access } from './session.ts';
import { checkStateFolder } from './state-folder.ts';

/** A backend that handles v4 calls: an account on a platform, the sandbox, or local data. */
export interface Backend {
  readonly send: Send;
  readonly where: Where;
  /** Why the profile is read-only; undefined if the profile can change data. */
  readonly readOnlyProfile?: ReadOnlyProfile | undefined;
  /** The file that binds the folder to the profile; undefined if the profile was selected in another way. */
  readonly boundBy?: string | undefined;
  readonly label: string;
  /** The kind of credential; undefined if the backend needs no credential. */
  readonly credential: CredentialKind | undefined;
  readonly brand: string;
  accountId(): Promise<string>;
  /** The account's name, if known without a request. */
  readonly accountName?: string;
  zoneId(): Promise<string | undefined>;
  /** Preferred size of a bulk request's body, in bytes. */
  readonly bulkBytes: number;
  /**
   * Returns the S3 API endpoint and access key for presigned URLs of this backend's objects; calls to the S3 API use `send`. Throws if no
   * HTTP server provides the S3 API.
   */
  s3Access(jurisdiction?: string, purpose?: 'read'): Promise<S3Access>;
  /** See `Session`. */
  apiAccess?(): ApiAccess;
  /** See `Session`. */
  readonly lock?: SessionLock | undefined;
  /** See `Session`. */
  runWorkers?(until: AbortSignal): Promise<string>;
  /** Number of retries so far. */
  retries(): number;
  /** The number of requests that the budget allows now; undefined or absent if the backend has no budget. */
  requestsLeft?(): RequestsLeft | undefined;
  close(): Promise<void>;
}

/**
 * Preferred sizes of a bulk request's body, in bytes. A remote request has space for 10,000 entries of 2 kB. In this process, requests cost
 * little, but large bodies need memory: writing 300 MB of 25 kB values takes 111 MB with bodies of 512 kB, and 196 MB with bodies of 1 MB.
 */
const bulkBytes = { remote: 24 * 1024 * 1024, inProcess: 512 * 1024 };

/**
 * Opens the local data in a folder: through the folder's server if one is running, otherwise in this process. `listKnown` returns the
 * namespaces in the configuration, with or without data.
 */
export async function openLocalBackend(
  world: World,
  folder: string,
  listKnown: () => Promise<readonly Namespace[]>,
  listener: Listener,
): Promise<Backend> {
  checkStateFolder(folder);
  const { openSandbox } = await loadPlatform();
  const { now, random } = world;
  const sandbox = openSandbox({ kind: 'local', folder, persistRoot: folder, now, random, known: listKnown });
  const find = () => findServer(world, folder, ({ token }) => token, listener);
  const server = await find();
  const s3 = bucketsInProcess(sandbox, world, listener);
  const way = connectFolder(server, logCalls(sandbox.send, world, listener), find, listener);
  return {
    send: s3.wrap(way.send),
    s3Access: s3.access,
    where: { kind: 'local', folder, baseUrl: server?.apiBaseUrl },
    label: `local data in ${folder}`,
    credential: undefined,
    brand: 'cloudflare',
    accountId: async () => 'local',
    zoneId: async () => undefined,
    bulkBytes: server === undefined ? bulkBytes.inProcess : bulkBytes.remote,
    retries: () => (server?.retries() ?? 0) + s3.retries(),
    async close() {
      way.close();
      closeBoth(server, sandbox);
    },
  };
}

/** Returns a sender for a folder's calls: to the folder's server while the server runs, otherwise to this process. */
function connectFolder(
  server: Server | undefined,
  here: Send,
  find: () => Promise<Server | undefined>,
  listener: Listener,
): FailoverSend {
  if (server === undefined) return { send: here, close: () => undefined };
  return withFailover({
    server,
    inProcess: here,
    findServer: find,
    note: (message) => listener.note(message),
  });
}

/** Opens the account that flags, environment, configuration or profiles select, on a platform or in the sandbox. */
export async function openRemoteBackend(
  world: World,
  choice: Choice,
  project: () => Promise<Project | undefined>,
  listener: Listener,
): Promise<Backend> {
  const { isImplicit, resolveCredentials, sourceLabel } = await import('../../profiles/credentials.ts');
  const { credentialInput } = await import('./credential-input.ts');
  const input = credentialInput(world, choice, undefined, listener.confirm);
  const found = await resolveCredentials(input);
  const boundBy = found.source.kind === 'profile' ? found.source.path : undefined;
  const fromFolder = { readOnlyProfile: found.readOnly, boundBy };
  if (found.kind === 'sandbox') {
    const { isSandbox } = await loadPlatform();
    const folder = sandboxFolderToUse(world, choice.sandboxDir, isSandbox);
    return { ...(await openSandboxBackend(world, folder, found, listener)), ...fromFolder };
  }
  /** Returns the id of the account or zone, and reads the configuration for it. Called only if the configuration can affect the id. */
  const complete = async (kind: 'account' | 'zone'): Promise<string | undefined> => {
    const id = kind === 'account' ? 'accountId' : 'zoneId';
    const config = await project();
    if (config === undefined) return found[id];
    const { [id]: completed } = await resolveCredentials({ ...input, config });
    if (completed !== undefined && completed === config[id]) await checkConfiguredId(config, kind, completed);
    return completed;
  };
  const decided = found.source.kind === 'environment' || !isImplicit(found.source.by);
  const chosen = found.requestBudget;
  const budget = {
    ...platformBudget,
    requests: chosen ?? platformBudget.requests,
    isChosen: chosen !== undefined,
  };
  const { server, lock, writer } = await openPlatform(world, found, listener, budget);
  const ownFolder = () => sandboxFolder(world, choice.sandboxDir);
  const reads = withSandboxReads(
    server.send,
    found.apiBaseUrl,
    async () =>
      findServer(world, ownFolder(), ({ token }) => token, listener, 'the refused request is not repeated'),
    (message) => listener.note(message),
  );
  const remote = { ...server, send: reads.send };
  const profile = found.source.kind === 'profile' ? found.source.name : undefined;
  const accountId = async () =>
    choice.accountId ??
    (decided ? found.accountId : undefined) ??
    (await complete('account')) ??
    onlyAccount(remote.send);
  const byEnvironment = found.source.kind === 'environment';
  const platform = { ...remote, apiBaseUrl: found.apiBaseUrl, byEnvironment, accountId };
  const s3 = openS3(world, platform, { auth: found.auth, lock, writer }, listener);
  return {
    ...remote,
    send: s3.wrap(remote.send),
    s3Access: s3.access,
    apiAccess: () => ({ apiBaseUrl: found.apiBaseUrl, auth: found.auth, budget }),
    lock,
    where: { kind: 'remote', profile, baseUrl: found.apiBaseUrl },
    ...fromFolder,
    label: sourceLabel(found.source),
    credential: found.auth !== undefined && 'email' in found.auth ? 'key' : 'token',
    brand: found.brand,
    bulkBytes: bulkBytes.remote,
    accountId,
    zoneId: async () => choice.zoneId ?? (decided ? found.zoneId : undefined) ?? (await complete('zone')),
    retries: () => remote.retries() + s3.retries(),
    async close() {
      s3.close();
      await reads.close();
      remote.close();
    },
  };
}

/** Throws if an id in the configuration is invalid. The message contains the position in the file. */
async function checkConfiguredId(config: Project, kind: 'account' | 'zone', id: string): Promise<void> {
  const fault = idFault(kind, id);
  if (fault === undefined) return;
  const { locateValue } = await import('../../config/locate.ts');
  const position = await locateValue(config, [`${kind}_id`], { inherited: true });
  throw malformedId(kind, id, `${kind}_id at ${position}`, fault);
}

/** Opens the sandbox in a folder: through the folder's server if one is running, otherwise in this process. */
export async function openSandboxBackend(
  world: World,
  folder: string,
  ids: { readonly accountId?: string | undefined; readonly zoneId?: string | undefined },
  listener: Listener,
): Promise<Backend> {
  checkStateFolder(folder);
  const { openSandbox } = await loadPlatform();
  const { now, random, endable } = world;
  const sandbox = openSandbox({ kind: 'sandbox', folder, persistRoot: folder, now, random, endable });
  const access = sandbox.access();
  const find = () => findServer(world, folder, () => access.apiToken, listener);
  const server = await find();
  const way = connectFolder(
    server,
    logCalls(withToken(sandbox.send, access), world, listener),
    find,
    listener,
  );
  const accountId = async () => ids.accountId ?? access.accountId;
  const workers = server === undefined ? openSandboxWorkers(sandbox, world) : undefined;
  const s3 =
    server === undefined
      ? bucketsInProcess(sandbox, world, listener, accountId)
      : s3Over(
          world,
          { ...server, auth: async () => ({ token: access.apiToken }), byEnvironment: false, accountId },
          listener,
        );
  return {
    send: s3.wrap(way.send),
    s3Access: s3.access,
    ...(server && {
      apiAccess: () => ({ apiBaseUrl: server.apiBaseUrl, auth: { token: access.apiToken } }),
    }),
    where: { kind: 'sandbox', folder, baseUrl: server?.apiBaseUrl },
    label: sandboxLabel(world, folder),
    credential: 'token',
    brand: 'cloudflare',
    accountId,
    ...findAccountName(sandbox, ids.accountId ?? access.accountId),
    zoneId: async () => ids.zoneId,
    bulkBytes: server === undefined ? bulkBytes.inProcess : bulkBytes.remote,
    retries: () => (server?.retries() ?? 0) + s3.retries(),
    ...(workers && { runWorkers: workers.runWorkers }),
    async close() {
      s3.close();
      await workers?.close();
      way.close();
      closeBoth(server, sandbox);
    },
  };
}

/** Opens the workers of a sandbox in this process, with their servers. In the demo, simulated visitors send requests to running workers. */
function openSandboxWorkers(sandbox: Sandbox, world: World) {
  let beside: SessionServer | undefined;
  const { run, close } = shareWorkers(async () => {
    const { openSessionServer } = await loadWorkersHere();
    beside ??= openSessionServer(sandbox, world);
    return beside.runWorkers();
  });
  const runWorkers = async (until: AbortSignal): Promise<string> => {
    const edgeUrl = await run(until);
    if (world.env['EDGECTL_DEMO'] !== '1') return edgeUrl;
    const { visitDemo } = await loadDemoVisits();
    void visitDemo(edgeUrl, world, until);
    return edgeUrl;
  };
  return { runWorkers, close: () => close().finally(() => beside?.close()) };
}

/** Connects to a folder's server with the token that `readToken` returns. Returns undefined, with a note, if the server does not respond. */
async function findServer(
  world: World,
  folder: string,
  readToken: (lease: { readonly token: string }) => string,
  listener: Listener,
  otherwise = 'accessing the files directly',
): Promise<Server | undefined> {
  const { findRunning } = await loadLeases();
  const running = await findRunning(folder, world);
  if (running === undefined) return undefined;
  if (running.answers) {
    const { lease } = running;
    return openServer(world, lease.apiBaseUrl, { token: readToken(lease) }, listener);
  }
  listener.note(`${explainUnanswered(folder, running)}; ${otherwise}.`);
  return undefined;
}

/** Returns a clause that states why the server of a folder is not used. */
function explainUnanswered(folder: string, { lease }: RunningServer | DoubtedServer): string {
  const held = `Process ${lease.pid} holds ${folder}`;
  if (!('doubt' in lease)) return `${held}, but does not respond`;
  return `${held}, but is not used, because ${lease.file} ${lease.doubt}, so another user may have written it`;
}

function logCalls(send: Send, world: World, listener: Listener): Send {
  return listener.debug === undefined ? send : reportingSend(send, world, listener.debug);
}

/** Returns the account name, if the sandbox has an account with this id. */
function findAccountName({ platform }: Sandbox, id: string): { readonly accountName?: string } {
  const registry = platform.registry();
  const own = registry.account();
  const name = own.id === id ? own.name : registry.furtherAccounts.find(id)?.name;
  return name === undefined ? {} : { accountName: name };
}

function bucketsInProcess(
  { kind, folder, platform, onBug }: Sandbox,
  world: World,
  listener: Listener,
  accountId?: () => Promise<string>,
): S3Connection {
  const open = async () => {
    const { answerUnsigned, platformOf } = await loadS3();
    const account = await accountId?.();
    const seen = account === undefined ? platform : (platformOf(platform, account) ?? platform);
    return logCalls((call) => answerUnsigned(seen, call, onBug), world, listener);
  };
  return s3InProcess(
    open,
    kind === 'sandbox'
      ? { remedy: { kind: 'start-sandbox', folder } }
      : { hint: 'Buckets in local data have no S3 endpoint; buckets of an account or a sandbox have one.' },
  );
}

/** Adds the API token of the sandbox's owner to each call. */
export function withToken(send: Send, access: Access): Send {
  const authorization = `Bearer ${access.apiToken}`;
  return (call) => send({ ...call, headers: { ...call.headers, authorization } });
}

function closeBoth(server: Server | undefined, sandbox: Sandbox): void {
  server?.close();
  sandbox.close();
}
