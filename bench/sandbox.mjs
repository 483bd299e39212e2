// Compares the sandbox with Miniflare's own explorer API in the same run: time to the first answer, and requests per second for
// reading, writing and listing keys, at 1, 16 and 64 connections. Each server is a separate process.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const namespace = 'a'.repeat(32);
const library = resolve('dist/sandbox.cjs');
/** Budgets: milliseconds to the first answer, and minimum requests per second relative to Miniflare. */
const budgets = { first: 300, times: 2 };
/** Duration of each measurement in milliseconds. */
const span = 2000;
const connections = [1, 16, 64];

/** Returns rows for startup, for memory, and for each kind of request at each number of connections. */
export async function benchSandbox() {
  const folder = mkdtempSync(join(tmpdir(), 'edgectl-bench-'));
  const ours = await serve(sandboxServer, folder);
  const theirs = await serve(miniflareServer, folder);
  try {
    return [startRow(), ...(await rowsOf(ours, theirs)), memoryRow(ours)];
  } finally {
    ours.child.kill();
    theirs.child.kill();
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

const sandboxServer = `
  const { startSandbox } = require(${JSON.stringify(library)});
  const keys = Array.from({ length: 1000 }, (_, at) => ({ key: 'key-' + at, value: 'x'.repeat(100) }));
  startSandbox({ seed: { namespaces: [{ title: 'bench', id: '${namespace}', keys }] } }).then(({ apiBaseUrl, apiToken, accountId }) => {
    const base = apiBaseUrl + '/accounts/' + accountId + '/storage/kv/namespaces/${namespace}';
    process.stdout.write(JSON.stringify({ base, token: apiToken }) + '\\n');
  });
  process.once('SIGTERM', () => process.exit());`;

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

async function rowsOf(ours, theirs) {
  const rows = [];
  for (const [kind, callAt] of Object.entries(kinds)) {
    for (const count of connections) {
      const mine = await rateOf(ours, callAt, count);
      const other = await rateOf(theirs, callAt, count);
      rows.push({
        name: `sandbox, keys ${kind}, ${count} connections`,
        requestsPerSecond: mine,
        timesMiniflare: mine / other,
        miniflareBudget: budgets.times,
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
  return { name: 'sandbox, memory after it', megabytes: kilobytes / 1024 };
}
