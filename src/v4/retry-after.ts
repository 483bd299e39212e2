import { maxClosedMs } from '../model/pace.ts';
import type { Answer } from './send.ts';

/**
 * Maximum delay in milliseconds that the platform can impose: the length of its rate limit window. A call with a longer requested delay
 * fails immediately. `edgectl help flags` states this maximum.
 */
export const maxWaitMs = maxClosedMs;

/** Maximum number of attempts for a repeatable call, unless the caller sets a different number. */
export const maxAttempts = 4;

/**
 * Converts a Retry-After value with seconds or a date (RFC 9110, 10.2.3) to seconds. Returns 0 for a date in the past, and any other value
 * unchanged.
 */
export function retryAfterSeconds(value: string, now: number): string {
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return value;
  const at = Date.parse(/GMT$/.test(value) ? value : `${value} GMT`);
  return Number.isNaN(at) ? value : String(Math.max(0, Math.ceil((at - now) / 1000)));
}

/** A longer delay is limited to a year, because it means "never" and may have more digits than a number can represent. */
const aYear = 365 * 86_400_000;

/** Parses Retry-After, in seconds, to milliseconds, at most a year; undefined if there is no such header. */
export function readRetryAfter({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const value = headers['retry-after'];
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value) * 1000, aYear) : undefined;
}

/** Formats a delay in words, rounded up: `1 second`, `90 seconds`, `5 minutes`, `24 hours`. */
export function formatWait(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds > 1000 * 3600) return 'more than 1,000 hours';
  const [unit, length] =
    seconds >= 7200
      ? (['hour', 3600] as const)
      : seconds >= 120
        ? (['minute', 60] as const)
        : (['second', 1] as const);
  const count = Math.ceil(seconds / length);
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}
