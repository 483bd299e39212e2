import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findConfig } from '../../../src/config/find.ts';
import { openProject } from '../../../src/config/project.ts';
import { ownUid } from '../../../src/liveness.ts';
import { joinFolders } from '../../../src/model/settings.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { trustedFolders } from '../../../src/services/session/settings.ts';
import { buildLocalWorker } from '../../../src/services/workers/dev-worker.ts';
import { program, userEnvironment } from '../../support/program.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';

// Issue 23, item 1: content from a repository or from another user requires one confirmation. Before the confirmation, the content can only
// add restrictions.

let served: Served;
let namespace: string;

beforeAll(async () => {
  served = await openServed();
  const person = await withProfile('dev');
  const made = await runCommand(person, ['kv', 'namespace', 'create', 'KV', '--profile', 'dev', '--json']);
  namespace = /"id": ?"([0-9a-f]{32})"/.exec(made.out)?.[1] ?? '';
});
afterAll(() => served.close());

/** Creates a user with sandbox profiles; the first profile is selected. A profile whose name ends in -ro is read-only. */
async function withProfile(...names: readonly string[]): Promise<Person> {
  const { apiToken, accountId } = served.sandbox.access();
  const person = newPerson();
  for (const name of names) {
    const flags = ['--api-base-url', served.proxy.apiBaseUrl, '--account-id', accountId, '--no-verify'];
    const readOnly = name.endsWith('-ro') ? ['--read-only'] : [];
    const use = name === names[0] ? ['--use'] : [];
    await runCommand(person, ['profile', 'add', name, ...flags, ...readOnly, ...use], { stdin: apiToken });
  }
  return person;
}

const put = (...more: readonly string[]) => [
  'kv',
  'key',
  'put',
  'k',
  'v',
  '--namespace-id',
  namespace,
  ...more,
];
const list = () => ['kv', 'key', 'list', '--namespace-id', namespace];
const commit = (person: Person, name: string) =>
  writeFileSync(join(person.cwd, '.edgectl-profile'), `${name}\n`);

test('only reads without a terminal if the profile of a folder was not accepted, and asks once on a terminal', async () => {
  const person = await withProfile('dev', 'live');
  commit(person, 'live');
  const file = join(person.cwd, '.edgectl-profile');
  expect(await runCommand(person, list())).toMatchObject({ code: 0 });
  const refused = await runCommand(person, put('--yes'));
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining(`the profile has not been accepted in ${file}`),
  ]);
  expect(refused.err).toContain('edgectl profile bind');
  const declined = await runCommand(person, put(), { answers: ['n'] });
  expect([declined.code, declined.err]).toEqual([
    2,
    expect.stringContaining(`${file} asks edgectl to use the profile "live"`),
  ]);
  const accepted = await runCommand(person, put(), { answers: ['y'] });
  expect([accepted.code, accepted.err]).toEqual([
    0,
    expect.stringMatching(/Acting on .* of profile live \(.*\.edgectl-profile\)/),
  ]);
  expect(await runCommand(person, put())).toMatchObject({ code: 0 });
  commit(person, 'dev');
  expect(await runCommand(person, put()), 'the chosen profile needs no acceptance').toMatchObject({
    code: 0,
  });
  commit(person, 'sandbox');
  expect(await runCommand(person, ['kv', 'namespace', 'create', 'X'])).toMatchObject({ code: 2 });
});

test("accepts a folder's profile when the user binds it, and needs no acceptance for an explicit profile", async () => {
  const person = await withProfile('dev', 'live');
  await runCommand(person, ['profile', 'bind', 'live']);
  expect(await runCommand(person, put())).toMatchObject({ code: 0 });
  const other = await withProfile('dev', 'live');
  commit(other, 'live');
  expect(await runCommand(other, put('--profile', 'live'))).toMatchObject({ code: 0 });
});

test('keeps a read-only chosen profile read-only in a folder that is bound to another profile', async () => {
  const person = await withProfile('dev-ro', 'live');
  await runCommand(person, ['profile', 'bind', 'live']);
  const refused = await runCommand(person, put());
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('the active profile is read-only'),
  ]);
  expect(await runCommand(person, put('--profile', 'live'))).toMatchObject({ code: 0 });
});

