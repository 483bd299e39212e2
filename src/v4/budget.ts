import { type Bucket, fullBucket, type RequestBudget, takeToken } from '../model/budget.ts';
import type { Call, Send } from './send.ts';

/** What has been used of a budget, by all who share it. */
export interface Used {
  bucket?: Bucket;
  /** Milliseconds since the UNIX epoch: until then the platform has asked for quiet. */
  closedUntil: number;
}

export interface PaceOptions {
  /** Undefined for none: on loopback and in process. */
  readonly budget: RequestBudget | undefined;
  /** Left out, the budget is shared with nobody. */
  readonly used?: Used;
  /** Milliseconds since the UNIX epoch. */
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Told of waits that a person would notice, before they begin. */
  onWait?: ((milliseconds: number) => void) | undefined;
}

/** The longest that a Retry-After is obeyed by everybody: the length of the platform's window. */
const longestPause = 5 * 60_000;
const noticeable = 2000;

/**
 * Keeps requests within a budget, by a token bucket, and holds all of them back while a 429 answer says to wait
 * (Retry-After): one refused request tells about the others. Goes below `retrying`, so that retries count as well.
 */
export function paced(send: Send, options: PaceOptions): Send {
  const { budget, used = { closedUntil: 0 } } = options;

  const waitFor = (now: number): number => {
    if (budget === undefined) return used.closedUntil - now;
    const taken = takeToken(used.bucket ?? fullBucket(budget, now), budget, now);
    used.bucket = taken.bucket;
    return Math.max(taken.wait, used.closedUntil - now);
  };
  return async (call) => {
    const wait = waitFor(options.now());
    if (wait >= noticeable) options.onWait?.(wait);
    if (wait > 0) await options.sleep(wait, call.signal);
    const answer = await send(call);
    const seconds = Number(answer.headers['retry-after']);
    if (answer.status === 429 && seconds > 0 && !createsHostname(call)) {
      used.closedUntil = Math.max(used.closedUntil, options.now() + Math.min(seconds * 1000, longestPause));
    }
    return answer;
  };
}

/** Whose 429 is about certificates that may be issued in a minute, and tells nothing about other requests. */
function createsHostname({ method, path }: Call): boolean {
  return method === 'POST' && path.endsWith('/custom_hostnames');
}
