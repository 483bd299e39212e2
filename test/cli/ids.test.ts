import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, runCommand } from '../support/run-command.ts';
import { openServed, type Served } from '../support/served.ts';

let served: Served;

beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

const good = '0123456789abcdef0123456789abcdef';

/** Runs a command that must fail with a usage error, and verifies that no request was sent. */
async function refused(
  argv: readonly string[],
  { config = '', env = {} }: { config?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const person = newPerson({ ...served.person.env, ...env });
  if (config !== '') writeFileSync(join(person.cwd, 'edgectl.toml'), config);
  const from = served.proxy.passed.length;
  const ran = await runCommand(person, argv);
  expect(ran, ran.err).toMatchObject({ code: 2, out: '' });
  expect(served.proxy.passed.length).toBe(from);
  return ran.err.replaceAll(person.cwd, '.');
}

test.each([
  [['kv', 'namespace', 'list', '--account-id', 'abc'], '--account-id: "abc" is not a valid account id'],
  [['hostname', 'list', '--zone-id', 'abc'], '--zone-id: "abc" is not a valid zone id'],
  [['hostname', 'list', '--zone-id', good.toUpperCase()], 'expected 32 lower-case hex digits'],
  [['kv', 'key', 'list', '--namespace-id', 'zzz'], '--namespace-id: "zzz" is not a valid namespace id'],
  [['kv', 'key', 'list', '--namespace-id='], '--namespace-id: "" is not a valid namespace id'],
  [['kv', 'namespace', 'delete', '--namespace-id', `${good}0`, '--yes'], 'is not a valid namespace id'],
  [
    ['kv', 'copy', '--namespace-id', good, '--to-namespace-id', 'x'],
    '--to-namespace-id: "x" is not a valid namespace id',
  ],
  [
    ['kv', 'copy', '--namespace-id', good, '--to-namespace-id', good, '--to-account-id', 'x'],
    '--to-account-id: "x" is not a valid account id',
  ],
  [['kv', 'copy', '--namespace-id', 'a', '--local', '--to-namespace-id', 'b'], '--to-namespace-id: "b"'],
  [['kv', 'key', 'list', '--local', '--namespace-id', '../x'], 'a folder name'],
  [['kv', 'key', 'list', '--local', '--namespace-id', '..'], 'a folder name'],
  [
    ['kv', 'key', 'put', 'k', 'v', '--namespace-id', 'SESSIONS'],
    'edgectl kv namespace list shows the ids; --binding takes a name. With --local, the value is the name of a local data folder.',
  ],
  [['profile', 'add', 'p', '--zone-id', 'zone'], '--zone-id: "zone" is not a valid zone id'],
  [['sandbox', 'dns', 'set', 'x.com', 'A'], 'The A record of x.com has no content.'],
])('rejects the arguments %j: %s', async (argv, said) => {
  expect(await refused(argv)).toContain(said);
});

test.each([
  [{ EDGECTL_ACCOUNT_ID: 'abc' }, 'EDGECTL_ACCOUNT_ID: "abc" is not a valid account id'],
  [{ EDGECTL_ZONE_ID: 'abc' }, 'EDGECTL_ZONE_ID: "abc" is not a valid zone id'],
  [
    {
      EDGECTL_API_TOKEN: '',
      EDGECTL_API_BASE_URL: '',
      EDGECTL_ACCOUNT_ID: '',
      CLOUDFLARE_API_TOKEN: 't',
      CLOUDFLARE_ACCOUNT_ID: 'abc',
    },
    'CLOUDFLARE_ACCOUNT_ID: "abc" is not a valid account id',
  ],
])('rejects an environment with %j', async (env, said) => {
  expect(await refused(['kv', 'namespace', 'list'], { env })).toContain(said);
});

test.each([
  [
    ['kv', 'key', 'list', '--binding', 'KV'],
    'name = "x"\n\n[[kv_namespaces]]\nbinding = "KV"\nid = "zzz"\n',
    'id of the binding "KV" at ./edgectl.toml:5: "zzz" is not a valid namespace id',
  ],
  [
    ['kv', 'key', 'list', '--binding', 'KV', '--preview', '--env', 'e'],
    `[env.e]\nkv_namespaces = [\n  { binding = "A" },\n  { binding = "KV", preview_id = "zzz" },\n]\n`,
    'preview_id of the binding "KV" at ./edgectl.toml:4: "zzz" is not a valid namespace id',
  ],
  [
    ['kv', 'key', 'list', '--binding', 'KV', '--local'],
    'kv_namespaces = [{ binding = "KV", id = "a/b" }]\n',
    'id of the binding "KV" at ./edgectl.toml:1: "a/b" cannot be the id of a namespace in local data',
  ],
  [
    ['kv', 'namespace', 'list', '--env', 'e'],
    'account_id = "abc"\n[env.e]\nname = "e"\n',
    'account_id at ./edgectl.toml:1: "abc" is not a valid account id',
  ],
])('rejects %j because of the configuration', async (argv, config, said) => {
  expect(await refused(argv, { config, env: { EDGECTL_ACCOUNT_ID: '' } })).toContain(said);
});

test('accepts any folder name as an id of local data', async () => {
  const person = newPerson();
  for (const id of ['7', 'sessions.v2', 'ÄÖ 1']) {
    const at = ['--local', '--namespace-id', id];
    expect(await runCommand(person, ['kv', 'key', 'put', 'k', id, ...at])).toMatchObject({ code: 0 });
    expect(await runCommand(person, ['kv', 'key', 'get', 'k', ...at])).toMatchObject({ code: 0, out: id });
  }
});
