import { once } from 'node:events';
import { request } from 'node:http';
import Cloudflare, { APIError } from 'cloudflare';
import { startSandbox, type TestSandbox } from 'edgectl/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';

let sandbox: TestSandbox;
let client: Cloudflare;
let account_id: string;
let zone_id: string;
const hostname = 'shop.saas.sandbox';
const second = 'a5'.repeat(16);

beforeAll(async () => {
  const code = "export default { fetch: () => new Response('from the shop') };";
  const logo =
    "export default { fetch: async (_, { ASSETS }) => new Response((await ASSETS.get('logo')).body) };";
  const bucket = (body: string) => ({ name: 'assets', objects: [{ key: 'logo', body }] });
  const binding = { type: 'r2_bucket' as const, name: 'ASSETS', bucket_name: 'assets' };
  sandbox = await startSandbox({
    seed: {
      workers: ['shop', 'constructor'].map((name) => ({ name, code, routed: false })),
      buckets: [bucket('that of the first')],
      accounts: [
        { name: 'First' },
        {
          name: 'Second',
          id: second,
          buckets: [bucket('that of the second')],
          workers: [{ name: 'shop', code: logo, bindings: [binding] }],
          zones: [{ name: 'staging.demo' }],
        },
      ],
    },
  });
  ({ accountId: account_id, zoneId: zone_id } = sandbox);
  client = new Cloudflare({ apiToken: sandbox.apiToken, baseURL: sandbox.apiBaseUrl, maxRetries: 0 });
});
afterAll(() => sandbox.close());

/** Returns the status and error code of a refusal. */
async function refusal(asked: PromiseLike<unknown>): Promise<unknown> {
  const error = await Promise.resolve(asked).catch((thrown: unknown) => thrown);
  return error instanceof APIError ? [error.status, error.errors[0]?.code] : error;
}

async function visit(host = hostname): Promise<string> {
  const sent = request(`${sandbox.edgeUrl}/`, { headers: { host }, agent: false }).end();
  const [answer] = await once(sent, 'response');
  return `${answer.statusCode} ${Buffer.concat(await answer.toArray())}`.trim();
}

test('a list of custom domains reports the changes that it would make, and keeps domains of other workers', async () => {
  const other = 'other.saas.sandbox';
  const path = `/accounts/${account_id}/workers/scripts/shop/domains`;
  const record = { zone_id, type: 'A' as const, name: other, content: '192.0.2.1', ttl: 1 as const };
  const { id } = await client.dns.records.create(record);
  const { id: made } = await client.workers.domains.update({ account_id, hostname, service: 'constructor' });
  const body = [{ hostname: 'new.saas.sandbox' }, { hostname }, { hostname: other }];
  const changes = {
    added: [body[0]],
    updated: [{ id: made, modified: true }],
    conflicting: [body[2]],
    removed: [],
  };
  expect(await client.post(`${path}/changeset?replace_state=true`, { body })).toMatchObject({
    result: changes,
  });
  const put = (origins: object[], more: object = {}) =>
    client.put(`${path}/records`, { body: { origins, ...more } });
  expect(await refusal(put([{ hostname }]))).toEqual([409, 100117]);
  expect(await refusal(put([{ hostname: other }]))).toEqual([409, 100117]);
  expect(await refusal(put([{ hostname: 'shop.nowhere.demo' }]))).toEqual([400, 10012]);
  await put([{ hostname }], { override_existing_origin: true });
  expect(await client.get(`/accounts/${account_id}/workers/domains/records/${made}`)).toMatchObject({
    result: { service: 'shop' },
  });
  await put([]);
  expect((await client.workers.domains.list({ account_id })).result).toEqual([]);
  await client.dns.records.delete(id, { zone_id });
});

test('the edge serves a worker at its custom domain, with a DNS record, until the domain is deleted', async () => {
  const { domains } = client.workers;
  expect(await visit()).toContain('530');
  const made = await domains.update({ account_id, hostname, service: 'shop', zone_id });
  expect(made).toMatchObject({ hostname, service: 'shop', zone_id, zone_name: 'saas.sandbox' });
  expect(await domains.get(made.id, { account_id })).toEqual(made);
  expect((await domains.list({ account_id, hostname })).result).toEqual([made]);
  expect((await domains.list({ account_id, service: 'other' })).result).toEqual([]);
  const records = await client.dns.records.list({ zone_id, name: { exact: hostname } });
  expect(records.result).toMatchObject([{ type: 'AAAA', content: '100::', proxied: true }]);
  expect(await visit()).toBe('200 from the shop');
  await domains.delete(made.id, { account_id });
  expect(await visit()).toContain('530');
  expect(await refusal(domains.get(made.id, { account_id }))).toEqual([404, 100_114]);
});

