import { Problem } from '../model/problem.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Builds a path from its segments. Each segment is encoded separately, so that no key, bucket or hostname can reach another path. Refuses a
 * segment that is empty, `.` or `..`, because URL normalization would drop it (also in its `%2e` form). Refuses an unpaired surrogate in a
 * segment or the query.
 */
export function buildPath(segments: readonly string[], query: Query = {}): string {
  const path = segments.map((segment) => `/${encodeSegment(segment)}`).join('');
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return path;
  const text = pairs.map(([name, value]) => `${encodeText(name)}=${encodeText(String(value))}`);
  return `${path}?${text.join('&')}`;
}

function encodeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw new Problem('invalid-input', `"${segment}" cannot be part of an API path.`);
  }
  return encodeText(segment);
}

function encodeText(text: string): string {
  if (!text.isWellFormed()) {
    throw new Problem('invalid-input', 'A name contains an unpaired surrogate and cannot be sent.');
  }
  return encodeURIComponent(text);
}
