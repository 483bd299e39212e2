import { createHash } from 'node:crypto';
import type { Validators } from '../../model/objects/condition.ts';
import type { CustomMetadata, HttpMetadata } from '../../model/objects/object.ts';
import type { World } from '../../world.ts';
import { unlinkBlobs } from '../blobs.ts';
import { storeProblem } from '../faults.ts';
import type { OpenDatabase } from '../open-database.ts';
import { blobIds } from '../paths.ts';
import { immediately } from '../sqlite.ts';
import { writeBlobStream } from './blob.ts';
import { type ChecksumAlgorithm, type ChecksumType, formatDetails, type StoredChecksum } from './details.ts';
import type { ObjectColumns, ObjectTable } from './table.ts';
import type { StoredPart, UploadRow } from './upload-table.ts';

/** The details of the object that an upload creates, and the algorithm of its checksums. */
export interface UploadDetails {
  readonly storageClass?: string | undefined;
  readonly ssecKeyMd5?: string | undefined;
  readonly checksum?: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType } | undefined;
}

/** A multipart upload to start, with the metadata of its object. */
export interface UploadToBegin {
  readonly key: string;
  readonly details?: UploadDetails;
  readonly httpMetadata: HttpMetadata;
  readonly customMetadata: CustomMetadata;
}

/** The address of an upload in progress. */
export interface UploadAddress {
  readonly key: string;
  readonly uploadId: string;
}

/** A multipart upload to complete. */
export interface UploadToComplete extends UploadAddress {
  /** Selects parts from the parts that have arrived, which are sorted by number. If this function throws, nothing changes. */
  choose(arrived: readonly StoredPart[], details: UploadDetails): ChosenParts;
  /** See `ObjectToStore.allow`. */
  readonly allow?: ((before: Validators | undefined) => void) | undefined;
}

/** The parts of an object, and its checksum. */
export interface ChosenParts {
  readonly parts: readonly StoredPart[];
  readonly checksum?: StoredChecksum | undefined;
}

/**
 * The multipart uploads of one bucket. The open database of the bucket is requested again for each use. Methods return undefined if the
 * upload does not exist.
 */
export class BucketUploads {
  readonly #world: Pick<World, 'now' | 'random'>;
  readonly #opened: () => OpenDatabase<ObjectTable>;

  constructor(world: Pick<World, 'now' | 'random'>, opened: () => OpenDatabase<ObjectTable>) {
    this.#world = world;
    this.#opened = opened;
  }

