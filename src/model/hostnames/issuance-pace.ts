import { hostnameLimits } from './hostname.ts';

/** Certificates a minute that a file asks for, one below the limit: somebody else may create one meanwhile. */
export const defaultIssuanceRate = hostnameLimits.issuances - 1;

/** Milliseconds added to the minute, for clocks that run unevenly. */
const margin = 1000;

/** How far back issuances count. Milliseconds. */
export const issuanceWindow = 60_000 + margin;

/**
 * Milliseconds to wait before one more certificate is asked for, so that no minute ever holds more than `rate` of
 * them. `issued`: when earlier ones were answered, oldest first.
 */
export function issuanceWait(issued: readonly number[], rate: number, now: number): number {
  const blocking = issued.at(-rate);
  return blocking === undefined ? 0 : Math.max(0, blocking + issuanceWindow - now);
}
