import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Method } from '../../../src/v4/send.ts';
import { openTestSandbox, type TestSandbox } from '../test-sandbox.ts';

// Routes for which other tests cause only refusals. The answers of these routes are also compared with the SDK's types.

let place: TestSandbox;
let account: string;
let zone: string;

beforeAll(async () => {
  place = await openTestSandbox('in process');
  account = `/accounts/${place.sandbox.access().accountId}`;
  const [first] = await result('GET', '/zones');
  zone = `/zones/${first.id}`;
});
afterAll(() => place.close());

/** Returns the result of a call, which must succeed. */
async function result(method: Method, path: string, json?: unknown) {
  const reply = await place.call(method, path, json === undefined ? undefined : { json });
  expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
  return JSON.parse(reply.text).result;
}

test('stores, reads and deletes custom domains and event notifications of a bucket', async () => {
  const bucket = `${account}/r2/buckets/pictures`;
  await result('POST', `${account}/r2/buckets`, { name: 'pictures' });
  expect(await result('GET', `${bucket}/domains/managed`)).toMatchObject({ enabled: false });
  const domain = 'pictures.saas.sandbox';
  await result('POST', `${bucket}/domains/custom`, { domain, enabled: true, zoneId: zone.slice(7) });
  expect(await result('GET', `${bucket}/domains/custom/${domain}`)).toMatchObject({ domain });
  const queue = `${account}/event_notifications/r2/pictures/configuration/queues/${'a'.repeat(32)}`;
  await result('PUT', queue, { rules: [{ actions: ['PutObject'] }] });
  expect(await result('GET', queue)).toMatchObject({ queueId: 'a'.repeat(32) });
});

test('reads and changes settings, hostname and routes of a worker', async () => {
  const worker = `${account}/workers/scripts/shop`;
  place.sandbox.platform.registry().workers.create('shop');
  expect(await result('GET', `${worker}/script-settings`)).toMatchObject({ logpush: false });
  expect(await result('GET', `${worker}/subdomain`)).toMatchObject({ enabled: false });
  const routes = `${zone}/workers/routes`;
  const { id } = await result('POST', routes, { pattern: 'saas.sandbox/*', script: 'shop' });
  expect(await result('GET', `${routes}/${id}`)).toMatchObject({ script: 'shop' });
  expect(await result('PUT', `${routes}/${id}`, { pattern: 'saas.sandbox/a', script: 'shop' })).toMatchObject(
    {
      pattern: 'saas.sandbox/a',
    },
  );
  expect(await result('DELETE', `${routes}/${id}`)).toMatchObject({ id });
  expect(await result('DELETE', `${account}/workers/workers/shop`)).toBe(undefined);
});

test('lists and reads tokens and roles of an account', async () => {
  const tokens = `${account}/tokens`;
  const [group] = await result('GET', `${tokens}/permission_groups`);
  const resources = { [`com.cloudflare.api.account.${account.slice(10)}`]: '*' };
  const policies = [{ effect: 'allow', permission_groups: [{ id: group.id }], resources }];
  const { id } = await result('POST', tokens, { name: 'build', policies });
  expect(await result('GET', `${tokens}/${id}`)).toMatchObject({ name: 'build' });
  expect(await result('PUT', `${tokens}/${id}`, { name: 'deploy', policies })).toMatchObject({
    name: 'deploy',
  });
  expect(await result('PUT', `${tokens}/${id}/value`, {})).toEqual(expect.any(String));
  expect(await result('DELETE', `${tokens}/${id}`)).toMatchObject({ id });
  const [role] = await result('GET', `${account}/roles`);
  expect(await result('GET', `${account}/roles/${role.id}`)).toEqual(role);
});

// SDK ssl/certificate-packs/quota; the authors of @distilled.cloud/cloudflare received the code 1408 from the platform.
test('does not treat the path of the certificate quota as the id of a certificate pack', async () => {
  const packs = `${zone}/ssl/certificate_packs`;
  expect(await result('GET', `${packs}/quota`)).toEqual({ advanced: { allocated: 0, used: 0 } });
  const missing = await place.call('GET', `${packs}/00000000-0000-4000-8000-000000000000`);
  expect([missing.status, missing.code]).toEqual([404, 1408]);
});

// The SDK's examples of token policies, and the platform's published table "API Tokens Permissions".
test('uses the ids of the platform for permission groups', async () => {
  const groups: { id: string; name: string }[] = await result('GET', '/user/tokens/permission_groups');
  const ids = Object.fromEntries(groups.map(({ id, name }) => [name, id]));
  expect(ids).toMatchObject({
    'Zone Read': 'c8fed203ed3043cba015a93ad1616f1f',
    'DNS Read': '82e64a83756745bbbb1c9c2701bf816b',
    'Workers KV Storage Write': 'f7f0eda5697f475c90846e879bab8666',
    'Workers Scripts Write': 'e086da7e2179491d91ee5f35b3ca210a',
    'API Tokens Write': '686d18d5ac6c441c867cbf6771e58a0a',
  });
  expect(groups.every(({ id }) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length);
  expect(Object.keys(ids)).toContain('IP Prefixes: Read');
  expect(Object.keys(ids)).not.toContain('Workers Tail Write');
});

// "Wildcard custom hostnames require TXT-based validation": Cloudflare for SaaS, validate certificates.
test('rejects HTTP validation for a wildcard certificate', async () => {
  const hostnames = `${zone}/custom_hostnames`;
  const ssl = { method: 'http', type: 'dv', wildcard: true };
  const hostname = 'wild.acme.com';
  expect((await place.call('POST', hostnames, { json: { hostname, ssl } })).code).toBe(1434);
  const { id } = await result('POST', hostnames, { hostname, ssl: { ...ssl, method: 'txt' } });
  expect((await place.call('PATCH', `${hostnames}/${id}`, { json: { ssl } })).code).toBe(1434);
  const plain = { method: 'http', type: 'dv', wildcard: false };
  expect(await result('PATCH', `${hostnames}/${id}`, { ssl: plain })).toMatchObject({
    ssl: { method: 'http' },
  });
});

test('reads and changes the validation of a certificate', async () => {
  const [pack] = await result('GET', `${zone}/ssl/certificate_packs?status=all`);
  const wanted = { validation_method: 'txt' };
  expect(await result('PATCH', `${zone}/ssl/verification/${pack.id}`, wanted)).toMatchObject(wanted);
});
