import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ByteRange } from '../../model/objects/range.ts';
import { Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import { lostValue, unlessMissing, unlinkBlobs } from '../blobs.ts';
import { guarded, primaryCode, sqliteCode, storeProblem } from '../faults.ts';
import { checkFolders, isThere } from '../inside.ts';
import { type DataKind, type OpenDatabase, removeDatabase } from '../open-database.ts';
import { OpenDatabases } from '../open-databases.ts';
import { blobIds } from '../paths.ts';
import { immediately } from '../sqlite.ts';
import { openBlob, readParts, type WrittenBlob, writeBlobStream } from './blob.ts';
import { formatDetails, parseDetails } from './details.ts';
import { listRows, type ObjectListing, type PageRequest } from './listing.ts';
import type { ObjectContent, ObjectRecord, ObjectStore, ObjectToStore } from './objects.ts';
import { bucketPaths, bucketRoot } from './paths.ts';
import { type ObjectColumns, ObjectTable, type Usage } from './table.ts';
import { BucketUploads, type UploadToComplete } from './uploads.ts';

const bucketKind: DataKind<ObjectTable> = {
  paths: bucketPaths,
  tableToRead: (database, file) => ObjectTable.toRead(database, file),
  tableToWrite: (database, file) => ObjectTable.toWrite(database, file),
};

const openAtOnce = 16;

/** Number of rows per transaction. */
const chunkRows = 1000;

/** The implementation of `ObjectStore` on disk. `ObjectStore` documents its methods. */
export class DiskObjectStore implements ObjectStore {
  readonly #root: string;
  readonly #world: Pick<World, 'now' | 'random'>;
  readonly #databases: OpenDatabases<ObjectTable>;

  constructor(root: string, world: Pick<World, 'now' | 'random'>) {
    this.#root = root;
    this.#world = world;
    this.#databases = new OpenDatabases(bucketKind, root, () => world.now(), openAtOnce);
  }

  find(bucket: string, key: string): ObjectRecord | undefined {
    return this.#guarded(bucket, () => {
      const opened = this.#databases.toRead(bucket);
      const row = opened?.table.find(key);
      return opened === undefined || row === undefined ? undefined : toObject(row, opened);
    });
  }

  read(
    bucket: string,
    key: string,
    choose: (object: ObjectRecord, partSizes: () => readonly number[]) => ByteRange | undefined,
  ): ObjectContent | undefined {
    return this.#guarded(bucket, () => {
      const opened = this.#databases.toRead(bucket);
      for (let lost: string | undefined; opened !== undefined; ) {
        const row = opened.table.find(key);
        if (row === undefined) return undefined;
        if (row.version === lost) throw lostValue(opened.paths.blobs, `the object ${JSON.stringify(key)}`);
        const object = toObject(row, opened);
        const partSizes = () => (row.blobId === null ? opened.table.parts(key).map(({ size }) => size) : []);
        const body = openBody(opened, row, choose(object, partSizes));
        if (body !== undefined) return { object, body };
        lost = row.version;
      }
      return undefined;
    });
  }

  list(bucket: string, page: PageRequest): ObjectListing<ObjectRecord> {
    return this.#guarded(bucket, () => {
      const opened = this.#databases.toRead(bucket);
      if (opened === undefined) return { objects: [], prefixes: [], next: undefined };
      const listing = listRows(opened.table, page);
      return { ...listing, objects: listing.objects.map((row) => toObject(row, opened)) };
    });
  }

  async write(bucket: string, object: ObjectToStore, now: number): Promise<ObjectRecord> {
    const { random } = this.#world;
    const paths = this.#guarded(bucket, () => this.#databases.toWrite(bucket).paths);
    const [blobId = ''] = blobIds(1, random, this.#world.now());
    const written = await this.#stream(bucket, paths.blobs, blobId, object.body);
    return this.#guarded(bucket, () => {
      const version = Buffer.from(random(16)).toString('hex');
      const row = toRow(object, { blobId, version, uploaded: now, ...written });
      const opened = this.#databases.toWrite(bucket);
      this.#commit(opened, row, object.allow);
      return toObject(row, opened);
    });
  }

  /** Streams a body to a blob. The Problem for a disk failure names the bucket's database; errors from the body are rethrown unchanged. */
  async #stream(
    bucket: string,
    folder: string,
    blobId: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<WrittenBlob> {
    try {
      return await writeBlobStream(folder, blobId, body);
    } catch (error) {
      throw storeProblem(error, bucketPaths(this.#root, bucket).database);
    }
  }

  #commit(opened: OpenDatabase<ObjectTable>, row: ObjectColumns, allow: ObjectToStore['allow']): void {
    const { database, table, paths, replaced } = opened;
    database.exec('PRAGMA synchronous = FULL');
    try {
      const gone = immediately(database, () => {
        allow?.(table.find(row.key));
        return table.put(row);
      });
      opened.written += 1;
      replaced.add(gone, this.#world.now());
    } catch (error) {
      // If the fsync of a commit has failed, the next process may still see the row, so the bytes must be kept.
      const code = primaryCode(error);
      if (code === undefined || code === sqliteCode.busy) unlinkBlobs(paths.blobs, [row.blobId ?? '']);
      throw error;
    }
  }

  uploads<T>(bucket: string, work: (uploads: BucketUploads) => T): T {
    const opened = () => this.#databases.toWrite(bucket);
    return this.#guarded(bucket, () => work(new BucketUploads(this.#world, opened)));
  }

  completeUpload(bucket: string, upload: UploadToComplete, now: number): ObjectRecord | undefined {
    return this.uploads(bucket, (uploads) => {
      const row = uploads.complete(upload, now);
      return row === undefined ? undefined : toObject(row, this.#databases.toWrite(bucket));
    });
  }

  setStorageClass(bucket: string, keys: readonly string[], storageClass: string): void {
    this.#guarded(bucket, () => {
      const { database, table } = this.#databases.toWrite(bucket);
      for (let start = 0; start < keys.length; start += chunkRows) {
        immediately(database, () => {
          for (const key of keys.slice(start, start + chunkRows)) {
            const row = table.find(key);
            if (row === undefined) continue;
            table.setChecksums(key, formatDetails({ ...parseDetails(row.checksums), storageClass }));
          }
        });
      }
    });
  }

  remove(bucket: string, keys: readonly string[]): number {
    return this.#guarded(bucket, () => {
      if (keys.length === 0 || this.#databases.toRead(bucket) === undefined) return 0;
      const { database, table, replaced } = this.#databases.toWrite(bucket);
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
      return this.#databases.toRead(bucket)?.table.usage() ?? { objects: 0, bytes: 0, uploads: 0 };
    });
  }

  removeBucket(bucket: string): void {
    this.#guarded(bucket, () => {
      if (this.#databases.toRead(bucket) === undefined) return;
      const opened = this.#databases.toWrite(bucket);
      this.#databases.forget(bucket);
      removeDatabase(opened);
    });
  }

  bucketFolders(): string[] {
    const root = bucketRoot(this.#root);
    checkFolders(this.#root, [root]);
    return unlessMissing(() => readdirSync(root), []).filter((name) => {
      return isThere(join(root, name, 'blobs')) && isThere(bucketPaths(this.#root, name).database);
    });
  }

  close(): void {
    this.#databases.closeAll();
  }

  #guarded<T>(bucket: string, work: () => T): T {
    if (bucket === '') throw new Problem('invalid-input', "A bucket's name cannot be empty.");
    return guarded(() => bucketPaths(this.#root, bucket).database, work);
  }
}

const nothing = new Uint8Array(0);

function openBody(
  { paths, table }: OpenDatabase<ObjectTable>,
  row: ObjectColumns,
  range: ByteRange | undefined,
): ObjectContent['body'] | undefined {
  if (range === undefined || range.end < range.start) return nothing;
  if (row.blobId === null) return readParts(paths.blobs, table.parts(row.key), range);
  return openBlob(paths.blobs, row.blobId, range);
}

function toRow(
  { key, httpMetadata, customMetadata, details }: ObjectToStore,
  facts: WrittenBlob & Pick<ObjectColumns, 'blobId' | 'version' | 'uploaded'>,
): ObjectColumns {
  const { md5, ...rest } = facts;
  return {
    ...rest,
    key,
    etag: md5,
    httpMetadata: JSON.stringify(httpMetadata),
    customMetadata: JSON.stringify(customMetadata),
    checksums: details === undefined ? '{}' : formatDetails(details()),
  };
}

function toObject(row: ObjectColumns, opened: OpenDatabase<ObjectTable>): ObjectRecord {
  const { key, version, size, etag, uploaded } = row;
  return {
    key,
    version,
    size,
    etag,
    uploaded,
    httpMetadata: parseMetadata(key, row.httpMetadata, opened),
    customMetadata: parseMetadata(key, row.customMetadata, opened) as Record<string, string>,
    ...(parseDetails(row.checksums) ?? refuseMetadata(key, opened)),
  };
}

function parseMetadata(key: string, text: string, opened: OpenDatabase<ObjectTable>): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Ignores the error, because the check below reports any string that is not an object.
  }
  return refuseMetadata(key, opened);
}

function refuseMetadata(key: string, { paths }: OpenDatabase<ObjectTable>): never {
  throw new Problem(
    'store-invalid',
    `The metadata of the object ${JSON.stringify(key)} in ${paths.database} is not a JSON object.`,
    {
      hint: 'Write the object again, or delete it.',
    },
  );
}

/** Returns the object store under `root` (`--persist-to`), with its data in `<root>/v3/r2`. Does not open any file yet. */
export function openObjectStore(root: string, options: Pick<World, 'now' | 'random'>): ObjectStore {
  return new DiskObjectStore(root, options);
}
