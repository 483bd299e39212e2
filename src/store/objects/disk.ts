import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ByteRange } from '../../model/objects/range.ts';
import { Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import { lostValue, unlessMissing, unlinkBlobs } from '../blobs.ts';
import { guarded, primaryCode, sqliteCode, storeProblem } from '../faults.ts';
import { checkFolders, isThere } from '../inside.ts';
import { blobIds } from '../place.ts';
import { type Layout, removeSession, type Session } from '../session.ts';
import { Sessions } from '../sessions.ts';
import { immediately } from '../sqlite.ts';
import { openBlob, readParts, type WrittenBlob, writeBlobStream } from './blob.ts';
import { type Listing, listRows, type ObjectPage } from './listing.ts';
import type { NewObject, ObjectStore, OpenObject, StoredObject } from './objects.ts';
import { bucketPlace, bucketRoot } from './place.ts';
import { type ObjectRow, ObjectTable, type Usage } from './table.ts';

const layout: Layout<ObjectTable> = {
  place: bucketPlace,
  tableToRead: (database, file) => ObjectTable.toRead(database, file),
  tableToWrite: (database, file) => ObjectTable.toWrite(database, file),
};

const openAtOnce = 16;

/** Rows in one transaction. */
const chunkRows = 1000;

/** The `ObjectStore` on disk: its methods are documented there. */
export class DiskObjectStore implements ObjectStore {
  readonly #root: string;
  readonly #world: Pick<World, 'now' | 'random'>;
  readonly #sessions: Sessions<ObjectTable>;

  constructor(root: string, world: Pick<World, 'now' | 'random'>) {
    this.#root = root;
    this.#world = world;
    this.#sessions = new Sessions(layout, root, () => world.now(), openAtOnce);
  }

  find(bucket: string, key: string): StoredObject | undefined {
    return this.#guarded(bucket, () => {
      const session = this.#sessions.toRead(bucket);
      const row = session?.table.find(key);
      return session === undefined || row === undefined ? undefined : objectOf(row, session);
    });
  }

  read(
    bucket: string,
    key: string,
    choose: (object: StoredObject) => ByteRange | undefined,
  ): OpenObject | undefined {
    return this.#guarded(bucket, () => {
      const session = this.#sessions.toRead(bucket);
      for (let lost: string | undefined; session !== undefined; ) {
        const row = session.table.find(key);
        if (row === undefined) return undefined;
        if (row.version === lost) throw lostValue(session.place.blobs, `the object ${JSON.stringify(key)}`);
        const object = objectOf(row, session);
        const body = bodyOf(session, row, choose(object));
        if (body !== undefined) return { object, body };
        lost = row.version;
      }
      return undefined;
    });
  }

  list(bucket: string, page: ObjectPage): Listing<StoredObject> {
    return this.#guarded(bucket, () => {
      const session = this.#sessions.toRead(bucket);
      if (session === undefined) return { objects: [], prefixes: [], next: undefined };
      const listing = listRows(session.table, page);
      return { ...listing, objects: listing.objects.map((row) => objectOf(row, session)) };
    });
  }

  async write(bucket: string, object: NewObject, now: number): Promise<StoredObject> {
    const { random } = this.#world;
    const place = this.#guarded(bucket, () => this.#sessions.toWrite(bucket).place);
    const [blobId = ''] = blobIds(1, random, this.#world.now());
    const written = await this.#stream(bucket, place.blobs, blobId, object.body);
    return this.#guarded(bucket, () => {
      const version = Buffer.from(random(16)).toString('hex');
      const row = rowOf(object, { blobId, version, uploaded: now, ...written });
      const session = this.#sessions.toWrite(bucket);
      this.#commit(session, row, object.allow);
      return objectOf(row, session);
    });
  }

  /** Failures of the disk name the bucket; those of the body are thrown as they are. */
  async #stream(
    bucket: string,
    folder: string,
    blobId: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<WrittenBlob> {
    try {
      return await writeBlobStream(folder, blobId, body);
    } catch (error) {
      throw storeProblem(error, bucketPlace(this.#root, bucket).database);
    }
  }

  #commit(session: Session<ObjectTable>, row: ObjectRow, allow: NewObject['allow']): void {
    const { database, table, place, replaced } = session;
    database.exec('PRAGMA synchronous = FULL');
    try {
      const gone = immediately(database, () => {
        allow?.(table.find(row.key));
        return table.put(row);
      });
      session.written += 1;
      replaced.add(gone, this.#world.now());
    } catch (error) {
      // A commit whose fsync failed may be found by the next process, and its bytes must not be missing then.
      const code = primaryCode(error);
      if (code === undefined || code === sqliteCode.busy) unlinkBlobs(place.blobs, [row.blobId ?? '']);
      throw error;
    }
  }

  remove(bucket: string, keys: readonly string[]): number {
    return this.#guarded(bucket, () => {
      if (keys.length === 0 || this.#sessions.toRead(bucket) === undefined) return 0;
      const { database, table, replaced } = this.#sessions.toWrite(bucket);
      database.exec(`PRAGMA synchronous = ${keys.length === 1 ? 'FULL' : 'NORMAL'}`);
      let count = 0;
      for (let start = 0; start < keys.length; start += chunkRows) {
        const gone = immediately(database, () =>
          keys
            .slice(start, start + chunkRows)
            .map((key) => table.remove(key))
            .filter((ids) => ids !== undefined),
        );
        count += gone.length;
        replaced.add(gone.flat(), this.#world.now());
      }
      return count;
    });
  }

  usage(bucket: string): Usage {
    return this.#guarded(bucket, () => {
      return this.#sessions.toRead(bucket)?.table.usage() ?? { objects: 0, bytes: 0, uploads: 0 };
    });
  }

  removeBucket(bucket: string): void {
    this.#guarded(bucket, () => {
      if (this.#sessions.toRead(bucket) === undefined) return;
      const session = this.#sessions.toWrite(bucket);
      this.#sessions.forget(bucket);
      removeSession(session);
    });
  }

  bucketFolders(): string[] {
    const root = bucketRoot(this.#root);
    checkFolders(this.#root, [root]);
    return unlessMissing(() => readdirSync(root), []).filter((name) => {
      return isThere(join(root, name, 'blobs')) && isThere(bucketPlace(this.#root, name).database);
    });
  }

  close(): void {
    this.#sessions.closeAll();
  }

  #guarded<T>(bucket: string, work: () => T): T {
    if (bucket === '') throw new Problem('invalid-input', "A bucket's name cannot be empty.");
    return guarded(() => bucketPlace(this.#root, bucket).database, work);
  }
}

const nothing = new Uint8Array(0);

function bodyOf(
  { place, table }: Session<ObjectTable>,
  row: ObjectRow,
  range: ByteRange | undefined,
): OpenObject['body'] | undefined {
  if (range === undefined || range.end < range.start) return nothing;
  if (row.blobId === null) return readParts(place.blobs, table.parts(row.key), range);
  return openBlob(place.blobs, row.blobId, range);
}

function rowOf(
  { key, httpMetadata, customMetadata }: NewObject,
  facts: WrittenBlob & Pick<ObjectRow, 'blobId' | 'version' | 'uploaded'>,
): ObjectRow {
  const { md5, ...rest } = facts;
  return {
    ...rest,
    key,
    etag: md5,
    httpMetadata: JSON.stringify(httpMetadata),
    customMetadata: JSON.stringify(customMetadata),
  };
}

function objectOf(row: ObjectRow, session: Session<ObjectTable>): StoredObject {
  const { key, version, size, etag, uploaded } = row;
  return {
    key,
    version,
    size,
    etag,
    uploaded,
    httpMetadata: parseMetadata(row.httpMetadata, session),
    customMetadata: parseMetadata(row.customMetadata, session) as Record<string, string>,
  };
}

function parseMetadata(text: string, session: Session<ObjectTable>): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below, as of any other text that is no object.
  }
  throw new Problem('store-invalid', `${session.place.database} holds metadata that is no JSON object.`, {
    hint: 'Write or delete that object anew.',
  });
}

/** The object store under `root` (`--persist-to`): its data lie in `<root>/v3/r2`. Opens nothing yet. */
export function openObjectStore(root: string, options: Pick<World, 'now' | 'random'>): ObjectStore {
  return new DiskObjectStore(root, options);
}
