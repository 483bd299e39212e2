import { hostnameLimits } from './hostname.ts';

/** The state of an issuance limiter. Times are milliseconds since the epoch. */
export interface IssuanceWindow {
  readonly limit: number;
  /** When the certificates of the last minute were requested, oldest first. */
  readonly issued: readonly number[];
  readonly blockedUntil?: number;
}

export interface IssuanceAnswer {
  readonly window: IssuanceWindow;
  /** Seconds to wait (Retry-After) if this issuance is refused. */
  readonly retryAfter?: number;
}

const minute = 60_000;

export function openIssuanceWindow(limit: number = hostnameLimits.issuances): IssuanceWindow {
  return { limit, issued: [] };
}

/**
 * Checks whether one more certificate may be issued now. A request that exceeds the limit starts a block of 30 seconds, after which the
 * window is empty (specification, Limits).
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

/** Counts one issuance. Call this function only after a successful creation. */
export function countIssuance(window: IssuanceWindow, now: number): IssuanceWindow {
  const issued = window.issued.filter((at) => at > now - minute);
  return { ...window, issued: [...issued, now] };
}

/** Returns the number of issuances that count towards the limit, and the remaining seconds during which no certificate is issued. */
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

/** Certificates per minute for a file: one less than the limit, because another user may also request a certificate. */
export const defaultIssuanceRate = hostnameLimits.issuances - 1;

/** Milliseconds added to the minute to allow for inaccurate clocks. */
const margin = 1000;

/** How long an issuance counts towards the limit, in milliseconds. */
export const issuanceSpanMilliseconds = 60_000 + margin;

/**
 * Returns the milliseconds to wait before requesting one more certificate, so that at most `rate` certificates are requested in any minute.
 * `issued` are the times of the responses to earlier requests, oldest first.
 */
export function issuanceWait(issued: readonly number[], rate: number, now: number): number {
  const blocking = issued.at(-rate);
  return blocking === undefined ? 0 : Math.max(0, blocking + issuanceSpanMilliseconds - now);
}