test('ignores EDGECTL_READ_ONLY=0 if the profile or the setting is read-only, and suggests no workaround', async () => {
  const variable = { EDGECTL_READ_ONLY: '0' };
  const { home, cwd } = await withProfile('dev-ro', 'live');
  const person = { home, cwd, env: variable };
  const refused = await runCommand(person, put());
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('Read-only (its profile is read-only)'),
  ]);
  expect(refused.err).not.toContain('EDGECTL_READ_ONLY');
  expect(await runCommand(person, put('--profile', 'live'))).toMatchObject({ code: 0 });
  await runCommand(person, ['setting', 'set', 'read-only', 'production']);
  expect(await runCommand(person, put('--profile', 'live'))).toMatchObject({ code: 2 });
  expect((await runCommand(person, put('--read-only'))).err).not.toMatch(/leave|unset/i);
});

/**
 * Creates a user below a folder with another user's configuration. Without root rights, the test cannot create such a file, and uses root's
 * folder.
 */
async function belowStranger(): Promise<{ person: Person; file: string }> {
  const { home, cwd } = await withProfile('dev');
  const below = join(cwd, 'below');
  mkdirSync(below);
  const file = join(cwd, 'edgectl.toml');
  writeFileSync(file, `[[kv_namespaces]]\nbinding = "KV"\nid = "${namespace}"\n`);
  if (ownUid() === 0) chownSync(file, 65_533, 65_533);
  return { person: { home, cwd: below, env: {} }, file };
}

const bound = ['kv', 'key', 'list', '--binding', 'KV'];

test.runIf(ownUid() === 0)('refuses the configuration of another user if there is no terminal', async () => {
  const { person, file } = await belowStranger();
  const refused = await runCommand(person, [...bound, '--yes']);
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining(`${file} belongs to the user with the id 65533`),
  ]);
  expect(refused.err).toContain(`--config ${file}`);
  expect(refused.err).toContain('setting set trusted-folders');
  expect(await runCommand(person, [...bound, '--config', file])).toMatchObject({ code: 0 });
  // Commands that need no configuration do not read the file.
  expect(await runCommand(person, ['setting', 'list'])).toMatchObject({ code: 0 });
  expect(await runCommand(person, ['kv', 'key', 'list', '--namespace-id', 'n', '--local'])).toMatchObject({
    code: 2,
  });
  await runCommand(person, ['setting', 'set', 'trusted-folders', `/nowhere:${join(file, '..')}`]);
  expect(await runCommand(person, bound)).toMatchObject({ code: 0 });
});

test.runIf(ownUid() === 0)('asks once on a terminal about a configuration of another user', async () => {
  const { person, file } = await belowStranger();
  expect(await runCommand(person, bound, { answers: ['n'] })).toMatchObject({ code: 2 });
  const asked = await runCommand(person, bound, { answers: ['y'] });
  expect([asked.code, asked.err]).toEqual([0, expect.stringContaining(`Use ${file}`)]);
  expect(await runCommand(person, bound)).toMatchObject({ code: 0 });
  const settings = JSON.parse(readFileSync(join(person.home, 'config', 'settings.json'), 'utf8'));
  expect(settings['trusted-folders']).toBe(join(file, '..'));
});

test.runIf(ownUid() === 0)(
  "trusts a configuration of the working directory's owner as root, as in a container",
  async () => {
    const { person, file } = await belowStranger();
    expect(await runCommand(person, bound)).toMatchObject({ code: 2 });
    for (const folder of [person.cwd, join(file, '..')]) chownSync(folder, 65_533, 65_533);
    expect(await runCommand(person, bound)).toMatchObject({ code: 0 });
  },
);

test.runIf(ownUid() === 0)(
  'names a folder that belongs to another user, and does not use its content',
  async () => {
    const { file } = await belowStranger();
    chownSync(file, 0, 0);
    chownSync(join(file, '..'), 65_533, 65_533);
    const folder = join(file, '..');
    await expect(findConfig({ cwd: join(folder, 'below') })).rejects.toThrow(
      `${folder} belongs to another user`,
    );
  },
);

