import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardPolicy } from '../../../src/model/guard/policy.ts';
import { type Door, openDoor } from '../../../src/services/guard/door.ts';
import { openForwarder } from '../../../src/services/guard/forward.ts';
import { SharedReads } from '../../../src/services/guard/shared-reads.ts';
import { openTails } from '../../../src/services/guard/tails.ts';
import { withoutUndo } from '../../../src/services/guard/undo.ts';
import { openRequestPacer } from '../../../src/v4/budget.ts';
import { testWorld } from '../../support/world.ts';
import { heldByNobody } from './start-guard.ts';

let platform: Server;
let door: Door;
let apiBaseUrl: string;
/** The address that the platform returns for a log stream, and the requests that this address received. */
let stream: string;
/** Whether the platform returns a list of streams. */
let isList = false;
/** Whether the platform accepts a WebSocket. */
let accepts = true;
const seen: [string, string | undefined][] = [];

beforeAll(async () => {
  platform = createServer((request, response) => {
    seen.push([request.url ?? '', request.headers.authorization]);
    const result = { id: 't1', url: stream, expires_at: 'x' };
    const body = JSON.stringify({
      success: true,
      result: isList ? [result] : result,
      errors: [],
      messages: [],
    });
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
  // Accepts a WebSocket (RFC 6455, 4.2.2), sends a text frame, and closes.
  platform.on('upgrade', (request, socket) => {
    seen.push([request.url ?? '', request.headers.authorization]);
    if (!accepts) {
      // The connection stays open, so that further requests can arrive.
      socket.on('data', (data) => seen.push([`received ${data}`, undefined]));
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: trace-v1\r\n\r\n`,
    );
    socket.end(
      Buffer.concat([Buffer.from([0x81, 5]), Buffer.from('hello'), Buffer.from([0x88, 2, 0x03, 0xe8])]),
    );
  });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  const { port } = platform.address() as AddressInfo;
  apiBaseUrl = `http://127.0.0.1:${port}/client/v4`;
  stream = `ws://127.0.0.1:${port}/stream/secret`;
  const world = testWorld();
  const pacer = openRequestPacer({ budget: undefined, ...world });
  door = await openDoor({
    token: 'of-the-guard',
    policies: () => ({ deciding: [guardPolicy] }),
    forwarder: openForwarder(
      { apiBaseUrl, auth: () => ({ token: 'the-real-token' }), pacer: () => pacer, reads: new SharedReads() },
      {},
    ),
    recorder: { record: async () => async () => undefined },
    tails: openTails(world, apiBaseUrl),
    held: heldByNobody(world),
    undo: withoutUndo,
    world,
    facts: { target: 'production', client: 'wrangler' },
    port: 0,
    onRefusal: () => undefined,
  });
});
afterAll(async () => {
  await door.close();
  platform.close();
});

async function call(method: string, path: string, token = 'of-the-guard') {
  const answer = await fetch(door.apiBaseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, text: await answer.text() };
}

const tails = '/accounts/a1/workers/scripts/w1/tails';

async function createTail(): Promise<string> {
  return JSON.parse((await call('POST', tails)).text).result.url;
}

test('passes the logs of a worker through the guard, without the address that the platform returned', async () => {
  const url = await createTail();
  expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/tails\/[\w-]{32}$/);
  expect(new URL(url).host).toBe(new URL(door.apiBaseUrl).host);
  const socket = new WebSocket(url, 'trace-v1');
  const message = new Promise<string>((resolve) => {
    socket.onmessage = ({ data }) => resolve(data);
  });
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code);
  });
  expect([await message, await closed, socket.protocol]).toEqual(['hello', 1000, 'trace-v1']);
  expect(seen).toContainEqual(['/stream/secret', undefined]);
});

test('the guard connects to no other address', async () => {
  const { host } = new URL(door.apiBaseUrl);
  const attempt = (url: string) =>
    new Promise((resolve) => {
      const socket = new WebSocket(url);
      socket.onerror = () => resolve('refused');
      socket.onopen = () => resolve('open');
    });
  expect(await attempt(`ws://${host}/tails/unknown`)).toBe('refused');
  expect(await attempt(`ws://${host}/client/v4/accounts`)).toBe('refused');
  const right = stream;
  for (stream of ['http://127.0.0.1/x', 'ws://logs.example/x', 'file:///etc/passwd', 'x'])
    expect((await call('POST', tails)).status).toBe(502);
  stream = right;
});

/** Sends bytes to the guard, and returns the status of each answer until the guard closes the connection. */
function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(door.apiBaseUrl);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', () => undefined);
    socket.on('close', () =>
      resolve([...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status).join(' ')),
    );
  });
}

