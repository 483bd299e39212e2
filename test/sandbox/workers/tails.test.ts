import { randomBytes } from 'node:crypto';
import { createServer, IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTails, tailLimits } from '../../../src/sandbox/workers/tails/tails.ts';
import { serveTails } from '../../../src/sandbox/workers/tails/upgrade.ts';
import { acceptWebSocket, type TextSocket } from '../../../src/sandbox/workers/tails/web-socket.ts';
import { readBody } from '../../../src/v4/send.ts';
import { raw } from '../test-sandbox.ts';
import { openWorkerSandbox, type WorkerSandbox } from './test-sandbox.ts';

let place: WorkerSandbox;
beforeAll(async () => {
  place = await openWorkerSandbox('over a socket', { now: () => Date.now() });
  await place.deploy('talker', { 'index.js': source });
});
afterAll(() => place.close());

const source = `export default { async fetch(request, env, ctx) {
  const { pathname } = new URL(request.url);
  console.log('at', { pathname }, 7);
  if (pathname === '/broken') throw new TypeError('it broke');
  return new Response('fine');
} }`;

interface Made {
  readonly id: string;
  readonly url: string;
  readonly expires_at: string;
}

async function make(filters?: readonly object[], worker = 'talker'): Promise<Made> {
  const body = filters && { json: { filters } };
  const { result } = (await place.workers('POST', `/scripts/${worker}/tails`, body)).envelope<Made>();
  if (result === null || result === undefined) throw new Error('no tail');
  return result;
}

/** Connects to the address of a tail, and returns the received messages in order. */
async function listen({ url }: Made) {
  const socket = new WebSocket(url, 'trace-v1');
  const messages: unknown[] = [];
  let wanted: ((message: unknown) => void) | undefined;
  socket.addEventListener('message', ({ data }) => {
    const message: unknown = JSON.parse(String(data));
    if (wanted === undefined) messages.push(message);
    else wanted(message);
    wanted = undefined;
  });
  const ended = new Promise<CloseEvent>((resolve) => {
    socket.addEventListener('close', resolve, { once: true });
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const next = async () => messages.shift() ?? new Promise((resolve) => (wanted = resolve));
  return { next, ended, close: () => socket.close() };
}

// SDK user/tokens, Condition.request_ip: "Client IP restrictions" of a token also apply to the socket that the token opens.
test('a token that is limited to addresses cannot see the tail of another token', async () => {
  const { accountId } = place.sandbox.access();
  const groups = (await place.call('GET', '/user/tokens/permission_groups')).envelope<
    { readonly id: string; readonly name: string }[]
  >().result;
  const wanted = groups?.filter(({ name }) => name === 'Workers Tail Read').map(({ id }) => ({ id }));
  const resources = { [`com.cloudflare.api.account.${accountId}`]: '*' };
  const policies = [{ effect: 'allow', permission_groups: wanted, resources }];
  const token = async (address: string) => {
    const condition = { request_ip: { in: [address] } };
    const json = { name: address, policies, condition };
    const made = (await place.call('POST', '/user/tokens', { json })).envelope<{ value: string }>();
    return made.result?.value ?? '';
  };
  const connected = async (from: string) => {
    const answer = await place.sandbox.send({
      method: 'POST',
      path: `/accounts/${accountId}/workers/scripts/talker/tails`,
      headers: { authorization: `Bearer ${await token(from)}` },
      from,
      repeatable: false,
    });
    const { result } = JSON.parse(Buffer.from(await readBody(answer.body)).toString('utf8'));
    const socket = await listen(result).catch(() => undefined);
    socket?.close();
    await place.workers('DELETE', `/scripts/talker/tails/${result.id}`);
    return socket !== undefined;
  };
  expect([await connected('127.0.0.1'), await connected('198.51.100.7')]).toEqual([true, false]);
});

describe('a tail', () => {
  test('a tail reports the request, logs and outcome of each run that starts after the tail was created', async () => {
    const made = await make();
    expect(made).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(made.url).toBe(
      `${place.apiBaseUrl.replace(/^http|\/client\/v4$/g, (part) => (part === 'http' ? 'ws' : ''))}/tails/${made.id}`,
    );
    expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.now());
    const tail = await listen(made);
    await place.visit('other', '/elsewhere');
    await place.visit('talker', '/here?x=1', { headers: { 'x-who': 'me', authorization: 'Bearer secret' } });
    const [version] = place.sandbox.platform.registry().workers.versions('talker');
    expect(await tail.next()).toMatchObject({
      outcome: 'ok',
      scriptName: 'talker',
      scriptVersion: { id: version?.id },
      exceptions: [],
      logs: [{ level: 'log', message: ['at', { pathname: '/here' }, 7] }],
      event: {
        request: {
          method: 'GET',
          url: `http://talker.localhost:${place.edge.port}/here?x=1`,
          headers: { 'x-who': 'me', authorization: 'REDACTED', 'cf-connecting-ip': '127.0.0.1' },
        },
        response: { status: 200 },
      },
    });
    // Uploading a worker restarts all workers.
    await place.deploy('other', { 'index.js': source });
    await place.visit('other', '/elsewhere');
    await place.visit('talker', '/broken');
    expect(await tail.next()).toMatchObject({
      outcome: 'exception',
      exceptions: [{ name: 'TypeError', message: 'it broke' }],
    });
    expect((await place.workers('DELETE', `/scripts/talker/tails/${made.id}`)).status).toBe(200);
    expect(await tail.ended).toMatchObject({ code: 1000, reason: 'The tail was deleted.' });
    expect((await place.workers('DELETE', `/scripts/talker/tails/${made.id}`)).status).toBe(404);
  });

  test('a tail passes only the runs that match its filters', async () => {
    const filters = [
      { method: ['post'] },
      { header: { key: 'X-Who', query: 'me' } },
      { client_ip: ['self'] },
    ];
    const tail = await listen(await make([...filters, { outcome: ['exception'] }, { query: 'broken' }]));
    await place.visit('talker', '/broken', { headers: { 'x-who': 'me' } });
    await place.visit('talker', '/fine', { method: 'POST', headers: { 'x-who': 'me' } });
    await place.visit('talker', '/broken', { method: 'POST' });
    await place.visit('talker', '/broken?wanted', { method: 'POST', headers: { 'x-who': 'it is me' } });
    expect(await tail.next()).toMatchObject({
      event: { request: { url: expect.stringContaining('?wanted') } },
    });
    tail.close();
  });

  test('the newest tail is returned as one object on request, or null without a tail', async () => {
    const read = async () => (await place.workers('GET', '/scripts/other/tails')).envelope().result;
    expect(await read()).toBeNull();
    const tails = [await make([], 'other'), await make([], 'other')];
    expect(await read()).toEqual(tails[1]);
    for (let count = 2; count < 10; count += 1) await make([], 'other');
    const full = await place.workers('POST', '/scripts/other/tails', { json: {} });
    expect([full.status, full.text]).toEqual([400, expect.stringContaining('already has 10 tails')]);
  });

  test('a tail is rejected with an invalid filter, for an unknown worker, and if nothing runs workers', async () => {
    for (const [filter, reason] of [
      [{ sampling_rate: 2 }, 'sampling_rate is not a number above 0 and at most 1'],
      [{ outcome: 'ok' }, 'outcome is not a list of strings'],
      [{ header: {} }, 'header has no key'],
      [{ colour: 'red' }, 'has the unknown field \\"colour\\"'],
      [{}, 'is not an object with one field'],
    ] as const) {
      const reply = await place.workers('POST', '/scripts/talker/tails', { json: { filters: [filter] } });
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(reason)]);
    }
    expect((await place.workers('POST', '/scripts/nobody/tails')).code).toBe(10007);
    const { edge } = place.sandbox.platform;
    place.sandbox.platform.edge = undefined;
    const reply = await place.workers('POST', '/scripts/talker/tails');
    place.sandbox.platform.edge = edge;
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('no workers are running')]);
  });
});

