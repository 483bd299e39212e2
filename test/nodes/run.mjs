// Tests the packed program on every supported Node version, and the message on an old Node version; then a global installation with the
// packages for workers; then the standalone executable. Node versions are installed from npm.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn as spawnTerminal } from '@lydell/node-pty';

const scratch = mkdtempSync(join(tmpdir(), 'edgectl-nodes-'));
const failures = [];
const piped = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
try {
  const tarball = pack();
  const installed = installPackage(tarball);
  for (const major of [20, 22, 24, 26]) {
    const node = installNode(major);
    const version = run(node, ['--version']).stdout.trim();
    const seen = major === 20 ? tooOld(node, installed) : await onNode(node, installed);
    tell(`Node ${version}`, seen);
  }
  tell('Installed for all projects', installedGlobally(tarball));
  tell('Standalone executable', await executable());
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function tell(where, seen) {
  const failed = seen.filter(([, holds]) => !holds);
  for (const [what] of failed) failures.push(`${where}: ${what}`);
  process.stdout.write(`${where}: ${failed.length === 0 ? 'ok' : 'FAILED'}\n`);
}

async function onNode(node, folder) {
  const command = [node, join(folder, 'node_modules/.bin/edgectl')];
  return [...smoke(command), ...importSandbox(node, folder), ...(await consoleOf(command))];
}

function pack() {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch];
  const [packed] = JSON.parse(execFileSync('npm', args, piped));
  return join(scratch, packed.filename);
}

function installPackage(tarball) {
  const folder = newFolder('package', {});
  execFileSync('npm', ['install', '--no-audit', '--no-fund', tarball], { ...piped, cwd: folder });
  return folder;
}

/**
 * Tests that a global installation (-g), for which npm installs no optional packages, is small. The first command that needs a worker
 * runtime prints which packages to install; after the installation, the same command works.
 */
function installedGlobally(tarball) {
  const prefix = join(scratch, 'global');
  const install = (...args) => execFileSync('npm', ['install', '--prefix', prefix, ...args], piped);
  install('--global', tarball);
  const size = bytesOf(prefix);
  const edgectl = (...args) => run(process.execPath, [join(prefix, 'bin/edgectl'), ...args]);
  edgectl('init', 'wanting');
  const deploy = () => edgectl('deploy', '--sandbox', '--config', join('wanting', 'edgectl.toml'));
  edgectl('objstore', 'bucket', 'create', 'my-bucket', '--sandbox');
  const before = deploy();
  const said = /npm install (-g \S+@\S+ \S+@\S+)/.exec(before.stderr)?.[1];
  if (said === undefined) return [[`the message names the packages to install: ${before.stderr}`, false]];
  install(...said.split(' '));
  const after = deploy();
  return [
    [`the installation takes few megabytes, not ${size} bytes`, size < 3_000_000],
    ['deploy is refused without the packages', before.status === 1],
    [`deploy works with the packages: ${after.stderr}`, after.status === 0],
  ];
}

function bytesOf(folder) {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = inside.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

function installNode(major) {
  const folder = newFolder(`node-${major}`, { allowScripts: { node: true } });
  const args = ['install', '--no-audit', '--no-fund', `node@${major}`];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const [name] = readdirSync(join(folder, 'node_modules')).filter((one) =>
    /^node-(?:bin-)?(?:linux|darwin|win)/.test(one),
  );
  return join(folder, 'node_modules', name ?? 'node', 'bin', 'node');
}

function newFolder(name, packageJson) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...packageJson }));
  return folder;
}

function run(node, args, env = { HOME: scratch }) {
  const options = { encoding: 'utf8', cwd: scratch, env: { PATH: process.env.PATH, ...env } };
  return spawnSync(node, args, options);
}

function tooOld(node, folder) {
  const { status, stderr } = run(node, [join(folder, 'node_modules/.bin/edgectl'), 'whoami']);
  return [
    ['exit code 2', status === 2],
    [
      'the message names the required Node version',
      /^edgectl needs Node 22\.22 or newer; this is 20\./.test(stderr),
    ],
  ];
}

/**
 * Returns the result of each of a user's first steps: the version, help, writing and reading a key on the embedded platform, a diagnosis.
 */