test('a worker of another account answers at its domains and routes, with the bucket of its account', async () => {
  const { workers, zones } = client;
  expect(await visit('shop.localhost')).not.toContain('that of');
  expect(await visit(`shop.${second}.localhost`)).toBe('200 that of the second');
  const [zone] = (await zones.list({ account: { id: second } })).result;
  const there = { hostname: 'logo.staging.demo', service: 'shop', zone_id: zone?.id ?? '' };
  expect(await refusal(workers.domains.update({ account_id, ...there }))).toEqual([400, 10_012]);
  await workers.domains.update({ account_id: second, ...there });
  expect(await visit('logo.staging.demo')).toBe('200 that of the second');
  expect((await workers.domains.list({ account_id })).result).toEqual([]);
  const route = { zone_id, pattern: `${hostname}/*`, script: 'nobody' };
  expect(await refusal(workers.routes.create(route))).toEqual([404, 10_019]);
  const subdomain = await workers.subdomains.get({ account_id: second });
  expect(subdomain).toMatchObject({
    subdomain: second,
    edge_url: sandbox.edgeUrl.replace('://', `://${second}.`),
  });
});

test('a tail receives the runs of its own worker, not of a worker of the same name in another account', async () => {
  const path = (account: string) => `/accounts/${account}/workers/scripts/shop/tails`;
  const { result: tail } = await client.post<{ result: { id: string; url: string } }>(path(second), {});
  expect(await client.get(path(account_id))).toMatchObject({ result: null });
  expect(await refusal(client.delete(`${path(account_id)}/${tail.id}`))).toEqual([404, 10_059]);
  const socket = new WebSocket(tail.url, 'trace-v1');
  await once(socket, 'open');
  const heard = once(socket, 'message');
  await visit('shop.localhost');
  await visit(`shop.${second}.localhost`);
  const [message] = await heard;
  expect(JSON.parse(message.data)).toMatchObject({
    scriptName: 'shop',
    // Values that look like credentials are hidden; the account id is shown.
    event: { request: { url: 'http://shop.REDACTED.localhost/' } },
  });
  await client.delete(`${path(second)}/${tail.id}`);
});

test('a domain is deleted with its zone, and can be created in a new zone of the same name', async () => {
  const { domains } = client.workers;
  const make = () => client.zones.create({ account: { id: account_id }, name: 'second.demo' });
  const wanted = { account_id, hostname: 'shop.second.demo', service: 'shop' };
  const first = await make();
  await domains.update({ ...wanted, zone_id: first.id });
  const ofBucket = client.r2.buckets.domains.custom;
  const open = { account_id, domain: 'assets.second.demo', enabled: true, zoneId: first.id };
  await ofBucket.create('assets', open);
  await client.zones.delete({ zone_id: first.id });
  expect((await domains.list({ account_id })).result).toEqual([]);
  expect((await ofBucket.list('assets', { account_id })).domains).toEqual([]);
  const second = await make();
  expect(await domains.update({ ...wanted, zone_id: second.id })).toMatchObject({ zone_id: second.id });
  const records = await client.dns.records.list({ zone_id: second.id });
  expect(records.result).toMatchObject([{ name: wanted.hostname, type: 'AAAA' }]);
  await client.zones.delete({ zone_id: second.id });
});

test('rejects a domain without its worker or zone, or with conflicting records; deletes a domain with its worker', async () => {
  const { domains } = client.workers;
  const wanted = { account_id, hostname, service: 'shop', zone_id };
  expect(await refusal(domains.update({ ...wanted, service: 'nobody' }))).toEqual([404, 10_007]);
  expect(await refusal(domains.update({ ...wanted, hostname: 'shop.a.demo' }))).toEqual([400, 10_012]);
  const record = { zone_id, type: 'A' as const, name: hostname, content: '192.0.2.1', ttl: 1 as const };
  const { id } = await client.dns.records.create(record);
  expect(await refusal(domains.update(wanted))).toEqual([409, 100_117]);
  await client.dns.records.delete(id, { zone_id });
  const { schedules } = client.workers.scripts;
  const crons = await schedules.update('shop', { account_id, body: [{ cron: '*/5 * * * *' }] });
  expect(crons).toMatchObject({ schedules: [{ cron: '*/5 * * * *', created_on: expect.any(String) }] });
  expect(await schedules.get('shop', { account_id })).toEqual(crons);
  expect(await schedules.get('constructor', { account_id })).toEqual({ schedules: [] });
  const own = await schedules.update('constructor', { account_id, body: [{ cron: '0 0 * * *' }] });
  expect(own).toMatchObject({ schedules: [{ cron: '0 0 * * *' }] });
  const wrong = schedules.update('shop', { account_id, body: [{ cron: 'daily' }] });
  expect(await refusal(wrong)).toEqual([400, 10_100]);
  await domains.update(wanted);
  await client.workers.scripts.delete('shop', { account_id });
  expect((await domains.list({ account_id })).result).toEqual([]);
  expect((await client.dns.records.list({ zone_id, name: { exact: hostname } })).result).toEqual([]);
});
