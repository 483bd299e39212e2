/** A request that a sandbox's server has answered, or cut. */
export interface LoggedRequest {
  /** Counts from 1, in the order in which they ended. */
  readonly number: number;
  /** When it came. RFC 3339. */
  readonly time: string;
  /** The v4 API, or the S3 API of its buckets. */
  readonly api: 'v4' | 's3';
  readonly method: string;
  /** Below `/client/v4`, percent-encoded, without query; of the S3 API `/bucket/key`. */
  readonly path: string;
  /** Without the question mark, and without the signature of a request of the S3 API; empty if there is none. */
  readonly query: string;
  /** HTTP status; null where the connection was cut. */
  readonly status: number | null;
  /** Pattern of the route that answered, or the operation of the S3 API, for example `UploadPart`; null if there is none. */
  readonly route: string | null;
  /** Why the answer is another one than usual: `fault 3`, `strict: …`; null where nothing made it so. */
  readonly rule: string | null;
  /** Parts of the request that the sandbox ignores: query parameters and fields. */
  readonly notes: readonly string[];
  /** Until the answer was ready. Milliseconds. */
  readonly milliseconds: number;
  /** Lower-case names, without credentials. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The beginning of a body of text, up to 64 KiB. */
  readonly requestBody?: string;
  readonly answerBody?: string;
}

/** The path as a fault's `match` names it: `s3:/bucket/key` for the S3 API. */
export function shownPath({ api, path }: Pick<LoggedRequest, 'api' | 'path'>): string {
  return api === 's3' ? `s3:${path}` : path;
}

/** Which of the requests. */
export interface LogFilter {
  /** Those after this number. */
  readonly since?: number;
  readonly method?: string;
  /** A part of the path, as a fault names it: `s3:/pictures/` for the S3 API. */
  readonly path?: string;
  /** The status or its first digits: `4`, `404`; `cut` for cut connections. */
  readonly status?: string;
  /** Maximum number, the newest ones. */
  readonly limit?: number;
}

/** All filters: which values fit, and how those are called. A type keeps it whole. */
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
    'a status as text, its first digits, or cut: 404, 4',
  ],
  limit: [(value) => isWhole(value, 1), 'a whole number of at least 1'],
};

/**
 * Names the fault of a filter from outside, as `status is …; this is "9x"`; undefined where it has none. A filter that meets
 * nothing by mistake would let a test pass that looks for what must not be asked.
 */
export function filterFault(filter: object): string | undefined {
  const known = new Map(Object.entries(filters));
  for (const [name, value] of Object.entries(filter)) {
    const [fits, words] = known.get(name) ?? [];
    if (fits === undefined)
      return `${name} is no filter of requests; there are ${[...known.keys()].join(', ')}`;
    if (value !== undefined && !fits(value))
      return `${name} is ${words}; this is ${typeof value === 'string' ? JSON.stringify(value) : value}`;
  }
  return undefined;
}

function isWhole(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}
