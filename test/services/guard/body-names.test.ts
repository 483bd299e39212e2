import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBodyNames } from '../../../src/v4/body-names.ts';
import { readRequestFacts } from '../../../src/v4/request-facts.ts';
import { declaredRoutes } from '../../../src/v4/routes.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { foldersIn } from '../../support/world.ts';
import { type StartedGuard, startGuard } from './start-guard.ts';

const policy = `[[rule]]
name = "ours"
decision = "ask"
names = "ours:*"
[[rule]]
name = "prod protected"
decision = "deny"
names = "prod*"
[[rule]]
name = "rest"
decision = "allow"
`;

let served: Served;
let person: Person;
let guard: StartedGuard;
let namespace: string;
let parameters: Readonly<Record<string, string>>;

beforeAll(async () => {
  served = await openServed();
  person = newPerson(served.person.env);
  namespace = await served.createNamespace();
  parameters = { account: served.person.env['EDGECTL_ACCOUNT_ID'] ?? '', namespace };
  mkdirSync(foldersIn(person.home).config, { recursive: true });
  writeFileSync(join(foldersIn(person.home).config, 'policy.toml'), policy, { mode: 0o600 });
  guard = await startGuard(person);
});
afterAll(async () => {
  await guard.stop();
  await served.close();
});

function fill(path: string): string {
  return path.replace(/[:*](\w+)/g, (_, name: string) => parameters[name] ?? 'x1');
}

/** Every documented form of a body that contains a name. */
const bodies = (name: string): readonly unknown[] => [
  [name, 'other'],
  [{ key: name, value: 'v' }],
  { keys: ['other', name] },
  { title: name },
  { name },
  { hostname: name, service: name, zone_id: 'z1' },
  { domain: name },
  { pattern: name, script: name },
  { bucket: name },
  { script: name },
];

const named = declaredRoutes.filter((route) => findBodyNames(route) !== undefined);

/** Routes that create or list resources, whose path alone does not contain their names. */
const pathIsEnough =
  /^\/sandbox\/|\/(?:subdomain|versions|deployments|hold|subscription|tails|content|settings|edit)$|^\/graphql$|:\w+$/;

test('every write to a collection declares where its body contains names', () => {
  const missing = declaredRoutes
    .filter(
      ({ method, path }) => method === 'POST' || /\/(?:bulk|batch|objects|delete|get|import)$/.test(path),
    )
    .filter(({ method, path }) => method !== 'GET' && !pathIsEnough.test(path))
    .filter((route) => findBodyNames(route) === undefined);
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  expect(named.length).toBeGreaterThan(15);
});

test.each(named.filter((route) => findBodyNames(route)?.facts.includes('name') === true))(
  'a guard decides about the names in a body: $method $path',
  async ({ method, path }) => {
    const send = async (body: string) => guard.call(method, fill(path), { body });
    for (const body of [...bodies('prod:1'), '{', { name: 1 }]) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      expect(await send(text)).toMatchObject({ status: 403 });
    }
  },
);

test.each(named)('a body that cannot be read leaves the names unknown: $method $path', (route) => {
  const where = { target: 'production', client: 'test' };
  const twice = Buffer.from('{"key":"a","\\u006bey":"prod:1"}');
  const bodyOf = [
    undefined,
    Buffer.from('{'),
    Buffer.alloc(5 * 1024 * 1024),
    twice,
    () => undefined as never,
  ];
  for (const body of bodyOf) {
    const facts = readRequestFacts({ method: route.method, path: fill(route.path), body }, where);
    expect(facts.unnamed).toEqual(expect.arrayContaining([...(findBodyNames(route)?.facts ?? [])]));
  }
});

test('other names are allowed, a rule that asks does not hide one that denies, and the log contains the names', async () => {
  const bulk = fill('/accounts/:account/storage/kv/namespaces/:namespace/bulk');
  const put = (...keys: string[]) =>
    guard.call('PUT', bulk, { body: JSON.stringify(keys.map((key) => ({ key, value: 'v' }))) });
  expect((await put('a', 'b')).status).toBe(200);
  expect((await put('ours:1', 'prod:1')).text).toContain('prod protected');
  expect((await put('a', 'ours:1')).text).toContain('ours');
  const list = JSON.parse((await runCommand(person, ['audit', 'list', '--json'])).out);
  expect(list).toContainEqual(expect.objectContaining({ names: ['a', 'b'], count: 2, status: 200 }));
  expect(list.every(({ name }: { name?: string }) => name !== namespace)).toBe(true);
});

test('commands cannot put, get or delete a denied key in bulk', async () => {
  const run = (...argv: string[]) => runCommand(person, [...argv, '--namespace-id', namespace, '--yes']);
  const entries = join(person.cwd, 'entries.json');
  const keys = join(person.cwd, 'keys.json');
  writeFileSync(entries, '[{"key":"prod:1","value":"v"}]');
  writeFileSync(keys, '["prod:1"]');
  const put = await run('kv', 'bulk', 'put', entries);
  expect(put.err).toContain('prod protected');
  const removed = await run('kv', 'bulk', 'delete', keys);
  expect(removed.err).toContain('prod protected');
  const got = await runCommand(person, ['kv', 'bulk', 'get', keys, '--namespace-id', namespace]);
  expect([got.code, got.err]).toEqual([4, expect.stringContaining('prod protected')]);
  const tested = await runCommand(person, ['policy', 'test', 'PUT /accounts/a/storage/kv/namespaces/n/bulk']);
  expect(tested.out).toContain('Requires approval by rule "ours"');
  const command = await runCommand(person, ['policy', 'test', '--', 'kv', 'bulk', 'put', entries]);
  expect(command.out).toContain('Requires approval by rule "ours"');
});