function smoke(command) {
  const [file, ...first] = command;
  const home = mkdtempSync(join(scratch, 'home-'));
  const edgectl = (...args) => run(file, [...first, ...args], { HOME: home });
  const created = edgectl('--sandbox', 'kv', 'namespace', 'create', 'smoke', '--json');
  const id = /"id": "([0-9a-f]{32})"/.exec(created.stdout)?.[1] ?? '';
  const key = (...args) => edgectl('--sandbox', 'kv', 'key', ...args, '--namespace-id', id);
  const put = key('put', 'greeting', 'hello');
  const asked = [...command, 'hostname', 'diagnose', 'shop.old-mill.demo'];
  const diagnosis = edgectl('sandbox', 'exec', '--demo', '--', ...asked);
  return [
    ['--version', /^\d+\.\d+\.\d+\n$/.test(edgectl('--version').stdout)],
    ['help', edgectl('help', 'kv', 'key', 'get').stdout.includes('edgectl kv key get')],
    ['man', edgectl('man', 'kv').stdout.includes('.Ss edgectl kv key get')],
    ['completion', edgectl('completion', 'bash').stdout.includes('complete ')],
    ['licenses', edgectl('licenses').stdout.includes('ink 8.0.0')],
    [`namespace create: ${created.stderr}`, created.status === 0 && id !== ''],
    [`key put: ${put.stderr}`, put.status === 0],
    ['key get', key('get', 'greeting').stdout === 'hello'],
    ['the exit code for a missing key is 3', key('get', 'missing').status === 3],
    [`diagnose in sandbox exec: ${diagnosis.stderr}`, diagnosis.status === 7],
  ];
}

/** Runs the first lines of another program's test, which import the sandbox. */
function importSandbox(node, folder) {
  const library =
    "import('edgectl/sandbox').then(async ({ startSandbox }) => {" +
    'const sandbox = await startSandbox(); console.log(sandbox.apiBaseUrl); await sandbox.close() })';
  const imported = spawnSync(node, ['-e', library], { encoding: 'utf8', cwd: folder });
  return [[`import of edgectl/sandbox: ${imported.stderr}`, /^http:\/\/127/.test(imported.stdout)]];
}

/** Runs the console on the embedded platform in a real terminal: the console must draw its screen, and close on `q`. */
async function consoleOf([file, ...first]) {
  const home = mkdtempSync(join(scratch, 'home-'));
  const env = { HOME: home, PATH: process.env.PATH, TERM: 'xterm-256color' };
  const terminal = spawnTerminal(file, [...first, '--sandbox'], { cols: 120, rows: 40, cwd: scratch, env });
  let drawn = '';
  const exited = new Promise((settle) => terminal.onExit(({ exitCode }) => settle(exitCode)));
  terminal.onData((data) => {
    const before = drawn.includes('Namespaces');
    drawn += data;
    if (!before && drawn.includes('Namespaces')) terminal.write('q');
  });
  const late = setTimeout(() => terminal.kill('SIGKILL'), 30_000);
  const code = await exited;
  clearTimeout(late);
  return [[`console: exit code ${code}, ${JSON.stringify(drawn.slice(-500))}`, code === 0]];
}

/** Builds the standalone executable, and checks that it needs neither Node nor other files. */
async function executable() {
  execFileSync(process.execPath, ['build/executable.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const alone = join(scratch, 'edgectl');
  copyFileSync(join('dist-executable', 'edgectl'), alone);
  const home = mkdtempSync(join(scratch, 'home-'));
  const key = ['--namespace-id', '0'.repeat(32), '--local', '--persist-to', join(scratch, 'local')];
  run(alone, ['kv', 'key', 'put', 'greeting', 'hello', ...key], { HOME: home });
  const got = run(alone, ['kv', 'key', 'get', 'greeting', ...key], { HOME: home });
  const saved = readdirSync(home, { recursive: true });
  const bundled = run(alone, ['init', 'my-worker'], { HOME: scratch, PATH: '' });
  return [
    ...smoke([alone]),
    ...(await consoleOf([alone])),
    ['the license of Node', /Node\.js is licensed for use as follows/.test(run(alone, ['licenses']).stdout)],
    [`key get on local data: ${got.stderr}`, got.stdout === 'hello'],
    [`V8 accepts the packed code cache, and writes no other: ${saved}`, saved.length === 0],
    [
      `a command that needs the npm package reports this: ${bundled.stderr}`,
      bundled.status !== 0 && /npm/.test(bundled.stderr),
    ],
  ];
}
