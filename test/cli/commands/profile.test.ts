import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownUid } from '../../../src/liveness.ts';
import { permissionFamilies } from '../../../src/model/permissions/token-permissions.ts';
import { findBound } from '../../../src/profiles/bound.ts';
import { newPerson, type Person, type RunOptions, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { scratchFolder } from '../../support/world.ts';

let served: Served;

beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

const at = () => ['--api-base-url', served.proxy.apiBaseUrl];
const list = async (person: Person) =>
  JSON.parse((await runCommand(person, ['profile', 'list', '--json'])).out);
const add = (person: Person, argv: readonly string[], options: RunOptions = {}) =>
  runCommand(person, ['profile', 'add', ...argv], options);

test('saves only credentials that the platform accepted, unless verification is off', async () => {
  const { apiToken, accountId } = served.sandbox.access();
  const person = newPerson();
  const refused = await add(person, ['acme', ...at()], { stdin: 'a-wrong-token' });
  expect(refused.code).toBe(4);
  expect(refused.err).toMatch(/nothing was saved\..*\n.*--no-verify/);
  const offline = ['acme', '--api-base-url', 'http://127.0.0.1:9/client/v4'];
  const unreachable = await add(person, offline, { stdin: apiToken });
  expect(unreachable.code).toBe(1);
  expect(unreachable.err).toContain('add --no-verify');
  expect(await list(person)).toHaveLength(1);
  expect((await add(person, [...offline, '--no-verify'], { stdin: apiToken })).out).toContain('not verified');
  const good = await add(person, ['live', ...at(), '--account-id', accountId, '--read-only'], {
    stdin: apiToken,
  });
  expect([good.code, good.out]).toEqual([0, 'Added profile "live".\n']);
  expect(good.err).toContain(
    'To use the profile: edgectl profile use live, or add --profile live to a command',
  );
  const used = await add(person, ['other', ...at(), '--use'], { stdin: apiToken });
  expect(used.err).not.toContain('To use the profile');
});

test('names the profile when rejecting malformed credentials', async () => {
  const cut = await add(newPerson(), ['acme', ...at()], { stdin: 'one\ntwo\n' });
  expect(cut.code).toBe(2);
  expect(cut.err).toContain('The API token (profile acme) is not valid: character 4 is U+000A.');
});

test('rejects an existing profile name before asking for a secret; --replace replaces the profile', async () => {
  const person = newPerson();
  await add(person, ['acme', '--no-verify'], { stdin: 'one' });
  const taken = await add(person, ['acme'], { answers: [] });
  expect([taken.code, taken.err]).toEqual([2, expect.stringContaining('--replace')]);
  expect(taken.err).not.toContain('API token:');
  expect((await add(person, ['acme', '--no-verify', '--replace'], { stdin: 'two' })).code).toBe(0);
});

test('lists profiles as JSON', async () => {
  const person = newPerson();
  await add(person, ['acme', '--no-verify', '--email', 'me@example.org', '--request-budget', '300'], {
    stdin: 'k',
  });
  writeFileSync(join(person.home, 'config', 'profiles', 'broken.json'), '{');
  expect(await list(person)).toEqual([
    expect.objectContaining({
      name: 'sandbox',
      builtIn: true,
      apiBaseUrl: null,
      signsInWith: null,
      fault: null,
    }),
    {
      name: 'acme',
      chosen: false,
      builtIn: false,
      bound: false,
      apiBaseUrl: 'https://api.cloudflare.com/client/v4',
      signsInWith: 'key',
      email: 'me@example.org',
      accountId: null,
      zoneId: null,
      requestBudget: 300,
      readOnly: false,
      locked: false,
      fault: null,
    },
    expect.objectContaining({ name: 'broken', fault: expect.stringContaining('broken.json') }),
  ]);
});

test('login prints the address of the token page with the permissions filled in, and opens the page only on a terminal', async () => {
  const bin = scratchFolder('bin');
  const opened = join(bin, 'opened');
  writeFileSync(join(bin, 'browse'), `#!/bin/sh\nprintf '%s %s' "$1" "$EDGECTL_API_KEY" > ${opened}\n`);
  chmodSync(join(bin, 'browse'), 0o755);
  const env = { BROWSER: 'browse', PATH: `${bin}${delimiter}/usr/bin:/bin`, EDGECTL_API_KEY: 'a-key' };
  const person = newPerson(env);
  const login = ['profile', 'login', 'acme', '--no-verify'];
  const piped = await runCommand(person, login, { stdin: 'a-token' });
  const [address = ''] = /https:\S+/.exec(piped.err) ?? [];
  const url = new URL(address);
  expect(url.origin + url.pathname).toBe('https://dash.cloudflare.com/profile/api-tokens');
  const keys = JSON.parse(url.searchParams.get('permissionGroupKeys') ?? '');
  expect(keys).toHaveLength(permissionFamilies.length + 1);
  expect(keys).toContainEqual({ key: 'workers_kv_storage', type: 'edit' });
  expect(url.searchParams.get('name')).toBe('edgectl acme');
  await runCommand(person, [...login, '--replace', '--no-browser'], { answers: ['a-token'], terminal: true });
  expect(existsSync(opened)).toBe(false);
  const typed = await runCommand(person, [...login, '--replace', '--read-only'], {
    answers: ['a-token'],
    terminal: true,
  });
  expect(typed.code).toBe(0);
  expect(typed.err).not.toContain('a-token');
  await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toMatch(/ $/));
  expect(decodeURIComponent(readFileSync(opened, 'utf8'))).toContain('"type":"read"');
});

