import type { Platform } from '../http/exchange.ts';

/** A request taken apart. */
export interface S3Request {
  readonly platform: Platform;
  readonly method: string;
  /** Decoded; empty where the path names no bucket, or no key. */
  readonly bucket: string;
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes that the client means, checked as they come: a wrong checksum or signature throws at the end. */
  body(): AsyncIterable<Uint8Array>;
}
