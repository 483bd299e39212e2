import { truncate } from '../model/long-text.ts';
import { Problem } from '../model/problem.ts';

const secondsIn = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 } as const;

const duration = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/**
 * Parses a duration to seconds: `90`, `90s`, `90m`, `7d` or `1h30m`, with units from large to small. Throws for any other value, with the
 * name of the flag. The caller must check the minimum.
 */
export function parseDuration(text: string, flag?: string): number {
  const withUnit = /^\d+$/.test(text) ? `${text}s` : text;
  const parts = text === '' || text.length > 40 ? null : duration.exec(withUnit);
  if (parts === null) throw badDuration(truncate(text, 40), flag);
  const seconds = Object.values(secondsIn).reduce(
    (sum, unit, at) => sum + unit * Number(parts[at + 1] ?? 0),
    0,
  );
  if (!Number.isSafeInteger(seconds)) throw badDuration(text, flag);
  return seconds;
}

/**
 * Parses a duration with a unit to seconds. Throws for a number without a unit. Users who omit the unit of an expiry usually mean days, but
 * `parseDuration` would read seconds.
 */
export function parseUnitDuration(text: string, flag: string): number {
  const seconds = parseDuration(text, flag);
  if (!/^\d+$/.test(text)) return seconds;
  throw new Problem('invalid-input', `${flag}: "${text}" has no unit.`, {
    hint: `Add a unit. For days: ${flag} ${text}d. Other units are s, m, h and w.`,
  });
}

function badDuration(text: string, flag: string | undefined): Problem {
  const from = flag === undefined ? '' : `${flag}: `;
  return new Problem('invalid-input', `${from}"${text}" is not a duration.`, {
    hint: 'Write whole seconds, or units from large to small: 90, 90s, 90m, 7d, 1h30m.',
  });
}

/** Formats a duration in seconds in its largest unit, rounded down: `5d`, `3h`, `45s`. A negative sign is dropped. */
export function compactDuration(seconds: number): string {
  const length = Math.abs(Math.trunc(seconds));
  for (const unit of ['d', 'h', 'm'] as const) {
    if (length >= secondsIn[unit]) return `${Math.floor(length / secondsIn[unit])}${unit}`;
  }
  return `${length}s`;
}

/**
 * Formats a duration in seconds. If the number is small, adds the next smaller unit, because "1h" could be nearly two hours: `1h59m`,
 * `12h`, `45s`.
 */
export function closeDuration(seconds: number): string {
  const length = Math.abs(Math.trunc(seconds));
  const units = ['d', 'h', 'm', 's'] as const;
  const at = units.findIndex((unit) => length >= secondsIn[unit]);
  const [unit, smaller] = units.slice(Math.max(0, at));
  if (at === -1 || unit === undefined || smaller === undefined) return compactDuration(length);
  const rest = Math.floor((length % secondsIn[unit]) / secondsIn[smaller]);
  const isSmall = length < 10 * secondsIn[unit];
  return isSmall && rest > 0 ? `${compactDuration(length)}${rest}${smaller}` : compactDuration(length);
}

/** Formats a time relative to now: `in 3 days`, `2 h ago`. The argument is in seconds; negative values are in the past. */
export function relativeTime(secondsFromNow: number): string {
  const seconds = Math.trunc(secondsFromNow);
  if (seconds === 0) return 'now';
  const compact = compactDuration(seconds);
  const count = compact.slice(0, -1);
  const words = { d: count === '1' ? 'day' : 'days', h: 'h', m: 'min', s: 's' };
  const length = `${count} ${words[compact.slice(-1) as keyof typeof words]}`;
  return seconds > 0 ? `in ${length}` : `${length} ago`;
}

/** Formats a time in milliseconds to the second: `2026-11-22 09:30:15Z`. */
export function utcSecond(at: number): string {
  return new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

/** Formats a time in milliseconds to the minute: `2026-11-22 09:30Z`. */
export function utcMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
