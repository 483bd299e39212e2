import type { StoredChecksum } from '../../store/objects/details.ts';
import type { Platform } from '../http/exchange.ts';

/** A parsed request. */
export interface S3Request {
  readonly platform: Platform;
  /** The jurisdiction whose buckets can be reached: `*` for all buckets, undefined for buckets without a jurisdiction. */
  readonly jurisdiction: string | undefined;
  readonly method: string;
  /** The decoded name; empty if the path has no bucket, or no key. */
  readonly bucket: string;
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  /** The storage class of new objects in the bucket. */
  readonly storageClass: string;
  /** Yields the decoded bytes and checks them while streaming: throws before the end if a checksum or signature is wrong. */
  body(): AsyncIterable<Uint8Array>;
  /** Returns the checksum that the client sent with the bytes. Call this after the last byte. */
  checksum(): StoredChecksum | undefined;
}
