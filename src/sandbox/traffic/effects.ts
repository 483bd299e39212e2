import { setImmediate as immediate } from 'node:timers/promises';
import { kvLimits } from '../../model/kv/kv.ts';
import type { FaultEffects, FaultRate } from '../../model/sandbox/fault.ts';
import { type Answer, type Body, type Call, closeBody, readBody } from '../../v4/send.ts';
import { applied, ConnectionCut, dropBody, type FaultClock, type FaultStep, pathOf } from './effect.ts';
import { callerOf, refusalIn, unsignedQuery, withMostRows, wrongBodyIn } from './s3-forms.ts';

/** Combines the effects of a fault into one step. A wait is outermost. */
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
    const answer = await refusalIn(call, status, code, words);
    if (retryAfter === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfter) } };
  };
}

function cutting(where: 'before' | 'in' | 'after'): FaultStep {
  return async (call, send) => {
    if (where === 'before') throw new ConnectionCut();
    const answer = await send(call);
    if (where === 'in') {
      const whole = await sized(answer);
      const headers = { ...answer.headers, 'content-length': String(whole.length) };
      return { ...answer, headers, body: halfThenCut(whole) };
    }
    await closeBody(answer);
    throw new ConnectionCut();
  };
}

async function* halfThenCut(answer: Sized): AsyncGenerator<Uint8Array> {
  yield* halfOf(answer);
  // Lets the written data reach the socket first.
  await immediate();
  throw new ConnectionCut();
}

/** A body whose length is known. */
interface Sized {
  readonly body: Answer['body'];
  readonly length: number;
}

/** Returns a streamed body if its length is known, otherwise reads the whole body. */
async function sized({ headers, body }: Answer): Promise<Sized> {
  const length = headers['content-length'];
  if (!(body instanceof Uint8Array) && length !== undefined) return { body, length: Number(length) };
  const whole = await readBody(body, 64 * 1024 * 1024);
  return { body: whole, length: whole.length };
}

/** Returns the first half of a body. The rest is not read. */
async function* halfOf({ body, length }: Sized): AsyncGenerator<Uint8Array> {
  let left = Math.floor(length / 2);
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

function spoiling(how: 'truncated' | 'wrong' | 'empty' | 'html'): FaultStep {
  return async (call, send) => {
    const answer = await send(call);
    const headers = withoutLength(answer);
    if (how === 'truncated') {
      const { body, length } = await sized(answer);
      const half =
        body instanceof Uint8Array ? body.subarray(0, Math.floor(length / 2)) : halfOf({ body, length });
      return { ...answer, headers, body: half };
    }
    await closeBody(answer);
    if (how === 'empty') return { ...answer, headers, body: new Uint8Array(0) };
    if (how === 'wrong') return { ...answer, headers, body: await wrongBodyIn(call) };
    const page = htmlPage(answer.status);
    return { ...page, headers: { ...headers, ...page.headers } };
  };
}

/** Removes the content length, because the body changes. */
function withoutLength({ headers }: Answer): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'));
}

function htmlPage(status: number): Answer {
  const page = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>Error ${status}</h1></body></html>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: Buffer.from(page) };
}

/** Limits the page size: `per_page` in numbered lists, `limit` in lists with a cursor. The platform has a minimum for each. */
function paging(size: number): FaultStep {
  return (call, send) => {
    if (call.method !== 'GET') return send(call);
    if (call.api === 's3') return send(withMostRows(call, size));
    const [path = '', text = ''] = call.path.split('?');
    const query = new URLSearchParams(text);
    for (const name of ['per_page', 'limit']) {
      const asked = Number(query.get(name) ?? Number.POSITIVE_INFINITY);
      if (asked > size) query.set(name, String(size));
    }
    return send({ ...call, path: `${path}?${query}` });
  };
}

