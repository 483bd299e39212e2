import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import Cloudflare, { APIError } from 'cloudflare';
import { startSandbox, type TestSandbox } from 'edgectl/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';

let sandbox: TestSandbox;
let client: Cloudflare;
let zone_id: string;
const host = 'www.saas.sandbox';

beforeAll(async () => {
  const settings = { always_use_https: 'on', brotli: 'off' };
  sandbox = await startSandbox({
    seed: { zones: [{ name: 'small.demo', plan: 'free', settings }] },
  });
  zone_id = sandbox.zoneId;
  client = new Cloudflare({ apiToken: sandbox.apiToken, baseURL: sandbox.apiBaseUrl, maxRetries: 0 });
  await client.dns.records.create({
    zone_id,
    type: 'A',
    name: host,
    content: '192.0.2.1',
    proxied: true,
    ttl: 1,
  });
});
afterAll(() => sandbox.close());

const set = (id: string, value: unknown) => client.zones.settings.edit(id, { zone_id, value });

/** Returns the status and error code of a refusal. */
async function refusal(asked: PromiseLike<unknown>): Promise<unknown> {
  const error = await Promise.resolve(asked).catch((thrown: unknown) => thrown);
  return error instanceof APIError ? [error.status, error.errors[0]?.code] : error;
}

