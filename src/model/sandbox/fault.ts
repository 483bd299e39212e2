/** The effects of a fault on the requests that it affects. Several can be combined; a wait comes first. */
export interface FaultEffects {
  /** Answers with this HTTP status (200 to 599) instead of executing the request. */
  readonly status?: number;
  /** Seconds in the `Retry-After` header of the answer. */
  readonly retryAfter?: number;
  /** Delay before anything else, in milliseconds. */
  readonly latency?: number;
  /** Maximum additional random delay, in milliseconds. */
  readonly jitter?: number;
  /** Drops the connection: before the request is executed, within the response, or after execution but before the response. */
  readonly cut?: 'before' | 'in' | 'after';
  /** Replaces the response body: with half of it, JSON of another shape, nothing, or a proxy's HTML page. */
  readonly body?: 'truncated' | 'wrong' | 'empty' | 'html';
  /** Share of the keys in a bulk write or delete that are not changed, and reported as such. 0 to 1. */
  readonly unsuccessfulKeys?: number;
  /** Seconds for which reads return earlier responses, whatever was written since. */
  readonly stale?: number;
  /** Maximum number of rows per page, whatever was requested; 10 or more, because the platform refuses fewer. */
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

/** A requested fault. */
export interface FaultRequest extends FaultEffects {
  /**
   * `GET /zones/**`: a method or `*`, then a glob of the path below `/client/v4`; for the S3 API, `PUT s3:/bucket/**`. The `s3:`
   * can be omitted if the path starts with a bucket name that is not a root of the v4 API.
   */
  readonly match: string;
  /** Share of matching requests that the fault affects, 0 to 1 (default: all). */
  readonly share?: number;
  /** Number of requests that the fault affects before it ends (default: unlimited). */
  readonly times?: number;
  /** Seed of the random choices for `share`, `jitter` and `unsuccessfulKeys`. The same seed makes the same choices. */
  readonly seed?: number;
}

/** A fault as typed or read: omitted fields are undefined. */
export type GivenFault = { readonly [Name in keyof FaultRequest]: FaultRequest[Name] | undefined };

/** A fault that is set. */
export interface Fault extends FaultRequest {
  readonly id: string;
  /** Number of requests that the fault has affected. */
  readonly met: number;
}
