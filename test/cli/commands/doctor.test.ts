import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { remedyTextsFor } from '../../../src/cli/output/remedy-texts.ts';
import { folderChecks } from '../../../src/services/doctor/folders.ts';
import { formatAdvice } from '../../../src/text/problem.ts';
import { personWith } from '../../support/restricted.ts';
import { newPerson, type Person, type RunOptions, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { foldersIn, scratchFolder } from '../../support/world.ts';

let served: Served;

beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

interface Told {
  readonly grade: string;
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** Runs the doctor with --json; returns the exit code, and the checks by name. */
async function doctor(person: Person, argv: readonly string[] = [], options: RunOptions = {}) {
  const { code, out, err } = await runCommand(person, ['doctor', '--json', ...argv], options);
  const { grade, checks } = JSON.parse(out);
  const named: Readonly<Record<string, Told>> = Object.fromEntries(
    checks.map(({ name, ...told }: { readonly name: string } & Told) => [name, told]),
  );
  return { code, grade, err, out, named };
}

const rights = (named: Readonly<Record<string, Told>>, family: string) => {
  const told = named[`permission-${family}`];
  return [told?.grade, told?.['read'], told?.['write']];
};

test('reports every permission of a token that can read itself', async () => {
  const person = await personWith(served, ['API Tokens Read', 'Workers KV Storage Write', 'DNS Read']);
  const { code, grade, named } = await doctor(person);
  expect([code, grade]).toEqual([0, 'warning']);
  expect(rights(named, 'kv')).toEqual(['ok', true, true]);
  expect(rights(named, 'dns')).toEqual(['warning', true, false]);
  expect(rights(named, 'objects')).toEqual(['warning', false, false]);
  expect(rights(named, 'hostnames')).toEqual(['warning', false, false]);
  expect(named['permission-dns']?.['hint']).toContain('"DNS: Edit"');
  // A read-only profile needs no write permissions.
  expect(rights((await doctor(person, ['--read-only'])).named, 'dns')).toEqual(['ok', true, false]);
});

test('reports only the read permissions of a token that cannot read itself, and does not test write permissions', async () => {
  const person = await personWith(served, ['Workers R2 Storage Write', 'SSL and Certificates Read']);
  const before = served.proxy.passed.length;
  const { code, named } = await doctor(person);
  expect(code).toBe(0);
  expect(rights(named, 'objects')).toEqual(['ok', true, null]);
  expect(rights(named, 'hostnames')).toEqual(['ok', true, null]);
  expect(rights(named, 'kv')).toEqual(['warning', false, false]);
  const plain = await runCommand(person, ['doctor']);
  expect(plain.out).toMatch(
    /^unknown +permission-objects +Buckets and objects: read; whether changes are permitted is unknown/m,
  );
  const asked = served.proxy.passed.slice(before);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('reports the source of each value without showing credentials', async () => {
  const { accountId, apiToken } = served.sandbox.access();
  const person = { ...served.person, cwd: newPerson().cwd };
  const { EDGECTL_ACCOUNT_ID: _, ...env } = person.env;
  writeFileSync(join(person.cwd, 'edgectl.toml'), `name = "shop"\naccount_id = "${accountId}"\n`);
  const { named, out } = await doctor({ ...person, env });
  expect(named['account']?.message).toBe(`${accountId} (${join(person.cwd, 'edgectl.toml')}:2)`);
  expect(named['credentials']?.message).toBe('API token: the environment (EDGECTL_API_TOKEN)');
  expect(named['platform']?.['milliseconds']).toBeGreaterThanOrEqual(0);
  expect(out).not.toContain(apiToken);
  expect((await doctor(person)).named['account']?.message).toContain('(EDGECTL_ACCOUNT_ID)');
});

test('exits with 4 without credentials, but still runs the other checks', async () => {
  const { code, named, err } = await doctor(newPerson());
  expect([code, err]).toEqual([4, '']);
  expect(named['credentials']).toMatchObject({ grade: 'wrong', code: 'not-signed-in' });
  expect(Object.keys(named)).toEqual(expect.arrayContaining(['node', 'state-folder', 'terminal']));
});

test('exits with 7 and prints advice if a check fails', async () => {
  const refused = { ...served.person, env: { ...served.person.env, EDGECTL_API_TOKEN: 'another' } };
  expect(await doctor(refused)).toMatchObject({ code: 7, named: { 'sign-in': { grade: 'wrong' } } });
  const unreachable = { ...served.person.env, EDGECTL_API_BASE_URL: 'http://127.0.0.1:9/client/v4' };
  const { code, named } = await doctor({ ...served.person, env: unreachable });
  expect([code, named['platform']?.grade]).toEqual([7, 'wrong']);
  const person = newPerson(served.person.env);
  writeFileSync(join(person.cwd, 'edgectl.toml'), 'name = 3\n');
  expect((await doctor(person)).named['configuration']?.message).toContain('edgectl.toml:1:8');
  const { out } = await runCommand(person, ['doctor']);
  expect(out).toMatch(/^wrong {4}configuration/m);
  expect(out).toMatch(/\d wrong, \d+ warnings?\.\n$/);
});

test('reports a wrong clock and a token that expires soon', async () => {
  const ahead = (await doctor(served.person, [], { now: () => Date.now() + 3_600_000 })).named['clock'];
  expect(ahead).toMatchObject({ grade: 'wrong', hint: expect.stringContaining('NTP') });
  const behind = (await doctor(served.person, [], { now: () => Date.now() - 60_000 })).named['clock'];
  expect(behind?.message).toMatch(/^(?:59|60|61) s behind/);
  const expires = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const person = await personWith(served, ['DNS Write'], { expires_on: expires });
  expect((await doctor(person)).named['sign-in']).toMatchObject({
    grade: 'warning',
    message: expect.stringContaining('expires in 2 days'),
  });
});

test('reports folders and profile files that other users can access', async () => {
  const person = newPerson();
  const [state, profiles] = [join(person.home, 'state'), join(person.home, 'config', 'profiles')];
  for (const folder of [state, profiles]) mkdirSync(folder, { recursive: true });
  chmodSync(state, 0o777);
  writeFileSync(join(profiles, 'acme.json'), '{}');
  chmodSync(join(profiles, 'acme.json'), 0o644);
  const { named } = await doctor(person);
  expect(named['state-folder']).toMatchObject({ grade: 'wrong', mode: '0777' });
  expect(named['profile-files']?.['hint']).toContain(`chmod 600 ${join(profiles, 'acme.json')}`);
  expect(named['config-folder']?.grade).toBe('ok');
});

test('reports a binding with an invalid id, a binding with an unknown id, and a missing bucket', async () => {
  const id = await served.createNamespace();
  const person = newPerson(served.person.env);
  const write = (namespaces: readonly string[], bucket: string) =>
    writeFileSync(
      join(person.cwd, 'edgectl.toml'),
      [
        ...namespaces.map((one, at) => `[[kv_namespaces]]\nbinding = "KV${at}"\nid = "${one}"\n`),
        `[[objstore_buckets]]\nbinding = "B"\nbucket_name = "${bucket}"\n`,
      ].join(''),
    );
  const missing = 'f'.repeat(32);
  write([id, 'zz', missing], 'no-such-bucket');
  const { code, named } = await doctor(person);
  expect([code, named['bindings']?.grade]).toEqual([7, 'wrong']);
  const lines = named['bindings']?.message.split('\n') ?? [];
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('edgectl.toml:6: "zz" is not a valid namespace id');
  expect(lines[1]).toContain(`edgectl.toml:9: "${missing}" does not exist in the account`);
  expect(lines[2]).toContain('edgectl.toml:12: "no-such-bucket" does not exist in the account');
  // `kv key get` fails for the same reason.
  const get = await runCommand(person, ['kv', 'key', 'get', 'k', '--binding', 'KV1']);
  expect(get).toMatchObject({
    code: 2,
    err: expect.stringContaining('edgectl.toml:6: "zz" is not a valid namespace id'),
  });
  // Without credentials, only the form of the bindings is checked.
  const signedOut = await doctor({ ...person, env: {} });
  expect(signedOut.named['bindings']?.message).toContain('"zz" is not a valid namespace id');
  expect(signedOut.named['bindings']?.message).not.toContain('does not exist');
});

test('reports a damaged profile even if another profile is selected', async () => {
  const person = newPerson(served.person.env);
  const profiles = join(person.home, 'config', 'profiles');
  mkdirSync(profiles, { recursive: true });
  writeFileSync(join(profiles, 'other.json'), '{torn', { mode: 0o600 });
  const { code, named } = await doctor(person);
  expect(code).toBe(7);
  expect(named['profiles']).toMatchObject({
    grade: 'wrong',
    message: expect.stringContaining(`${join(profiles, 'other.json')} cannot be used`),
  });
});

test('reports read-only folders, and the flags and variables that choose other folders', async () => {
  const person = newPerson({ EDGECTL_SANDBOX_DIR: '/proc/sandbox' });
  // For root, the system reports every folder as writable, but nothing can be created in this folder.
  const { code, named } = await doctor(person, ['--sandbox']);
  expect(code).toBe(7);
  expect(named['sandbox-folder']).toMatchObject({
    grade: 'wrong',
    hint: expect.stringMatching(/--sandbox=DIR or EDGECTL_SANDBOX_DIR/),
  });
  const folders = { config: '/proc/c', state: '/proc/s', data: '/proc/d' };
  const hints = folderChecks({ folders, env: {} }).map((one) => formatAdvice(one, remedyTextsFor([])));
  expect(hints).toEqual(
    ['CONFIG', 'STATE', 'DATA'].map((name) => expect.stringContaining(`XDG_${name}_HOME`)),
  );
  const failed = await runCommand({ ...newPerson(), home: '/proc' }, [
    'kv',
    'namespace',
    'create',
    'A',
    '--sandbox',
  ]);
  expect(failed.err).toMatch(/--sandbox=DIR or EDGECTL_SANDBOX_DIR.*XDG_STATE_HOME/);
});

test('reports a subfolder that belongs to another user', () => {
  const home = scratchFolder('home');
  const folders = foldersIn(home);
  mkdirSync(join(folders.state, 'undo'), { recursive: true });
  const [stranger, uid] = [4242, process.getuid?.() ?? 0];
  if (uid === 0) chownSync(folders.state, stranger, stranger);
  else chmodSync(join(folders.state, 'undo'), 0o500);
  const checks = folderChecks({ folders, env: {} }, undefined, uid === 0 ? stranger : uid);
  expect(checks.find(({ name }) => name === 'state-folder')).toMatchObject({
    grade: 'wrong',
    message: expect.stringContaining('its subfolder undo is not writable'),
  });
});

test('reports the size, the colors and the name of the terminal', async () => {
  const person = newPerson({ TERM: 'xterm-256color' });
  const { out } = await runCommand(person, ['doctor'], { terminal: true });
  expect(out).toMatch(/^ok +terminal +100x30, 256 colors, TERM=xterm-256color$/m);
  const dumb = await runCommand(newPerson({ TERM: 'dumb' }), ['doctor'], { terminal: true });
  expect(dumb.out).toMatch(/^warning +terminal /m);
});

test('names the file that binds the folder to a profile', async () => {
  const person = newPerson();
  expect((await runCommand(person, ['profile', 'bind', 'sandbox'])).code).toBe(0);
  const { out } = await doctor(person);
  expect(out).toContain('"by": "folder"');
  expect(out).toContain(JSON.stringify(join(person.cwd, '.edgectl-profile')).slice(1, -1));
});
