import { makePrivateFolder } from '../../files/folders.ts';
import { systemReason } from '../../files/system-reason.ts';
import { isLoopback } from '../../model/loopback.ts';
import { Problem } from '../../model/problem.ts';
import { createSandboxEnvironment, type Ready } from '../../model/sandbox/ready.ts';
import type { sandboxStatus } from '../../model/sandbox/sandbox-shape.ts';
import type { ValueOf } from '../../model/shape.ts';
import { callResult } from '../../v4/client.ts';
import type { Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { openSandboxBackend, withToken } from '../session/backend.ts';
import { interruptibleSend } from '../session/guards.ts';
import type { Listener } from '../session/session.ts';
import { checkStateFolder } from '../session/state-folder.ts';
import {
  loadDemo,
  loadEdges,
  loadLeases,
  loadPlatform,
  loadProxy,
  loadS3Server,
  loadServer,
  type Sandbox,
  type Served,
} from './embedded-platform.ts';
import { isChosenFolder, sandboxFolder } from './folder.ts';
import { openProxyAccess, type ProxyAccess } from './proxy.ts';
import { openReadyFile } from './ready-file.ts';
import { loadSeed } from './seed.ts';
import type { RunningSandbox, SandboxStartOptions } from './start-options.ts';

/** Starts the servers of a sandbox. Throws a Problem if another server uses the folder, or if a port is in use. */
export async function startSandboxServer(
  world: World,
  options: SandboxStartOptions,
): Promise<RunningSandbox> {
  const [{ openSandbox }, { serve }, { leaseFolder, newToken }] = await Promise.all([
    loadPlatform(),
    loadServer(),
    loadLeases(),
  ]);
  const folder = sandboxFolder(world, options.dir);
  checkStateFolder(folder);
  const { now, random, pid } = world;
  const info = { version: options.version, pid, folder };
  const { issuanceLimit, plan } = options;
  let loadsOwnSeed = false;
  const limits = {
    ...(issuanceLimit !== undefined && { issuanceLimit }),
    ...(plan !== undefined && { plan }),
    durable: options.ephemeral !== true,
    // Lets a signal close the server and remove its folder, even while a client's seed is being parsed.
    endable: <T>(work: () => T) =>
      loadsOwnSeed && world.endable !== undefined ? world.endable(work) : work(),
    origins: {
      ports: options.origins ?? {},
      only: options.exposure !== undefined && !isLoopback(options.exposure.address),
    },
  };
  /** Cleanup steps, which run from last to first when the sandbox closes or fails to start. */
  const undo: (() => unknown)[] = [];
  const close = () => undoAll(undo);
  try {
    const sandbox = openSandbox({
      kind: 'sandbox',
      folder,
      persistRoot: folder,
      now,
      random,
      info,
      ...limits,
    });
    undo.push(() => sandbox.close());
    const server = await serve(sandbox, {
      port: options.port,
      token: newToken(world),
      strict: options.strict,
      exposure: options.exposure,
      onRequest: options.onRequest,
    });
    undo.push(() => server.close());
    const lease = leaseFolder(folder, server, world);
    undo.push(() => lease.release());
    // Opens the ready file only now, because it may be in the sandbox's folder, which must exist first.
    const name = options.readyFile;
    const readyFile = name === undefined ? undefined : await openReadyFile(world, name);
    const edges = await serveEdges(sandbox, options, undo);
    if (options.demo) await fillDemo(sandbox);
    const send = withToken(sandbox.send, sandbox.access());
    if (options.seed !== undefined) {
      loadsOwnSeed = true;
      await loadSeed(interruptibleSend(send, world.interrupted), options.seed);
      loadsOwnSeed = false;
    }
    const { accountId, apiToken, email, apiKey } = sandbox.access();
    const { apiBaseUrl } = server;
    const zoneId = sandbox.platform.registry().zoneId();
    const s3 = await serveBuckets(sandbox, options, undo);
    const proxy = await serveFixedHost(world, server, folder, options, undo);
    const places = { ...edges, ...s3, ...proxy?.ready, folder };
    const ready: Ready = { apiBaseUrl, accountId, zoneId, apiToken, email, apiKey, ...places, pid };
    const variables = { ...createSandboxEnvironment(ready), ...proxy?.variables };
    undo.push(() =>
      readyFile?.remove().catch((error: unknown) => options.warn(formatReadyFileWarning(options, error))),
    );
    await readyFile?.write(ready);
    return { ready, folder, variables, send, isReadyOnStdout: readyFile?.isStdout === true, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Serves workers, custom hostnames and DNS. Adds cleanup steps to `undo`. */
async function serveEdges(
  sandbox: Sandbox,
  options: SandboxStartOptions,
  undo: (() => unknown)[],
): Promise<Pick<Ready, 'edgeUrl' | 'edgeTlsUrl' | 'dns'>> {
  const { serveSandboxEdge, hostnameHandler, serveHostnames } = await loadEdges();
  const edge = await serveSandboxEdge(sandbox, {
    port: options.edgePort,
    address: options.exposure?.address,
    onLog: options.onWorkerLog,
    more: () => [hostnameHandler(sandbox.platform)],
  });
  undo.push(() => edge.close());
  const ports = {
    dnsPort: options.dnsPort,
    tlsPort: options.edgeTlsPort,
    address: options.exposure?.address,
  };
  const { dns, edgeTlsUrl, close } = await serveHostnames(sandbox, ports);
  undo.push(close);
  return { edgeUrl: edge.url, edgeTlsUrl, dns };
}

/** Serves the S3 API of the buckets. */
async function serveBuckets(
  sandbox: Sandbox,
  { s3Port, exposure }: SandboxStartOptions,
  undo: (() => unknown)[],
): Promise<Pick<Ready, 's3Endpoint' | 's3AccessKeyId' | 's3SecretAccessKey'>> {
  const { serveS3, ownAccessKey } = await loadS3Server();
  const { endpoint, close } = await serveS3(sandbox, { port: s3Port, address: exposure?.address });
  undo.push(close);
  const { id, secret } = ownAccessKey(sandbox.access().apiToken);
  sandbox.platform.served = { ...sandbox.platform.served, s3Endpoint: endpoint };
  return { s3Endpoint: endpoint, s3AccessKeyId: id, s3SecretAccessKey: secret };
}

/** Serves the proxy if requested, and writes the files that make programs trust the proxy. */
async function serveFixedHost(
  world: World,
  api: Served,
  folder: string,
  { proxyPort: port, warn }: SandboxStartOptions,
  undo: (() => unknown)[],
): Promise<ProxyAccess | undefined> {
  if (port === undefined) return undefined;
  const { serveProxy } = await loadProxy();
  const { close, ...proxy } = await serveProxy(api, { now: world.now, random: world.random, port, warn });
  undo.push(close);
  const access = await openProxyAccess(world, folder, { ...proxy, warn });
  undo.push(access.remove);
  return access;
}

/** Runs all cleanup steps, from last to first. Then throws the first failure, if any. */
async function undoAll(undo: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function formatReadyFileWarning({ readyFile }: SandboxStartOptions, error: unknown): string {
  return `Cannot delete ${readyFile}, which describes a stopped server: ${systemReason(error)}.`;
}

export type SandboxStatus = ValueOf<typeof sandboxStatus>;

/**
 * Returns whether a server uses the sandbox's folder, and the server's process id and base URL. Throws not-found if the user chose a folder
 * that contains no sandbox.
 */
export async function readSandboxStatus(world: World, dir: string | undefined): Promise<SandboxStatus> {
  const { findRunning } = await loadLeases();
  const folder = sandboxFolder(world, dir);
  checkStateFolder(folder);
  const running = await findRunning(folder, world);
  if (running === undefined || !running.answers)
    return { folder: await findSandboxToUse(world, dir), running: false };
  const { pid, apiBaseUrl } = running.lease;
  return { folder, running: true, pid, apiBaseUrl };
}

/** Returns the folder of an existing sandbox. Throws not-found if the folder contains no sandbox. Creates nothing. */
export async function findSandbox(world: World, dir: string | undefined): Promise<string> {
  const { isSandbox } = await loadPlatform();
  const folder = sandboxFolder(world, dir);
  checkStateFolder(folder);
  if (isSandbox(folder)) return folder;
  throw new Problem('not-found', `No sandbox found in ${folder}; nothing was changed.`, {
    remedy: { kind: 'name-sandbox' },
  });
}

/**
 * Returns the folder of the user's own sandbox, which is created on first use, or of an existing sandbox in the folder that the user chose.
 * Throws the same errors as `findSandbox`.
 */
export async function findSandboxToUse(world: World, dir: string | undefined): Promise<string> {
  return isChosenFolder(world, dir) ? findSandbox(world, dir) : sandboxFolder(world, dir);
}

/** Deletes all data of a sandbox, running or not, except its account and credentials. Returns the folder of the sandbox. */
export async function resetSandbox(
  world: World,
  dir: string | undefined,
  listener: Listener,
): Promise<string> {
  const folder = await findSandbox(world, dir);
  const backend = await openSandboxBackend(world, folder, {}, listener);
  try {
    await resetThrough(backend.send);
  } finally {
    await backend.close();
  }
  return folder;
}

/** Deletes all data of the sandbox that `send` reaches, except its account and credentials. */
export async function resetThrough(send: Send): Promise<void> {
  const call = { method: 'POST', path: '/sandbox/reset', headers: {}, repeatable: true } as const;
  await callResult(send, call, () => undefined);
}

/** Adds the demo data to the user's own sandbox, in this process. */
export async function prepareDemo(world: World): Promise<void> {
  const { openSandbox } = await loadPlatform();
  const folder = sandboxFolder(world, undefined);
  makePrivateFolder(folder);
  const { now, random } = world;
  const sandbox = openSandbox({ kind: 'sandbox', folder, persistRoot: folder, now, random });
  try {
    await fillDemo(sandbox);
  } finally {
    sandbox.close();
  }
}

async function fillDemo(sandbox: Sandbox): Promise<void> {
  const { seedDemo } = await loadDemo();
  await seedDemo(sandbox);
}
