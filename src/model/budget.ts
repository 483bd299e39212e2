/** A maximum number of requests per period. */
export interface RequestBudget {
  readonly requests: number;
  readonly seconds: number;
}

/** The platform's limit per user (reference: client API limits). Each request counts once, including bulk requests. */
export const platformBudget: RequestBudget = { requests: 1200, seconds: 300 };

/** The state of a budget at a point in time (milliseconds). A negative value is the number of waiting requests. */
export interface TokenBucket {
  readonly tokens: number;
  readonly at: number;
}

/** Maximum number of requests sent together after a pause: a quarter of the budget, so that short work never waits. */
function burstSize({ requests }: RequestBudget): number {
  return Math.max(1, Math.floor(requests / 4));
}

/** Tokens per millisecond, so that a burst and the refill together stay within the budget in any period of its length. */
function tokensPerMillisecond(budget: RequestBudget): number {
  return Math.max(1, budget.requests - burstSize(budget)) / (budget.seconds * 1000);
}

export function fullBucket(budget: RequestBudget, now: number): TokenBucket {
  return { tokens: burstSize(budget), at: now };
}

/** The number of requests that can be sent together now, and the number after a pause. */
export interface RequestsLeft {
  readonly left: number;
  readonly of: number;
}

/** Whether less than a quarter of the budget is left, in which case data that nobody asked for is not loaded. */
export function isScarce({ left, of }: RequestsLeft): boolean {
  return left < of / 4;
}

/** The number of requests that can be sent together at a point in time (milliseconds); 0 while some are waiting. */
export function requestsLeft(
  bucket: TokenBucket | undefined,
  budget: RequestBudget,
  now: number,
): RequestsLeft {
  const of = burstSize(budget);
  if (bucket === undefined) return { left: of, of };
  const refilled = bucket.tokens + Math.max(0, now - bucket.at) * tokensPerMillisecond(budget);
  return { left: Math.max(0, Math.floor(Math.min(of, refilled))), of };
}

/** Takes the token of one request. `wait` is the number of milliseconds until it can be sent. */
export function takeToken(
  bucket: TokenBucket,
  budget: RequestBudget,
  now: number,
): { readonly bucket: TokenBucket; readonly wait: number } {
  const rate = tokensPerMillisecond(budget);
  const refilled = bucket.tokens + Math.max(0, now - bucket.at) * rate;
  const tokens = Math.min(burstSize(budget), refilled) - 1;
  return { bucket: { tokens, at: now }, wait: tokens >= 0 ? 0 : Math.ceil(-tokens / rate) };
}

/** Seconds until the last of the given number of requests can be sent, if none was sent before. */
export function secondsFor(budget: RequestBudget, requests: number): number {
  const waiting = requests - burstSize(budget);
  return waiting <= 0 ? 0 : waiting / tokensPerMillisecond(budget) / 1000;
}
