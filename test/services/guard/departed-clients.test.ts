import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  get,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Auth } from '../../../src/model/target.ts';
import { type Forwarder, type ForwardOutcome, openForwarder } from '../../../src/services/guard/forward.ts';
import { SharedReads } from '../../../src/services/guard/shared-reads.ts';
import { memoryPace, openRequestPacer, type PaceStore } from '../../../src/v4/budget.ts';

/** Requests that the platform has received, in the order of arrival. The platform answers only `/answered`. */
let received: IncomingMessage[];
/** Requests that the guard has received, in the order of arrival. */
let taken: { readonly response: ServerResponse; readonly outcome: Promise<ForwardOutcome> }[];
let servers: Server[];
let forwarder: Forwarder;
let store: PaceStore;
let auth: () => Auth | undefined;
let sleep: () => Promise<void>;

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

let port: number;

beforeEach(async () => {
  [received, taken, servers] = [[], [], []];
  store = memoryPace();
  auth = () => ({ token: 'the-real-token' });
  sleep = async () => undefined;
  const platform = createServer((request, response) => {
    received.push(request);
    if (request.url === '/client/v4/answered') response.end('answered');
  });
  const apiBaseUrl = `http://127.0.0.1:${await listen(platform)}/client/v4`;
  const now = () => 1_000_000;
  const budget = { requests: 4, seconds: 40 };
  const pacer = openRequestPacer({ budget, store, now, sleep: () => sleep() });
  const options = { apiBaseUrl, auth: () => auth(), pacer: () => pacer, reads: new SharedReads() };
  forwarder = openForwarder(options, {});
  const guard = createServer((request, response) => {
    taken.push({ response, outcome: forwarder.forward(request, response, request.url ?? '') });
  });
  port = await listen(guard);
});
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  forwarder.close();
});

/** Sends a read through the guard. The guard has received the request by the time the function returns. */
async function read(path: string): Promise<ClientRequest> {
  return (await startRead(path)).sent;
}

async function startRead(path: string) {
  const before = taken.length;
  const sent = get(`http://127.0.0.1:${port}${path}`, { agent: false }).on('error', () => undefined);
  const answered = once(sent, 'response').then(([answer]: IncomingMessage[]) => answer);
  answered.catch(() => undefined);
  await expect.poll(() => taken.length).toBe(before + 1);
  return { sent, answered };
}

/** Reads the complete answer, and returns its status. */
async function readAll(path: string): Promise<number | undefined> {
  const answer = await (await startRead(path)).answered;
  for await (const _ of answer ?? []);
  return answer?.statusCode;
}

/** Returns the number of requests in the budget, including requests that wait. */
function countUsed(): number {
  return (store.known.counted?.use.cells ?? []).reduce((sum, [, count]) => sum + count, 0);
}

test('gives none of the request budget to clients that have disconnected', async () => {
  const leader = await read('/zones');
  await expect.poll(() => received.length).toBe(1);
  for (const follower of [await read('/zones'), await read('/zones')]) follower.destroy();
  await expect.poll(() => taken.map(({ response }) => response.destroyed)).toEqual([false, true, true]);
  leader.destroy();
  await Promise.all(taken.map(({ outcome }) => outcome));
  expect([received.length, countUsed()]).toEqual([1, 1]);
});

test('removes a request from the budget if its client disconnects at the end of its wait', async () => {
  const first = await read('/zones');
  let second: ClientRequest | undefined;
  const { promise: isSent, resolve } = Promise.withResolvers<void>();
  sleep = async () => {
    await isSent;
    second?.destroy();
    await expect.poll(() => taken[1]?.response.destroyed).toBe(true);
  };
  second = await read('/zones?page=2');
  resolve();
  await taken[1]?.outcome;
  expect([received.length, countUsed()]).toEqual([1, 1]);
  first.destroy();
});

test('does not repeat a read on a reused connection after its client has disconnected', async () => {
  await readAll('/answered');
  const second = await read('/zones');
  await expect.poll(() => received.length).toBe(2);
  const [one, other] = received.map(({ socket }) => socket.remotePort);
  expect(one).toBe(other);
  second.destroy();
  await taken[1]?.outcome;
  expect(received).toHaveLength(2);
});

test('refuses a request whose profile is locked again during its wait, and removes it from the budget', async () => {
  await read('/zones');
  sleep = async () => {
    auth = () => undefined;
  };
  expect(await readAll('/answered')).toBe(403);
  expect([received.length, countUsed()]).toEqual([1, 1]);
});
