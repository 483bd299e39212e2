import { parseDuration } from '../../text/time.ts';

/** Parses a time in a seed to milliseconds: RFC 3339, or an offset from `now`. The shape has already checked the string. */
export function parseMoment(text: string, now: number): number;
export function parseMoment(text: string | undefined, now: number): number | undefined;
export function parseMoment(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const sign = text.startsWith('+') ? 1 : text.startsWith('-') ? -1 : 0;
  return sign === 0 ? Date.parse(text) : now + sign * parseDuration(text.slice(1)) * 1000;
}

/** Formats a time for a snapshot. */
export function formatMoment(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