// docs/threat-model.md: a `.edgectl-profile` that cannot be used is an error; otherwise the command would act with the chosen profile in
// that folder.
test('refuses a folder’s profile that this user cannot read, and does not ignore it', () => {
  const folder = scratchFolder('unreadable');
  const below = join(folder, 'below');
  mkdirSync(below);
  for (const one of [folder, below]) chmodSync(one, 0o755);
  const file = join(folder, '.edgectl-profile');
  writeFileSync(file, 'staging\n');
  chmodSync(file, 0o000);
  // Root can read any file, so the test uses another uid.
  const uid = ownUid() === 0 ? { uid: 12_345 } : {};
  const options = { ...uid, cwd: below, env: userEnvironment('/'), encoding: 'utf8' } as const;
  const ran = spawnSync(process.execPath, [program, 'kv', 'namespace', 'list'], options);
  expect(ran).toMatchObject({ status: 2, stdout: '' });
  expect(ran.stderr).toContain(`${file} cannot be read: permission denied`);
});

// docs/threat-model.md, "configuration in the working directory or above it, and `.dev.vars` next to it": the same rule applies to both
// files.
test.runIf(ownUid() === 0)(
  'trusts secrets next to a configuration under the same conditions as the configuration',
  async () => {
    const person = newPerson();
    const at = (name: string) => join(person.cwd, name);
    writeFileSync(at('edgectl.toml'), 'name = "w"\nmain = "w.js"\ncompatibility_date = "2026-11-01"\n');
    writeFileSync(at('w.js'), 'export default {};');
    writeFileSync(at('.dev.vars'), 'KEY=text\n');
    chownSync(at('.dev.vars'), 65_533, 65_533);
    const build = async (configPath?: string) => {
      const world = testWorld({ cwd: person.cwd });
      const session = await openSession(world, { local: true, configPath } as never, { note() {} } as never);
      return (await buildLocalWorker(session, {})).worker.bindings;
    };
    const secret = [{ type: 'secret_text', name: 'KEY', text: 'text' }];
    expect(await build(at('edgectl.toml')), 'named').toEqual(secret);
    await expect(build()).rejects.toMatchObject({
      code: 'config-invalid',
      message: `${at('.dev.vars')} belongs to the user with the id 65533, not to you; edgectl does not use it.`,
      remedy: { kind: 'accept-config', file: at('edgectl.toml'), folders: person.cwd },
    });
    chownSync(at('.dev.vars'), 0, 0);
    expect(await build()).toEqual(secret);
    // If the file exists but cannot be read, the worker must not run without its secrets.
    rmSync(at('.dev.vars'));
    expect(await build(at('edgectl.toml'))).toEqual([]);
    mkdirSync(at('.dev.vars'));
    await expect(build(at('edgectl.toml'))).rejects.toMatchObject({
      code: 'config-invalid',
      message: `Cannot read ${at('.dev.vars')}: it is a folder.`,
    });
  },
);

test.runIf(ownUid() === 0)('reads exactly the configuration that was checked', async () => {
  const { file } = await belowStranger();
  const judged: unknown[] = [];
  const accept = async (_path: string, doubt: unknown) => {
    judged.push(doubt);
    if (judged.length > 1) throw new Error('refused');
    // Another user replaces the file after the question, before the file is read.
    rmSync(file);
    writeFileSync(file, 'main = "theirs.js"\n');
    chownSync(file, 65_532, 65_532);
  };
  await expect(openProject({ cwd: join(file, '..', 'below'), accept })).rejects.toThrow('refused');
  expect(judged).toEqual([65_533, 65_532].map((owner) => ({ path: file, fault: 'owner', owner })));
});

test('trusts a folder with a colon in its path', async () => {
  const person = newPerson();
  const folders = ['/srv/a:b', '/srv/c'];
  const set = ['setting', 'set', 'trusted-folders', joinFolders(folders)];
  expect(await runCommand(person, set)).toMatchObject({ code: 0 });
  const world = testWorld({ folders: foldersIn(person.home) });
  expect(trustedFolders(world)).toEqual(folders);
  for (const wrong of ['', '/srv/a:b', '/srv::/c'])
    expect(await runCommand(person, ['setting', 'set', 'trusted-folders', wrong])).toMatchObject({ code: 2 });
});
