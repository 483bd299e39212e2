import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openKvStore } from '../../src/store/kv/disk.ts';
import type { KvStore, KvStoreOptions } from '../../src/store/kv/kv.ts';
import { kvPaths } from '../../src/store/paths.ts';
import { openToRead } from '../../src/store/sqlite.ts';
import { scratchFolder } from '../support/world.ts';

/** An id in the platform's format. */
export const namespace = '0f2ac74b498b48028cb68387c421e279';

/** Creates a new folder, which is deleted when the returned value is disposed, or after the test file. */
export function scratch(): { path: string } & Disposable {
  const path = scratchFolder('store');
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 }),
  };
}

/** Returns real random bytes, and a wall clock that the test can set. */
export function outside(now = Date.now()): KvStoreOptions & { time: number } {
  const world = { time: now, now: () => world.time, random: (bytes: number) => randomBytes(bytes) };
  return world;
}

/** Opens a store in `root` that closes automatically. */
export function openStore(root: string, options: KvStoreOptions = outside()): KvStore & Disposable {
  const store = openKvStore(root, options);
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}

export function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value).toString('utf8');
}

/** Returns the file names in a namespace's blob folder. */
export function blobFiles(root: string, namespaceId = namespace): string[] {
  return readdirSync(kvPaths(root, namespaceId).blobs).sort();
}

/** Returns the blob ids in the rows of a namespace. */
export function blobRows(root: string, namespaceId = namespace): string[] {
  const database = openToRead(kvPaths(root, namespaceId).database);
  try {
    const rows = database.prepare('SELECT blob_id FROM _mf_entries ORDER BY blob_id').all();
    return rows.map((row) => String(row['blob_id']));
  } finally {
    database.close();
  }
}

/** Returns the result of SQLite's integrity check of a namespace's database: "ok", or an error. */
export function integrity(root: string): unknown {
  const database = openToRead(kvPaths(root, namespace).database);
  try {
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  } finally {
    database.close();
  }
}

/** Returns every file and folder below `root`, as relative paths. */
export function tree(root: string): string[] {
  return readdirSync(root, { recursive: true }).map(String).sort();
}

/** Records the PRAGMAs that connections receive, until the returned value is disposed; `change` may replace them. */
export function watchPragmas(
  change: (sql: string) => string = (sql) => sql,
): { said: string[] } & Disposable {
  const { exec } = DatabaseSync.prototype;
  const said: string[] = [];
  DatabaseSync.prototype.exec = function (sql) {
    if (sql.startsWith('PRAGMA')) said.push(sql);
    exec.call(this, change(sql));
  };
  return {
    said,
    [Symbol.dispose]: () => {
      DatabaseSync.prototype.exec = exec;
    },
  };
}
