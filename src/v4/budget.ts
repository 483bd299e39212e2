import { fullBucket, type RequestBudget, type TokenBucket, takeToken } from '../model/budget.ts';
import { longestWait, retryAfterOf } from './retry-after.ts';
import type { Call, Send } from './send.ts';

/** The used part of a budget, by all who share it. */
export interface BudgetUse {
  bucket?: TokenBucket;
  /** Milliseconds since the UNIX epoch: until then the platform has asked for quiet. */
  closedUntil: number;
}

export interface PaceOptions {
  /** Undefined for none: on loopback and in process. */
  readonly budget: RequestBudget | undefined;
  /** If omitted, the budget is not shared. */
  readonly used?: BudgetUse;
  /** Milliseconds since the UNIX epoch. */
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Called before a wait that a person would notice. */
  onWait?: ((milliseconds: number, reason: WaitReason) => void) | undefined;
}

/** Why a request is held back: the budget is used up, or the platform has asked for quiet. */
export type WaitReason = 'budget' | 'retry-after';

const noticeable = 2000;

/**
 * Keeps requests within a budget by a token bucket, and holds all of them back while a 429 answer says to wait (Retry-After):
 * one refused request is valid for the others. An answer that asks for a longer wait than `longestWait` holds nothing back,
 * because no one waits that long. Place it below `retrying`, so that retries count too.
 */
export function paced(send: Send, options: PaceOptions): Send {
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
    const asked = retryAfterOf(answer) ?? 0;
    if (answer.status === 429 && asked <= longestWait && !createsHostname(call)) {
      used.closedUntil = Math.max(used.closedUntil, options.now() + asked);
    }
    return answer;
  };
}

/** Whether a call creates a hostname: its 429 concerns certificates per minute, not other requests. */
function createsHostname({ method, path }: Call): boolean {
  return method === 'POST' && path.endsWith('/custom_hostnames');
}
