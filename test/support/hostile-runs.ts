import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request as openRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { type Knowledge, type Way, ways } from './hostile-ways.ts';
import { program, userEnvironment } from './program.ts';
import { type FaultProxy, openProxy } from './proxy.ts';
import { closePtys, openPty, type Pty } from './pty.ts';
import { runCommand } from './run-command.ts';
import { openServed, type Served } from './served.ts';
import { scratchFolder } from './world.ts';

/** The hostile program may change any key or object whose name starts with "own-". Everything else needs a person's approval. */
const policy = `
[[rule]]
name = "own"
decision = "allow"
effect = "change"
names = "own-*"

[[rule]]
name = "every write"
decision = "ask"
effect = ["change", "destroy", "unknown"]
`;
const projectPolicy = '[[rule]]\nname = "all"\ndecision = "allow"\n';
const passphrase = 'correct horse';

export type Setting = 'unlocked' | 'locked' | 'otherUser';

/** The user ids in the setting `otherUser`: one for the guard, one for the hostile program. */
const guardUser = 12_345;
const hostileUser = 65_534;

let served: Served;
/** A proxy between the guards and the platform. */
let proxy: FaultProxy;
let s3Endpoint: string;
let namespace: string;
let hostile: string;
const results: Partial<Record<Setting, Record<string, string>>> = {};
const closing: (() => unknown)[] = [];

const call = async (method: 'GET' | 'PUT' | 'POST', path: string, body?: string) => {
  const { apiToken, accountId } = served.sandbox.access();
  const answer = await served.sandbox.send({
    method,
    path: `/accounts/${accountId}${path}`,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : Buffer.from(body),
    repeatable: false,
  });
  const bytes = answer.body instanceof Uint8Array ? answer.body : await new Response(answer.body).bytes();
  return { status: answer.status, text: Buffer.from(bytes).toString() };
};
const keyPath = (name: string) => `/storage/kv/namespaces/${namespace}/values/${name}`;
const objectPath = (name: string) => `/r2/buckets/data/objects/${name}`;

/** Starts a platform, and builds the hostile program. */
export async function openAttacked(): Promise<void> {
  served = await openServed();
  namespace = await served.createNamespace();
  s3Endpoint = served.sandbox.platform.served?.s3Endpoint ?? '';
  proxy = await openProxy(served.proxy.apiBaseUrl);
  proxy.use(({ path }) => {
    const target = /[?&]name=redirect-([\w-]+)/.exec(path)?.[1];
    if (target === undefined) return undefined;
    const location = `${served.proxy.apiBaseUrl}/accounts/${served.sandbox.access().accountId}${keyPath(target)}`;
    return { answer: { status: 307, headers: { location }, body: '' } };
  });
  await call('POST', '/r2/buckets', '{"name":"data"}');
  const contents = `import { readFileSync } from 'node:fs';
import { tryWays } from './hostile-ways.ts';
await tryWays(JSON.parse(readFileSync(process.argv[2], 'utf8')));`;
  const outfile = join(scratchFolder('hostile'), 'hostile.mjs');
  const resolveDir = import.meta.dirname;
  await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  chmodSync(dirname(outfile), 0o755);
  hostile = outfile;
}
/** Stops everything that `openAttacked` and the runs started. */
export async function closeAttacked(): Promise<void> {
  for (const close of closing.reverse()) await close();
  closePtys();
  await proxy.close();
  await served.close();
}

const targetOf = (setting: Setting, way: Way) => `${setting}-${ways.indexOf(way)}`;
/** Returns true if an attack is tried in a setting. */
export const isIn = (setting: Setting, way: Way) =>
  setting === 'otherUser' ||
  way.notPrevented !== undefined ||
  (setting === 'unlocked') === (way.needsPerson === true);

interface Home {
  readonly setting: Setting;
  readonly home: string;
  readonly cwd: string;
  readonly folders: { readonly config: string; readonly state: string; readonly data: string };
  readonly env: Record<string, string>;
}

