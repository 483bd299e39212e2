import type { KeyEntry } from '../../model/kv/kv.ts';
import type { World } from '../../world.ts';

/** A value with its expiration and metadata. `expiration` is in UNIX seconds. */
export interface StoredValue {
  readonly value: Uint8Array;
  readonly expiration?: number;
  readonly metadata?: unknown;
}

/** A validated entry to store. The store does not check the platform's limits. */
export interface StoredEntry extends StoredValue {
  readonly key: string;
}

/** A part of a namespace's keys: the keys that start with the prefix and come after `after` in UTF-8 byte order. */
export interface KeyPage {
  readonly prefix?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * Key-value data of all namespaces under one persist root, in Miniflare's layout on disk. Reading creates no file and no folder. `now` is
 * the platform's time in milliseconds, by which keys expire.
 *
 * Every method throws Problem 'store-busy' if another process holds the lock on the database for more than five seconds, and
 * 'store-invalid' if a file is unusable or has an unknown layout.
 */
export interface KvStore {
  /**
   * Returns the live value; undefined if the key does not exist or has expired (`expiration <= now`). Throws if the value's file is lost.
   */
  read(namespaceId: string, key: string, now: number): StoredValue | undefined;
  /** Like `read`, but for several keys, in order. Each value is read only when the caller requests it. */
  readMany(namespaceId: string, keys: readonly string[], now: number): Generator<StoredValue | undefined>;
  /** Like `read`, but without reading the value. */
  readEntry(namespaceId: string, key: string, now: number): KeyEntry | undefined;
  /** Returns at most `limit` live keys that start with the prefix and come after `after` in UTF-8 byte order. */
  list(namespaceId: string, page: KeyPage & { limit: number }, now: number): KeyEntry[];
  /** Like `list`, but returns entries with their values, one at a time. Entries that are written meanwhile may or may not be included. */
  entries(namespaceId: string, page: KeyPage, now: number): Generator<StoredEntry>;
  /**
   * Stores all entries; if keys are equal, the last entry is stored. A single entry is on disk on return, unless `durable` is false.
   * Several entries are stored in transactions of a thousand, and a power failure may lose the latest transactions.
   */
  write(namespaceId: string, entries: readonly StoredEntry[], now: number): void;
  /** Removes keys; missing keys are not an error. Returns the number of keys that were live at `now` (default: the wall clock). */
  remove(namespaceId: string, keys: readonly string[], now?: number): number;
  /** Removes expired entries from disk. Workers would otherwise still find these entries, because workers use this machine's clock. */
  removeExpired(namespaceId: string, now: number): void;
  /** Removes a namespace's rows, values and files. */
  removeNamespace(namespaceId: string): void;
  /** Returns the names of the namespace folders that contain a database. A folder may belong to a namespace that no registry lists. */
  namespaceFolders(): string[];
  /** Closes all files, and deletes values that were replaced or removed. A closed store can be used again. */
  close(): void;
}

/**
 * `now` must return the time of the wall clock, even if the platform's clock is ahead, because the ages of files are computed from this
 * time.
 */
export interface KvStoreOptions extends Pick<World, 'now' | 'random'> {
  /** Whether a single write is on disk on return (default: true). */
  readonly durable?: boolean;
  /** Maximum number of open namespaces (default: 16). */
  readonly openAtOnce?: number;
}
