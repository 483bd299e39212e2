import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
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
name = "prod places"
decision = "deny"
hostname = "prod*"
[[rule]]
name = "prod places"
decision = "deny"
bucket = "prod*"
[[rule]]
name = "prod places"
decision = "deny"
worker = "prod*"
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

const named = declaredRoutes.filter((route) => findBodyNames(route) !== undefined);

/** The paths of routes whose body needs no check for names, because the path is enough. */
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

const ns = '/accounts/:account/storage/kv/namespaces';
const bucket = '/accounts/:account/r2/buckets';

/**
 * Bodies from the provider's API reference, each with the position of the affected name. The rules of the policy use
 * `prod*` for names, hostnames, buckets and workers.
 */
const documented: readonly (readonly [route: string, body: (name: string) => unknown])[] = [
  [
    `PUT ${ns}/:namespace/bulk`,
    (key) => [
      { key: 'other', value: 'v' },
      { key, value: 'v' },
    ],
  ],
  [`DELETE ${ns}/:namespace/bulk`, (key) => ['other', key]],
  [`POST ${ns}/:namespace/bulk/delete`, (key) => ['other', key]],
  [`POST ${ns}/:namespace/bulk/get`, (key) => ({ keys: ['other', key] })],
  [`POST ${ns}`, (title) => ({ title })],
  [`PUT ${ns}/:namespace`, (title) => ({ title })],
  [`DELETE ${bucket}/:bucket/objects`, (key) => ['other', key]],
  [`POST ${bucket}`, (name) => ({ name })],
  [`POST ${bucket}/:bucket/domains/custom`, (domain) => ({ domain, zoneId: 'z1', enabled: true })],
  [
    'PUT /accounts/:account/workers/scripts/:script/secrets',
    (name) => ({ name, text: 't', type: 'secret_text' }),
  ],
  ['POST /zones', (name) => ({ name, account: {} })],
  ['POST /zones/:zone/custom_hostnames', (hostname) => ({ hostname, ssl: { method: 'http' } })],
  ['PUT /accounts/:account/workers/domains', (hostname) => ({ hostname, service: 'other', zone_id: 'z1' })],
  ['PUT /accounts/:account/workers/domains', (service) => ({ hostname: 'other', service, zone_id: 'z1' })],
  ['POST /zones/:zone/workers/routes', (host) => ({ pattern: `${host}.example.com/*`, script: 'other' })],
  ['POST /zones/:zone/workers/routes', (script) => ({ pattern: 'other.example.com/*', script })],
];

/**
 * The message of a refusal by a rule that denies names. An unknown name also matches this rule, even if a rule that asks about names comes
 * first.
 */
const refusedByName = /prod (?:protected|places).* forbids/;

test.each(documented)(
  'a guard refuses a denied name in the body of %s, and no other name',
  async (route, body) => {
    const [method = '', path = ''] = route.split(' ');
    const send = (content: unknown) =>
      guard.call(method, fill(path), {
        body: typeof content === 'string' ? content : JSON.stringify(content),
      });
    expect((await send(body('fine'))).text).not.toMatch(refusedByName);
    for (const content of [body('prod1'), '{', { unexpected: 1 }]) {
      const refused = await send(content);
      expect(refused.status).toBe(403);
      expect(refused.text).toMatch(refusedByName);
    }
  },
);

test.each([
  // Another spelling of the same hostname.
  ['POST /zones/:zone/custom_hostnames', { hostname: 'PROD.example.com.' }],
  [
    'POST /zones/:zone/custom_hostnames',
    { hostname: 'fine.example.com', 'ho\u017ftname': 'prod.example.com' },
  ],
  ['POST /zones/:zone/custom_hostnames', { hostname: '\uff50rod.example.com' }],
  ['DELETE /accounts/:account/r2/buckets/:bucket/domains/custom/prod.example.com', undefined],
  [
    'POST /zones/:zone/custom_hostnames',
    { hostname: 'example.com', ssl: { method: 'txt', type: 'dv', wildcard: true } },
  ],
  ['POST /zones/:zone/custom_hostnames', { hostname: '*.example.com' }],
  ['POST /zones/:zone/workers/routes', { pattern: 'PROD.example.com./*', script: 'w' }],
  ['POST /zones/:zone/workers/routes', { pattern: 'https://prod.example.com/shop', script: 'w' }],
  ['POST /zones/:zone/workers/routes', { pattern: '*.example.com/*', script: 'w' }],
  ['POST /zones/:zone/workers/routes', { pattern: '*example.com', script: 'w' }],
  // The old pattern is unknown.
  ['PUT /zones/:zone/workers/routes/:route', { pattern: 'fine.example.com/*', script: 'w' }],
  ['DELETE /zones/:zone/workers/routes/:route', undefined],
  // The platform appends the zone's name, which the request does not contain.
  ['POST /zones/:zone/dns_records', { type: 'A', name: 'fine', content: '192.0.2.1' }],
  ['PUT /zones/:zone/dns_records/:record', { type: 'A', name: 'fine', content: '192.0.2.1' }],
  ['PATCH /zones/:zone/dns_records/:record', { name: 'fine' }],
])('applies a rule about hostnames or names to %s with %j', async (route, body) => {
  const [method = '', path = ''] = route.split(' ');
  const sent = await guard.call(method, fill(path), body && { body: JSON.stringify(body) });
  expect(sent.status).toBe(403);
  expect(sent.text).toMatch(refusedByName);
});

