import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { guardPolicy } from '../../../src/model/guard/policy.ts';
import { type Door, openDoor } from '../../../src/services/guard/door.ts';
import { type Forwarder, openForwarder } from '../../../src/services/guard/forward.ts';
import { SharedReads } from '../../../src/services/guard/shared-reads.ts';
import { openTails } from '../../../src/services/guard/tails.ts';
import { withoutUndo } from '../../../src/services/guard/undo.ts';
import { openRequestPacer } from '../../../src/v4/budget.ts';
import { testWorld } from '../../support/world.ts';
import { heldByNobody } from './start-guard.ts';

/** Requests that the platform has received but not answered, in the order of arrival. */
let waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
let received: string[];
let platform: Server;
let forwarder: Forwarder;
let door: Door;
/** Headers that fetch sends if the test does not set them, and that the other client in this file does not send. */
const sentByFetch = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'accept-encoding': 'gzip',
};
/** Number of requests that the guard has decided to forward. */
let decided: number;

beforeEach(async () => {
  [waiting, received, decided] = [[], [], 0];
  platform = createServer((request, response) => {
    received.push(`${request.method} ${request.url?.replace('/client/v4', '')}`);
    waiting.push({ request, response });
  });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  const apiBaseUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}/client/v4`;
  const world = testWorld();
  const pacer = openRequestPacer({ budget: undefined, ...world });
  const auth = () => ({ token: 'the-real-token' });
  forwarder = openForwarder({ apiBaseUrl, auth, pacer: () => pacer, reads: new SharedReads() }, {});
  door = await openDoor({
    token: 'of-the-guard',
    policies: () => ({
      deciding: [
        { source: 'user', rules: [{ name: 'changes', decision: 'allow', effect: ['change'] }] },
        guardPolicy,
      ],
    }),
    forwarder,
    recorder: {
      record: async () => {
        decided += 1;
        return async () => undefined;
      },
    },
    tails: openTails(world, apiBaseUrl),
    held: heldByNobody(world),
    undo: withoutUndo,
    world,
    facts: { target: 'production', client: 'terraform' },
    port: 0,
    onRefusal: () => undefined,
  });
});
afterEach(async () => {
  platform.closeAllConnections();
  platform.close();
  await door.close();
  forwarder.close();
});

/** Sends a request through the guard. The request has reached the guard by the time the function returns. */
async function send(path: string, init: RequestInit = {}) {
  const before = decided;
  const answer = fetch(door.apiBaseUrl + path, {
    ...init,
    headers: { authorization: 'Bearer of-the-guard', ...init.headers },
  }).then(async (got) => ({ status: got.status, ray: got.headers.get('cf-ray'), text: await got.text() }));
  answer.catch(() => undefined);
  await expect.poll(() => decided).toBe(before + 1);
  // Once the decision is recorded, the guard needs a few turns of the event loop to send the request, or to join it to a request that is
  // already running.
  await new Promise(setImmediate);
  return { answer };
}

async function untilReceived(count: number): Promise<void> {
  await expect.poll(() => received.length).toBe(count);
}

/** Answers the oldest request that waits. */
function answerNext(text: string, headers: Record<string, string> = {}): void {
  const { response } = waiting.shift() ?? {};
  response?.writeHead(200, { 'content-type': 'application/json', 'cf-ray': 'ray-1', ...headers });
  response?.end(text);
}

test('sends identical concurrent reads once, and gives each client the answer', async () => {
  const first = await send('/zones');
  await untilReceived(1);
  const others = [await send('/zones'), await send('/zones', { headers: { 'user-agent': 'another' } })];
  answerNext('{"result":[]}');
  const answers = await Promise.all([first, ...others].map(({ answer }) => answer));
  const expected = { status: 200, ray: 'ray-1', text: '{"result":[]}' };
  expect([answers, received]).toEqual([[expected, expected, expected], ['GET /zones']]);
});

test.each([
  ['another path', '/zones?page=2', {}],
  ['another range', '/zones', { range: 'bytes=0-1' }],
  ['another encoding', '/zones', { 'accept-encoding': 'br' }],
])('sends a read with %s separately', async (_, path, headers) => {
  const answers = [await send('/zones'), await send(path, { headers })];
  await untilReceived(2);
  answerNext('first');
  answerNext('second');
  expect((await Promise.all(answers.map(({ answer }) => answer))).map(({ text }) => text).sort()).toEqual([
    'first',
    'second',
  ]);
});

test('sends a read that arrives after the answer to a write separately from an earlier read', async () => {
  const before = await send('/zones');
  await untilReceived(1);
  const write = await send('/zones', { method: 'POST', body: '{}' });
  await untilReceived(2);
  waiting.reverse();
  answerNext('written');
  await write.answer;
  const after = await send('/zones');
  await untilReceived(3);
  answerNext('old');
  answerNext('new');
  expect([(await before.answer).text, (await after.answer).text]).toEqual(['old', 'new']);
});

test('continues a read for the other clients if the first client disconnects', async () => {
  const headers = { authorization: 'Bearer of-the-guard', ...sentByFetch };
  const first = get(`${door.apiBaseUrl}/zones`, { headers }).on('error', () => undefined);
  await untilReceived(1);
  const other = await send('/zones', { headers: sentByFetch });
  await send('/later');
  await untilReceived(2);
  expect(received).toEqual(['GET /zones', 'GET /later']);
  first.destroy();
  await untilReceived(3);
  waiting.shift();
  answerNext('later');
  answerNext('the answer');
  expect((await other.answer).text).toBe('the answer');
});

test('if the first client disconnects, another client sends the read for all clients', async () => {
  const headers = { authorization: 'Bearer of-the-guard', ...sentByFetch };
  const first = get(`${door.apiBaseUrl}/zones`, { headers }).on('error', () => undefined);
  await untilReceived(1);
  const others = [];
  for (let count = 0; count < 5; count++) others.push(await send('/zones', { headers: sentByFetch }));
  first.destroy();
  await untilReceived(2);
  waiting.shift();
  const last = await send('/zones', { headers: sentByFetch });
  answerNext('the answer');
  const texts = (await Promise.all([...others, last].map(({ answer }) => answer))).map(({ text }) => text);
  expect([texts, received.length]).toEqual([Array(6).fill('the answer'), 2]);
});

test('returns the error to each client if the platform closes the connection, and does not repeat the read', async () => {
  const answers = [await send('/zones')];
  await untilReceived(1);
  for (let count = 0; count < 5; count++) answers.push(await send('/zones'));
  waiting[0]?.response.destroy();
  const statuses = (await Promise.all(answers.map(({ answer }) => answer))).map(({ status }) => status);
  expect([statuses, received.length]).toEqual([Array(6).fill(502), 1]);
});

test('does not share an answer that may never end', async () => {
  const first = await send('/tail');
  await untilReceived(1);
  const other = await send('/tail');
  const stream = waiting.shift()?.response;
  stream?.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
  await untilReceived(2);
  answerNext('of its own');
  expect((await other.answer).text).toBe('of its own');
  stream?.end();
  expect((await first.answer).text).toBe('data: 1\n\n');
});

test('returns a long answer without a length to the first client only, and sends the read again for each other client', async () => {
  const long = 'x'.repeat(3 * 1024 * 1024);
  const answers = [await send('/zones')];
  await untilReceived(1);
  answers.push(await send('/zones'));
  answerNext(long, { 'transfer-encoding': 'chunked' });
  await untilReceived(2);
  answerNext(long);
  const texts = (await Promise.all(answers.map(({ answer }) => answer))).map(({ text }) => text);
  expect(texts.map((text) => text === long)).toEqual([true, true]);
});
