/** A request that a sandbox's server has answered, or whose connection it dropped. */
export interface LoggedRequest {
  /** Starts at 1, in the order in which requests ended. */
  readonly number: number;
  /** When the request arrived (RFC 3339). */
  readonly time: string;
  /** The v4 API, or the S3 API of its buckets. */
  readonly api: 'v4' | 's3';
  readonly method: string;
  /** Path below `/client/v4`, percent-encoded, without the query; for the S3 API, `/bucket/key`. */
  readonly path: string;
  /** Query without the question mark, and without the signature of an S3 request; empty if there is none. */
  readonly query: string;
  /** HTTP status; null if the connection was dropped. */
  readonly status: number | null;
  /** Pattern of the route that answered, or the S3 API operation, for example `UploadPart`; null if there is none. */
  readonly route: string | null;
  /** Why the answer differs from the usual answer: `fault 3`, `strict: …`; null if the answer is the usual one. */
  readonly rule: string | null;
  /** Parts of the request that the sandbox ignores: query parameters and fields. */
  readonly notes: readonly string[];
  /** Time until the answer was ready, in milliseconds. */
  readonly milliseconds: number;
  /** The headers, with lower-case names and without credentials. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The start of the body if it is text, up to 64 KiB. */
  readonly requestBody?: string;
  readonly answerBody?: string;
}

/** Formats the path like a fault's `match`: `s3:/bucket/key` for the S3 API. */
export function formatRequestPath({ api, path }: Pick<LoggedRequest, 'api' | 'path'>): string {
  return api === 's3' ? `s3:${path}` : path;
}

/** Selects requests. */
export interface LogFilter {
  /** Only requests after this number. */
  readonly since?: number;
  readonly method?: string;
  /** A part of the path, written like the `match` of a fault: `s3:/pictures/` for the S3 API. */
  readonly path?: string;
  /** The status or its first digits: `4`, `404`; `cut` for dropped connections. */
  readonly status?: string;
  /** Maximum number of requests, from the newest. */
  readonly limit?: number;
}

/** All filters, with a check and a description of valid values. The type makes sure that none is missing. */
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
    'a status, its first digits or cut, as a string such as "404" or "4"',
  ],
  limit: [(value) => isWhole(value, 1), 'a whole number of at least 1'],
};

/**
 * Describes what is invalid in a filter: `status must be …, not "9x"`; undefined if it is valid. An invalid filter that matches
 * nothing would let tests pass that check for unwanted requests.
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