test('lists streams only with addresses of the guard', async () => {
  isList = true;
  const { text } = await call('GET', `${tails}?per_page=1`);
  isList = false;
  expect(text).not.toContain('/stream/secret');
  expect(JSON.parse(text).result[0].url).toContain(`${new URL(door.apiBaseUrl).host}/tails/`);
});

test('a forged handshake for a stream is refused, and carries no other request to the platform', async () => {
  const { host, pathname } = new URL(await createTail());
  const handshake = (lines: readonly string[] = [], method = 'GET', named = host, path = pathname) =>
    `${[
      `${method} ${path} HTTP/1.1`,
      `Host: ${named}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...lines,
    ].join('\r\n')}\r\n\r\n`;
  const remove = 'DELETE /client/v4/accounts/a1/workers/scripts/w1 HTTP/1.1\r\nHost: x\r\n\r\n';
  seen.length = 0;
  const forged = [
    handshake([], 'GET', 'attacker.example'),
    handshake([], 'GET', ''),
    handshake(['Origin: https://attacker.example']),
    handshake(['Sec-Fetch-Site: cross-site']),
    handshake([], 'GET', host, `${pathname}x`),
    handshake([], 'GET', host, `${pathname}?token=of-the-guard`),
    handshake([], 'GET', host, `/tails/../client/v4${tails}`),
    handshake([], 'GET', host, '/tails/http://127.0.0.1/'),
  ];
  for (const text of forged) expect(await sendRaw(text + remove)).toBe('403');
  for (const method of ['DELETE', 'POST'])
    expect(await sendRaw(handshake(['Content-Length: 0', 'Connection: close'], method))).toMatch(
      /^40[0134]$/,
    );
  expect(seen).toEqual([]);
  accepts = false;
  expect(await sendRaw(handshake([`Content-Length: ${remove.length}`]) + remove)).toMatch(/^200/);
  accepts = true;
  expect(seen).toEqual([['/stream/secret', undefined]]);
});

test.each([
  ['POST', '/accounts/a1/workers/scripts/w1/assets-upload-session', 'static assets of a worker'],
  ['POST', '/accounts/a1/workers/assets/upload?base64=true', 'static assets of a worker'],
  ['GET', '/accounts/a1/pages/projects/p1/upload-token', 'static assets of a project'],
  ['POST', '/pages/assets/upload', 'static assets of a project'],
  ['GET', '/accounts/a1/cfd_tunnel/t1/token', 'tunnels'],
  ['GET', '/accounts/a1/cfd_tunnel/t1/TOKEN', 'tunnels'],
  ['GET', '/accounts/a1/pages/projects/p1/Upload-Token', 'static assets of a project'],
  ['GET', '/accounts/a1/workers/subdomain/edge-preview', 'remote previews of a worker'],
])('%s %s is refused by name because it needs a token of the platform', async (method, path, what) => {
  seen.length = 0;
  for (const token of ['of-the-guard', 'a-token-of-the-platform']) {
    const { status, text } = await call(method, path, token);
    expect([status, JSON.parse(text).errors[0].message]).toEqual([
      403,
      `Guard: ${what} require a platform token that also works without the guard. Run the command without the guard.`,
    ]);
  }
  expect(seen).toEqual([]);
});
