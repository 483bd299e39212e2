/** The effects of a fault on the requests that it meets. Several may be set; a wait comes first, a cut last. */
export interface FaultEffects {
  /** Answers with this HTTP status instead of asking the platform. 200 to 599. */
  readonly status?: number;
  /** Seconds in the `Retry-After` of such an answer. */
  readonly retryAfter?: number;
  /** Waits before anything else. Milliseconds. */
  readonly latency?: number;
  /** Maximum random addition to the latency, in milliseconds. */
  readonly jitter?: number;
  /** Cuts the connection: before the request is carried out, in the middle of the answer, or before it, but after the deed. */
  readonly cut?: 'before' | 'in' | 'after';
  /** Takes the place of the answer's body: half of it, JSON of another shape, nothing, or a proxy's page. */
  readonly body?: 'truncated' | 'wrong' | 'empty' | 'html';
  /** Share of the keys of a bulk write or delete that are reported as not written, and are not. 0 to 1. */
  readonly unsuccessfulKeys?: number;
  /** Seconds for which a first reading is repeated, whatever was written since. */
  readonly stale?: number;
  /** Maximum number of rows per page of a list, whatever was requested; 10 or more, as the platform refuses less. */
  readonly pageSize?: number;
  /** More requests than this are refused with 429. */
  readonly rate?: FaultRate;
}

/** `requests` in any `seconds`, counted for each path (`path`) or for each token (`token`). */
export interface FaultRate {
  readonly requests: number;
  readonly seconds: number;
  readonly per: 'path' | 'token';
}

/** A requested fault. */
export interface FaultRequest extends FaultEffects {
  /**
   * `GET /zones/**`: a method or `*`, then a glob of the path below `/client/v4`; of the S3 API `PUT s3:/bucket/**`. What begins
   * with a bucket's name, and not as the v4 API's paths do, is of the S3 API without its `s3:`.
   */
  readonly match: string;
  /** Share of the requests that it hits. 0 to 1 (default: all). */
  readonly share?: number;
  /** Number of requests that it hits before it ends (default: no end). */
  readonly times?: number;
  /** Decides with `share`, `jitter` and `unsuccessfulKeys` whom it meets: the same number meets the same ones. */
  readonly seed?: number;
}

/** A fault as it was typed or read: omitted fields are undefined. */
export type GivenFault = { readonly [Name in keyof FaultRequest]: FaultRequest[Name] | undefined };

/** A fault that is set. */
export interface Fault extends FaultRequest {
  readonly id: string;
  /** How many requests it has met. */
  readonly met: number;
}
