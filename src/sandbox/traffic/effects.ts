import { setImmediate as immediate } from 'node:timers/promises';
import { kvLimits } from '../../model/kv/kv.ts';
import type { FaultEffects, FaultRate } from '../../model/sandbox/fault.ts';
import { type Answer, type Body, type Call, closeBody, readBody } from '../../v4/send.ts';
import {
  ConnectionCut,
  discardBody,
  type FaultClock,
  type FaultStep,
  pathWithoutQuery,
  runEffects,
} from './effect.ts';
import { formatRefusal, formatWrongBody, limitRows, readCaller, unsignedQuery } from './s3-forms.ts';

/** Combines the effects of a fault into one step. A delay is the outermost step. */
export function createFaultStep(fault: FaultEffects, chance: () => number, outside: FaultClock): FaultStep {
  const steps: FaultStep[] = [];
  if (fault.latency !== undefined || fault.jitter !== undefined)
    steps.push(delayCall(fault, chance, outside));
  if (fault.cut !== undefined) steps.push(dropConnection(fault.cut));
  if (fault.body !== undefined) steps.push(corruptBody(fault.body));
  if (fault.rate !== undefined) steps.push(limitRate(fault.rate, fault.retryAfter, outside));
  if (fault.status !== undefined) steps.push(answerWithStatus(fault.status, fault));
  if (fault.stale !== undefined) steps.push(serveStale(fault.stale, outside));
  if (fault.pageSize !== undefined) steps.push(limitPages(fault.pageSize));
  if (fault.unsuccessfulKeys !== undefined) steps.push(failSomeKeys(fault.unsuccessfulKeys, chance));
  return (call, send) => runEffects(steps, call, send);
}

function delayCall(
  { latency = 0, jitter = 0 }: FaultEffects,
  chance: () => number,
  { sleep }: FaultClock,
): FaultStep {
  return async (call, send) => {
    await sleep(latency + chance() * jitter, call.signal);
    return send(call);
  };
}

function answerWithStatus(status: number, { retryAfter }: FaultEffects): FaultStep {
  const code = status === 429 ? 10_013 : status >= 500 ? 10_001 : 10_000;
  const words = status === 429 ? 'rate limited by a simulated fault' : 'a simulated fault';
  return async (call) => {
    await discardBody(call);
    const answer = await formatRefusal(call, status, code, words);
    if (retryAfter === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfter) } };
  };
}

function dropConnection(where: 'before' | 'in' | 'after'): FaultStep {
  return async (call, send) => {
    if (where === 'before') throw new ConnectionCut();
    const answer = await send(call);
    if (where === 'in') {
      const whole = await measureBody(answer);
      const headers = { ...answer.headers, 'content-length': String(whole.length) };
      return { ...answer, headers, body: sendHalf(whole) };
    }
    await closeBody(answer);
    throw new ConnectionCut();
  };
}

async function* sendHalf(answer: Sized): AsyncGenerator<Uint8Array> {
  yield* readFirstHalf(answer);
  // Waits until the written data has reached the socket.
  await immediate();
  throw new ConnectionCut();
}

/** A body whose length is known. */
interface Sized {
  readonly body: Answer['body'];
  readonly length: number;
}

/** Returns a streamed body if its length is known, otherwise reads the whole body. */
async function measureBody({ headers, body }: Answer): Promise<Sized> {
  const length = headers['content-length'];
  if (!(body instanceof Uint8Array) && length !== undefined) return { body, length: Number(length) };
  const whole = await readBody(body, 64 * 1024 * 1024);
  return { body: whole, length: whole.length };
}

/** Yields the first half of a body. The rest is not read. */
async function* readFirstHalf({ body, length }: Sized): AsyncGenerator<Uint8Array> {
  let left = Math.floor(length / 2);
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

function corruptBody(how: 'truncated' | 'wrong' | 'empty' | 'html'): FaultStep {
  return async (call, send) => {
    const answer = await send(call);
    const headers = withoutLength(answer);
    if (how === 'truncated') {
      const { body, length } = await measureBody(answer);
      const half =
        body instanceof Uint8Array
          ? body.subarray(0, Math.floor(length / 2))
          : readFirstHalf({ body, length });
      return { ...answer, headers, body: half };
    }
    await closeBody(answer);
    if (how === 'empty') return { ...answer, headers, body: new Uint8Array(0) };
    if (how === 'wrong') return { ...answer, headers, body: await formatWrongBody(call) };
    const page = htmlPage(answer.status);
    return { ...page, headers: { ...headers, ...page.headers } };
  };
}

/** Returns the headers without the content length, because the body changes. */
function withoutLength({ headers }: Answer): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'));
}

function htmlPage(status: number): Answer {
  const page = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>Error ${status}</h1></body></html>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: Buffer.from(page) };
}

/**
 * Limits the page size: `per_page` in numbered lists, `limit` in lists with a cursor. The size is at least 10, which the platform accepts
 * for both parameters.
 */
function limitPages(size: number): FaultStep {
  return (call, send) => {
    if (call.method !== 'GET') return send(call);
    if (call.api === 's3') return send(limitRows(call, size));
    const [path = '', text = ''] = call.path.split('?');
    const query = new URLSearchParams(text);
    for (const name of ['per_page', 'limit']) {
      const asked = Number(query.get(name) ?? Number.POSITIVE_INFINITY);
      if (asked > size) query.set(name, String(size));
    }
    return send({ ...call, path: `${path}?${query}` });
  };
}

