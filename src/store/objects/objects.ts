import type { Validators } from '../../model/objects/condition.ts';
import type { CustomMetadata, HttpMetadata, ObjectEntry } from '../../model/objects/object.ts';
import type { ByteRange } from '../../model/objects/range.ts';
import type { ObjectDetails } from './details.ts';
import type { ObjectListing, PageRequest } from './listing.ts';
import type { Usage } from './table.ts';
import type { BucketUploads, UploadToComplete } from './uploads.ts';

/** An object without its bytes. `version` consists of 32 hex digits, and changes with each write. */
export interface ObjectRecord extends Omit<ObjectEntry, 'storageClass'>, ObjectDetails {
  readonly version: string;
}

/** A validated object to store. The store does not check the platform's limits. */
export interface ObjectToStore {
  readonly key: string;
  /** The bytes, which are read only once, to their end. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly httpMetadata: HttpMetadata;
  readonly customMetadata: CustomMetadata;
  /** Returns the attributes of the object. Called only after all bytes have arrived, because a checksum can follow the bytes. */
  readonly details?: (() => ObjectDetails) | undefined;
  /**
   * Called after all bytes have arrived, with the object that is currently stored under the key. If the function throws, this object is
   * kept.
   */
  readonly allow?: ((before: Validators | undefined) => void) | undefined;
}

/** An object and the requested bytes. The caller must read a stream to its end, or call the `return` method of its iterator. */
export interface ObjectContent {
  readonly object: ObjectRecord;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * Objects of all buckets under one persist root, in Miniflare's layout on disk. Reading creates no file and no folder. Bytes are streamed
 * in both directions. Methods throw the same Problems as `KvStore`.
 */
export interface ObjectStore {
  find(bucket: string, key: string): ObjectRecord | undefined;
  /**
   * Returns the object, and the range of its bytes that `choose` selects (undefined: no bytes). `partSizes` returns the sizes of the
   * object's parts; an empty list if the object was not created by a multipart upload. Rethrows errors from `choose`. Returns undefined if
   * the object does not exist, and throws if the object's file is lost.
   */
  read(
    bucket: string,
    key: string,
    choose: (object: ObjectRecord, partSizes: () => readonly number[]) => ByteRange | undefined,
  ): ObjectContent | undefined;
  list(bucket: string, page: PageRequest): ObjectListing<ObjectRecord>;
  /** Reads an object's bytes and stores the object. Resolves when the object is on disk. `now` is the upload time of the object. */
  write(bucket: string, object: ObjectToStore, now: number): Promise<ObjectRecord>;
  /** Runs `work` on a bucket's multipart uploads, and converts errors like the other methods. */
  uploads<T>(bucket: string, work: (uploads: BucketUploads) => T): T;
  /** Creates an object from an upload's parts; undefined if the upload does not exist. `now` is the upload time of the object. */
  completeUpload(bucket: string, upload: UploadToComplete, now: number): ObjectRecord | undefined;
  /** Changes the storage class of objects. */
  setStorageClass(bucket: string, keys: readonly string[], storageClass: string): void;
  /** Removes objects; missing objects are not an error. Returns the number of objects that existed. */
  remove(bucket: string, keys: readonly string[]): number;
  usage(bucket: string): Usage;
  /** Removes a bucket's rows, values and files. */
  removeBucket(bucket: string): void;
  /** Returns the names of the bucket folders that contain a database. A folder may belong to a bucket that no registry lists. */
  bucketFolders(): string[];
  /** Closes all files, and deletes values that were replaced or removed. A closed store can be used again. */
  close(): void;
}
