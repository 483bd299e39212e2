/** The effects of a fault on matching requests. Effects can be combined; a delay comes first. */
export interface FaultEffects {
  /** Responds with this HTTP status (200 to 599) instead of executing the request. */
  readonly status?: number;
  /** Seconds in the response's `Retry-After` header. */
  readonly retryAfter?: number;
  /** Delay before anything else, in milliseconds. */
  readonly latency?: number;
  /** Maximum additional random delay, in milliseconds. */
  readonly jitter?: number;
  /**
   * Drops the connection: before the request is executed, within the response, or after the request was executed but before the response.
   */
  readonly cut?: 'before' | 'in' | 'after';
  /** Replaces the response body with half of the body, JSON of another shape, nothing, or a proxy's HTML page. */
  readonly body?: 'truncated' | 'wrong' | 'empty' | 'html';
  /** Share (0 to 1) of the keys that a bulk write or delete leaves unchanged and reports as unsuccessful. */
  readonly unsuccessfulKeys?: number;
  /** Seconds for which reads return earlier responses, even if the data has changed. */
  readonly stale?: number;
  /** Maximum number of rows per page, regardless of the request. The minimum is 10, because the platform refuses smaller pages. */
  readonly pageSize?: number;
  /** Requests above this rate are refused with 429. */
  readonly rate?: FaultRate;
}

/** A limit of `requests` in any period of `seconds`, counted per path or per token. */
export interface FaultRate {
  readonly requests: number;
  readonly seconds: number;
  readonly per: 'path' | 'token';
}

/** A fault to set. */
export interface FaultRequest extends FaultEffects {
  /**
   * Matches requests, for example `GET /zones/**`: a method or `*`, then a glob for the path below `/client/v4`. For the S3 API: `PUT
   * s3:/bucket/**`. `s3:` can be omitted if the path starts with a bucket name that is not a root of the v4 API.
   */
  readonly match: string;
  /** Share (0 to 1) of matching requests that the fault affects (default: all). */
  readonly share?: number;
  /** Number of requests that the fault affects before it ends (default: unlimited). */
  readonly times?: number;
  /** Seed of the random choices for `share`, `jitter` and `unsuccessfulKeys`. The same seed leads to the same choices. */
  readonly seed?: number;
}

/** A fault as entered by the user. Omitted fields are undefined. */
export type GivenFault = { readonly [Name in keyof FaultRequest]: FaultRequest[Name] | undefined };

/** A fault of a running sandbox. */
export interface Fault extends FaultRequest {
  readonly id: string;
  /** Number of requests that the fault has affected. */
  readonly met: number;
}
