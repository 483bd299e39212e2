// Writes, lists, exports and deletes many keys, in local data and on a sandbox server. Compares the speed with wrangler in the same run;
// wrangler takes most of the run's time. Measures whole processes, including startup. Deletes files last, because a disk stalls when files
// are created immediately after 100,000 files were deleted.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const program = resolve('dist/edgectl.cjs');
const floorProgram = join(import.meta.dirname, 'floor.mjs');
const wrangler = resolve('node_modules/wrangler/bin/wrangler.js');
const namespace = '0123456789abcdef0123456789abcdef';

/** Minimum speed relative to wrangler, by operation. For put, also by the length of the values. */
const budgets = { put: { 100: 30, 2000: 15 }, list: 15, export: 30, delete: 30, server: 1 };

/** Maximum time relative to plain node:sqlite and fs with the same rows and files. */
const floorBudgets = { put: 1.2, export: 2, clear: 2 };

/** Yields rows { name, perSecond, timesFaster?, wranglerBudget?, timesFloor?, floorBudget?, requests?, requestsBudget? }. */
export async function* benchBulk({ entries = 100_000, wranglerEntries = 20_000, rounds = 3 } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'bench-bulk-'));
  const bench = { home, entries, wranglerEntries, rounds, env: { PATH: process.env.PATH, HOME: home } };
  try {
    yield* benchLocal(bench);
    yield* benchFloor(bench);
    yield* benchServer(bench);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function* benchLocal(bench) {
  for (const length of [100, 2000]) yield benchPut(bench, length);
  yield benchRead(bench, 'list', ['kv', 'key', 'list'], ['kv', 'key', 'list']);
  yield benchRead(bench, 'export', ['kv', 'export'], ['kv', 'bulk', 'get', keysFile(bench, 'wrangler')]);
  yield benchDelete(bench);
}

/**
 * Compares whole processes, including startup, with plain node:sqlite and fs. Alternates between the two programs, so that the state of the
 * disk affects both equally.
 */
function* benchFloor(bench) {
  const input = inputFile(bench, 100, bench.entries);
  const at = (round) => join(bench.home, `floor-${round}`);
  const bare = (work, round, file = 'none') => run([floorProgram, work, at(round), file], bench.env);
  const own = (round) => local(bench, `beside-floor-${round}`);
  const works = {
    put: [
      (round) => edgectl(bench, ['kv', 'bulk', 'put', input, ...own(round)]),
      (round) => bare('put', round, input),
    ],
    export: [
      (round) =>
        edgectl(bench, ['kv', 'export', '--force', '-o', join(bench.home, 'own.ndjson'), ...own(round)]),
      (round) => bare('export', round, join(bench.home, 'floor.ndjson')),
    ],
    clear: [
      (round) => edgectl(bench, ['kv', 'namespace', 'clear', '--yes', ...own(round)]),
      (round) => bare('clear', round),
    ],
  };
  for (const [kind, [ours, floor]] of Object.entries(works)) {
    const times = Array.from({ length: bench.rounds }, (_, round) => [
      timed(() => ours(round)),
      timed(() => floor(round)),
    ]);
    const [seconds, least] = [0, 1].map((side) => Math.min(...times.map((pair) => pair[side])));
    yield {
      name: `${kind} --local, 100 B, compared with the floor`,
      perSecond: bench.entries / seconds,
      timesFloor: seconds / least,
      floorBudget: floorBudgets[kind],
    };
  }
}

function benchPut(bench, length) {
  const own = inputFile(bench, length, bench.entries);
  const others = inputFile(bench, length, bench.wranglerEntries);
  const seconds = best(bench.rounds, (round) =>
    edgectl(bench, ['kv', 'bulk', 'put', own, ...local(bench, `own-${length}-${round}`)]),
  );
  const peer = timed(() => peerRun(bench, ['kv', 'bulk', 'put', others, ...local(bench, `peer-${length}`)]));
  return row(bench, `bulk put --local, ${length} B`, seconds, peer, budgets.put[length]);
}

function benchRead(bench, kind, own, others) {
  const seconds = best(bench.rounds, () => edgectl(bench, [...own, ...local(bench, 'own-100-0')]));
  const peer = timed(() => peerRun(bench, [...others, ...local(bench, 'peer-100')]));
  const beside = kind === 'export' ? ' (bulk get)' : '';
  return row(bench, `${kind} --local, 100 B${beside}`, seconds, peer, budgets[kind]);
}

function benchDelete(bench) {
  const keys = keysFile(bench, 'edgectl');
  const seconds = best(bench.rounds, (round) =>
    edgectl(bench, ['kv', 'bulk', 'delete', keys, '--yes', ...local(bench, `own-100-${round}`)]),
  );
  const others = keysFile(bench, 'wrangler');
  const peer = timed(() =>
    peerRun(bench, ['kv', 'bulk', 'delete', others, '--force', ...local(bench, 'peer-100')]),
  );
  return row(bench, 'bulk delete --local, 100 B', seconds, peer, budgets.delete);
}

async function* benchServer(bench) {
  const sandbox = await startSandbox(bench);
  const proxy = await countingProxy(sandbox.ready.apiBaseUrl);
  const { accountId, apiToken } = sandbox.ready;
  const place = { proxy, accountId, apiToken };
  try {
    for (const length of [100, 2000]) yield await benchServerPut(bench, place, length);
  } finally {
    proxy.close();
    sandbox.child.kill('SIGTERM');
  }
}

async function benchServerPut(bench, { proxy, accountId, apiToken }, length) {
  const environment = (prefix) => ({
    [`${prefix}_API_BASE_URL`]: proxy.apiBaseUrl,
    [`${prefix}_ACCOUNT_ID`]: accountId,
    [`${prefix}_API_TOKEN`]: apiToken,
  });
  const put = async (args, env, count) => {
    const title = `B${length}_${count}_${proxy.requests}`;
    const create = [program, 'kv', 'namespace', 'create', title, '--json'];
    const { id } = JSON.parse(await runBeside(create, { ...bench.env, ...environment('EDGECTL') }));
    const before = proxy.requests;
    const file = inputFile(bench, length, count);
    spawnSync('sync');
    const started = performance.now();
    await runBeside([...args, file, '--namespace-id', id], { ...bench.env, ...env });
    return { seconds: (performance.now() - started) / 1000, requests: proxy.requests - before };
  };
  const own = await put([program, 'kv', 'bulk', 'put', '--quiet'], environment('EDGECTL'), bench.entries);
  const peerEnv = { ...peerEnvironment, ...environment('CLOUDFLARE') };
  const peer = await put([wrangler, 'kv', 'bulk', 'put', '--remote'], peerEnv, bench.wranglerEntries);
  const tenth = Math.ceil((peer.requests / bench.wranglerEntries) * bench.entries * 0.1);
  return {
    ...row(bench, `bulk put, sandbox server, ${length} B`, own.seconds, peer.seconds, budgets.server),
    requests: own.requests,
    requestsBudget: tenth,
  };
}

function row(bench, name, seconds, peerSeconds, budget) {
  const perSecond = bench.entries / seconds;
  return {
    name,
    perSecond,
    timesFaster: perSecond / (bench.wranglerEntries / peerSeconds),
    wranglerBudget: budget,
  };
}

function keyOf(index) {
  return `catalogue:item:${String(index).padStart(8, '0')}:record`;
}

/** Returns the path of a file that contains a JSON array of entries. Creates the file only once. */
function inputFile({ home }, length, count) {
  const path = join(home, `entries-${length}-${count}.json`);
  if (existsSync(path)) return path;
  const list = Array.from({ length: count }, (_, index) => ({
    key: keyOf(index),
    value: `item ${index} `.padEnd(length, 'abcdefghij "quoted" '),
  }));
  writeFileSync(path, JSON.stringify(list));
  return path;
}

function keysFile({ home, entries, wranglerEntries }, whose) {
  const path = join(home, `keys-${whose}.json`);
  const count = whose === 'wrangler' ? wranglerEntries : entries;
  if (!existsSync(path)) {
    writeFileSync(path, JSON.stringify(Array.from({ length: count }, (_, index) => keyOf(index))));
  }
  return path;
}

function local({ home }, folder) {
  return ['--namespace-id', namespace, '--local', '--persist-to', join(home, folder)];
}

const peerEnvironment = { CI: '1', WRANGLER_SEND_METRICS: 'false' };

function edgectl(bench, args) {
  run([program, ...args, '--quiet'], bench.env);
}

function peerRun(bench, args) {
  run([wrangler, ...args], { ...bench.env, ...peerEnvironment });
}

/** Runs a program in Node. Discards its standard output, so that only the work is measured. Throws if the program fails. */
function run(args, env) {
  const options = { env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' };
  const result = spawnSync(process.execPath, args, options);
  if (result.status !== 0) throw new Error(`${args.join(' ')}\n${result.stderr}`);
}

/** Runs a program as `run` does, but does not block this process, in which the proxy runs. */
async function runBeside(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const code = await new Promise((settle) => child.once('close', settle));
  if (code !== 0) throw new Error(`${args.join(' ')}\n${out}${err}`);
  return out;
}

/** Measures `work` after the disk has written all earlier data. */
function timed(work) {
  spawnSync('sync');
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}

function best(rounds, work) {
  return Math.min(...Array.from({ length: rounds }, (_, round) => timed(() => work(round))));
}

/** Counts requests in a proxy used by both programs. */
async function countingProxy(apiBaseUrl) {
  const upstream = new URL(apiBaseUrl);
  const proxy = { requests: 0 };
  const server = createServer((incoming, response) => {
    proxy.requests += 1;
    const { method, url: path, headers } = incoming;
    const target = { host: upstream.hostname, port: upstream.port, method, path };
    const outgoing = request({ ...target, headers: { ...headers, host: upstream.host } }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  proxy.apiBaseUrl = `http://127.0.0.1:${server.address().port}${upstream.pathname}`;
  proxy.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return proxy;
}

async function startSandbox({ home, env }) {
  const readyFile = join(home, 'ready.json');
  const args = ['sandbox', 'start', '--port', '0', '--dir', join(home, 'sandbox'), '--ready-file', readyFile];
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'ignore' });
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('the sandbox did not start');
    await sleep(10);
  }
  return { child, ready: JSON.parse(readFileSync(readyFile, 'utf8')) };
}
