import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../../src/sandbox/http/app.ts';
import type { Method } from '../../../src/v4/send.ts';
import { openTestSandbox, type Payload, type TestSandbox } from '../test-sandbox.ts';
import { commonCodes, knownParts } from './exercised.ts';

// Parameters, headers and error codes that occur in the OpenAPI document, or in clients generated from the document, and that no other test
// needs.

let place: TestSandbox;
let account: string;
let zone: string;

beforeAll(async () => {
  place = await openTestSandbox('in process');
  account = `/accounts/${place.sandbox.access().accountId}`;
  const [first] = await result('GET', '/zones');
  zone = `/zones/${first.id}`;
  await result('POST', `${account}/r2/buckets`, { name: 'pictures' });
  place.sandbox.platform.registry().workers.create('shop');
});
afterAll(() => place.close());

/** Returns the result of a call, which must succeed. */
async function result(method: Method, path: string, json?: unknown) {
  const reply = await place.call(method, path, json === undefined ? undefined : { json });
  expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
  return JSON.parse(reply.text).result;
}

async function readCode(method: Method, path: string, body?: Payload, headers?: Record<string, string>) {
  const signed = { authorization: `Bearer ${place.sandbox.access().apiToken}` };
  return (await place.call(method, path, body, { ...signed, ...headers })).code;
}

const ofAccount = routes.filter(({ pattern }) => pattern.startsWith('/accounts/:account'));

// The platform's error 7003: "Could not route to ..., perhaps your object identifier is invalid?"
test('every route of an account refuses a malformed account id', async () => {
  for (const { method, pattern } of ofAccount) {
    const path = pattern.replace(':account', 'not-an-id').replaceAll(/[:*]\w+/g, 'x');
    expect([method, pattern, await readCode(method, path)]).toEqual([method, pattern, 7003]);
  }
});

test('every route of a zone refuses a malformed zone id', async () => {
  const ofZone = routes.filter(({ pattern }) => pattern.startsWith('/zones/:zone'));
  for (const { method, pattern } of ofZone) {
    const path = pattern.replace(':zone', 'not-an-id').replaceAll(/[:*]\w+/g, 'x');
    expect([method, pattern, await readCode(method, path)]).toEqual([method, pattern, 7003]);
  }
});

// The authors of @distilled.cloud/cloudflare received these error codes from the platform.
test('routes of workers have their own error codes', async () => {
  const all = `${zone}/workers/routes`;
  const { id } = await result('POST', all, { pattern: 'saas.sandbox/codes', script: 'shop' });
  const strange = { json: { pattern: 'a*b.saas.sandbox/*' } };
  const orphan = { json: { pattern: 'saas.sandbox/*', script: 'nobody' } };
  for (const [method, path] of [
    ['POST', all],
    ['PUT', `${all}/${id}`],
  ] as const) {
    expect([method, await readCode(method, path, strange)]).toEqual([method, 10_022]);
    expect([method, await readCode(method, path, orphan)]).toEqual([method, 10_019]);
  }
  for (const method of ['GET', 'PUT', 'DELETE'] as const)
    expect([method, await readCode(method, `${all}/${'f'.repeat(32)}`, strange)]).toEqual([method, 10_009]);
});

const ofBucket = ofAccount.filter(({ pattern }) => /\/r2\/(?:buckets\/)?:bucket/.test(pattern));

// SDK r2/buckets: "Jurisdiction where objects in this bucket are guaranteed to be stored", cf-r2-jurisdiction.
test('every route of a bucket finds the bucket only in its jurisdiction, and reports a missing bucket', async () => {
  const found: unknown[] = [];
  for (const { method, pattern } of ofBucket) {
    const path = pattern.replace('/accounts/:account', account).replace(/[:*]key|:queue|:domain/g, 'x');
    const json = pattern.endsWith('/objects') ? ['a'] : { rules: [], enabled: true };
    const call = (bucket: string, headers: Record<string, string>) =>
      readCode(method, path.replace(':bucket', bucket), method === 'GET' ? undefined : { json }, headers);
    const codes = [await call('pictures', { 'cf-r2-jurisdiction': 'eu' }), await call('nobody', {})];
    if (codes.some((code) => code !== 10_006)) found.push([method, pattern, ...codes]);
  }
  expect(found).toEqual([]);
});

