import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Access, openSandbox, type Sandbox } from '../../../src/sandbox/http/app.ts';
import { type Method, readBody } from '../../../src/v4/send.ts';
import { scratchFolder } from '../../support/world.ts';

/** The data on which the suite's command lines act: a sandbox folder with one of each resource. */
export interface Stage {
  /**
   * A copy of the folder for which a server appears to hold the lease. Commands that do not trust the server open the folder in process.
   */
  readonly servedFolder: string;
  readonly access: Access;
  readonly zoneId: string;
  /** Namespaces with keys. */
  readonly namespace: string;
  readonly other: string;
  /** The current time in milliseconds since the epoch, for the sandbox and for the commands. */
  readonly now: number;
  /** Opens a sandbox with a new copy of the folder, for a single command that may change the copy. */
  openCopy(clock: Clock): Sandbox;
}

/** Milliseconds since the epoch. */
export interface Clock {
  now: number;
}

export const hostname = 'shop.acme.com';
export const worker = 'shop';
export const bucket = 'pictures';
export const emptyBucket = 'nothing-in-it';

const start = Date.UTC(2026, 10, 21, 10, 0, 0);

export async function openStage(): Promise<Stage> {
  const folder = scratchFolder('stage');
  const sandbox = open(folder, { now: start });
  const access = sandbox.access();
  const zoneId = sandbox.platform.registry().zoneId();
  const call = caller(sandbox, access);
  const account = `/accounts/${access.accountId}`;
  const namespaces = [await fillNamespace(call, account, 'one'), await fillNamespace(call, account, 'other')];
  await fillBuckets(call, account);
  deployWorker(sandbox, namespaces[0] ?? '');
  await fillZone(call, zoneId);
  sandbox.close();
  const servedFolder = scratchFolder('served');
  cpSync(folder, servedFolder, { recursive: true });
  return {
    servedFolder,
    access,
    zoneId,
    namespace: namespaces[0] ?? '',
    other: namespaces[1] ?? '',
    now: start,
    openCopy(clock) {
      const copy = join(scratchFolder('copy'), 'data');
      cpSync(folder, copy, { recursive: true });
      return open(copy, clock);
    },
  };
}

function open(folder: string, clock: Clock): Sandbox {
  const now = () => clock.now;
  const sandbox = openSandbox({ kind: 'sandbox', folder, persistRoot: folder, now, random: randomBytes });
  // The endpoint only appears in links; no request is sent to it.
  sandbox.platform.served = { s3Endpoint: 'http://127.0.0.1:9' };
  return sandbox;
}

type Caller = (method: Method, path: string, body?: unknown) => Promise<{ readonly id: string }>;

function caller(sandbox: Sandbox, { apiToken }: Access): Caller {
  return async (method, path, body) => {
    const bytes = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await sandbox.send({
      method,
      path,
      headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
      body: bytes === undefined ? undefined : Buffer.from(bytes),
      repeatable: false,
    });
    const text = Buffer.from(await readBody(answer.body)).toString();
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text).result;
  };
}

/** Creates three keys, one of them with metadata and expiry, and one extra key per namespace, so that two namespaces differ. */
async function fillNamespace(call: Caller, account: string, title: string): Promise<string> {
  const { id } = await call('POST', `${account}/storage/kv/namespaces`, { title });
  const expiration = Math.ceil(start / 1000) + 86_400 * 30;
  await call('PUT', `${account}/storage/kv/namespaces/${id}/bulk`, [
    { key: 'greeting', value: 'hello' },
    { key: 'note', value: 'a note', metadata: { lang: 'en' }, expiration },
    { key: `only:${title}`, value: title },
  ]);
  return id;
}

async function fillBuckets(call: Caller, account: string): Promise<void> {
  for (const name of [bucket, emptyBucket]) await call('POST', `${account}/r2/buckets`, { name });
  for (const key of ['a/one.txt', 'a/two.txt', 'b.txt'])
    await call(
      'PUT',
      `${account}/r2/buckets/${bucket}/objects/${encodeURIComponent(key)}`,
      `bytes of ${key}`,
    );
}

/** Writes the worker directly to the registry, because an upload would start the runtime. */
function deployWorker({ platform }: Sandbox, namespace: string): void {
  const { workers } = platform.registry();
  workers.create(worker);
  workers.change(worker, { routed: true });
  const content = Buffer.from('export default { fetch: () => new Response("hello") };\n');
  const code = workers.keepCode({
    format: 'modules',
    entry: 'index.js',
    modules: [{ name: 'index.js', kind: 'esm', content }],
  });
  // Two versions, so that a rollback is possible.
  for (let count = 0; count < 2; count += 1) {
    const { id } = workers.addVersion(worker, code, {
      source: 'edgectl',
      annotations: {},
      bindings: [
        { type: 'kv_namespace', name: 'KV', namespace_id: namespace },
        { type: 'secret_text', name: 'API_KEY', text: 'a secret text' },
      ],
      compatibilityDate: '2026-11-01',
      compatibilityFlags: [],
    });
    workers.addDeployment(worker, {
      source: 'edgectl',
      annotations: {},
      versions: [{ id, percentage: 100 }],
    });
  }
}

/** Creates an active hostname, with its DNS records and its fallback origin. */
async function fillZone(call: Caller, zoneId: string): Promise<void> {
  const zone = `/zones/${zoneId}`;
  const target = 'customers.saas.sandbox';
  const origin = 'origin.saas.sandbox';
  await call('POST', `${zone}/dns_records`, { type: 'A', name: target, content: '192.0.2.1', proxied: true });
  await call('POST', `${zone}/dns_records`, { type: 'A', name: origin, content: '192.0.2.2', proxied: true });
  await call('PUT', `${zone}/custom_hostnames/fallback_origin`, { origin });
  await call('PUT', '/sandbox/dns', [
    { name: hostname, type: 'CNAME', contents: [target] },
    { name: 'new.acme.com', type: 'CNAME', contents: [target] },
  ]);
  await call('POST', `${zone}/custom_hostnames`, { hostname, ssl: { method: 'http', type: 'dv' } });
  await call('POST', '/sandbox/clock', { seconds: 3600 });
}
