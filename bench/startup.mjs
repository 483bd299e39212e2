// Measures the program's startup as a ratio to a bare node start, and to wrangler with the same task. Runs the measured
// processes in rotation, so a slow moment of the machine affects all of them equally.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const program = resolve('dist/edgectl.cjs');
const executable = resolve('dist-executable/edgectl');
const wrangler = resolve('node_modules/wrangler/bin/wrangler.js');
const namespace = '0123456789abcdef0123456789abcdef';

/**
 * Returns rows { name, milliseconds, toNode, nodeBudget?, timesFaster?, wranglerBudget? } of startup times: of the program, of
 * the standalone executable, and of a completion.
 */
export async function benchStartup({ rounds = 15, wranglerRounds = 3 } = {}) {
  buildExecutable();
  const home = mkdtempSync(join(tmpdir(), 'bench-'));
  const env = { PATH: process.env.PATH, HOME: home };
  const sandbox = await startSandbox(home, env);
  try {
    const places = prepare(home, env, sandbox.ready);
    const times = measure(rounds, ownCases(env, places));
    const peer = measure(wranglerRounds, peerCases(places));
    const row = (name, key, nodeBudget, wranglerBudget) => ({
      name,
      milliseconds: times[key],
      toNode: times[key] / times.node,
      nodeBudget,
      timesFaster: peer[key] === undefined ? undefined : peer[key] / times[key],
      wranglerBudget,
    });
    return [
      { name: 'node -e 0', milliseconds: times.node, toNode: 1 },
      row('edgectl --version', 'version', 1.1, undefined),
      row('kv key get --local', 'local', 1.9, 22),
      row('kv key get, sandbox server', 'remote', 3.2, 11),
      row('executable: kv key get --local', 'executableLocal', 1.5, undefined),
      row('executable: kv key get, server', 'executableRemote', 2.5, undefined),
      row('Tab: a word of a command', 'word', 1.6, undefined),
      row('Tab: bindings of a configuration', 'bindings', 1.6, undefined),
      row('Tab: namespaces, cached for a minute', 'namespaces', 1.6, undefined),
    ];
  } finally {
    sandbox.child.kill('SIGTERM');
  }
}

/** Builds the standalone executable from dist if the executable is missing or older than dist. The build takes half a minute. */
function buildExecutable() {
  const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (timeOf(executable) < timeOf(program)) run([resolve('build/executable.mjs')], process.env);
}

/** Creates a key in local data, the same key on the server, and a configuration with a binding. Returns their paths and variables. */
function prepare(home, env, { apiBaseUrl, accountId, apiToken }) {
  const local = ['--namespace-id', namespace, '--local', '--persist-to', join(home, 'state')];
  const remoteEnv = {
    ...env,
    EDGECTL_API_BASE_URL: apiBaseUrl,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_API_TOKEN: apiToken,
  };
  const wranglerEnv = {
    ...env,
    CI: '1',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_API_BASE_URL: apiBaseUrl,
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_API_TOKEN: apiToken,
  };
  run([program, 'kv', 'key', 'put', 'greeting', 'hello', ...local], env);
  const { id } = JSON.parse(run([program, 'kv', 'namespace', 'create', 'BENCH', '--json'], remoteEnv));
  run([program, 'kv', 'key', 'put', 'greeting', 'hello', '--namespace-id', id], remoteEnv);
  const config = join(home, 'edgectl.toml');
  writeFileSync(config, `[[kv_namespaces]]\nbinding = "BENCH"\nid = "${id}"\n`);
  return { local, remote: ['--namespace-id', id], config, remoteEnv, wranglerEnv };
}

function ownCases(env, { local, remote, config, remoteEnv }) {
  const get = ['kv', 'key', 'get', 'greeting'];
  const tab = ['completion', 'words', '--', 'kv', 'key', 'get'];
  return {
    node: () => run(['-e', '0'], env),
    version: () => run([program, '--version'], env),
    local: () => expect(run([program, ...get, ...local], env)),
    remote: () => expect(run([program, ...get, ...remote], remoteEnv)),
    executableLocal: () => expect(run([...get, ...local], env, executable)),
    executableRemote: () => expect(run([...get, ...remote], remoteEnv, executable)),
    word: () => expect(run([program, ...tab, '--bind'], env), /^--binding\t/),
    bindings: () => expect(run([program, ...tab, '--config', config, '--binding', ''], env), /^BENCH\t/),
    namespaces: () =>
      expect(run([program, ...tab, '--namespace-id', ''], remoteEnv), /\tBENCH\n|\tworker-BENCH\n/),
  };
}

function peerCases({ local, remote, wranglerEnv }) {
  const get = [wrangler, 'kv', 'key', 'get', 'greeting'];
  return {
    version: () => run([wrangler, '--version'], wranglerEnv),
    local: () => expect(run([...get, ...local], wranglerEnv)),
    remote: () => expect(run([...get, ...remote, '--remote'], wranglerEnv)),
  };
}

function expect(text, wanted = /^hello\n?$/) {
  if (!wanted.test(text)) throw new Error(`got ${JSON.stringify(text)}`);
}

function run(args, env, file = process.execPath) {
  const result = spawnSync(file, args, { env, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${args.join(' ')}\n${result.stdout}${result.stderr}`);
  return result.stdout;
}

/**
 * Returns the milliseconds of each case in its fastest round. Other processes slow down long cases more often than a bare start: on a busy
 * machine, ratios of medians would be too high.
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
