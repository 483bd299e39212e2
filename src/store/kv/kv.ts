import type { KeyEntry } from '../../model/kv/kv.ts';
import type { World } from '../../world.ts';

/** A value with what is stored beside it. `expiration` is UNIX seconds. */
export interface StoredValue {
  readonly value: Uint8Array;
  readonly expiration?: number;
  readonly metadata?: unknown;
}

/** One entry to store. Already checked: the store knows the disk, not the platform's limits. */
export interface StoredEntry extends StoredValue {
  readonly key: string;
}

/** Part of a namespace's keys: those with the prefix, after `after` in UTF-8 byte order. */
export interface KeyPage {
  readonly prefix?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * Key-value data of all namespaces under one persist root, in Miniflare's layout on disk. Reading makes no file
 * and no folder. `now` is the platform's time in milliseconds, by which keys expire.
 *
 * Every method throws Problem 'store-busy' when another process keeps its lock for more than five seconds, and
 * 'store-invalid' for a file that cannot be used or has an unknown layout.
 */
export interface KvStore {
  /**
   * The live value, or undefined when there is none or it has expired (`expiration <= now`). One whose file is lost is
   * refused.
   */
  read(namespaceId: string, key: string, now: number): StoredValue | undefined;
  /** As `read`, of several keys in their order, each value when it is asked for. */
  readMany(namespaceId: string, keys: readonly string[], now: number): Generator<StoredValue | undefined>;
  /** As `read`, without opening the value. */
  readEntry(namespaceId: string, key: string, now: number): KeyEntry | undefined;
  /** Live keys with the prefix after `after` in UTF-8 byte order, at most `limit`. */
  list(namespaceId: string, page: KeyPage & { limit: number }, now: number): KeyEntry[];
  /** As `list`, with the values, one at a time; entries written meanwhile may or may not be met. */
  entries(namespaceId: string, page: KeyPage, now: number): Generator<StoredEntry>;
  /**
   * Stores all entries; the last of equal keys wins. A single entry has reached the disk on return; of many, whole
   * thousands are stored or not, and a power cut may take the latest.
   */
  write(namespaceId: string, entries: readonly StoredEntry[], now: number): void;
  /** Removes keys; missing ones are no fault. Returns how many were live at `now`, the wall clock unless told. */
  remove(namespaceId: string, keys: readonly string[], now?: number): number;
  /** Removes what has expired at `now` from the disk, where workers would still find it by this machine's clock. */
  removeExpired(namespaceId: string, now: number): void;
  /** Removes a namespace's rows, values and files. */
  removeNamespace(namespaceId: string): void;
  /** Names of the blob folders that have a database: namespaces that hold data here but that no registry names. */
  namespaceFolders(): string[];
  /** Closes all files, and unlinks the values that were replaced or removed. A closed store may be used again. */
  close(): void;
}

/** `now` is the wall clock even where the platform's clock has been advanced: it stamps and ages the files. */
export interface KvStoreOptions extends Pick<World, 'now' | 'random'> {
  /** Whether a single write has reached the disk on return; true unless told. */
  readonly durable?: boolean;
  /** Namespaces that are kept open, 16 unless told. */
  readonly openAtOnce?: number;
}
