import type { EnvelopeInfo } from '../../v4/envelope.ts';
import { codes } from './codes.ts';
import { refusal } from './exchange.ts';

/** Returns the `result_info` of a numbered page. */
export function pageInfo(page: number, perPage: number, count: number, total: number): EnvelopeInfo {
  return { page, per_page: perPage, count, total_count: total, total_pages: Math.ceil(total / perPage) };
}

/**
 * Reads a whole number within bounds from the query; `defaultValue` if the parameter is absent or empty. Refuses invalid values with 400.
 */
export function readWholeNumber(
  query: URLSearchParams,
  name: string,
  min: number,
  max: number,
  defaultValue: number,
): number {
  const text = query.get(name);
  if (text === null || text === '') return defaultValue;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const rule = `must be a whole number from ${min} to ${max}`;
  throw refusal(400, codes.requestInvalid, `invalid ${name} '${text}': ${rule}`);
}

/** Reads a query parameter whose value must be one of several words; undefined if the parameter is absent. Refuses other words with 400. */
export function readChoice<W extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly W[],
): W | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw refusal(400, codes.requestInvalid, `invalid ${name} '${text}': must be one of ${words.join(', ')}`);
}

/** Returns whether the query reverses the order of a list. Refuses an invalid direction. */
export function isDescending(query: URLSearchParams): boolean {
  return readChoice(query, 'direction', ['asc', 'desc']) === 'desc';
}