test('a hostname with a wildcard, or the hostname of an old route, leaves only the hostname unknown', () => {
  const getFacts = (method: string, path: string, body: unknown) =>
    readRequestFacts(
      { method, path: fill(path), body: Buffer.from(JSON.stringify(body)) },
      { target: 'production', client: 'test' },
    );
  const routes = '/zones/:zone/workers/routes';
  const plain = getFacts('POST', routes, { pattern: 'http://WWW.example.com./shop/*', script: 'w' });
  expect(plain).toMatchObject({ hostname: 'www.example.com', worker: 'w' });
  const wildcard = getFacts('POST', routes, { pattern: '*.example.com/*', script: 'w' });
  expect(wildcard).toMatchObject({ hostname: undefined, worker: 'w', name: '*.example.com/*' });
  expect(wildcard.unnamed).toContain('hostname');
  expect(wildcard.unnamed).not.toContain('worker');
  const changed = getFacts('PUT', `${routes}/:route`, { pattern: 'www.example.com/*', script: 'w' });
  expect(changed).toMatchObject({ hostname: undefined, worker: 'w' });
  expect(changed.unnamed).toContain('hostname');
});

test.each(named)('leaves the names unknown if the body cannot be read: $method $path', (route) => {
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

test.each([
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-type': 'application/json;charset="UTF-16"' },
  { 'content-encoding': 'gzip' },
])('leaves the names unknown if a server could decode the body differently: %j', async (headers) => {
  const bulk = fill('/accounts/:account/storage/kv/namespaces/:namespace/bulk');
  const body = '[{"key":"+AHA-rod:1","value":"v"}]';
  expect((await guard.call('PUT', bulk, { body, headers })).text).toMatch(refusedByName);
  const utf8 = { 'content-type': 'application/json; charset=UTF-8' };
  expect((await guard.call('PUT', bulk, { body, headers: utf8 })).status).toBe(200);
});

test('allows other names, applies a rule that denies before a rule that asks, and logs the names', async () => {
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

test('reads the zone of a custom domain, and leaves a zone id in another spelling unknown', () => {
  const id = '0f2ac74b498b480219684c500dcbe05b';
  const getFacts = (method: string, path: string, body: unknown) =>
    readRequestFacts(
      { method, path: fill(path), body: Buffer.from(JSON.stringify(body)) },
      { target: 'production', client: 'test' },
    );
  const domain = (zoneId: string) =>
    getFacts('POST', '/accounts/:account/r2/buckets/:bucket/domains/custom', { domain: 'a.example', zoneId });
  const worker = (zone_id: string) =>
    getFacts('PUT', '/accounts/:account/workers/domains', { hostname: 'a.example', service: 'w', zone_id });
  for (const read of [domain, worker]) {
    expect(read(id)).toMatchObject({ zone: id });
    for (const other of [id.toUpperCase(), `{${id}}`, ` ${id}`]) {
      expect(read(other).zone).toBeUndefined();
      expect(read(other).unnamed).toContain('zone');
    }
  }
});

test('refuses a request with two values of a header that has one value', async () => {
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(guard.apiBaseUrl);
    const sent = request({
      hostname,
      port,
      method: 'PUT',
      path: `/client/v4${fill('/accounts/:account/storage/kv/namespaces/:namespace/values/k')}`,
      headers: [
        ...[
          'Host',
          `${hostname}:${port}`,
          'Authorization',
          `Bearer ${guard.apiToken}`,
          'Content-Length',
          '0',
        ],
        ...['Content-Type', 'text/plain', 'Content-Type', 'multipart/form-data; boundary=x'],
      ],
    });
    sent.on('response', async (answer) => {
      let text = '';
      for await (const part of answer) text += part;
      resolve({ status: answer.statusCode ?? 0, text });
    });
    sent.on('error', reject).end();
  });
  expect([status, text]).toEqual([400, expect.stringContaining('content-type must be sent only once')]);
});

test('leaves the names unknown if a parser that folds case as Unicode does finds another property', () => {
  const path = fill('/accounts/:account/storage/kv/namespaces/:namespace/bulk');
  // U+212A, the Kelvin sign: encoding/json of Go reads this property as "key".
  const body = Buffer.from('[{"key":"fine","\u212aey":"prod:1","value":"v"}]');
  const facts = readRequestFacts({ method: 'PUT', path, body }, { target: 'production', client: 'test' });
  expect(facts.unnamed).toContain('name');
});

test('leaves the names unknown in a list that is longer than the platform accepts, and counts its items', () => {
  const path = fill('/accounts/:account/storage/kv/namespaces/:namespace/bulk/delete');
  const read = (length: number) =>
    readRequestFacts(
      {
        method: 'POST',
        path,
        body: Buffer.from(JSON.stringify(Array.from({ length }, (_, index) => `k${index}`))),
      },
      { target: 'production', client: 'test' },
    );
  // Specification, Limits: up to 10,000 keys in a bulk request.
  expect(read(10_000).listed?.name).toHaveLength(10_000);
  expect(read(10_001)).toMatchObject({ count: 10_001, name: undefined });
  expect(read(10_001).unnamed).toContain('name');
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
  expect(tested.out).toContain('Denied by rule "prod protected"');
  const command = await runCommand(person, ['policy', 'test', '--', 'kv', 'bulk', 'put', entries]);
  expect(command.out).toContain('Denied by rule "prod protected"');
});