  /**
   * Begins an upload and returns its id. The id contains the start time `now`, because Miniflare's tables have no column for the time;
   * `begunAt` returns the time.
   */
  begin({ key, httpMetadata, customMetadata, details = {} }: UploadToBegin, now: number): string {
    const [uploadId = ''] = blobIds(1, this.#world.random, now);
    const { database, table } = this.#opened();
    const [http, custom] = [JSON.stringify(httpMetadata), JSON.stringify(customMetadata)];
    immediately(database, () =>
      table.uploads.add({
        uploadId,
        key,
        httpMetadata: http,
        customMetadata: custom,
        details: JSON.stringify(details),
      }),
    );
    return uploadId;
  }

  /** Returns the details of an upload; undefined if the upload does not exist. */
  find({ key, uploadId }: UploadAddress): UploadDetails | undefined {
    const row = this.#opened().table.uploads.find(key, uploadId);
    return row && parseUploadDetails(row.details);
  }

  /**
   * Streams the bytes of a part to a file, and stores the part. Replaces an earlier part with the same number. `checksum` is called after
   * the last byte.
   */
  async writePart(
    upload: UploadAddress,
    number: number,
    body: AsyncIterable<Uint8Array>,
    checksum?: () => string | undefined,
  ): Promise<StoredPart | undefined> {
    const { paths } = this.#opened();
    const [blobId = ''] = blobIds(1, this.#world.random, this.#world.now());
    try {
      const written = await writeBlobStream(paths.blobs, blobId, body);
      const part = { ...written, number, blobId, etag: written.md5, checksum: checksum?.() };
      if (this.#putPart(upload, part)) return part;
    } catch (error) {
      throw storeProblem(error, paths.database);
    }
    unlinkBlobs(paths.blobs, [blobId]);
    return undefined;
  }

  #putPart({ key, uploadId }: UploadAddress, part: StoredPart): boolean {
    // Requests the database again, because it may have been closed while the body was arriving, to make room for another bucket's database.
    const opened = this.#opened();
    const { uploads } = opened.table;
    const before = immediately(opened.database, () =>
      uploads.find(key, uploadId) === undefined ? undefined : uploads.putPart(uploadId, part),
    );
    opened.written += 1;
    opened.replaced.add(before ?? [], this.#world.now());
    return before !== undefined;
  }

  /** Returns the parts that have arrived, sorted by number. */
  parts({ key, uploadId }: UploadAddress): StoredPart[] | undefined {
    const { uploads } = this.#opened().table;
    return uploads.find(key, uploadId) === undefined ? undefined : uploads.parts(uploadId);
  }

  /** Creates an object from the chosen parts, with the upload time `now`. A repeated completion returns the existing object. */
  complete({ key, uploadId, choose, allow }: UploadToComplete, now: number): ObjectColumns | undefined {
    const { database, table, replaced } = this.#opened();
    database.exec('PRAGMA synchronous = FULL');
    const done = immediately(database, () => {
      const upload = table.uploads.find(key, uploadId);
      if (upload === undefined) {
        const row = this.#findCompleted({ key, uploadId, choose });
        return row && { row, gone: [] };
      }
      const details = parseUploadDetails(upload.details);
      const { parts, checksum } = choose(table.uploads.parts(uploadId), details);
      allow?.(table.find(key));
      const version = Buffer.from(this.#world.random(16)).toString('hex');
      const checksums = formatDetails({ ...details, checksum });
      const row = toUploadRow(upload, parts, { version, uploaded: now, checksums });
      return { row, gone: [...table.put(row), ...table.uploads.complete(uploadId, key, parts)] };
    });
    replaced.add(done?.gone ?? [], this.#world.now());
    return done?.row;
  }

  /** Returns the object that was already created from the chosen parts of the upload; undefined if other parts are chosen. */
  #findCompleted({ key, uploadId, choose }: UploadToComplete): ObjectColumns | undefined {
    const { table } = this.#opened();
    const row = table.uploads.isCompleted(key, uploadId) ? table.find(key) : undefined;
    if (row === undefined) return undefined;
    try {
      return formatUploadEtag(choose(table.uploads.parts(uploadId), {}).parts) === row.etag ? row : undefined;
    } catch {
      // `choose` throws if the request does not list exactly the object's parts. For such a request, the upload no longer exists.
      return undefined;
    }
  }

  /** Aborts an upload and removes its parts. */
  abort({ key, uploadId }: UploadAddress): true | undefined {
    const { database, table, replaced } = this.#opened();
    const gone = immediately(database, () => {
      return table.uploads.find(key, uploadId) === undefined ? undefined : table.uploads.abort(uploadId);
    });
    replaced.add(gone ?? [], this.#world.now());
    return gone === undefined ? undefined : true;
  }

  /** Returns uploads whose keys start with the prefix, sorted by key and then by id. */
  list(prefix: string): (UploadAddress & { readonly details: UploadDetails })[] {
    return this.#opened()
      .table.uploads.list(prefix)
      .map(({ details, ...address }) => ({ ...address, details: parseUploadDetails(details) }));
  }
}

function parseUploadDetails(text: string): UploadDetails {
  return JSON.parse(text) as UploadDetails;
}

/** Returns when an upload was started, in milliseconds; undefined for an upload that a worker started. */
export function begunAt(uploadId: string): number | undefined {
  const time = /^[0-9a-f]{64}([0-9a-f]{16})$/.exec(uploadId)?.[1];
  return time === undefined ? undefined : Number.parseInt(time, 16);
}

function toUploadRow(
  { key, httpMetadata, customMetadata }: UploadRow,
  parts: readonly StoredPart[],
  facts: Pick<ObjectColumns, 'version' | 'uploaded' | 'checksums'>,
): ObjectColumns {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const etag = formatUploadEtag(parts);
  return { key, blobId: null, size, etag, httpMetadata, customMetadata, ...facts };
}

function formatUploadEtag(parts: readonly StoredPart[]): string {
  const hash = createHash('md5');
  for (const { md5 } of parts) hash.update(md5, 'hex');
  return `${hash.digest('hex')}-${parts.length}`;
}
