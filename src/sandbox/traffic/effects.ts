import { setImmediate as immediate } from 'node:timers/promises';
import type { FaultEffects } from '../../model/sandbox/fault.ts';
import { refused } from '../../v4/envelope.ts';
import { type Answer, type Call, readBody } from '../../v4/send.ts';
import { withoutSomeKeys } from './bulk-effect.ts';
import { applied, ConnectionCut, type FaultClock, type FaultStep } from './effect.ts';
import { newRate } from './rate-effect.ts';
import { newStale } from './stale-effect.ts';

/** The effects of one fault, in the order in which `FaultEffects` names them. */
export function stepsOf(fault: FaultEffects, chance: () => number, outside: FaultClock): FaultStep {
  const steps: FaultStep[] = [];
  if (fault.latency !== undefined || fault.jitter !== undefined) steps.push(waiting(fault, chance, outside));
  if (fault.cut !== undefined) steps.push(cutting(fault.cut));
  if (fault.body !== undefined) steps.push(spoiling(fault.body));
  if (fault.rate !== undefined) steps.push(newRate(fault.rate, fault.retryAfter, outside));
  if (fault.status !== undefined) steps.push(answering(fault.status, fault));
  if (fault.stale !== undefined) steps.push(newStale(fault.stale, outside));
  if (fault.pageSize !== undefined) steps.push(paging(fault.pageSize));
  if (fault.unsuccessfulKeys !== undefined) steps.push(withoutSomeKeys(fault.unsuccessfulKeys, chance));
  return (call, send) => applied(steps, call, send);
}

function waiting(
  { latency = 0, jitter = 0 }: FaultEffects,
  chance: () => number,
  { sleep }: FaultClock,
): FaultStep {
  return async (call, send) => {
    await sleep(latency + chance() * jitter, call.signal);
    return send(call);
  };
}

function answering(status: number, { retryAfter }: FaultEffects): FaultStep {
  const code = status === 429 ? 10_013 : status >= 500 ? 10_001 : 10_000;
  const words = status === 429 ? 'rate limited by a fault that was set' : 'a fault that was set';
  return async (call) => {
    await dropBody(call);
    const answer = refused(status, code, words);
    if (retryAfter === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfter) } };
  };
}

function cutting(where: 'before' | 'in' | 'after'): FaultStep {
  return async (call, send) => {
    if (where === 'before') throw new ConnectionCut();
    const answer = await send(call);
    const body = await wholeBody(answer);
    if (where === 'after') throw new ConnectionCut();
    return {
      ...answer,
      headers: { ...answer.headers, 'content-length': String(body.length) },
      body: halfThenCut(body),
    };
  };
}

async function* halfThenCut(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, Math.floor(body.length / 2));
  // What was written leaves for the socket first.
  await immediate();
  throw new ConnectionCut();
}

function spoiling(how: 'truncated' | 'wrong' | 'empty' | 'html'): FaultStep {
  return async (call, send) => {
    const answer = await send(call);
    const body = await wholeBody(answer);
    const headers = withoutLength(answer);
    if (how !== 'html') return { ...answer, headers, body: spoilt(how, body) };
    const page = htmlPage(answer.status);
    return { ...page, headers: { ...headers, ...page.headers } };
  };
}

function spoilt(how: 'truncated' | 'wrong' | 'empty', body: Uint8Array): Uint8Array {
  if (how === 'truncated') return body.subarray(0, Math.floor(body.length / 2));
  return how === 'empty' ? new Uint8Array(0) : Buffer.from('{"unexpected":["shape"]}');
}

/** An answer whose body is another has another length too. */
function withoutLength({ headers }: Answer): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'));
}

function htmlPage(status: number): Answer {
  const page = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>Error ${status}</h1></body></html>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: Buffer.from(page) };
}

/** Lists by number take `per_page`, lists by cursor `limit`; the platform has a smallest value for each. */
function paging(size: number): FaultStep {
  return (call, send) => {
    if (call.method !== 'GET') return send(call);
    const [path = '', text = ''] = call.path.split('?');
    const query = new URLSearchParams(text);
    for (const name of ['per_page', 'limit']) {
      const asked = Number(query.get(name) ?? Number.POSITIVE_INFINITY);
      if (asked > size) query.set(name, String(size));
    }
    return send({ ...call, path: `${path}?${query}` });
  };
}

function wholeBody({ body }: Answer): Promise<Uint8Array> {
  return readBody(body, 64 * 1024 * 1024);
}

/** Reads a body to its end: what is answered before it was read looks like a cut connection to many clients. */
async function dropBody({ body }: Call): Promise<void> {
  if (typeof body !== 'function') return;
  for await (const _ of body());
}
