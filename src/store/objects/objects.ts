import type { Validators } from '../../model/objects/condition.ts';
import type { CustomMetadata, HttpMetadata, ObjectEntry } from '../../model/objects/object.ts';
import type { ByteRange } from '../../model/objects/range.ts';
import type { ObjectListing, PageRequest } from './listing.ts';
import type { Usage } from './table.ts';
import type { BucketUploads, UploadToComplete } from './uploads.ts';

/** An object without its bytes. `version` is 32 hex digits, another one after each write. */
export interface ObjectRecord extends ObjectEntry {
  readonly version: string;
}

/** An object to store. Already checked: the store knows the disk, not the platform's limits. */
export interface ObjectToStore {
  readonly key: string;
  /** Read once, to its end. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly httpMetadata: HttpMetadata;
  readonly customMetadata: CustomMetadata;
  /**
   * Called when the bytes have arrived, with the object under the key at that moment. If it throws, that object stays.
   */
  readonly allow?: ((before: Validators | undefined) => void) | undefined;
}

/** An object and the bytes of it that were asked for. A stream must be read to its end or returned. */
export interface ObjectContent {
  readonly object: ObjectRecord;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * Objects of all buckets under one persist root, in Miniflare's layout on disk. Reading makes no file and no folder.
 * Bytes are streamed both ways. Throws as `KvStore` does.
 */
export interface ObjectStore {
  find(bucket: string, key: string): ObjectRecord | undefined;
  /**
   * The object, and the range of its bytes that `choose` returns (undefined: none). An error of `choose` is thrown.
   * Undefined when there is no such object, or its file is lost.
   */
  read(
    bucket: string,
    key: string,
    choose: (object: ObjectRecord) => ByteRange | undefined,
  ): ObjectContent | undefined;
  list(bucket: string, page: PageRequest): ObjectListing<ObjectRecord>;
  /** Stores an object once its bytes have arrived; it has reached the disk then. `now` is its time of upload. */
  write(bucket: string, object: ObjectToStore, now: number): Promise<ObjectRecord>;
  /** Uploads in parts of a bucket: what touches the disk is guarded as the rest of the store is. */
  uploads<T>(bucket: string, work: (uploads: BucketUploads) => T): T;
  /** Makes an object of an upload's parts; undefined where there is no such upload. `now` is its time of upload. */
  completeUpload(bucket: string, upload: UploadToComplete, now: number): ObjectRecord | undefined;
  /** Removes objects; missing ones are no fault. Returns how many there were. */
  remove(bucket: string, keys: readonly string[]): number;
  usage(bucket: string): Usage;
  /** Removes a bucket's rows, values and files. */
  removeBucket(bucket: string): void;
  /** Names of the folders that have a database: buckets that hold data here, but that no registry names. */
  bucketFolders(): string[];
  /** Closes all files, and unlinks the values that were replaced or removed. A closed store may be used again. */
  close(): void;
}
