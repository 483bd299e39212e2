import type { FaultRate } from '../../model/sandbox/fault.ts';
import { type FaultClock, type FaultStep, pathOf } from './effect.ts';
import { callerOf, refusalIn } from './s3-forms.ts';

/** Refuses with 429 what comes after `requests` in any `seconds`. What is refused is not counted. */
export function newRate(rate: FaultRate, retryAfter: number | undefined, { now }: FaultClock): FaultStep {
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
