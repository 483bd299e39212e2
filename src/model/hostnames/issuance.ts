import { hostnameLimits } from './hostname.ts';

/** The state of an issuance limiter. Times are milliseconds since the epoch. */
export interface IssuanceWindow {
  readonly limit: number;
  /** When the certificates of the last minute were asked for, oldest first. */
  readonly issued: readonly number[];
  readonly blockedUntil?: number;
}

export interface IssuanceAnswer {
  readonly window: IssuanceWindow;
  /** Whole seconds to wait (Retry-After), when this issuance is refused. */
  readonly retryAfter?: number;
}

const minute = 60_000;

export function openIssuanceWindow(limit: number = hostnameLimits.issuances): IssuanceWindow {
  return { limit, issued: [] };
}

/**
 * Asks whether one more certificate may be issued now. The one above the limit starts the block of 30 seconds; when
 * that is over the window is empty (specification, Limits).
 */
export function askIssuance(window: IssuanceWindow, now: number): IssuanceAnswer {
  const current = afterBlock(window, now);
  if (current.blockedUntil !== undefined) {
    return { window: current, retryAfter: Math.ceil((current.blockedUntil - now) / 1000) };
  }
  const issued = current.issued.filter((at) => at > now - minute);
  if (issued.length < current.limit) return { window: { ...current, issued } };
  const blockedUntil = now + hostnameLimits.issuanceBlock * 1000;
  return { window: { ...current, issued, blockedUntil }, retryAfter: hostnameLimits.issuanceBlock };
}

/** Counts one issuance. Only for a creation that succeeded. */
export function countIssuance(window: IssuanceWindow, now: number): IssuanceWindow {
  const issued = window.issued.filter((at) => at > now - minute);
  return { ...window, issued: [...issued, now] };
}

/** The used part of the limit, and for how many more seconds issuance is refused. */
export function issuanceGauge(window: IssuanceWindow, now: number): { used: number; blockedSeconds: number } {
  const current = afterBlock(window, now);
  return {
    used: current.issued.filter((at) => at > now - minute).length,
    blockedSeconds: Math.ceil(Math.max(0, (current.blockedUntil ?? now) - now) / 1000),
  };
}

function afterBlock(window: IssuanceWindow, now: number): IssuanceWindow {
  const over = window.blockedUntil !== undefined && window.blockedUntil <= now;
  return over ? { limit: window.limit, issued: [] } : window;
}

/** Certificates a minute that a file asks for, one below the limit: somebody else may create one meanwhile. */
export const defaultIssuanceRate = hostnameLimits.issuances - 1;

/** Milliseconds added to the minute, for clocks that run unevenly. */
const margin = 1000;

/** How far back issuances count. */
export const issuanceSpanMilliseconds = 60_000 + margin;

/**
 * Milliseconds to wait before one more certificate is asked for, so that no minute ever holds more than `rate` of
 * them. `issued`: when earlier ones were answered, oldest first.
 */
export function issuanceWait(issued: readonly number[], rate: number, now: number): number {
  const blocking = issued.at(-rate);
  return blocking === undefined ? 0 : Math.max(0, blocking + issuanceSpanMilliseconds - now);
}
