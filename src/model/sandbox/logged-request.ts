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
  /** Without the question mark, and without what signs a request of the S3 API; empty when there is none. */
  readonly query: string;
  /** HTTP status; null where the connection was cut. */
  readonly status: number | null;
  /** Pattern of the route that answered, or the operation of the S3 API, as `UploadPart`; null where there is none. */
  readonly route: string | null;
  /** Why the answer is another one than usual: `fault 3`, `strict: …`; null where nothing made it so. */
  readonly rule: string | null;
  /** Parts of the request that the sandbox passes over: query parameters and fields. */
  readonly notes: readonly string[];
  /** Until the answer was ready. Milliseconds. */
  readonly milliseconds: number;
  /** Lower-case names; credentials are left out. */
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
  /** The last so many. */
  readonly limit?: number;
}