describe('the web socket of a tail', () => {
  const asked = async (path: string, headers: Record<string, string> = {}) => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    const port = Number(new URL(place.apiBaseUrl).port);
    return raw(port, { method: 'GET', path, headers: { ...upgrade, ...headers } });
  };
  const key = { 'sec-websocket-key': 'x'.repeat(24), 'sec-websocket-version': '13' };

  test('the web socket rejects unknown tail ids, other protocols and pages of other sites; other paths belong to the API', async () => {
    const { id } = await make();
    const answers = [
      await asked('/tails/0123', key),
      await asked(`/tails/${id}`, { ...key, 'sec-websocket-protocol': 'chat' }),
      await asked(`/tails/${id}`, { ...key, origin: 'https://elsewhere.example' }),
      await asked('/client/v4/nowhere', key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 400, 403, 404]);
  });

  test('the web socket accepts unmasked frames, answers a ping, and closes on an oversized frame', async () => {
    const { id } = await make();
    const socket = connect(Number(new URL(place.apiBaseUrl).port), '127.0.0.1');
    const fields = [
      'Host: 127.0.0.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
    ];
    const own = [`Sec-WebSocket-Key: ${'x'.repeat(24)}`, 'Sec-WebSocket-Protocol: trace-v1'];
    socket.write([`GET /tails/${id} HTTP/1.1`, ...fields, ...own, '', ''].join('\r\n'));
    socket.write(Buffer.from([0x81, 2, 0x7b, 0x7d, 0x89, 0x82, 1, 1, 1, 1, 0x69, 0x68]));
    socket.write(Buffer.from([0x81, 127, 0, 0, 0, 0, 1, 0, 0, 0]));
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    const said = Buffer.concat(parts);
    const frames = said.subarray(said.indexOf('\r\n\r\n') + 4);
    expect(said.toString('latin1')).toMatch(/^HTTP\/1.1 101 /);
    expect(frames.subarray(0, 4)).toEqual(Buffer.from([0x8a, 2, 0x68, 0x69]));
    expect([frames[4], frames.readUInt16BE(6)]).toEqual([0x88, 1009]);
  });
});

