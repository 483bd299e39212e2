/** A limit of requests in a number of seconds. */
export interface RequestBudget {
  readonly requests: number;
  readonly seconds: number;
}

/** The platform's limit for a user (reference: client API limits). Each request counts once, a bulk one too. */
export const platformBudget: RequestBudget = { requests: 1200, seconds: 300 };

/** The rest of a budget at a point in time (milliseconds). Below 0, that number of requests is waiting. */
export interface TokenBucket {
  readonly tokens: number;
  readonly at: number;
}

/** Requests that may be sent together after a pause: a quarter, so that short work never waits. */
function burstOf({ requests }: RequestBudget): number {
  return Math.max(1, Math.floor(requests / 4));
}

/** Tokens a millisecond, so that a burst and the rest together keep to the budget in any stretch of its length. */
function rateOf(budget: RequestBudget): number {
  return Math.max(1, budget.requests - burstOf(budget)) / (budget.seconds * 1000);
}

export function fullBucket(budget: RequestBudget, now: number): TokenBucket {
  return { tokens: burstOf(budget), at: now };
}

/** Requests that may be sent together now, and after a pause. */
export interface RequestsLeft {
  readonly left: number;
  readonly of: number;
}

/** Whether so few are left that nothing is read which nobody asked for: less than a quarter. */
export function isScarce({ left, of }: RequestsLeft): boolean {
  return left < of / 4;
}

/** The requests that may be sent together at a point in time (milliseconds); 0 while some are waiting. */
export function requestsLeft(
  bucket: TokenBucket | undefined,
  budget: RequestBudget,
  now: number,
): RequestsLeft {
  const of = burstOf(budget);
  if (bucket === undefined) return { left: of, of };
  const refilled = bucket.tokens + Math.max(0, now - bucket.at) * rateOf(budget);
  return { left: Math.max(0, Math.floor(Math.min(of, refilled))), of };
}

/** Takes the token of one request. `wait` says in how many milliseconds it may go out. */
export function takeToken(
  bucket: TokenBucket,
  budget: RequestBudget,
  now: number,
): { readonly bucket: TokenBucket; readonly wait: number } {
  const rate = rateOf(budget);
  const refilled = bucket.tokens + Math.max(0, now - bucket.at) * rate;
  const tokens = Math.min(burstOf(budget), refilled) - 1;
  return { bucket: { tokens, at: now }, wait: tokens >= 0 ? 0 : Math.ceil(-tokens / rate) };
}

/** Seconds until the last of a number of requests may be sent, if none was sent before. */
export function secondsFor(budget: RequestBudget, requests: number): number {
  const waiting = requests - burstOf(budget);
  return waiting <= 0 ? 0 : waiting / rateOf(budget) / 1000;
}
