/** A limit of requests in a number of seconds. */
export interface RequestBudget {
  readonly requests: number;
  readonly seconds: number;
}

/** The platform's limit for a user (reference: client API limits). Each request counts once, a bulk one too. */
export const platformBudget: RequestBudget = { requests: 1200, seconds: 300 };

/** The rest of a budget at a point in time (milliseconds). With fewer than 0 tokens, so many requests wait already. */
export interface TokenBucket {
  readonly tokens: number;
  readonly at: number;
}

/** Requests that may go out at once after a pause: a quarter, so that short work never waits. */
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
