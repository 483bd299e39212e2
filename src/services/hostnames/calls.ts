import { buildPath, type Query } from '../../v4/path.ts';
import type { Call, Method } from '../../v4/send.ts';

/** Returns a GET request. */
export function reading(segments: readonly string[], query: Query = {}): Call {
  return { method: 'GET', path: buildPath(segments, query), headers: {}, repeatable: true };
}

/** Returns a write request, with a JSON body if `body` is given. A POST request is never retried automatically. */
export function changing(
  method: Exclude<Method, 'GET'>,
  segments: readonly string[],
  body?: unknown,
  query: Query = {},
): Call {
  return {
    method,
    path: buildPath(segments, query),
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    repeatable: method !== 'POST',
  };
}
