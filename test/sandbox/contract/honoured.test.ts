import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '../../../src/sandbox/contract/contract.ts';
import { listIgnoredParts } from '../../../src/sandbox/traffic/notes.ts';
import { type HostnameSandbox, openHostnameSandbox, result } from '../hostnames/test-sandbox.ts';

let place: HostnameSandbox;
let paths: Readonly<Record<string, string>>;
beforeAll(async () => {
  place = await openHostnameSandbox();
  const { accountId } = place.sandbox.access();
  const account = `/accounts/${accountId}`;
  const json = (value: unknown) => ({ json: value });
  const { id: namespace } = await result<{ id: string }>(
    place.call('POST', `${account}/storage/kv/namespaces`, json({ title: 'one' })),
  );
  await place.call('PUT', `${account}/storage/kv/namespaces/${namespace}/values/key`, 'value');
  await place.call('POST', `${account}/r2/buckets`, json({ name: 'pictures' }));
  await place.call('PUT', `${account}/r2/buckets/pictures/objects/a%2Fb`, 'x');
  await place.add('shop.acme.com');
  paths = { account: accountId, zone: place.zoneId, namespace, bucket: 'pictures' };
});
afterAll(() => place.close());

const rows = Object.entries(contract).flatMap(([route, { query }]) =>
  route.startsWith('GET ') ? query.map((name) => [route, name.replace('.*', '.contains')] as const) : [],
);

/** Lists that are always empty in the sandbox, so a filter without results has no visible effect. */
const empty = ['durable_objects', 'workers/domains', 'pagerules'];

test('a declared query parameter of a list rejects invalid values, or changes the result', async () => {
  const ignored: string[] = [];
  for (const [route, name] of rows) {
    const path = route.slice(4).replace(/:(\w+)/g, (whole, key: string) => paths[key] ?? whole);
    if (path.includes(':') || empty.some((one) => path.includes(one))) continue;
    const plain = await place.call('GET', path);
    const other = await place.call('GET', `${path}?${name}=~none~`);
    if (other.status === 200 && other.text === plain.text) ignored.push(`${route} ${name}`);
  }
  expect(ignored).toEqual([]);
});

/** Calls whose body is not JSON, but a form or stored bytes. */
const withoutJson = [
  'PUT /accounts/:account/storage/kv/namespaces/:namespace/values/*key',
  'PUT /accounts/:account/r2/buckets/:bucket/objects/*key',
  'PUT /accounts/:account/workers/scripts/:script',
  'PUT /accounts/:account/workers/scripts/:script/content',
  'PATCH /accounts/:account/workers/scripts/:script/settings',
  'POST /accounts/:account/workers/scripts/:script/versions',
  'POST /zones/:zone/dns_records/import',
];

/** Returns the fields and query parameters that a route ignores in a call. */
function passedOver(name: string, body: unknown): string[] {
  const [method = '', route = ''] = name.split(' ');
  return listIgnoredParts({ method, route, query: 'odd=1', body: JSON.stringify(body) });
}

test('every route that changes something records unknown fields of the body and the query', () => {
  const changing = Object.keys(contract).filter((name) => /^(?:POST|PUT|PATCH|DELETE) /.test(name));
  const query = 'the query parameter odd is ignored';
  for (const name of changing) expect([name, passedOver(name, {})]).toEqual([name, [query]]);
  const silent = changing.filter(
    (name) => !passedOver(name, { odd: 1 }).includes('the field odd is unknown'),
  );
  expect(silent.filter((name) => !name.startsWith('DELETE ')).sort()).toEqual(withoutJson.sort());
});

test.each([
  [
    'scripts/:script/deployments',
    'POST',
    { versions: [{ version_id: 'x', odd: 1 }], annotations: { a: 'b' } },
    'versions.odd',
  ],
  [
    'scripts/:script/secrets-bulk',
    'PATCH',
    { secrets: { A: { text: 'x', odd: 1 }, B: null } },
    'secrets.*.odd',
  ],
  ['workers/:script/versions/latest', 'PATCH', { env: { A: { type: 'secret_text', odd: 1 } } }, 'env.*.odd'],
  ['scripts/:script/domains/records', 'PUT', { origins: [{ hostname: 'a.b', odd: 1 }] }, 'origins.odd'],
])('records an unknown field inside the body of %s', (path, method, body, field) => {
  const name = `${method} /accounts/:account/workers/${path}`;
  expect(passedOver(name, body).slice(1)).toEqual([`the field ${field} is unknown`]);
});

test('records an unknown field inside a record of a batch', () => {
  const body = { deletes: [{ id: 'x' }], patches: [{ id: 'x', ttl: 60 }], posts: [{ type: 'A', tttl: 60 }] };
  expect(passedOver('POST /zones/:zone/dns_records/batch', body).slice(1)).toEqual([
    'the field posts.tttl is unknown',
  ]);
});
