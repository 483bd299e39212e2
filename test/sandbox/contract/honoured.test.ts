import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '../../../src/sandbox/contract/contract.ts';
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

/** Lists with nothing in them: a filter that finds nothing there is honoured. */
const empty = ['durable_objects', 'workers/domains', 'pagerules'];

test('a query parameter that a list says to honour refuses what it cannot be, or finds other rows', async () => {
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
