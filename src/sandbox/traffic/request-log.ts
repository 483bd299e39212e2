import { formatRequestPath, type LogFilter, type LoggedRequest } from '../../model/sandbox/logged-request.ts';
import type { Call } from '../../v4/send.ts';
import { pathWithoutQuery } from './effect.ts';
import { listIgnoredParts, listIgnoredS3Parts } from './notes.ts';
import { unsignedQuery } from './s3-forms.ts';

/**
 * A request as it is recorded. The other fields of `LoggedRequest` are derived when a client reads the log, because deriving them takes ten
 * times as long as recording the request.
 */
export interface RecordedRequest
  extends Pick<
    LoggedRequest,
    'route' | 'rule' | 'status' | 'milliseconds' | 'requestHeaders' | 'answerHeaders'
  > {
  readonly call: Pick<Call, 'api' | 'method' | 'path'>;
  /** The time at which the request arrived, in milliseconds since the UNIX epoch. */
  readonly began: number;
  readonly requestBody?: string | undefined;
  readonly answerBody?: string | undefined;
  /** The notes about a form, stored here because the parts of the form are not recorded. */
  readonly notes?: readonly string[] | undefined;
}

/** The log of the latest requests to a server, up to `limits.entries`. */
export interface RequestLog {
  add(request: RecordedRequest): void;
  /** Returns requests in the order in which they ended, starting after the number `since`. */
  list(filter: LogFilter): LoggedRequest[];
  clear(): void;
}

/** Maximum number of requests, and of bytes in all their bodies. The bodies of older requests are removed first. */
const limits = { entries: 10_000, bodies: 8 * 1024 * 1024 };

export function openRequestLog(): RequestLog {
  let requests: RecordedRequest[] = [];
  /** The number of all requests so far, which is also the number of the newest request. */
  let count = 0;
  let bytes = 0;
  return {
    add(request) {
      count += 1;
      requests.push(request);
      bytes += readBodySize(request);
      if (bytes > limits.bodies) bytes = dropOldBodies(requests, bytes);
      if (requests.length > limits.entries * 1.1) {
        const newest = requests.slice(-limits.entries);
        bytes -= requests.slice(0, -limits.entries).reduce((sum, one) => sum + readBodySize(one), 0);
        requests = newest;
      }
    },
    list(filter) {
      const first = count - requests.length + 1;
      const found: LoggedRequest[] = [];
      const limit = filter.limit ?? limits.entries;
      for (let at = requests.length - 1; at >= 0 && found.length < limit; at -= 1) {
        const request = requests[at];
        if (first + at <= (filter.since ?? 0)) break;
        if (request !== undefined && matchesFilter(request, filter))
          found.push(formatRequest(first + at, request));
      }
      return found.reverse();
    },
    clear() {
      requests = [];
      bytes = 0;
    },
  };
}

/** Removes the oldest bodies until the remaining bodies have at most half of the maximum size. Returns the number of remaining bytes. */
function dropOldBodies(requests: RecordedRequest[], bytes: number): number {
  let left = bytes;
  for (const [index, request] of requests.entries()) {
    if (left <= limits.bodies / 2) break;
    const size = readBodySize(request);
    if (size === 0) continue;
    left -= size;
    const { requestBody: _, answerBody: _answer, ...rest } = request;
    requests[index] = { ...rest, notes: listNotes(request) };
  }
  return left;
}

function readBodySize({ requestBody = '', answerBody = '' }: RecordedRequest): number {
  return requestBody.length + answerBody.length;
}

function matchesFilter({ call, status }: RecordedRequest, filter: LogFilter): boolean {
  const { api = 'v4', method } = call;
  return (
    (filter.method === undefined || filter.method === method) &&
    (filter.path === undefined ||
      formatRequestPath({ api, path: pathWithoutQuery(call) }).includes(filter.path)) &&
    (filter.status === undefined || String(status ?? 'cut').startsWith(filter.status))
  );
}

function formatRequest(number: number, request: RecordedRequest): LoggedRequest {
  const { call, began, route, status, rule, milliseconds, requestBody, answerBody } = request;
  return {
    number,
    time: new Date(began).toISOString(),
    api: call.api ?? 'v4',
    method: call.method,
    path: pathWithoutQuery(call),
    query: unsignedQuery(call),
    route,
    notes: listNotes(request),
    milliseconds,
    requestHeaders: request.requestHeaders,
    status,
    rule,
    answerHeaders: request.answerHeaders,
    ...(requestBody !== undefined && { requestBody }),
    ...(answerBody !== undefined && { answerBody }),
  };
}

/** Describes all parts of a request that the sandbox ignores. */
function listNotes({ call, route, requestHeaders, requestBody, notes }: RecordedRequest): readonly string[] {
  if (notes !== undefined) return notes;
  const query = unsignedQuery(call);
  if (call.api === 's3') return listIgnoredS3Parts({ headers: requestHeaders }, query);
  return listIgnoredParts({ method: call.method, route, query, body: requestBody });
}
