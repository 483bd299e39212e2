import { findRequest, formatLog, type TraceEvent } from './trace.ts';

/** A filter of a tail in wire form. An event must match all specified filters. */
export type TraceFilter =
  /** The fraction of events to keep, above 0 and at most 1. */
  | { readonly sampling_rate: number }
  | { readonly outcome: readonly string[] }
  | { readonly method: readonly string[] }
  /** A request header, optionally with a string that its value must contain. */
  | { readonly header: { readonly key: string; readonly query?: string } }
  /** Client IP addresses of the request. `self` is the IP address of the user who created the tail. */
  | { readonly client_ip: readonly string[] }
  /** A string that the console output must contain. */
  | { readonly query: string }
  /** The id of a worker version. */
  | { readonly scriptVersion: string };

/** Parses a filter. Throws an Error whose message is the rest of a sentence that starts with "the filter". */
export function readTraceFilter(value: unknown): TraceFilter {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [name = '', given] = entries[0] ?? [];
  if (entries.length !== 1) throw new Error('is not an object with one field');
  switch (name) {
    case 'sampling_rate':
      if (typeof given === 'number' && given > 0 && given <= 1) return { sampling_rate: given };
      throw new Error('sampling_rate is not a number above 0 and at most 1');
    case 'outcome':
      return { outcome: readStrings(name, given) };
    case 'method':
      return { method: readStrings(name, given) };
    case 'client_ip':
      return { client_ip: readStrings(name, given) };
    case 'query':
      return { query: readString(name, given) };
    case 'scriptVersion':
      return { scriptVersion: readString(name, given) };
    case 'header':
      return { header: readHeader(given) };
    default:
      throw new Error(`has the unknown field "${name}"`);
  }
}

function readStrings(name: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new Error(`${name} is not a list of strings`);
  return value.map((one: unknown) => readString(name, one));
}

function readString(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error(`${name} contains something other than a string`);
}

function readHeader(value: unknown): { key: string; query?: string } {
  const { key, query } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof key !== 'string' || key === '') throw new Error('header has no key');
  return query === undefined ? { key } : { key, query: readString('header', query) };
}

/**
 * Returns whether an event matches all filters. `chance` returns a number from 0 up to, but not including, 1, and is called only for
 * sampling.
 */
export function matchesFilters(
  filters: readonly TraceFilter[],
  event: TraceEvent,
  chance: () => number,
): boolean {
  return filters.every((filter) => matchesFilter(filter, event, chance));
}

function matchesFilter(filter: TraceFilter, event: TraceEvent, chance: () => number): boolean {
  if ('sampling_rate' in filter) return chance() < filter.sampling_rate;
  if ('outcome' in filter) return filter.outcome.includes(event.outcome);
  if ('query' in filter) return event.logs.some((log) => formatLog(log).includes(filter.query));
  if ('scriptVersion' in filter) return event.scriptVersion?.id === filter.scriptVersion;
  const request = findRequest(event);
  if (request === undefined) return false;
  if ('method' in filter) return filter.method.some((one) => one.toUpperCase() === request.method);
  if ('client_ip' in filter) return filter.client_ip.includes(request.headers['cf-connecting-ip'] ?? '');
  const found = request.headers[filter.header.key.toLowerCase()];
  return found?.includes(filter.header.query ?? '') ?? false;
}
