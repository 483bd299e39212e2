import { fullBucket, type RequestBudget, type TokenBucket, takeToken } from '../model/budget.ts';
import { maxWaitMs, readRetryAfter } from './retry-after.ts';
import type { Call, Send } from './send.ts';

/** The used part of a budget, shared by its users. */
export interface BudgetUse {
  bucket?: TokenBucket;
  /** Milliseconds since the UNIX epoch: the platform allows no requests before this time. */
  closedUntil: number;
}

export interface PaceOptions {
  /** The budget; undefined if there is none, as on loopback and in process. */
  readonly budget: RequestBudget | undefined;
  /** The state that is shared between users of the budget; if omitted, it is not shared. */
  readonly used?: BudgetUse;
  /** Milliseconds since the UNIX epoch. */
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Called before a wait that a user would notice. */
  onWait?: ((milliseconds: number, reason: WaitReason) => void) | undefined;
}

/** Why a request is delayed: the budget is used up, or the platform has requested a wait. */
export type WaitReason = 'budget' | 'retry-after';

const noticeable = 2000;

/**
 * Limits requests to a budget with a token bucket, and delays all of them while a 429 response requires a wait (Retry-After):
 * one refused request applies to all. If the requested wait is longer than `maxWaitMs`, nothing is delayed, because no user
 * waits that long. Wrap it in `retrying`, so that retries count too.
 */
export function withRequestBudget(send: Send, options: PaceOptions): Send {
  const { budget, used = { closedUntil: 0 } } = options;

  const budgetWait = (now: number): number => {
    if (budget === undefined) return 0;
    const taken = takeToken(used.bucket ?? fullBucket(budget, now), budget, now);
    used.bucket = taken.bucket;
    return taken.wait;
  };
  return async (call) => {
    const now = options.now();
    const forBudget = budgetWait(now);
    const forQuiet = used.closedUntil - now;
    const wait = Math.max(forBudget, forQuiet);
    if (wait >= noticeable) options.onWait?.(wait, forQuiet > forBudget ? 'retry-after' : 'budget');
    if (wait > 0) await options.sleep(wait, call.signal);
    const answer = await send(call);
    const asked = readRetryAfter(answer) ?? 0;
    if (answer.status === 429 && asked <= maxWaitMs && !createsHostname(call)) {
      used.closedUntil = Math.max(used.closedUntil, options.now() + asked);
    }
    return answer;
  };
}

/** Whether a call creates a hostname: its 429 refers to certificates per minute, not to other requests. */
function createsHostname({ method, path }: Call): boolean {
  return method === 'POST' && path.endsWith('/custom_hostnames');
}