describe('a client that reads nothing', () => {
  /** Creates a connection whose other end never reads a byte. */
  const stuck = () => new Duplex({ read: () => undefined, write: () => undefined });
  const upgrading = () => {
    const request = new IncomingMessage(new Socket());
    request.url = '/tails/0123';
    Object.assign(request.headers, {
      host: '127.0.0.1',
      'sec-websocket-key': 'x'.repeat(24),
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'trace-v1',
    });
    return request;
  };
  const ping = (length: number) => Buffer.concat([Buffer.from([0x89, length]), Buffer.alloc(length)]);

  test('gets no more answers to its pings than a connection can buffer', () => {
    const connection = stuck();
    const pings = Buffer.concat(Array.from({ length: 2000 }, () => ping(125)));
    const accepted = acceptWebSocket(upgrading(), connection, pings, 'trace-v1');
    expect(accepted?.waiting()).toBeLessThan(128 * 1024);
    connection.destroy();
  });

  test('does not affect other clients if it disconnects before it is accepted', () => {
    const server = createServer();
    serveTails(server, {}, []);
    const connection = stuck();
    server.emit('upgrade', upgrading(), connection, Buffer.alloc(0));
    // An error without a listener would end the process.
    expect(connection.listenerCount('error')).toBe(1);
    connection.destroy(new Error('the connection was cut'));
  });
});

describe('the tails of a server', () => {
  const event = (text: string) => ({
    outcome: 'ok',
    logs: [{ level: 'log', message: [text] }],
    exceptions: [],
  });
  /** Creates a client that reads nothing until the test allows it. */
  const slowSocket = () => {
    const sent: string[] = [];
    const drained: (() => void)[] = [];
    const closed = Promise.withResolvers<number>();
    let waits = true;
    const socket: TextSocket = {
      send: (text) => void sent.push(text),
      waiting: () => (waits ? sent.join('').length : 0),
      close: (code) => closed.resolve(code),
      onClosed: () => undefined,
      onDrained: (report) => void drained.push(report),
    };
    const take = () => {
      waits = false;
      for (const report of drained) report();
    };
    return { socket, sent, closed: closed.promise, take };
  };
  const options = { baseUrl: 'ws://x', now: () => 0, random: randomBytes, onChange: () => undefined };

  test('drop the runs that a slow client does not read, and report how many', async () => {
    const tails = openTails(options);
    const tail = await tails.add('talker', []);
    for (let count = 0; count < 150; count += 1) tails.publish('talker', [event(`early ${count}`)]);
    const { socket, sent, take, closed } = slowSocket();
    tails.listen(tail?.id ?? '', socket);
    expect(sent).toHaveLength(101);
    expect(sent[100]).toContain('50 events were dropped');
    tails.publish('talker', [event('x'.repeat(tailLimits.waiting)), event('lost'), event('lost')]);
    expect(sent).toHaveLength(102);
    take();
    expect(JSON.parse(sent[102] ?? '')).toMatchObject({
      logs: [],
      exceptions: [],
      event: { type: 'overload', message: expect.stringContaining('2 events were dropped') },
    });
    tails.publish('talker', [event('seen')]);
    expect(sent[103]).toContain('seen');
    tails.close();
    expect(await closed).toBe(1001);
  });

  test('are limited to ten for each worker, but a new tail replaces the tail of a client that has disappeared', async () => {
    const tails = openTails(options);
    const made = [];
    for (let count = 0; count < 10; count += 1) made.push(await tails.add('talker', []));
    expect(await tails.add('talker', [])).toBeUndefined();
    const leaving: (() => void)[] = [];
    const { socket } = slowSocket();
    tails.listen(made[3]?.id ?? '', { ...socket, onClosed: (report) => void leaving.push(report) });
    expect(await tails.add('talker', [])).toBeUndefined();
    for (const leave of leaving) leave();
    expect(await tails.add('talker', [])).toBeDefined();
    expect([tails.has(made[3]?.id ?? ''), tails.forWorker('talker').length]).toEqual([false, 10]);
    tails.close();
  });

  test('end after their time limit, and clients create new tails', async () => {
    const tails = openTails({ ...options, lifetime: 5 });
    const tail = await tails.add('talker', []);
    const { socket, closed } = slowSocket();
    tails.listen(tail?.id ?? '', socket);
    expect(await closed).toBe(1001);
    expect([tails.forWorker('talker'), tails.workers()]).toEqual([[], []]);
  });

  test('reports a sample of all events on request', async () => {
    const chances = [0.1, 0.6, 0.4].map((part) => Buffer.from([part * 256, 0, 0, 0]));
    const random = (bytes: number) =>
      bytes === 4 ? (chances.shift() ?? Buffer.alloc(4)) : randomBytes(bytes);
    const tails = openTails({ ...options, random });
    const tail = await tails.add('talker', [{ sampling_rate: 0.5 }]);
    const { socket, sent } = slowSocket();
    tails.listen(tail?.id ?? '', socket);
    tails.publish('talker', [event('one'), event('two'), event('three')]);
    expect(sent.map((text) => JSON.parse(text).logs[0].message)).toEqual([['one'], ['three']]);
    tails.close();
  });
});
