// Start-up of the program, each as a ratio to a bare node start and to wrangler doing the same. Whole processes,
// round-robin, so that a slow moment of the machine falls on all alike.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const program = resolve('dist/edgectl.cjs');
const wrangler = resolve('node_modules/wrangler/bin/wrangler.js');
const namespace = '0123456789abcdef0123456789abcdef';

/** Rows { name, milliseconds, toNode, budget?, wrangler? } of start-up times. */
export async function benchStartup({ rounds = 15, wranglerRounds = 3 } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'bench-'));
  const data = join(home, 'state');
  const env = { PATH: process.env.PATH, HOME: home };
  const local = ['--namespace-id', namespace, '--local', '--persist-to', data];
  run([program, 'kv', 'key', 'put', 'greeting', 'hello', ...local], env);
  const sandbox = await startSandbox(home, env);
  const remoteEnv = {
    ...env,
    EDGECTL_API_BASE_URL: sandbox.ready.apiBaseUrl,
    EDGECTL_ACCOUNT_ID: sandbox.ready.accountId,
    EDGECTL_API_TOKEN: sandbox.ready.apiToken,
  };
  const id = JSON.parse(run([program, 'kv', 'namespace', 'create', 'BENCH', '--json'], remoteEnv)).id;
  run([program, 'kv', 'key', 'put', 'greeting', 'hello', '--namespace-id', id], remoteEnv);
  const wranglerEnv = {
    ...env,
    CI: '1',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_API_BASE_URL: sandbox.ready.apiBaseUrl,
    CLOUDFLARE_ACCOUNT_ID: sandbox.ready.accountId,
    CLOUDFLARE_API_TOKEN: sandbox.ready.apiToken,
  };
  try {
    const times = measure(rounds, {
      node: () => run(['-e', '0'], env),
      version: () => run([program, '--version'], env),
      local: () => expect(run([program, 'kv', 'key', 'get', 'greeting', ...local], env)),
      remote: () => expect(run([program, 'kv', 'key', 'get', 'greeting', '--namespace-id', id], remoteEnv)),
    });
    const peer = measure(wranglerRounds, {
      version: () => run([wrangler, '--version'], wranglerEnv),
      local: () =>
        expect(
          run(
            [
              wrangler,
              'kv',
              'key',
              'get',
              'greeting',
              '--namespace-id',
              namespace,
              '--local',
              '--persist-to',
              data,
            ],
            wranglerEnv,
          ),
        ),
      remote: () =>
        expect(
          run([wrangler, 'kv', 'key', 'get', 'greeting', '--namespace-id', id, '--remote'], wranglerEnv),
        ),
    });
    const row = (name, key, toNode, toWrangler) => ({
      name,
      milliseconds: times[key],
      toNode: times[key] / times.node,
      nodeBudget: toNode,
      timesFaster: peer[key] === undefined ? undefined : peer[key] / times[key],
      wranglerBudget: toWrangler,
    });
    return [
      { name: 'node -e 0', milliseconds: times.node, toNode: 1 },
      row('edgectl --version', 'version', 1.1, undefined),
      row('kv key get --local', 'local', 1.9, 22),
      row('kv key get, sandbox server', 'remote', 3.2, 11),
    ];
  } finally {
    sandbox.child.kill('SIGTERM');
  }
}

function expect(text) {
  if (text !== 'hello' && text !== 'hello\n') throw new Error(`got ${JSON.stringify(text)}`);
}

function run(args, env) {
  const result = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${args.join(' ')}\n${result.stdout}${result.stderr}`);
  return result.stdout;
}

/**
 * Milliseconds of each case in its fastest round. Others slow down what takes long more often than a bare start, so that
 * medians of a busy machine make a ratio worse than it is.
 */
function measure(rounds, cases) {
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, once] of Object.entries(cases)) {
      const started = process.hrtime.bigint();
      once();
      if (round > 0) times[name].push(Number(process.hrtime.bigint() - started) / 1e6);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, Math.min(...list)]));
}

async function startSandbox(home, env) {
  const readyFile = join(home, 'ready.json');
  const args = ['sandbox', 'start', '--port', '0', '--dir', join(home, 'sandbox'), '--ready-file', readyFile];
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'ignore' });
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('the sandbox did not start');
    await sleep(10);
  }
  return { child, ready: JSON.parse(readFileSync(readyFile, 'utf8')) };
}
