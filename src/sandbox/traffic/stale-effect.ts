import { type Answer, readBody } from '../../v4/send.ts';
import { type FaultClock, type FaultStep, pathOf } from './effect.ts';
import { callerOf, unsignedQuery } from './s3-forms.ts';

interface Kept {
  readonly until: number;
  readonly answer: Answer;
}

/** An answer that is kept at most, in bytes; longer ones are always read anew. */
const longest = 26_214_400;
/** Answers that are kept at most: the oldest goes first. */
const most = 1000;

/**
 * Gives what was read once again for `seconds`, as the platform's edges do: a value that has changed in between, and a
 * key that was missing and is there now. What one caller was given no other one is: it may be of another account.
 */
export function newStale(seconds: number, { now }: FaultClock): FaultStep {
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
