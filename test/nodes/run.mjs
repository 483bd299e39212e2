// The packed program on every Node that it is for, and what it says on one that is too old. Node comes from npm by name.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'edgectl-nodes-'));
const failures = [];
try {
  const installed = installPackage();
  for (const major of [20, 22, 24, 26]) {
    const node = installNode(major);
    const version = run(node, ['--version']).stdout.trim();
    const failed = (major === 20 ? tooOld : smoke)(node, installed).filter(([, holds]) => !holds);
    for (const [what] of failed) failures.push(`Node ${version}: ${what}`);
    process.stdout.write(`Node ${version}: ${failed.length === 0 ? 'as it should be' : 'FAILED'}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Packs this checkout and installs the tarball without its optional parts; gives the folder. */
function installPackage() {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], options),
  );
  const folder = newFolder('package', {});
  const tarball = join(scratch, packed.filename);
  execFileSync('npm', ['install', '--omit=optional', '--no-audit', '--no-fund', tarball], {
    ...options,
    cwd: folder,
  });
  return folder;
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
      'the sentence that names the Node needed',
      /^edgectl needs Node 22\.22 or newer; this is 20\./.test(stderr),
    ],
  ];
}

/** What a user does first: the version, help, a key there and back on the embedded platform, and a sandbox in a test. */
function smoke(node, folder) {
  const program = join(folder, 'node_modules/.bin/edgectl');
  const home = mkdtempSync(join(scratch, 'home-'));
  const edgectl = (...args) => run(node, [program, ...args], { HOME: home });
  const created = edgectl('--sandbox', 'kv', 'namespace', 'create', 'smoke', '--json');
  const id = /"id": "([0-9a-f]{32})"/.exec(created.stdout)?.[1] ?? '';
  const key = (...args) => edgectl('--sandbox', 'kv', 'key', ...args, '--namespace-id', id);
  const put = key('put', 'greeting', 'hello');
  const diagnosis = edgectl(
    'sandbox',
    'exec',
    '--demo',
    '--',
    node,
    program,
    'hostname',
    'diagnose',
    'shop.old-mill.demo',
  );
  const library =
    "import('edgectl/sandbox').then(async ({ startSandbox }) => {" +
    'const sandbox = await startSandbox(); console.log(sandbox.apiBaseUrl); await sandbox.close() })';
  const imported = spawnSync(node, ['-e', library], { encoding: 'utf8', cwd: folder });
  return [
    ['--version', /^\d+\.\d+\.\d+\n$/.test(edgectl('--version').stdout)],
    ['help', edgectl('help', 'kv', 'key', 'get').stdout.includes('edgectl kv key get')],
    [`namespace create: ${created.stderr}`, created.status === 0 && id !== ''],
    [`key put: ${put.stderr}`, put.status === 0],
    ['key get', key('get', 'greeting').stdout === 'hello'],
    ['a missing key is 3', key('get', 'missing').status === 3],
    [`diagnose in sandbox exec: ${diagnosis.stderr}`, diagnosis.status === 7],
    [`import of edgectl/sandbox: ${imported.stderr}`, /^http:\/\/127/.test(imported.stdout)],
  ];
}