/** Refuses requests with 429 after `requests` in any period of `seconds`. Refused requests do not count. */
function newRate(rate: FaultRate, retryAfter: number | undefined, { now }: FaultClock): FaultStep {
  const windowOf = new Map<string, number[]>();
  const span = rate.seconds * 1000;
  return async (call, send) => {
    const at = now();
    const key = rate.per === 'path' ? pathOf(call) : callerOf(call);
    const times = (windowOf.get(key) ?? []).filter((time) => time > at - span);
    windowOf.set(key, times);
    if (times.length < rate.requests) {
      times.push(at);
      return send(call);
    }
    const wait = retryAfter ?? Math.max(1, Math.ceil(((times[0] ?? at) + span - at) / 1000));
    const words = `more than ${rate.requests} requests in ${rate.seconds} s; try again in ${wait} s`;
    const answer = await refusalIn(call, 429, rate.per === 'token' ? 971 : 10_013, words);
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(wait) } };
  };
}

interface Kept {
  readonly until: number;
  readonly answer: Answer;
}

/** Maximum size of a cached answer, in bytes. Larger ones are not cached. */
const longest = 26_214_400;
/** Maximum number of cached answers. The oldest is removed first. */
const most = 1000;

/**
 * Returns earlier answers to reads for `seconds`, like the platform's edges: old values of changed keys, and "not found" for new
 * keys. Answers are cached per caller, because callers may use different accounts.
 */
function newStale(seconds: number, { now }: FaultClock): FaultStep {
  const kept = new Map<string, Kept>();
  return async (call, send) => {
    if (call.method !== 'GET' || call.headers['range'] !== undefined) return send(call);
    const name = `${call.api} ${callerOf(call)} ${pathOf(call)}?${unsignedQuery(call)}`;
    const found = kept.get(name);
    if (found !== undefined && found.until > now()) return found.answer;
    kept.delete(name);
    const answer = await send(call);
    if (Number(answer.headers['content-length'] ?? 0) > longest || answer.status === 206) return answer;
    const whole = { ...answer, body: await readBody(answer.body, longest) };
    kept.set(name, { until: now() + seconds * 1000, answer: whole });
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return whole;
  };
}

/** Executes a bulk write or delete for some of its keys, and reports the others in `unsuccessful_keys`. */
function withoutSomeKeys(share: number, chance: () => number): FaultStep {
  return async (call, send) => {
    if (!/\/bulk(?:\/delete)?$/.test(call.path)) return send(call);
    const bytes = await bytesOf(call.body);
    const entries = arrayOf(bytes);
    if (entries === undefined) return send(withBody(call, bytes));
    const left: unknown[] = [];
    const failed: string[] = [];
    for (const entry of entries) {
      if (chance() < share) failed.push(nameOf(entry));
      else left.push(entry);
    }
    const answer = await send(withBody(call, Buffer.from(JSON.stringify(left))));
    return answer.status === 200 ? naming(failed, answer) : answer;
  };
}

/** Parses a body as an array; undefined if it is none, which the sandbox itself refuses. */
function arrayOf(bytes: Uint8Array): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(Buffer.from(bytes).toString());
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

async function bytesOf(body: Body | undefined): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array(0);
  return readBody(typeof body === 'function' ? body() : body, kvLimits.bulkBytes);
}

function withBody(call: Call, body: Uint8Array): Call {
  return { ...call, headers: { ...call.headers, 'content-length': String(body.length) }, body };
}

/**
 * Returns the key of an entry: a field in a bulk write, the entry itself in a bulk delete. A value other than a string is
 * returned as JSON.
 */
export function nameOf(entry: unknown): string {
  const key = typeof entry === 'object' && entry !== null && 'key' in entry ? entry.key : entry;
  return typeof key === 'string' ? key : JSON.stringify(key);
}

async function naming(failed: readonly string[], answer: Answer): Promise<Answer> {
  const envelope = JSON.parse(Buffer.from(await readBody(answer.body)).toString());
  const result = { ...envelope.result, unsuccessful_keys: failed };
  return { ...answer, body: Buffer.from(JSON.stringify({ ...envelope, result })) };
}
