import * as v from 'valibot';
import { Problem } from '../../model/problem.ts';
import type { Fault, GivenFault } from '../../model/sandbox/fault.ts';
import { filterFault, type LogFilter, type LoggedRequest } from '../../model/sandbox/logged-request.ts';
import { callResult } from '../../v4/client.ts';
import type { Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { changing, reading } from '../hostnames/calls.ts';
import type { Listener } from '../session/session.ts';
import { withSandbox } from './dns.ts';
import { readSandboxStatus } from './sandbox.ts';

const faultsPath = ['sandbox', 'faults'];
const requestsPath = ['sandbox', 'requests'];

const texts = v.record(v.string(), v.string());
const logged = v.object({
  number: v.number(),
  time: v.string(),
  api: v.picklist(['v4', 's3']),
  method: v.string(),
  path: v.string(),
  query: v.string(),
  status: v.nullable(v.number()),
  route: v.nullable(v.string()),
  rule: v.nullable(v.string()),
  notes: v.array(v.string()),
  milliseconds: v.number(),
  requestHeaders: texts,
  answerHeaders: texts,
  requestBody: v.exactOptional(v.string()),
  answerBody: v.exactOptional(v.string()),
});
/** The shape of a fault. The effects of the fault are not checked. */
const fault = v.looseObject({ id: v.string(), match: v.string(), met: v.number() });
const cleared = v.object({ cleared: v.number() });

/**
 * Runs `work` with the server of a sandbox. Throws not-found if no server is running, because only a server has faults and a request log.
 */
export async function withServer<T>(
  world: World,
  dir: string | undefined,
  listener: Listener,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const { running, folder } = await readSandboxStatus(world, dir);
  if (running) return withSandbox(world, dir, listener, work);
  throw new Problem(
    'not-found',
    `No sandbox server is running for ${folder}; the request log and faults require a running server.`,
    {
      remedy: { kind: 'start-sandbox', folder },
    },
  );
}

/** Adds a fault. If the fault is invalid, throws an error that names the invalid field. */
export async function addFault(send: Send, request: GivenFault): Promise<Fault> {
  return (await callResult(send, changing('POST', faultsPath, request), (value) => v.parse(fault, value)))
    .result;
}

/** Lists the faults in the order in which they are applied to a request. */
export async function listFaults(send: Send): Promise<Fault[]> {
  return (await callResult(send, reading(faultsPath), (value) => v.parse(v.array(fault), value))).result;
}

/** Removes one fault, or all faults. Returns the number of removed faults. Throws not-found for an unknown id. */
export async function clearFaults(send: Send, id?: string): Promise<number> {
  const call = changing('DELETE', id === undefined ? faultsPath : [...faultsPath, id]);
  return (await callResult(send, call, (value) => v.parse(cleared, value))).result.cleared;
}

/** Lists the logged requests, oldest first. The server keeps the last 10,000 requests. Throws invalid-input for an invalid filter. */
export async function listRequests(send: Send, filter: LogFilter = {}): Promise<LoggedRequest[]> {
  const wrong = filterFault(filter);
  if (wrong !== undefined) throw new Problem('invalid-input', `${wrong}.`);
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const query = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return (await callResult(send, reading(requestsPath, query), (value) => v.parse(v.array(logged), value)))
    .result;
}

/** Yields the last logged requests, up to `limit`, and then each new request, until the signal is aborted. */
export async function* followRequests(
  send: Send,
  filter: LogFilter,
  { sleep }: Pick<World, 'sleep'>,
  signal: AbortSignal,
): AsyncGenerator<LoggedRequest> {
  // The limit does not apply to new requests, however many arrive between two polls.
  const { limit: _, ...every } = filter;
  let now: LogFilter = filter;
  let since = filter.since ?? 0;
  while (!signal.aborted) {
    for (const request of await listRequests(send, { ...now, since })) {
      since = request.number;
      yield request;
    }
    now = every;
    await sleep(250, signal).catch(() => undefined);
  }
}

/** Clears the request log. */
export async function clearRequests(send: Send): Promise<void> {
  await callResult(send, changing('DELETE', requestsPath), () => undefined);
}
