import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personWith } from '../../support/restricted.ts';
import { newPerson, type Person, type RunOptions, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';

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

/** Runs it for a program: the exit code, and the checks by name. */
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

test('of a token that may read itself every right is known', async () => {
  const person = await personWith(served, ['API Tokens Read', 'Workers KV Storage Write', 'DNS Read']);
  const { code, grade, named } = await doctor(person);
  expect([code, grade]).toEqual([0, 'warning']);
  expect(rights(named, 'kv')).toEqual(['ok', true, true]);
  expect(rights(named, 'dns')).toEqual(['warning', true, false]);
  expect(rights(named, 'objects')).toEqual(['warning', false, false]);
  expect(rights(named, 'hostnames')).toEqual(['warning', false, false]);
  expect(named['permission-dns']?.['hint']).toContain('"DNS: Edit"');
  // A profile that only reads misses nothing.
  expect(rights((await doctor(person, ['--read-only'])).named, 'dns')).toEqual(['ok', true, false]);
});

test('of another one only what it may read is known, and nothing is written to find out', async () => {
  const person = await personWith(served, ['Workers R2 Storage Write', 'SSL and Certificates Read']);
  const before = served.proxy.passed.length;
  const { code, named } = await doctor(person);
  expect(code).toBe(0);
  expect(rights(named, 'objects')).toEqual(['ok', true, null]);
  expect(rights(named, 'hostnames')).toEqual(['ok', true, null]);
  expect(rights(named, 'kv')).toEqual(['warning', false, false]);
  const plain = await runCommand(person, ['doctor']);
  expect(plain.out).toMatch(
    /^unknown +permission-objects +Buckets and objects: read; whether to change them/m,
  );
  const asked = served.proxy.passed.slice(before);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('where each value comes from is said, and no credential', async () => {
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

test('without credentials it is exit code 4, and the rest is looked at all the same', async () => {
  const { code, named, err } = await doctor(newPerson());
  expect([code, err]).toEqual([4, '']);
  expect(named['credentials']).toMatchObject({ grade: 'wrong', code: 'not-signed-in' });
  expect(Object.keys(named)).toEqual(expect.arrayContaining(['node', 'state-folder', 'terminal']));
});

test('what is wrong is exit code 7, with what to do', async () => {
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

test('a clock that is wrong, and a token that ends soon', async () => {
  const ahead = (await doctor(served.person, [], { now: () => Date.now() + 3_600_000 })).named['clock'];
  expect(ahead).toMatchObject({ grade: 'wrong', hint: expect.stringContaining('NTP') });
  const behind = (await doctor(served.person, [], { now: () => Date.now() - 60_000 })).named['clock'];
  expect(behind?.message).toMatch(/^(?:59|60|61) s behind/);
  const expires = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const person = await personWith(served, ['DNS Write'], { expires_on: expires });
  expect((await doctor(person)).named['sign-in']).toMatchObject({
    grade: 'warning',
    message: expect.stringContaining('ends in 2 days'),
  });
});

test('folders and files of profiles that others can use', async () => {
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

test('the terminal: its size, its colours, and what it calls itself', async () => {
  const person = newPerson({ TERM: 'xterm-256color' });
  const { out } = await runCommand(person, ['doctor'], { terminal: true });
  expect(out).toMatch(/^ok +terminal +100x30, 256 colours, TERM=xterm-256color$/m);
  const dumb = await runCommand(newPerson({ TERM: 'dumb' }), ['doctor'], { terminal: true });
  expect(dumb.out).toMatch(/^warning +terminal /m);
});
