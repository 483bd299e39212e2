import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../../../src/sandbox/http/app.ts';
import { type Served, serve } from '../../../src/sandbox/http/serve.ts';
import {
  findConnectRefusal,
  routeProxyRequest,
  type ServedProxy,
  serveProxy,
} from '../../../src/sandbox/proxy/proxy.ts';
import { scratchFolder } from '../../support/world.ts';
import { raw, serverToken } from '../test-sandbox.ts';

const { now } = Date;
const random = randomBytes;
const folder = scratchFolder('proxy');
const warned: string[] = [];
let onWarning: ((message: string) => void) | undefined;
let sandbox: Sandbox;
let api: Served;
let proxy: ServedProxy;

beforeAll(async () => {
  sandbox = openSandbox({ kind: 'sandbox', folder, persistRoot: folder, now, random });
  api = await serve(sandbox, { port: 0, token: serverToken });
  proxy = await open();
});
afterAll(async () => {
  await proxy.close();
  await api.close();
  sandbox.close();
});

function open(): Promise<ServedProxy> {
  const warn = (message: string) => {
    warned.push(message);
    onWarning?.(message);
  };
  return serveProxy(api, { port: 0, now, random, warn, drain: 50 });
}

const zones = 'https://api.cloudflare.com/client/v4/zones';

/** Sends a request as Node does if HTTPS_PROXY is set. */
async function ask(url: string, ca: string | undefined, { url: through }: ServedProxy = proxy) {
  const agent = new Agent({ keepAlive: true, proxyEnv: { HTTPS_PROXY: through } });
  const authorization = `Bearer ${sandbox.access().apiToken}`;
  const sent = request(url, { agent, headers: { authorization }, ...(ca && { ca }) }).end();
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, body: JSON.parse(await text(answer)), agent };
}

/** Opens a connection through the proxy to the platform's host, without TLS. */
async function openTunnel({ url }: ServedProxy): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('CONNECT api.cloudflare.com:443 HTTP/1.1\r\nhost: api.cloudflare.com:443\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

test('connects a client that uses the platform’s host name to the API, which logs the requests', async () => {
  const { status, body, agent } = await ask(zones, proxy.authority);
  expect([status, body.result[0].name]).toEqual([200, 'saas.sandbox']);
  expect(sandbox.platform.traffic?.log.list({}).at(-1)).toMatchObject({
    path: '/zones',
    requestHeaders: { host: 'api.cloudflare.com' },
  });
  agent.destroy();
});

test('accepts a complete URL instead of CONNECT, as axios sends it', async () => {
  const headers = { host: 'whatever', authorization: `Bearer ${sandbox.access().apiToken}` };
  const answer = await raw(Number(new URL(proxy.url).port), { method: 'GET', path: zones, headers });
  expect(answer.status).toBe(200);
});

test('adds no credentials: the API rejects a request without a token', async () => {
  const answer = await raw(Number(new URL(proxy.url).port), { method: 'GET', path: zones });
  expect(answer.status).toBe(400);
});

test('refuses every other host, and reports each host once', async () => {
  const reason =
    'not for example.com:443. To let a program connect to this host directly, add the host to NO_PROXY.';
  for (let times = 0; times < 2; times += 1)
    await expect(ask('https://example.com/', proxy.authority)).rejects.toThrow('403');
  expect(warned.filter((message) => message.endsWith(reason))).toHaveLength(1);
});

test('reports a client that does not trust its certificate', async () => {
  const told = new Promise<string>((resolve) => {
    onWarning = resolve;
  });
  const socket = await openTunnel(proxy);
  const client = connectTls({ socket, servername: 'api.cloudflare.com' });
  const [fault] = await once(client, 'error');
  expect(fault.code).toBe('SELF_SIGNED_CERT_IN_CHAIN');
  socket.destroy();
  expect(await told).toContain('rejected the proxy’s certificate');
});

test('closes connections without TLS, even if the first bytes arrive with CONNECT, and does not report an untrusted certificate', async () => {
  const other = await open();
  const before = warned.length;
  const socket = connect(Number(new URL(other.url).port), '127.0.0.1').resume();
  socket.write('CONNECT api.cloudflare.com:443 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n');
  await once(socket, 'close');
  await other.close();
  expect(warned.slice(before)).toEqual([]);
});

test('curl accepts the certificate of the proxy', async ({ skip }) => {
  const authorization = `authorization: Bearer ${sandbox.access().apiToken}`;
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, proxy.authority);
  const env = { ...process.env, HTTPS_PROXY: proxy.url };
  const curl = spawn('curl', ['-sS', '--cacert', caFile, '-H', authorization, zones], { env });
  const started = await once(curl, 'spawn').then(
    () => true,
    () => false,
  );
  skip(!started, 'curl is not installed here');
  expect(JSON.parse(await text(curl.stdout))).toMatchObject({ success: true });
});

test('the proxy stops even if a connection is idle or has never sent anything', async () => {
  const other = await open();
  const { agent } = await ask(zones, other.authority, other);
  const gone = once(await openTunnel(other), 'close');
  await other.close();
  await gone;
  agent.destroy();
});

test.each([
  ['api.cloudflare.com:443', undefined],
  ['API.Cloudflare.com.:443', undefined],
  ['api.cloudflare.com:80', 'at the default port.'],
  ['api.cloudflare.com', 'at the default port.'],
  ['me:secret@example.com:443', 'not for example.com:443'],
  ['api.cloudflare.com:443@example.com:443', 'not for example.com:443'],
  ['me@here:secret@example.com:443', 'not for example.com:443'],
  ['a\u001b[31m:443', 'not for a\\e[31m:443'],
  ['x'.repeat(5000), `${'x'.repeat(200)}…`],
])('answers a connection to %j with the refusal %j', (target, refusal) => {
  if (refusal === undefined) expect(findConnectRefusal(target)).toBeUndefined();
  else expect(findConnectRefusal(target)).toContain(refusal);
  expect(findConnectRefusal(target) ?? '').not.toMatch(/secret|\u001b/);
  // A client that bypasses the proxy would reach the production platform.
  if (target.startsWith('api.') && !target.includes('@'))
    expect(findConnectRefusal(target) ?? '').not.toContain('NO_PROXY');
});

test.each([
  ['https://api.cloudflare.com/client/v4/zones?name=a', { path: '/client/v4/zones?name=a' }],
  ['http://api.cloudflare.com/client/v4/zones', { refusal: expect.stringContaining('only accepts https') }],
  ['https://api.cloudflare.com:8443/', { refusal: expect.stringContaining('default port') }],
  ['http://me:secret@db.internal:5432/', { refusal: expect.stringContaining('not for db.internal:5432') }],
  ['/client/v4/zones', { refusal: expect.stringContaining('HTTPS_PROXY') }],
])('routes or refuses a request for %s', (url, route) => {
  expect(routeProxyRequest(url)).toEqual(route);
});
