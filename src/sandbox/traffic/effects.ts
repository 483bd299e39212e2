import { setImmediate as immediate } from 'node:timers/promises';
import type { FaultEffects } from '../../model/sandbox/fault.ts';
import { type Answer, closeBody, readBody } from '../../v4/send.ts';
import { withoutSomeKeys } from './bulk-effect.ts';
import { applied, ConnectionCut, dropBody, type FaultClock, type FaultStep } from './effect.ts';
import { newRate } from './rate-effect.ts';
import { refusalIn, withMostRows, wrongBodyIn } from './s3-forms.ts';
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
  // What was written leaves for the socket first.
  await immediate();
  throw new ConnectionCut();
}

/** A body whose length is known. */
interface Sized {
  readonly body: Answer['body'];
  readonly length: number;
}

/** A body as it comes where its length is told, else read whole. */
async function sized({ headers, body }: Answer): Promise<Sized> {
  const length = headers['content-length'];
  if (!(body instanceof Uint8Array) && length !== undefined) return { body, length: Number(length) };
  const whole = await readBody(body, 64 * 1024 * 1024);
  return { body: whole, length: whole.length };
}

/** The first half of a body; the rest is not read. */
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
