import { readdirSync } from 'node:fs';
import { openObjectStore } from '../../src/store/objects/disk.ts';
import type { ObjectStore } from '../../src/store/objects/objects.ts';
import { bucketPaths } from '../../src/store/objects/paths.ts';
import { type Database, openToWrite } from '../../src/store/sqlite.ts';
import { readBody } from '../../src/v4/send.ts';
import { outside } from './scratch.ts';

export const bucket = 'assets';

/** Opens a store in `root` that closes automatically. */
export function openObjects(root: string, options = outside()): ObjectStore & Disposable {
  const store = openObjectStore(root, options);
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}

export async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

/** Stores a string, by default without metadata. */
export function put(
  store: ObjectStore,
  key: string,
  text: string | Uint8Array,
  more: Partial<Parameters<ObjectStore['write']>[1]> = {},
) {
  const object = { key, body: chunks(text), httpMetadata: {}, customMetadata: {}, ...more };
  return store.write(bucket, object, 1_795_000_000_000);
}

/** Returns all bytes of an object, or a range of its bytes; undefined if the object does not exist. */
export async function get(
  store: ObjectStore,
  key: string,
  range?: { readonly start: number; readonly end: number },
): Promise<Buffer | undefined> {
  const opened = store.read(bucket, key, ({ size }) => range ?? { start: 0, end: size - 1 });
  return opened === undefined ? undefined : Buffer.from(await readBody(opened.body));
}

/** Returns the file names in the bucket's blob folder. */
export function blobsOf(root: string): string[] {
  return readdirSync(bucketPaths(root, bucket).blobs).sort();
}

/** Runs SQL on the bucket's database, as another program could. */
export function onDatabase<T>(root: string, work: (database: Database) => T): T {
  const database = openToWrite(bucketPaths(root, bucket).database);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
