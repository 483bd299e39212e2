import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyEntry } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import { lostValue, readBlob, unlessMissing, unlinkBlobs, writeBlob } from '../blobs.ts';
import { guarded, primaryCode, sqliteCode } from '../faults.ts';
import { checkFolders, isThere } from '../inside.ts';
import { keyRange } from '../key-order.ts';
import { type DataKind, type OpenDatabase, removeDatabase } from '../open-database.ts';
import { OpenDatabases } from '../open-databases.ts';
import { blobIds, kvPaths, kvRoot } from '../paths.ts';
import { immediately } from '../sqlite.ts';
import type { KeyPage, KvStore, KvStoreOptions, StoredEntry, StoredValue } from './kv.ts';
import { type KvRow, KvTable } from './table.ts';

type OpenNamespace = OpenDatabase<KvTable>;

const kvKind: DataKind<KvTable> = {
  paths: kvPaths,
  tableToRead: (database, file) => KvTable.over(database, file, 'read'),
  tableToWrite: (database, file) => KvTable.over(database, file, 'write'),
};

/** Number of rows per transaction. A transaction with this number of rows holds the lock for about 3 ms. */
const chunkRows = 1000;

/** Number of keys that `entries` looks up per query. */
const pageRows = 500;

/** The implementation of `KvStore` on disk. `KvStore` documents its methods. */
export class DiskKvStore implements KvStore {
  readonly #root: string;
  readonly #options: KvStoreOptions;
  readonly #databases: OpenDatabases<KvTable>;

  constructor(root: string, options: KvStoreOptions) {
    this.#root = root;
    this.#options = options;
    this.#databases = new OpenDatabases(kvKind, root, () => options.now(), options.openAtOnce ?? 16);
  }

