/** A request that a sandbox's server answered, or whose connection the server dropped. */
export interface LoggedRequest {
  /** Number of the request in the order in which requests ended, starting at 1. */
  readonly number: number;
  /** When the request arrived (RFC 3339). */
  readonly time: string;
  /** The API: the v4 API, or the S3 API of the buckets. */
  readonly api: 'v4' | 's3';
  readonly method: string;
  /** Path below `/client/v4`, percent-encoded and without the query. For the S3 API: `/bucket/key`. */
  readonly path: string;
  /** Query without the question mark; for an S3 request, also without the signature. Empty if the request has no query. */
  readonly query: string;
  /** HTTP status; null if the connection was dropped. */
  readonly status: number | null;
  /** Pattern of the matching route, or the S3 API operation, such as `UploadPart`. Null if no route matched. */
  readonly route: string | null;
  /** The reason why the response differs from the usual response, such as `fault 3` or `strict: …`; null if it does not differ. */
  readonly rule: string | null;
  /** Parts of the request that the sandbox ignored: query parameters and fields. */
  readonly notes: readonly string[];
  /** Time until the response was ready, in milliseconds. */
  readonly milliseconds: number;
  /** The headers, with lower-case names and without credentials. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The start of the body if it is text, up to 64 KiB. */
  readonly requestBody?: string;
  readonly answerBody?: string;
}

/** Formats the path as in a fault's `match`; for the S3 API, as `s3:/bucket/key`. */
export function formatRequestPath({ api, path }: Pick<LoggedRequest, 'api' | 'path'>): string {
  return api === 's3' ? `s3:${path}` : path;
}

/** A filter for logged requests. */
export interface LogFilter {
  /** Number of a request. Only requests with a higher number match. */
  readonly since?: number;
  readonly method?: string;
  /** A part of the path, in the form used in a fault's `match`, such as `s3:/pictures/` for the S3 API. */
  readonly path?: string;
  /** The status or its first digits, such as `404` or `4`; `cut` for dropped connections. */
  readonly status?: string;
  /** Maximum number of requests. The newest requests are selected. */
  readonly limit?: number;
}

/** All filters, each with a check and a description of its valid values. The type requires a row for each filter. */
const filters: Readonly<
  Record<keyof LogFilter, readonly [fits: (value: unknown) => boolean, words: string]>
> = {
  since: [(value) => isWhole(value, 0), 'a whole number'],
  method: [
    (value) => typeof value === 'string' && /^(?:GET|HEAD|PUT|POST|PATCH|DELETE|OPTIONS)$/i.test(value),
    'GET, HEAD, PUT, POST, PATCH, DELETE or OPTIONS',
  ],
  path: [(value) => typeof value === 'string' && value !== '', 'a part of a path'],
  status: [
    (value) => typeof value === 'string' && /^(?:[1-5]\d{0,2}|cut)$/.test(value),
    'a string: a status such as "404", its first digits such as "4", or "cut"',
  ],
  limit: [(value) => isWhole(value, 1), 'a whole number of at least 1'],
};

/**
 * Describes the first invalid filter: `status must be …, not "9x"`; undefined if all are valid. Without this check, an invalid filter would
 * match nothing, and tests for unwanted requests would pass.
 */
export function filterFault(filter: object): string | undefined {
  const known = new Map(Object.entries(filters));
  for (const [name, value] of Object.entries(filter)) {
    const [fits, words] = known.get(name) ?? [];
    if (fits === undefined)
      return `${name} is not a filter; valid filters are ${[...known.keys()].join(', ')}`;
    if (value !== undefined && !fits(value))
      return `${name} must be ${words}, not ${typeof value === 'string' ? JSON.stringify(value) : value}`;
  }
  return undefined;
}

function isWhole(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}