test('binds a folder and its subfolders to a profile, unless a nearer binding overrides it', async () => {
  const person = newPerson();
  const below = { ...person, cwd: join(person.cwd, 'a', 'b') };
  mkdirSync(below.cwd, { recursive: true });
  await add(person, ['acme', '--no-verify'], { stdin: 'k' });
  expect((await runCommand(person, ['profile', 'bind', 'nobody'])).code).toBe(2);
  await runCommand(person, ['profile', 'bind', 'acme']);
  expect(readFileSync(join(person.cwd, '.edgectl-profile'), 'utf8')).toBe('acme\n');
  const report = async (who: Person, ...argv: readonly string[]) =>
    (await runCommand(who, ['doctor', ...argv])).out.match(/credentials +(.*)/)?.[1];
  expect(await report(below)).toBe('API token: profile acme, bound to this folder');
  expect(await report(below, '--sandbox')).toContain('profile sandbox, from the command line');
  expect(await report({ ...below, env: { EDGECTL_PROFILE: 'sandbox' } })).toContain('from EDGECTL_PROFILE');
  expect((await list(below)).map(({ bound }: { readonly bound: boolean }) => bound)).toEqual([false, true]);
  const elsewhere = await runCommand(below, ['profile', 'unbind']);
  expect([elsewhere.code, elsewhere.err]).toEqual([
    2,
    expect.stringContaining(join(person.cwd, '.edgectl-profile')),
  ]);
  const asked = await runCommand(person, ['profile', 'remove', 'acme']);
  expect([asked.code, asked.err]).toEqual([5, expect.stringContaining('its credentials would be removed')]);
  await runCommand(person, ['profile', 'remove', 'acme', '--yes', '--json']);
  const gone = await runCommand(below, ['kv', 'namespace', 'list']);
  expect([gone.code, gone.err]).toEqual([2, expect.stringContaining('edgectl profile unbind')]);
  await runCommand(person, ['profile', 'unbind']);
  expect(await report(below)).toBe('No credentials found');
});

test('reports and ignores a binding file that belongs to another user or is a symbolic link', async () => {
  const person = newPerson();
  const file = join(person.cwd, '.edgectl-profile');
  writeFileSync(file, 'sandbox\n');
  expect(findBound(person.cwd)?.name).toBe('sandbox');
  const uid = ownUid() ?? 0;
  const isRoot = uid === 0;
  // Only root can change a file's owner. Without root, the test reads the file as another user would.
  if (isRoot) chownSync(file, 65_533, 65_533);
  expect(() => findBound(person.cwd, { uid: isRoot ? uid : uid + 1 })).toThrow('belongs to the user with');
  if (isRoot) chownSync(file, uid, uid);
  writeFileSync(file, '../../etc\n');
  expect(() => findBound(person.cwd)).toThrow('does not contain a profile name');
  const linked = newPerson();
  symlinkSync(file, join(linked.cwd, '.edgectl-profile'));
  const { code, err } = await runCommand(linked, ['kv', 'namespace', 'list']);
  expect([code, err]).toEqual([2, expect.stringMatching(/is a symbolic link, so .*\n.*--profile/)]);
});