  #isDurable(count: number): boolean {
    return count === 1 && this.#options.durable !== false;
  }

  read(namespaceId: string, key: string, now: number): StoredValue | undefined {
    return this.#guarded(namespaceId, () => {
      const opened = this.#databases.toRead(namespaceId);
      for (let lost: string | undefined; opened !== undefined; ) {
        const row = liveRow(opened, key, now);
        if (row === undefined) return undefined;
        if (row.blobId === lost) throw lostValue(opened.paths.blobs, `the key ${JSON.stringify(key)}`);
        const value = readBlob(opened.paths.blobs, row.blobId);
        if (value !== undefined) return { value, ...beside(row, opened) };
        lost = row.blobId;
      }
      return undefined;
    });
  }

  *readMany(namespaceId: string, keys: readonly string[], now: number): Generator<StoredValue | undefined> {
    const found = this.#guarded(namespaceId, () => {
      const opened = this.#databases.toRead(namespaceId);
      return opened === undefined ? undefined : { opened, rows: opened.table.findMany(keys) };
    });
    for (const key of keys) {
      const row = found?.rows.get(key);
      if (found === undefined || row === undefined || isExpired(row, now)) yield undefined;
      else {
        const { opened } = found;
        const value = this.#guarded(namespaceId, () => readBlob(opened.paths.blobs, row.blobId));
        // If the value is missing, it was replaced after its row was read, or is lost.
        yield value === undefined ? this.read(namespaceId, key, now) : { value, ...beside(row, opened) };
      }
    }
  }

  readEntry(namespaceId: string, key: string, now: number): KeyEntry | undefined {
    return this.#guarded(namespaceId, () => {
      const opened = this.#databases.toRead(namespaceId);
      const row = opened === undefined ? undefined : liveRow(opened, key, now);
      return opened === undefined || row === undefined ? undefined : { name: key, ...beside(row, opened) };
    });
  }

  list(namespaceId: string, page: KeyPage & { limit: number }, now: number): KeyEntry[] {
    return this.#guarded(namespaceId, () => {
      const opened = this.#databases.toRead(namespaceId);
      if (opened === undefined) return [];
      const rows = opened.table.list(keyRange(page.prefix, page.after), page.limit, now);
      return rows.map((row) => ({ name: row.key, ...beside(row, opened) }));
    });
  }

  *entries(namespaceId: string, page: KeyPage, now: number): Generator<StoredEntry> {
    for (let after = page.after; ; ) {
      const names = this.list(namespaceId, { ...page, after, limit: pageRows }, now);
      const keys = names.map(({ name }) => name);
      let index = 0;
      for (const stored of this.readMany(namespaceId, keys, now)) {
        const key = keys[index++] ?? '';
        if (stored !== undefined) yield { key, ...stored };
      }
      after = keys.at(-1);
      if (after === undefined) return;
    }
  }

  write(namespaceId: string, entries: readonly StoredEntry[], now: number): void {
    this.#guarded(namespaceId, () => {
      if (entries.length === 0) return;
      const opened = this.#databases.toWrite(namespaceId);
      const last = lastOfEqualKeys(entries);
      setDurable(opened, this.#isDurable(last.length));
      for (let start = 0; start < last.length; start += chunkRows) {
        this.#writeChunk(opened, last.slice(start, start + chunkRows), now);
      }
    });
  }

  #writeChunk(opened: OpenNamespace, entries: readonly StoredEntry[], now: number): void {
    const { paths, table, database } = opened;
    const ids = blobIds(entries.length, this.#options.random, this.#options.now());
    const each = entries.map((entry, index) => ({ entry, blobId: ids[index] ?? '' }));
    const durable = this.#isDurable(entries.length);
    const gone = undoing(paths.blobs, ids, () => {
      for (const { entry, blobId } of each) writeBlob(paths.blobs, blobId, entry.value, durable);
      return immediately(database, () => {
        const before = each.map(({ entry, blobId }) => table.put(toRow(entry, blobId)));
        return [...before.filter((id) => id !== undefined), ...table.removeExpired(now, chunkRows)];
      });
    });
    opened.written += entries.length;
    opened.replaced.add(gone, this.#options.now());
  }

  remove(namespaceId: string, keys: readonly string[], now = this.#options.now()): number {
    return this.#guarded(namespaceId, () => {
      if (keys.length === 0 || this.#databases.toRead(namespaceId) === undefined) return 0;
      const opened = this.#databases.toWrite(namespaceId);
      setDurable(opened, this.#isDurable(keys.length));
      let live = 0;
      for (let start = 0; start < keys.length; start += chunkRows) {
        live += this.#removeChunk(opened, keys.slice(start, start + chunkRows), now);
      }
      return live;
    });
  }

  #removeChunk(opened: OpenNamespace, keys: readonly string[], now: number): number {
    const rows = immediately(opened.database, () => {
      return keys.map((key) => opened.table.remove(key)).filter((row) => row !== undefined);
    });
    const ids = rows.map((row) => row.blobId);
    opened.replaced.add(ids, this.#options.now());
    return rows.filter((row) => !isExpired(row, now)).length;
  }

  removeExpired(namespaceId: string, now: number): void {
    this.#guarded(namespaceId, () => {
      if (this.#databases.toRead(namespaceId) === undefined) return;
      const opened = this.#databases.toWrite(namespaceId);
      for (let gone = chunkRows; gone === chunkRows; ) {
        const ids = immediately(opened.database, () => opened.table.removeExpired(now, chunkRows));
        opened.replaced.add(ids, this.#options.now());
        gone = ids.length;
      }
    });
  }

  removeNamespace(namespaceId: string): void {
    this.#guarded(namespaceId, () => {
      if (this.#databases.toRead(namespaceId) === undefined) return;
      const opened = this.#databases.toWrite(namespaceId);
      this.#databases.forget(namespaceId);
      removeDatabase(opened);
    });
  }

  namespaceFolders(): string[] {
    const root = kvRoot(this.#root);
    checkFolders(this.#root, [root]);
    return unlessMissing(() => readdirSync(root), []).filter((name) => {
      return isThere(join(root, name, 'blobs')) && isThere(kvPaths(this.#root, name).database);
    });
  }

  close(): void {
    this.#databases.closeAll();
  }

  #guarded<T>(namespaceId: string, work: () => T): T {
    if (namespaceId === '') throw new Problem('invalid-input', 'A namespace id cannot be empty.');
    return guarded(() => kvPaths(this.#root, namespaceId).database, work);
  }
}

/**
 * Runs `work`, and deletes the new values if their rows cannot be stored. After any SQLite failure other than a lock, the new values are
 * kept: if the fsync of a commit has failed, the next process may still see the rows, and then needs the values.
 */
function undoing<T>(blobs: string, ids: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = primaryCode(error);
    if (code === undefined || code === sqliteCode.busy) unlinkBlobs(blobs, ids);
    throw error;
  }
}

/** Sets whether a commit is synced to disk immediately. Otherwise, SQLite syncs the commit at its next checkpoint. */
function setDurable(opened: OpenNamespace, durable: boolean): void {
  opened.database.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
}

function liveRow(opened: OpenNamespace, key: string, now: number): KvRow | undefined {
  const row = opened.table.find(key);
  return row === undefined || isExpired(row, now) ? undefined : row;
}

function isExpired(row: { readonly expiration: number | null }, now: number): boolean {
  return row.expiration !== null && row.expiration <= now;
}

function beside(row: KvRow, opened: OpenNamespace): Pick<StoredValue, 'expiration' | 'metadata'> {
  return {
    ...(row.expiration === null ? {} : { expiration: Math.floor(row.expiration / 1000) }),
    ...(row.metadata === null ? {} : { metadata: parseMetadata(row.key, row.metadata, opened) }),
  };
}

function parseMetadata(key: string, text: string, opened: OpenNamespace): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = `The metadata of the key ${JSON.stringify(key)} in ${opened.paths.database} is not JSON.`;
    throw new Problem('store-invalid', fault, { hint: 'Write the key again, or delete it.', cause: error });
  }
}

function toRow(entry: StoredEntry, blobId: string): KvRow {
  return {
    key: entry.key,
    blobId,
    expiration: entry.expiration === undefined ? null : entry.expiration * 1000,
    metadata: entry.metadata === undefined ? null : JSON.stringify(entry.metadata),
  };
}

function lastOfEqualKeys(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
}

/** Returns the key-value store under `root` (`--persist-to`), with its data in `<root>/v3/kv`. Does not open any file yet. */
export function openKvStore(root: string, options: KvStoreOptions): KvStore {
  return new DiskKvStore(root, options);
}