// SDK r2/buckets/objects, ObjectUploadParams: cf-r2-storage-class.
test('stores the storage class of the upload with an object, regardless of the class of its bucket', async () => {
  const object = `${account}/r2/buckets/pictures/objects/cold`;
  const signed = { authorization: `Bearer ${place.sandbox.access().apiToken}` };
  const put = (storage: string) =>
    place.call('PUT', object, 'x', { ...signed, 'cf-r2-storage-class': storage });
  expect((await put('Glacier')).code).toBe(10_040);
  expect((await put('InfrequentAccess')).envelope().result).toMatchObject({
    storage_class: 'InfrequentAccess',
  });
  expect((await place.call('GET', object)).headers['cf-r2-storage-class']).toBe('InfrequentAccess');
  expect(await result('GET', `${account}/r2/buckets/pictures/objects`)).toMatchObject([
    { key: 'cold', storage_class: 'InfrequentAccess' },
  ]);
});

test('finds domains of workers by each of their attributes', async () => {
  const hostname = 'shop.saas.sandbox';
  await result('PUT', `${account}/workers/domains`, {
    hostname,
    service: 'shop',
    zone_id: zone.slice(7),
    zone_name: 'saas.sandbox',
    environment: 'production',
  });
  const attributes = {
    hostname,
    service: 'shop',
    zone_id: zone.slice(7),
    zone_name: 'saas.sandbox',
    environment: 'production',
  };
  for (const list of ['domains', 'domains/records']) {
    for (const [name, value] of Object.entries(attributes)) {
      const at = (text: string) => result('GET', `${account}/workers/${list}?${name}=${text}`);
      expect([name, (await at(value)).length, (await at('nothing')).length]).toEqual([name, 1, 0]);
    }
  }
});

test('stores settings and the subdomain of a worker', async () => {
  const worker = `${account}/workers/scripts/shop`;
  const settings = {
    logpush: true,
    observability: { enabled: true },
    tags: ['a'],
    tail_consumers: [{ service: 'other' }],
  };
  expect(await result('PATCH', `${worker}/script-settings`, settings)).toMatchObject(settings);
  expect(await result('GET', `${worker}/script-settings`)).toMatchObject(settings);
  const subdomain = { enabled: true, previews_enabled: true };
  expect(await result('POST', `${worker}/subdomain`, subdomain)).toMatchObject(subdomain);
});

test('replaces and changes the fields of a DNS record', async () => {
  const records = `${zone}/dns_records`;
  const { id } = await result('POST', records, { type: 'A', name: 'www', content: '192.0.2.1' });
  const whole = {
    type: 'A',
    name: 'www.saas.sandbox',
    content: '192.0.2.2',
    ttl: 60,
    proxied: false,
    comment: 'one',
    tags: [],
  };
  expect(await result('PUT', `${records}/${id}`, whole)).toMatchObject(whole);
  const part = { name: 'api.saas.sandbox', type: 'A', proxied: true, comment: 'two', tags: [] };
  expect(await result('PATCH', `${records}/${id}`, part)).toMatchObject({ ...part, content: '192.0.2.2' });
});

// SDK user/tokens, Token.
test('stores the fields of a token, for a user and for an account', async () => {
  for (const owner of ['/user', account]) {
    const tokens = `${owner}/tokens`;
    const groups: { id: string; name: string }[] = await result('GET', `${tokens}/permission_groups`);
    const group = groups.find(({ name }) => name === 'Workers KV Storage Read');
    const policies = [
      {
        effect: 'allow',
        permission_groups: [{ id: group?.id }],
        resources: { [`com.cloudflare.api.account.${account.slice(10)}`]: '*' },
      },
    ];
    const times = { expires_on: '2027-01-01T00:00:00Z', not_before: '2026-01-01T00:00:00Z' };
    const condition = { request_ip: { in: ['192.0.2.0/24'] } };
    const { id } = await result('POST', tokens, { name: 'one', policies, condition, ...times });
    const changed = {
      name: 'two',
      status: 'disabled',
      condition: { request_ip: { in: ['198.51.100.0/24'] } },
    };
    expect(await result('PUT', `${tokens}/${id}`, { ...changed, policies, ...times })).toMatchObject({
      ...changed,
      ...times,
    });
    expect(await result('GET', `${tokens}/${id}`)).toMatchObject({ ...changed, ...times });
  }
});

test('rejects an empty title for a namespace', async () => {
  const id = await place.create('old');
  expect(await readCode('PUT', `${account}/storage/kv/namespaces/${id}`, { json: {} })).toBe(10_019);
});

test('deletes a value at the expiry in its query', async () => {
  const values = `${account}/storage/kv/namespaces/${await place.create()}/values/a`;
  const expiration = Math.floor(place.clock.now / 1000) + 3600;
  expect((await place.call('PUT', `${values}?expiration=${expiration}`, 'x')).status).toBe(200);
  expect((await place.call('GET', values)).headers['expiration']).toBe(String(expiration));
});

test('lists no code for a single route that any route can return', () => {
  for (const { method, pattern } of routes)
    for (const part of knownParts(`${method} ${pattern}`)) expect(commonCodes.has(Number(part))).toBe(false);
});
