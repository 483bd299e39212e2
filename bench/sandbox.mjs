// Compares a sandbox server with Miniflare's own explorer API in the same run. Figures: time to the first answer, and requests per second
// for reading, writing and listing keys, with 1, 16 and 64 connections. Each server is a separate process. A third server shows how fast
// Node itself is: node:http with the same answers, from node:sqlite and one file per value.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startSandbox } from './served-sandbox.mjs';

const namespace = 'a'.repeat(32);
const library = resolve('dist/sandbox.cjs');
/** Budgets: milliseconds to the first answer, minimum requests per second relative to Miniflare, and megabytes afterwards. */
const budgets = { first: 300, read: 3, written: 2, listed: 2, megabytes: 200 };
/** Duration of each measurement in milliseconds. */
const span = 2000;
const connections = [1, 16, 64];

/** Returns rows for startup, for memory, and for each kind of request at each number of connections. */
export async function benchSandbox() {
  const folder = mkdtempSync(join(tmpdir(), 'edgectl-bench-'));
  const ours = await serveSandbox(folder);
  const theirs = await serve(miniflareServer, folder);
  const bare = await serve(bareServer, folder);
  try {
    return [startRow(), ...(await rowsOf(ours, theirs, bare)), memoryRow(ours)];
  } finally {
    for (const { child } of [ours, theirs, bare]) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function median(numbers) {
  return numbers.toSorted((left, right) => left - right)[numbers.length >> 1];
}

/** Measures the time to the first answer, in fresh processes. */
function startRow() {
  const code = `
    const { startSandbox } = require(${JSON.stringify(library)});
    const begun = performance.now();
    startSandbox().then(async (sandbox) => {
      await fetch(sandbox.apiBaseUrl + '/user', { headers: { authorization: 'Bearer ' + sandbox.apiToken } });
      process.stdout.write(String(performance.now() - begun));
      await sandbox.close();
    });`;
  const times = Array.from({ length: 5 }, () =>
    Number(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' })),
  );
  return {
    name: 'sandbox, start to first answer',
    milliseconds: median(times),
    millisecondsBudget: budgets.first,
  };
}

const miniflareServer = `
  const { Miniflare, convertV4MiniflareOptions, NoOpLog } = require(${JSON.stringify(createRequire(import.meta.url).resolve('miniflare'))});
  const miniflare = new Miniflare(convertV4MiniflareOptions({
    workers: [{ name: 'w', modules: true, script: 'export default { fetch: () => new Response() }', kvNamespaces: { KV: '${namespace}' } }],
    resourcePersistencePath: process.cwd() + '/miniflare', host: '127.0.0.1', cf: false,
    unsafeLocalExplorer: true, log: new NoOpLog(), port: 0,
  }));
  miniflare.ready.then(async (url) => {
    const kv = await miniflare.getKVNamespace('KV');
    for (let at = 0; at < 1000; at += 1) await kv.put('key-' + at, 'x'.repeat(100));
    const base = url.origin + '/cdn-cgi/local/explorer/api/storage/kv/namespaces/${namespace}';
    process.stdout.write(JSON.stringify({ base, token: '' }) + '\\n');
  });
  process.once('SIGTERM', () => miniflare.dispose().finally(() => process.exit()));`;

const bareServer = `
  const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
  const { createServer } = require('node:http');
  const { DatabaseSync } = require('node:sqlite');
  mkdirSync('bare');
  const database = new DatabaseSync('bare/keys.sqlite');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE keys (key TEXT PRIMARY KEY, blob TEXT) WITHOUT ROWID');
  const put = database.prepare('INSERT OR REPLACE INTO keys VALUES (?, ?)');
  const get = database.prepare('SELECT blob FROM keys WHERE key = ?');
  const list = database.prepare('SELECT key FROM keys ORDER BY key LIMIT 100');
  let blobs = 0;
  const store = (key, value) => {
    const blob = 'bare/' + (blobs += 1);
    writeFileSync(blob, value);
    put.run(key, blob);
  };
  database.exec('BEGIN');
  for (let at = 0; at < 1000; at += 1) store('key-' + at, 'x'.repeat(100));
  database.exec('COMMIT');
  const envelope = (result) => JSON.stringify({ success: true, errors: [], messages: [], result });
  const server = createServer(async (request, response) => {
    const key = /\\/values\\/(.*)$/.exec(request.url)?.[1];
    if (key === undefined) return response.end(envelope(list.all().map((row) => ({ name: row.key }))));
    if (request.method === 'GET') return response.end(readFileSync(get.get(key).blob));
    const parts = [];
    for await (const part of request) parts.push(part);
    store(key, Buffer.concat(parts));
    response.end(envelope({}));
  });
  server.listen(0, '127.0.0.1', () => {
    const base = 'http://127.0.0.1:' + server.address().port;
    process.stdout.write(JSON.stringify({ base, token: '' }) + '\\n');
  });`;

/** Starts the server as users do. As in Miniflare, a write does not wait for the disk. */
async function serveSandbox(folder) {
  const seed = join(folder, 'seed.json');
  const keys = Array.from({ length: 1000 }, (_, at) => ({ key: `key-${at}`, value: 'x'.repeat(100) }));
  writeFileSync(seed, JSON.stringify({ namespaces: [{ title: 'bench', id: namespace, keys }] }));
  const { child, ready } = await startSandbox(folder, 15, seed, ['--ephemeral']);
  const base = `${ready.apiBaseUrl}/accounts/${ready.accountId}/storage/kv/namespaces/${namespace}`;
  return { child, base, token: ready.apiToken };
}

async function serve(code, cwd) {
  const child = spawn(process.execPath, ['-e', code], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { child, ...JSON.parse(line.toString()) };
}

const kinds = {
  read: (at) => ({ path: `/values/key-${at % 1000}` }),
  written: (at) => ({ path: `/values/new-${at}`, method: 'PUT', body: 'x'.repeat(100) }),
  listed: () => ({ path: '/keys?limit=100' }),
};

async function rowsOf(ours, theirs, bare) {
  const rows = [];
  for (const [kind, callAt] of Object.entries(kinds)) {
    for (const count of connections) {
      const mine = await rateOf(ours, callAt, count);
      const other = await rateOf(theirs, callAt, count);
      const most = await rateOf(bare, callAt, count);
      rows.push({
        name: `sandbox, keys ${kind}, ${count} connections`,
        requestsPerSecond: mine,
        timesMiniflare: mine / other,
        miniflareBudget: budgets[kind],
        timesBare: mine / most,
      });
    }
  }
  return rows;
}

let asked = 0;

/** Measures requests per second over this number of persistent connections. */
async function rateOf({ base, token }, callAt, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const end = performance.now() + span;
  const begun = performance.now();
  let done = 0;
  const work = async () => {
    while (performance.now() < end) {
      asked += 1;
      await ask(agent, base, token, callAt(asked));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: count }, work));
  agent.destroy();
  return (done * 1000) / (performance.now() - begun);
}

function ask(agent, base, token, { path, method = 'GET', body }) {
  return new Promise((done, failed) => {
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
    const sent = request(base + path, { agent, method, headers }, (answer) => {
      if (answer.statusCode !== 200) failed(new Error(`${method} ${base}${path}: HTTP ${answer.statusCode}`));
      answer.resume().once('end', done);
    });
    sent.once('error', failed);
    sent.end(body);
  });
}

/** Measures the server's resident memory after all other measurements. */
function memoryRow({ child }) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
  return {
    name: 'sandbox, memory afterwards',
    megabytes: kilobytes / 1024,
    megabytesBudget: budgets.megabytes,
  };
}
