import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import type { Sandbox } from '../sandbox/app.ts';
import type { RuntimeLog } from '../sandbox/runtime.ts';
import { callResult } from '../v4/client.ts';
import type { World } from '../world.ts';
import { openSandboxPlace } from './place.ts';
import { sandboxFolder } from './sandbox-folder.ts';
import type { Listener } from './session.ts';

/** What a running sandbox tells of itself; the content of the ready file. */
export interface Ready {
  readonly apiBaseUrl: string;
  readonly accountId: string;
  readonly zoneId: string;
  readonly apiToken: string;
  readonly email: string;
  readonly apiKey: string;
  /** `http://localhost:<port>`; deployed workers answer with their name before the host. */
  readonly edgeUrl: string;
  /** The same over TLS, with the certificates of custom hostnames. */
  readonly edgeTlsUrl: string;
  /** `127.0.0.1:<port>`: the DNS of the sandbox's zones and of customers, over UDP and TCP. */
  readonly dns: string;
  readonly pid: number;
}

export interface SandboxStart {
  /** Folder of the data; the user's own when left out. */
  readonly dir: string | undefined;
  /** 0 for any free port. */
  readonly port: number;
  /** Port of the edge, where deployed workers answer; 0 for any free one. */
  readonly edgePort: number;
  /** Port of the edge over TLS; 0 for any free one. */
  readonly edgeTlsPort: number;
  /** Port of DNS; 0 for any free one. */
  readonly dnsPort: number;
  /** Most certificates issued in a minute; the provider's own limit when undefined. */
  readonly issuanceLimit: number | undefined;
  /** Told what deployed workers write to their console. */
  readonly onWorkerLog: (log: RuntimeLog) => void;
  /** Fill it with demo data. */
  readonly demo: boolean;
  /** Written when the sandbox answers. */
  readonly readyFile: string | undefined;
  readonly version: string;
}

export interface RunningSandbox {
  readonly ready: Ready;
  readonly folder: string;
  /** Stops listening, lets calls under way finish, gives the folder free. */
  close(): Promise<void>;
}

/** Serves the embedded platform on loopback. Refuses when the folder is held by another one, or the port in use. */
export async function startSandbox(world: World, options: SandboxStart): Promise<RunningSandbox> {
  const [{ openSandbox }, { serve }, { announce, newToken }] = await Promise.all([
    import('../sandbox/app.ts'),
    import('../sandbox/serve.ts'),
    import('../sandbox/running.ts'),
  ]);
  const folder = sandboxFolder(world, options.dir);
  const { now, random, pid } = world;
  const info = { version: options.version, pid, folder };
  const { issuanceLimit } = options;
  const limits = issuanceLimit === undefined ? {} : { issuanceLimit };
  /** What to take back, the last first: on closing, and when a later step fails. */
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
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
    const server = await serve(sandbox, { port: options.port, token: newToken(world) });
    undo.push(() => server.close());
    const lease = announce(folder, server, world);
    undo.push(() => lease.release());
    const edges = await serveEdges(sandbox, options, undo);
    if (options.demo) await fillDemo(sandbox);
    const { accountId, apiToken, email, apiKey } = sandbox.access();
    const { apiBaseUrl } = server;
    const zoneId = sandbox.platform.registry().zoneId();
    const ready: Ready = { apiBaseUrl, accountId, zoneId, apiToken, email, apiKey, ...edges, pid };
    const { readyFile } = options;
    if (readyFile !== undefined) {
      await writeReady(world, readyFile, ready);
      undo.push(() => rm(resolve(world.cwd, readyFile), { force: true }));
    }
    return { ready, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Serves everything but the API. What to take back goes to `undo`. */
async function serveEdges(
  sandbox: Sandbox,
  options: SandboxStart,
  undo: (() => unknown)[],
): Promise<Pick<Ready, 'edgeUrl' | 'edgeTlsUrl' | 'dns'>> {
  const [{ serveSandboxEdge }, { hostnameHandler }, { serveHostnames }] = await Promise.all([
    import('../sandbox/worker-edge.ts'),
    import('../sandbox/edge-hostnames.ts'),
    import('../sandbox/hostnames-serve.ts'),
  ]);
  const edge = await serveSandboxEdge(sandbox, {
    port: options.edgePort,
    onLog: options.onWorkerLog,
    more: () => [hostnameHandler(sandbox.platform)],
  });
  undo.push(() => edge.close());
  const ports = { dnsPort: options.dnsPort, tlsPort: options.edgeTlsPort };
  const { dns, edgeTlsUrl, close } = await serveHostnames(sandbox, ports);
  undo.push(close);
  return { edgeUrl: edge.url, edgeTlsUrl, dns };
}

/** Holds credentials, so only its owner may read it; put in place in one step, so that it is never half written. */
async function writeReady(world: World, file: string, ready: Ready): Promise<void> {
  const path = resolve(world.cwd, file);
  const temporary = `${path}.${world.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, path);
}

export interface SandboxStatus {
  readonly folder: string;
  readonly running: boolean;
  readonly pid?: number;
  readonly apiBaseUrl?: string;
}

/** Whether a server holds the sandbox's folder, and where it listens. */
export async function sandboxStatus(world: World, dir: string | undefined): Promise<SandboxStatus> {
  const { findRunning } = await import('../sandbox/running.ts');
  const folder = sandboxFolder(world, dir);
  const running = await findRunning(folder, world);
  if (running === undefined || !running.answers) return { folder, running: false };
  const { pid, apiBaseUrl } = running.lease;
  return { folder, running: true, pid, apiBaseUrl };
}

/** Removes all data of a sandbox, running or not; its account and credentials stay. Gives its folder. */
export async function resetSandbox(
  world: World,
  dir: string | undefined,
  listener: Listener,
): Promise<string> {
  const folder = sandboxFolder(world, dir);
  const place = await openSandboxPlace(world, folder, {}, listener);
  try {
    const call = { method: 'POST', path: '/sandbox/reset', headers: {}, repeatable: true } as const;
    await callResult(place.send, call, () => undefined);
  } finally {
    await place.close();
  }
  return folder;
}

/** Fills the sandbox's folder with demo data, in this process. What is there already stays. */
export async function prepareDemo(world: World): Promise<void> {
  const { openSandbox } = await import('../sandbox/app.ts');
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
  const { seedDemo } = await import('../sandbox/demo.ts');
  await seedDemo(sandbox);
}
