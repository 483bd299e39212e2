// Starts a sandbox for the job of a GitHub workflow: https://docs.github.com/actions/creating-actions/creating-a-javascript-action
//
// `edgectl sandbox exec` runs `hold.mjs`, which saves the variables that `exec` sets. So a job gets the same ones as a command.
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const timeoutMs = 60_000;

/** The value of an input; GitHub sets those that a workflow omits to their defaults. */
const input = (name) => process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';

function isOn(name) {
  const value = input(name);
  if (value !== '' && value !== 'true' && value !== 'false')
    throw new Error(`The input "${name}" must be true or false, not "${value}".`);
  return value === 'true';
}

/** Installs edgectl, and returns the path of its script. npm is that of the job, Node that of the action. */
function install(folder) {
  const { version, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const chosen = input('package') || `edgectl@${version}`;
  const workers = isOn('workers')
    ? ['miniflare', 'esbuild'].map((name) => `${name}@${devDependencies[name]}`)
    : [];
  // Without --legacy-peer-deps, npm also asks its registry for the optional peers.
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier', '--ignore-scripts', '--legacy-peer-deps'];
  const args = ['install', '--prefix', folder, ...flags, chosen, ...workers];
  // On Windows, npm is a batch file, which only a shell can run.
  const isWindows = process.platform === 'win32';
  const quoted = isWindows ? args.map((one) => `"${one.replaceAll('"', '""')}"`) : args;
  execFileSync('npm', quoted, { stdio: ['ignore', 'ignore', 'inherit'], shell: isWindows });
  return join(folder, 'node_modules', 'edgectl', 'dist', 'edgectl.cjs');
}

/** Makes a command "edgectl" for later steps, which may have an older Node in their PATH. */
function addCommand(folder, script) {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'edgectl'), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(join(bin, 'edgectl'), 0o755);
  writeFileSync(join(bin, 'edgectl.cmd'), `@"${process.execPath}" "${script}" %*\r\n`);
  append('GITHUB_PATH', `${bin}\n`);
  return bin;
}

/** Starts the sandbox, and returns its variables when it is ready. It runs until `stop.mjs` ends it. */
async function start(folder, script) {
  const variables = join(folder, 'variables.json');
  const log = join(folder, 'sandbox.log');
  const flags = [
    ...(isOn('demo') ? ['--demo'] : []),
    ...(isOn('strict') ? ['--strict'] : []),
    ...(input('seed') === '' ? [] : ['--seed', resolve(process.env.GITHUB_WORKSPACE ?? '.', input('seed'))]),
  ];
  const hold = [process.execPath, join(import.meta.dirname, 'hold.mjs'), variables];
  const output = openSync(log, 'w', 0o600);
  const sandbox = spawn(process.execPath, [script, 'sandbox', 'exec', ...flags, '--', ...hold], {
    detached: true,
    stdio: ['ignore', output, output],
  });
  append('GITHUB_STATE', `pid=${sandbox.pid}\n`);
  for (const end = Date.now() + timeoutMs; !existsSync(variables); await sleep(50)) {
    if (sandbox.exitCode !== null || sandbox.signalCode !== null || Date.now() > end)
      throw new Error(`The sandbox did not start:\n${readFileSync(log, 'utf8')}`);
  }
  sandbox.unref();
  return JSON.parse(readFileSync(variables, 'utf8'));
}

/** Throws if a later step would find other credentials beside those of the sandbox, and could change a real account. */
function checkCredentials(variables) {
  const others = Object.keys(process.env).filter(
    (name) =>
      /^(?:EDGECTL|CLOUDFLARE|CF|AWS|R2)_/.test(name) &&
      process.env[name] !== '' &&
      variables[name] === undefined,
  );
  if (others.length > 0)
    throw new Error(
      `Remove ${others.join(', ')} from the job: programs would use them instead of the sandbox.`,
    );
}

function append(file, text) {
  appendFileSync(process.env[file], text);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

async function run() {
  const folder = join(process.env.RUNNER_TEMP, 'edgectl');
  mkdirSync(folder, { recursive: true });
  const script = install(folder);
  const bin = addCommand(folder, script);
  const variables = await start(folder, script);
  checkCredentials(variables);
  for (const [name, value] of Object.entries(variables)) {
    if (value === process.env[name]) continue;
    // Worthless outside of this job, but tools that search logs for credentials do not know that.
    if (/TOKEN|KEY/.test(name)) print(`::add-mask::${value}`);
    append('GITHUB_ENV', `${name}=${value}\n`);
  }
  append('GITHUB_OUTPUT', `api-base-url=${variables.CLOUDFLARE_API_BASE_URL}\n`);
  append('GITHUB_OUTPUT', `account-id=${variables.CLOUDFLARE_ACCOUNT_ID}\n`);
  append('GITHUB_OUTPUT', `zone-id=${variables.CLOUDFLARE_ZONE_ID}\n`);
  const PATH = `${bin}${delimiter}${process.env.PATH}`;
  const version = execFileSync(process.execPath, [script, '--version'], { encoding: 'utf8', env: { PATH } });
  print(`edgectl ${version.trim()}: sandbox at ${variables.CLOUDFLARE_API_BASE_URL}`);
}

await run().catch((error) => {
  // GitHub shows this line at the top of the run; line breaks are encoded.
  print(
    `::error title=edgectl::${error.message.replaceAll('%', '%25').replaceAll('\r', '').replaceAll('\n', '%0A')}`,
  );
  process.exitCode = 1;
});