test('returns the default value of a setting until it is changed, and then the time of the change', async () => {
  expect(await client.zones.settings.get('min_tls_version', { zone_id })).toEqual({
    id: 'min_tls_version',
    value: '1.0',
    editable: true,
    modified_on: null,
  });
  const changed = await set('min_tls_version', '1.2');
  expect(changed).toMatchObject({ value: '1.2', modified_on: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(await client.zones.settings.get('min_tls_version', { zone_id })).toEqual(changed);
  expect(await client.zones.settings.get('ssl_recommender', { zone_id })).toMatchObject({ enabled: true });
});

test('lists all settings, and changes several settings together or not at all', async () => {
  const listed = await client.get<{ result: { id: string }[] }>(`/zones/${zone_id}/settings`);
  expect(listed.result.length).toBeGreaterThan(50);
  const body = {
    items: [
      { id: 'ipv6', value: 'off' },
      { id: 'webp', value: 'perhaps' },
    ],
  };
  expect(await refusal(client.patch(`/zones/${zone_id}/settings`, { body }))).toEqual([400, 1007]);
  expect(await client.zones.settings.get('ipv6', { zone_id })).toMatchObject({ value: 'on' });
  const both = {
    items: [
      { id: 'ipv6', value: 'off' },
      { id: 'http3', value: 'off' },
    ],
  };
  await client.patch(`/zones/${zone_id}/settings`, { body: both });
  expect(await client.zones.settings.get('ipv6', { zone_id })).toMatchObject({ value: 'off' });
});

test('a subscription changes the plan of a zone, which then has the features of the plan', async () => {
  const [{ id: zone_id = '' } = {}] = (await client.zones.list({ name: 'small.demo' })).result;
  const named = async () =>
    (await client.zones.plans.list({ zone_id })).result.filter((one) => one.is_subscribed);
  expect(await named()).toMatchObject([{ id: 'free', can_subscribe: false }]);
  await client.zones.subscriptions.update({ zone_id, rate_plan: { id: 'business' } });
  expect(await client.zones.subscriptions.get({ zone_id })).toMatchObject({ rate_plan: { id: 'business' } });
  expect(await client.zones.get({ zone_id })).toMatchObject({
    plan: { id: 'business' },
    meta: { page_rule_quota: 50 },
  });
  expect(await client.zones.plans.get('business', { zone_id })).toMatchObject({ name: 'Business Website' });
  const wrong = client.zones.subscriptions.create({ zone_id, rate_plan: { id: 'lite' } });
  await expect(wrong).rejects.toMatchObject({ status: 400 });
  await client.zones.subscriptions.create({ zone_id, rate_plan: { id: 'free' } });
});

test('rejects unknown settings, invalid values, and settings outside the plan', async () => {
  expect(await refusal(set('colour', 'on'))).toEqual([400, 1006]);
  expect(await refusal(set('ssl', 'always'))).toEqual([400, 1007]);
  expect(await refusal(set('advanced_ddos', 'off'))).toEqual([400, 1057]);
  const [small] = (await client.zones.list({ name: 'small.demo' })).result;
  expect(small).toMatchObject({ plan: { id: 'free' }, meta: { page_rule_quota: 3 } });
  const own = { zone_id: small?.id ?? '' };
  expect(await client.zones.settings.get('brotli', own)).toMatchObject({ value: 'off' });
  expect(await client.zones.settings.get('polish', own)).toMatchObject({ editable: false });
  expect(await refusal(client.zones.settings.edit('polish', { ...own, value: 'lossy' }))).toEqual([
    400, 1057,
  ]);
  expect(await client.zones.edit({ ...own, paused: true })).toMatchObject({ paused: true });
  expect(await refusal(client.zones.edit({ ...own, vanity_name_servers: ['ns1.small.demo'] }))).toEqual([
    400, 10_012,
  ]);
});

test('counts down development mode and ends it automatically', async () => {
  await set('development_mode', 'on');
  expect(await client.zones.get({ zone_id })).toMatchObject({ development_mode: expect.closeTo(10_800, -2) });
  await client.post('/sandbox/clock', { body: { seconds: 10_801 } });
  expect(await client.zones.settings.get('development_mode', { zone_id })).toMatchObject({
    value: 'off',
    time_remaining: 0,
  });
});

/** Returns the status, Location and body of a visit over HTTP. */
async function visit(path: string): Promise<unknown> {
  const sent = request(`${sandbox.edgeUrl}${path}`, { headers: { host }, agent: false }).end();
  const [answer] = await once(sent, 'response');
  const chunks = await answer.toArray();
  return {
    status: answer.statusCode,
    location: answer.headers.location,
    body: Buffer.concat(chunks).toString(),
  };
}

/** Returns the TLS version and the ALPN protocol of a handshake, or the code of the error that ends the handshake. */
async function handshake(options: object): Promise<string> {
  const { port } = new URL(sandbox.edgeTlsUrl ?? '');
  const socket = connect({ port: Number(port), servername: host, rejectUnauthorized: false, ...options });
  try {
    await once(socket, 'secureConnect');
    return `${socket.getProtocol()} ${socket.alpnProtocol}`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    socket.destroy();
  }
}

test('the edge rejects a forbidden TLS version during the handshake', async () => {
  expect(await handshake({})).toBe('TLSv1.3 false');
  await set('min_tls_version', '1.3');
  expect(await handshake({ maxVersion: 'TLSv1.2' })).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  await set('min_tls_version', '1.2');
  await set('tls_1_3', 'off');
  expect(await handshake({})).toBe('TLSv1.2 false');
  await set('tls_1_3', 'on');
});

test('the edge speaks HTTP/2 unless the zone disables it, and sends browsers HSTS', async () => {
  const strict_transport_security = { enabled: true, max_age: 300, include_subdomains: true };
  await set('security_header', { strict_transport_security });
  expect(await handshake({ ALPNProtocols: ['h2', 'http/1.1'] })).toBe('TLSv1.3 h2');
  const session = connectHttp2(sandbox.edgeTlsUrl ?? '', { servername: host, rejectUnauthorized: false });
  const stream = session.request({ ':path': '/two', ':authority': host });
  const [headers] = await once(stream, 'response');
  expect(headers).toMatchObject({
    ':status': 200,
    'strict-transport-security': 'max-age=300; includeSubDomains',
  });
  expect(Buffer.concat(await stream.toArray()).toString()).toContain('GET /two');
  session.close();
  await set('http2', 'off');
  expect(await handshake({ ALPNProtocols: ['h2', 'http/1.1'] })).toBe('TLSv1.3 http/1.1');
});

test('a reader that disconnects during an answer over HTTP/2 ends only its own request', async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => {
    response.write('begun');
    begun.resolve(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await client.put('/sandbox/origins', { body: { name: host, port } });
  await set('http2', 'on');
  const session = connectHttp2(sandbox.edgeTlsUrl ?? '', { servername: host, rejectUnauthorized: false });
  const stream = session.request({ ':path': '/', ':authority': host });
  await once(stream, 'data');
  const gone = once(
    (await begun.promise).on('error', () => undefined),
    'close',
  );
  stream.close();
  await gone;
  await client.delete('/sandbox/origins', { query: { name: host } });
  const next = session.request({ ':path': '/next', ':authority': host });
  expect(Buffer.concat(await next.toArray()).toString()).toContain('GET /next');
  session.close();
  server.close();
});

test('the edge redirects visits to HTTPS, and connects to origins with the TLS mode of the zone', async () => {
  expect(await visit('/a?b')).toMatchObject({ status: 200 });
  await set('always_use_https', 'on');
  expect(await visit('/a?b')).toMatchObject({ status: 301, location: `https://${host}/a?b` });
  await set('always_use_https', 'off');
  const server = createServer((_, response) => response.end('plain')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await client.put('/sandbox/origins', { body: { name: host, port } });
  expect(await visit('/')).toMatchObject({ status: 200, body: 'plain' });
  await set('ssl', 'full');
  expect(await visit('/')).toMatchObject({ status: 525 });
  await set('ssl', 'flexible');
  expect(await visit('/')).toMatchObject({ status: 200 });
  server.close();
});

test('a zone has its universal certificate and no page rules, and the account has one member', async () => {
  const [pack] = (await client.ssl.certificatePacks.list({ zone_id })).result;
  expect(pack).toMatchObject({
    type: 'universal',
    status: 'active',
    hosts: ['saas.sandbox', '*.saas.sandbox'],
  });
  const certificatePackID = pack?.id ?? '';
  expect(await client.ssl.certificatePacks.get(certificatePackID, { zone_id })).toEqual(pack);
  expect(await client.ssl.verification.get({ zone_id })).toMatchObject([
    { certificate_status: 'active', cert_pack_uuid: certificatePackID },
  ]);
  expect(await client.pageRules.list({ zone_id })).toEqual([]);
  const { accountId: account_id } = sandbox;
  const [member] = (await client.accounts.members.list({ account_id })).result;
  expect(member).toMatchObject({ status: 'accepted', roles: [{ name: expect.stringContaining('Super') }] });
  expect(await client.accounts.members.get(member?.id ?? '', { account_id })).toEqual(member);
});

test('renews the universal certificate before it expires by the sandbox clock', async () => {
  const endOf = async () => {
    const { port } = new URL(sandbox.edgeTlsUrl ?? '');
    const socket = connect({ port: Number(port), servername: host, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { valid_to } = socket.getPeerCertificate();
    socket.destroy();
    return Date.parse(valid_to);
  };
  const first = await endOf();
  expect(await endOf()).toBe(first);
  const days = 24 * 60 * 60;
  await client.post('/sandbox/clock', { body: { seconds: 91 * days } });
  expect(await endOf()).toBeGreaterThanOrEqual(first + 90 * days * 1000);
});
