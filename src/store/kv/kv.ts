import type { KeyEntry } from '../../model/kv/kv.ts';
import type { World } from '../../world.ts';

/** A value with its expiration and metadata. `expiration` is in UNIX seconds. */
export interface StoredValue {
  readonly value: Uint8Array;
  readonly expiration?: number;
  readonly metadata?: unknown;
}

/** An entry to store, already validated: the store knows the disk, not the platform's limits. */
export interface StoredEntry extends StoredValue {
  readonly key: string;
}

/** A part of a namespace's keys: those with the prefix, after `after` in UTF-8 byte order. */
export interface KeyPage {
  readonly prefix?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * Key-value data of all namespaces under one persist root, in Miniflare's layout on disk. Reading creates no file and no
 * folder. `now` is the platform's time in milliseconds, by which keys expire.
 *
 * Every method throws Problem 'store-busy' if another process holds its lock for more than five seconds, and 'store-invalid'
 * for a file that is unusable or has an unknown layout.
 */
export interface KvStore {
  /**
   * Returns the live value, or undefined if the key does not exist or has expired (`expiration <= now`). Throws if the value's
   * file is lost.
   */
  read(namespaceId: string, key: string, now: number): StoredValue | undefined;
  /** Like `read`, for several keys in order; each value is read on demand. */
  readMany(namespaceId: string, keys: readonly string[], now: number): Generator<StoredValue | undefined>;
  /** Like `read`, without opening the value. */
  readEntry(namespaceId: string, key: string, now: number): KeyEntry | undefined;
  /** Returns at most `limit` live keys with the prefix, after `after` in UTF-8 byte order. */
  list(namespaceId: string, page: KeyPage & { limit: number }, now: number): KeyEntry[];
  /** Like `list`, with the values, one at a time; entries written meanwhile may or may not be included. */
  entries(namespaceId: string, page: KeyPage, now: number): Generator<StoredEntry>;
  /**
   * Stores all entries; the last of equal keys wins. A single entry has reached the disk on return. Several entries are
   * stored in transactions of a thousand, and a power failure may lose the latest.
   */
  write(namespaceId: string, entries: readonly StoredEntry[], now: number): void;
  /**
   * Removes keys; missing keys are not an error. Returns how many keys were live at `now` (default: the wall clock).
   */
  remove(namespaceId: string, keys: readonly string[], now?: number): number;
  /** Removes expired entries from disk, where workers would still find them by this machine's clock. */
  removeExpired(namespaceId: string, now: number): void;
  /** Removes a namespace's rows, values and files. */
  removeNamespace(namespaceId: string): void;
  /** Returns the blob folders that have a database: namespaces with data here that no registry lists. */
  namespaceFolders(): string[];
  /** Closes all files, and deletes values that were replaced or removed. A closed store can be used again. */
  close(): void;
}

/** `now` is the wall clock even if the platform's clock is ahead, because it dates the files. */
export interface KvStoreOptions extends Pick<World, 'now' | 'random'> {
  /** Whether a single write has reached the disk on return (default: true). */
  readonly durable?: boolean;
  /** Maximum number of open namespaces (default: 16). */
  readonly openAtOnce?: number;
}