function prepareHome(setting: Setting, variables: Readonly<Record<string, string>>): Home {
  const home = scratchFolder('home');
  const cwd = scratchFolder('cwd');
  const folders = {
    config: join(home, '.config', 'edgectl'),
    state: join(home, '.local', 'state', 'edgectl'),
    data: join(home, '.local', 'share', 'edgectl'),
  };
  mkdirSync(folders.config, { recursive: true, mode: 0o700 });
  writeFileSync(join(folders.config, 'policy.toml'), policy, { mode: 0o600 });
  writeFileSync(join(cwd, 'edgectl-policy.toml'), projectPolicy);
  return { setting, home, cwd, folders, env: { ...userEnvironment(home), ...variables } };
}

/** Stores the keys and objects that the attacks in a setting try to delete, and writes a file with the knowledge of the hostile program. */
async function prepareTargets(
  { setting, folders }: Home,
  more: Pick<Knowledge, 'guardPid' | 'terminal' | 'edgectl'>,
): Promise<{ readonly folder: string; readonly file: string }> {
  const chosen = ways.filter((way) => isIn(setting, way));
  for (const way of chosen) {
    const target = targetOf(setting, way);
    for (const path of [keyPath(target), objectPath(target), objectPath(`own-${target}`)])
      expect((await call('PUT', path, 'stays')).status).toBe(200);
  }
  const folder = scratchFolder('program');
  const knows: Knowledge = {
    ...more,
    folders,
    platform: { apiBaseUrl: served.proxy.apiBaseUrl, s3Endpoint },
    namespace,
    person: await openPerson(folders, setting === 'locked' ? passphrase : undefined),
    targets: Object.fromEntries(chosen.map((way) => [way.name, targetOf(setting, way)])),
    folder,
  };
  const file = join(folder, 'knows.json');
  writeFileSync(file, JSON.stringify(knows));
  return { folder, file };
}

