import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../src/cli/run.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { Ready } from '../../../src/model/sandbox/ready.ts';
import { openSandbox, type Sandbox } from '../../../src/sandbox/http/app.ts';
import { startSandboxServer } from '../../../src/services/sandbox/sandbox.ts';
import type { RunningSandbox } from '../../../src/services/sandbox/start-options.ts';
import { type Method, readBody } from '../../../src/v4/send.ts';
import { checkJson } from '../../answers/check.ts';
import { scratchFolder, type TestWorldOptions, testWorld } from '../../support/world.ts';

/** The result of a command. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A user with a separate sandbox. Time advances only through the test and through sleeps. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly zoneId: string;
  readonly cwd: string;
  readonly home: string;
  /** The current time of the user and the sandbox, in milliseconds since the epoch. */
  readonly clock: { now: number };
  /** Runs a command on the sandbox. */
  edgectl(...argv: readonly string[]): Promise<Ran>;
  /** Runs a command with answers to its questions, or with an interruption. */
  edgectlWith(options: TestWorldOptions, ...argv: readonly string[]): Promise<Ran>;
  /** Calls the API and returns its result. Fails on an error response. */
  api<T = unknown>(method: Method, path: string, body?: unknown): Promise<T>;
  /** Calls the API with a path below the sandbox's own zone, and returns the result. Fails on an error response. */
  zone<T = unknown>(method: Method, path: string, body?: unknown): Promise<T>;
  /** Sets DNS records in the sandbox: `[name, type, ...contents]`. */
  dns(...entries: readonly (readonly [string, string, ...string[]])[]): Promise<void>;
  /** Removes all records of a name. */
  forget(name: string): Promise<void>;
  /** Advances the sandbox's clock, and processes the events of that time. */
  advance(seconds: number): Promise<void>;
  record(hostname: string): Promise<CustomHostname>;
  /** The addresses of the served sandbox; undefined if the sandbox is not served. */
  readonly ready: Ready | undefined;
  close(): Promise<void>;
}

export const target = 'customers.saas.sandbox';
export const origin = 'origin.saas.sandbox';

export interface StageOptions {
  /** Whether the zone has a target for customers and an active fallback origin. */
  readonly prepared?: boolean;
  /** Whether the sandbox is served, with API, edge and DNS over sockets. */
  readonly served?: boolean;
}

export async function openStage({ prepared = true, served = false }: StageOptions = {}): Promise<Stage> {
  const home = scratchFolder('home');
  const folder = join(home, 'data', 'sandbox');
  mkdirSync(folder, { recursive: true });
  const clock = { now: Date.UTC(2026, 10, 21, 10, 0, 0) };
  const now = () => clock.now;
  const sandbox = openSandbox({ kind: 'sandbox', folder, persistRoot: folder, now, random: randomBytes });
  const server = served ? await serve(home, folder, now) : undefined;
  const stage = stageOver(sandbox, home, clock, server);
  if (prepared) {
    await stage.zone('POST', '/dns_records', {
      type: 'A',
      name: target,
      content: '192.0.2.1',
      proxied: true,
    });
    await stage.zone('POST', '/dns_records', {
      type: 'A',
      name: origin,
      content: '192.0.2.2',
      proxied: true,
    });
    await stage.zone('PUT', '/custom_hostnames/fallback_origin', { origin });
    await stage.advance(60);
  }
  return stage;
}

function serve(home: string, dir: string, now: () => number): Promise<RunningSandbox> {
  const folders = { config: join(home, 'config'), state: join(home, 'state'), data: join(home, 'data') };
  return startSandboxServer(
    { ...testWorld({ now }), folders },
    {
      dir,
      port: 0,
      edgePort: 0,
      edgeTlsPort: 0,
      dnsPort: 0,
      s3Port: 0,
      issuanceLimit: undefined,
      onWorkerLog: () => undefined,
      demo: false,
      readyFile: undefined,
      warn: () => undefined,
      version: 'test',
    },
  );
}

function stageOver(
  sandbox: Sandbox,
  home: string,
  clock: { now: number },
  server: RunningSandbox | undefined,
): Stage {
  const cwd = scratchFolder('cwd');
  const zoneId = sandbox.platform.registry().zoneId();
  const api = <T>(method: Method, path: string, body?: unknown) => call<T>(sandbox, method, path, body);
  const stage: Stage = {
    sandbox,
    zoneId,
    cwd,
    home,
    clock,
    api,
    edgectl: (...argv) => stage.edgectlWith({}, ...argv),
    edgectlWith: (options, ...argv) => run(home, clock, { ...options, cwd }, [...argv, '--sandbox']),
    zone: (method, path, body) => api(method, `/zones/${zoneId}${path}`, body),
    async dns(...entries) {
      const json = entries.map(([name, type, ...contents]) => ({ name, type, contents }));
      await api('PUT', '/sandbox/dns', json);
    },
    async forget(name) {
      await api('DELETE', `/sandbox/dns?name=${name}`);
    },
    async advance(seconds) {
      await api('POST', '/sandbox/clock', { seconds });
    },
    async record(hostname) {
      const found = await stage.zone<CustomHostname[]>('GET', `/custom_hostnames?hostname=${hostname}`);
      const [first] = found;
      if (first === undefined) throw new Error(`there is no ${hostname}`);
      return first;
    },
    ready: server?.ready,
    async close() {
      await server?.close();
      sandbox.close();
    },
  };
  return stage;
}

async function run(
  home: string,
  clock: { now: number },
  options: TestWorldOptions,
  argv: readonly string[],
): Promise<Ran> {
  const world = testWorld({ ...options, argv, now: () => clock.now });
  const folders = { config: join(home, 'config'), state: join(home, 'state'), data: join(home, 'data') };
  const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    clock.now += milliseconds;
    await new Promise((settle) => setImmediate(settle));
    signal?.throwIfAborted();
  };
  const code = await runCommandLine({ ...world, folders, sleep }, async () => 1);
  const ran = { code, out: world.outText(), err: world.errText() };
  checkJson(argv, ran);
  return ran;
}

async function call<T>(sandbox: Sandbox, method: Method, path: string, body?: unknown): Promise<T> {
  const answer = await sandbox.send({
    method,
    path,
    headers: { authorization: `Bearer ${sandbox.access().apiToken}` },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    repeatable: false,
  });
  const text = Buffer.from(await readBody(answer.body)).toString();
  if (answer.status >= 400) throw new Error(text);
  return (JSON.parse(text) as { result: T }).result;
}
