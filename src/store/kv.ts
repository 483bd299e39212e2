import type { KeyEntry } from '../model/kv.ts';

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

/** Key-value data of all namespaces under one persist root, in Miniflare's layout on disk. */
export interface KvStore {
  /** The live value, or undefined when there is none or it has expired. `now` in milliseconds. */
  read(namespaceId: string, key: string, now: number): StoredValue | undefined;
  /** As `read`, without opening the value. */
  readEntry(namespaceId: string, key: string, now: number): KeyEntry | undefined;
  /** Live keys with the prefix after `after` in UTF-8 byte order, at most `limit`. */
  list(
    namespaceId: string,
    page: { prefix?: string | undefined; after?: string | undefined; limit: number },
    now: number,
  ): KeyEntry[];
  /** Stores all entries; the last of equal keys wins. One entry is fsynced, many are not (reference: WAL NORMAL). */
  write(namespaceId: string, entries: readonly StoredEntry[], now: number): void;
  /** Removes keys; missing ones are no fault. Gives how many existed. */
  remove(namespaceId: string, keys: readonly string[]): number;
  /** Removes a namespace's rows and values. */
  removeNamespace(namespaceId: string): void;
  /** Names of the blob folders: namespaces that hold data here but that no registry names. */
  namespaceFolders(): string[];
  close(): void;
}