/** Refuses requests with 429 once `requests` requests have been made in any period of `seconds` seconds. Refused requests do not count. */
function limitRate(rate: FaultRate, retryAfter: number | undefined, { now }: FaultClock): FaultStep {
  const timesByKey = new Map<string, number[]>();
  const span = rate.seconds * 1000;
  return async (call, send) => {
    const at = now();
    const key = rate.per === 'path' ? pathWithoutQuery(call) : readCaller(call);
    const times = (timesByKey.get(key) ?? []).filter((time) => time > at - span);
    timesByKey.set(key, times);
    if (times.length < rate.requests) {
      times.push(at);
      const limits = rate.per === 'token' ? formatRateHeaders(rate, times, at) : {};
      const answer = await send(call);
      return { ...answer, headers: { ...answer.headers, ...limits } };
    }
    const wait = retryAfter ?? Math.max(1, Math.ceil(((times[0] ?? at) + span - at) / 1000));
    const words = `more than ${rate.requests} requests in ${rate.seconds} s; try again in ${wait} s`;
    const answer = await formatRefusal(call, 429, rate.per === 'token' ? 971 : 10_013, words);
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(wait) } };
  };
}

/** Returns the headers that report a rate limit and its remaining requests, as the platform does (its changelog of 2025-09-08). */
function formatRateHeaders({ requests, seconds }: FaultRate, times: readonly number[], at: number) {
  const reset = Math.ceil(((times[0] ?? at) + seconds * 1000 - at) / 1000);
  return {
    ratelimit: `"default";r=${requests - times.length};t=${reset}`,
    'ratelimit-policy': `"default";q=${requests};w=${seconds}`,
  };
}

interface CachedAnswer {
  readonly until: number;
  readonly answer: Answer;
}

/** Maximum size of a cached answer, in bytes. Larger answers are not cached. */
const maxCachedBytes = 26_214_400;
/** Maximum number of cached answers. The oldest answer is removed first. */
const maxCachedAnswers = 1000;

/**
 * Repeats earlier answers to reads for `seconds` seconds, as the platform's edges do: a changed key still appears with its old value, and a
 * new key still appears to be missing. Answers are cached per caller, because callers may use different accounts.
 */
function serveStale(seconds: number, { now }: FaultClock): FaultStep {
  const cache = new Map<string, CachedAnswer>();
  return async (call, send) => {
    if (call.method !== 'GET' || call.headers['range'] !== undefined) return send(call);
    const name = `${call.api} ${readCaller(call)} ${pathWithoutQuery(call)}?${unsignedQuery(call)}`;
    const found = cache.get(name);
    if (found !== undefined && found.until > now()) return found.answer;
    cache.delete(name);
    const answer = await send(call);
    if (Number(answer.headers['content-length'] ?? 0) > maxCachedBytes || answer.status === 206)
      return answer;
    const whole = { ...answer, body: await readBody(answer.body, maxCachedBytes) };
    cache.set(name, { until: now() + seconds * 1000, answer: whole });
    const [oldest] = cache.keys();
    if (cache.size > maxCachedAnswers && oldest !== undefined) cache.delete(oldest);
    return whole;
  };
}

/** Executes a bulk write or delete for only some of the keys, and reports the other keys in `unsuccessful_keys`. */
function failSomeKeys(share: number, chance: () => number): FaultStep {
  return async (call, send) => {
    if (!/\/bulk(?:\/delete)?$/.test(call.path)) return send(call);
    const bytes = await readBodyBytes(call.body);
    const entries = parseArray(bytes);
    if (entries === undefined) return send(withBody(call, bytes));
    const left: unknown[] = [];
    const failed: string[] = [];
    for (const entry of entries) {
      if (chance() < share) failed.push(readEntryKey(entry));
      else left.push(entry);
    }
    const answer = await send(withBody(call, Buffer.from(JSON.stringify(left))));
    return answer.status === 200 ? nameFailedKeys(failed, answer) : answer;
  };
}

/** Parses a body as an array; undefined for any other body, which the sandbox itself refuses. */
function parseArray(bytes: Uint8Array): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(Buffer.from(bytes).toString());
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

async function readBodyBytes(body: Body | undefined): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array(0);
  return readBody(typeof body === 'function' ? body() : body, kvLimits.bulkBytes);
}

function withBody(call: Call, body: Uint8Array): Call {
  return { ...call, headers: { ...call.headers, 'content-length': String(body.length) }, body };
}

/**
 * Returns the key of an entry: the field `key` in a bulk write, or the entry itself in a bulk delete. A key that is not a string is
 * returned as JSON.
 */
export function readEntryKey(entry: unknown): string {
  const key = typeof entry === 'object' && entry !== null && 'key' in entry ? entry.key : entry;
  return typeof key === 'string' ? key : JSON.stringify(key);
}

async function nameFailedKeys(failed: readonly string[], answer: Answer): Promise<Answer> {
  const envelope = JSON.parse(Buffer.from(await readBody(answer.body)).toString());
  const result = { ...envelope.result, unsuccessful_keys: failed };
  return { ...answer, body: Buffer.from(JSON.stringify({ ...envelope, result })) };
}