/** Starts a simulated person who approves each request whose number is sent to the returned address. */
async function openPerson(folders: Home['folders'], typed: string | undefined): Promise<string> {
  const server: Server = createServer((request, response) => {
    const number = (request.url ?? '').slice(1);
    const socketPath = join(folders.state, 'guards', `${number.split('-')[0]}.sock`);
    const sent = openRequest({ socketPath, path: `/held/${number}`, method: 'POST' }, ({ statusCode = 0 }) =>
      response.writeHead(statusCode).end(),
    );
    sent.on('error', () => response.writeHead(500).end());
    sent.end(JSON.stringify({ user: 'ann', by: 'command', answer: 'approve', passphrase: typed }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readResults(setting: Setting, folder: string, messages: () => string): Promise<void> {
  const file = join(folder, 'results.json');
  const deadline = Date.now() + 25_000;
  while (!existsSync(file)) {
    if (Date.now() > deadline)
      throw new Error(
        `The hostile program did not end: ${messages()} ${existsSync(`${file}.part`) && readFileSync(`${file}.part`, 'utf8')}`,
      );
    await pause(20);
  }
  results[setting] = JSON.parse(readFileSync(file, 'utf8'));
}

/** Adds a profile to a home. */
async function addProfile({ home, cwd, folders }: Home, name: string, lock: boolean): Promise<void> {
  const { accountId, apiToken } = served.sandbox.access();
  const person = { home, cwd, env: {} };
  const place = ['--api-base-url', proxy.apiBaseUrl, '--account-id', accountId];
  const added = await runCommand(person, ['profile', 'add', name, '--use', ...place], { stdin: apiToken });
  expect(added.code).toBe(0);
  if (lock)
    expect(
      (await runCommand(person, ['profile', 'lock', name], { answers: [passphrase, passphrase] })).code,
    ).toBe(0);
  renameSync(join(home, 'config', 'profiles'), join(folders.config, 'profiles'));
  for (const file of readdirSync(join(home, 'config')))
    renameSync(join(home, 'config', file), join(folders.config, file));
}

/** Runs the hostile program behind `guard exec` of a locked profile. */
export async function runLocked(): Promise<void> {
  const home = prepareHome('locked', {});
  await addProfile(home, 'acme', true);
  const knows = join(home.cwd, 'knows');
  // The program waits for the file with its knowledge, which contains the process id of the guard.
  const script = `until [ -e ${knows} ]; do sleep 0.05; done; exec ${process.execPath} ${hostile} "$(cat ${knows})"`;
  const pty = openPty(process.execPath, [program, 'guard', 'exec', '--proxy', '--', 'sh', '-c', script], {
    cwd: home.cwd,
    env: home.env,
    columns: 200,
  });
  await pty.screen.waitFor('Passphrase of profile acme');
  pty.send(`${passphrase}\r`);
  await pty.screen.waitFor('Guarding');
  const { folder, file } = await prepareTargets(home, knowGuard(pty));
  writeFileSync(`${knows}.part`, file);
  renameSync(`${knows}.part`, knows);
  await readResults('locked', folder, () => pty.screen.text());
}

/**
 * Runs the hostile program as a client of `guard start` whose credentials are not locked. The guard can run as a different user than the
 * client.
 */
export async function runUnlocked(setting: 'unlocked' | 'otherUser'): Promise<void> {
  const { accountId, apiToken } = served.sandbox.access();
  const home = prepareHome(setting, {
    EDGECTL_API_BASE_URL: proxy.apiBaseUrl,
    EDGECTL_API_TOKEN: apiToken,
    EDGECTL_ACCOUNT_ID: accountId,
  });
  await addProfile(home, 'acme', false);
  const isOther = setting === 'otherUser';
  if (isOther) for (const folder of [home.home, home.cwd]) giveTo(guardUser, folder);
  const user = isOther ? `setpriv --reuid ${guardUser} --regid ${guardUser} --clear-groups ` : '';
  const variables = join(home.cwd, 'variables');
  const pty = openPty(
    'sh',
    ['-c', `exec ${user}${process.execPath} ${program} guard start --proxy --wait 2 > ${variables}`],
    { cwd: home.cwd, env: home.env, columns: 200 },
  );
  await pty.screen.waitFor('Guarding');
  const last = /^export CURL_CA_BUNDLE=.*\n/m;
  while (!last.test(readFileSync(variables, 'utf8'))) await pause(20);
  const given = [...readFileSync(variables, 'utf8').matchAll(/^export (\w+)='?(.*?)'?$/gm)];
  const { folder, file } = await prepareTargets(home, knowGuard(pty));
  if (isOther) giveTo(hostileUser, folder);
  const child = spawn(process.execPath, [hostile, file], {
    env: {
      ...userEnvironment(isOther ? folder : home.home),
      ...Object.fromEntries(given.map(([, name, value]) => [name, value])),
    },
    cwd: folder,
    stdio: 'ignore',
    ...(isOther && { uid: hostileUser, gid: hostileUser }),
  });
  closing.push(() => child.kill('SIGKILL'));
  await readResults(setting, folder, () => pty.screen.text());
}

function knowGuard({ pid }: Pty) {
  return { guardPid: pid, terminal: readlinkSync(`/proc/${pid}/fd/0`), edgectl: program };
}

function giveTo(user: number, folder: string): void {
  for (const one of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(join(folder, one), user, user);
}

/** Returns the reason why the tests with another user cannot run; undefined if the tests can run. */
function findLack(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start programs of other users';
  const attempt = spawnSync('setpriv', [
    '--reuid',
    String(guardUser),
    process.execPath,
    program,
    '--version',
  ]);
  return attempt.status === 0 ? undefined : 'another user cannot run this checkout';
}

export const lack = findLack();

/** Expects that an attack is refused and changes neither its key nor its object, unless the attack is declared to succeed. */
export async function expectRefused(setting: Setting, way: Way): Promise<void> {
  const result = results[setting]?.[way.name] ?? 'not tried';
  const possible = way.notPrevented?.[setting] ?? false;
  if (possible === true) return expect(result).not.toMatch(way.refused);
  if (possible === 'maybe' && !way.refused.test(result)) return undefined;
  expect(result).toMatch(way.refused);
  const target = targetOf(setting, way);
  for (const path of [keyPath(target), objectPath(target)])
    expect(await call('GET', path)).toMatchObject({ status: 200, text: 'stays' });
  const own = new RegExp(`(?<!own-)\\b${target}\\b`);
  const arrived = proxy.passed.filter(
    ({ method, path, body }) =>
      method !== 'GET' && own.test(path.includes('own-') ? path : `${path} ${body}`),
  );
  expect(arrived.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
}
