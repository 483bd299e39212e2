import type { Statements } from '../statements.ts';

/** A multipart upload in progress. */
export interface UploadRow {
  readonly uploadId: string;
  readonly key: string;
  /** The HTTP and the custom metadata, as JSON strings. */
  readonly httpMetadata: string;
  readonly customMetadata: string;
  /** The details of the upload, as a JSON string: `UploadDetails`. */
  readonly details: string;
}

/** A part that has arrived. If edgectl stored the part, `etag` is the MD5 of its bytes, as in S3. workerd uses other etags. */
export interface StoredPart {
  readonly number: number;
  readonly blobId: string;
  readonly size: number;
  readonly etag: string;
  /** MD5 as 32 hex digits. */
  readonly md5: string;
  /** The checksum in base64, computed with the algorithm of the upload. */
  readonly checksum?: string | undefined;
}

/** The states of an upload in Miniflare's table. */
const state = { inProgress: 0, completed: 1, aborted: 2 } as const;

/** The multipart uploads of one bucket, in Miniflare's tables. Changes must be made inside a transaction. */
export class UploadTable {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  add({ uploadId, key, httpMetadata, customMetadata, details }: UploadRow): void {
    this.#statements
      .run(
        `INSERT INTO _mf_multipart_uploads (upload_id, key, http_metadata, custom_metadata) VALUES (?, ?, ?, ?)`,
      )
      .run(uploadId, key, httpMetadata, customMetadata);
    if (details === '{}') return;
    this.#statements
      .run('INSERT INTO _edgectl_uploads (upload_id, details) VALUES (?, ?)')
      .run(uploadId, details);
  }

  /** Returns the upload with this key and id; undefined if it is not in progress. */
  find(key: string, uploadId: string): UploadRow | undefined {
    const sql = `SELECT http_metadata, custom_metadata, details
      FROM _mf_multipart_uploads LEFT JOIN _edgectl_uploads USING (upload_id)
      WHERE upload_id = ? AND key = ? AND state = ${state.inProgress}`;
    const row = this.#statements.run(sql).get(uploadId, key);
    return row === undefined
      ? undefined
      : {
          uploadId,
          key,
          httpMetadata: this.#statements.text(row['http_metadata']),
          customMetadata: this.#statements.text(row['custom_metadata']),
          details: row['details'] === null ? '{}' : this.#statements.text(row['details']),
        };
  }

  /** Returns whether this upload was completed and the object with this key is still its result. */
  isCompleted(key: string, uploadId: string): boolean {
    const sql = `SELECT 1 FROM _mf_multipart_uploads JOIN _mf_multipart_parts USING (upload_id)
      WHERE upload_id = ? AND key = ? AND object_key = key AND state = ${state.completed} LIMIT 1`;
    return this.#statements.run(sql).get(uploadId, key) !== undefined;
  }

  /** Returns the keys, ids and details of uploads in progress whose keys start with the prefix, sorted by key and then by id. */
  list(prefix: string): Pick<UploadRow, 'key' | 'uploadId' | 'details'>[] {
    const sql = `SELECT key, upload_id, details
      FROM _mf_multipart_uploads LEFT JOIN _edgectl_uploads USING (upload_id) WHERE state = ${state.inProgress} AND substr(key, 1, length(?1)) = ?1 ORDER BY key, upload_id`;
    return this.#statements
      .run(sql)
      .all(prefix)
      .map((row) => ({
        key: this.#statements.text(row['key']),
        uploadId: this.#statements.text(row['upload_id']),
        details: row['details'] === null ? '{}' : this.#statements.text(row['details']),
      }));
  }

  /** Stores a part, and returns the blob ids of the replaced part with the same number. */
  putPart(uploadId: string, { number, blobId, size, etag, md5, checksum }: StoredPart): string[] {
    const before = this.#statements.listBlobIds(
      'SELECT blob_id FROM _mf_multipart_parts WHERE upload_id = ? AND part_number = ?',
      uploadId,
      number,
    );
    this.#statements
      .run(`INSERT OR REPLACE INTO _mf_multipart_parts (upload_id, part_number, blob_id, size, etag, checksum_md5)
        VALUES (?, ?, ?, ?, ?, ?)`)
      .run(uploadId, number, blobId, size, etag, md5);
    if (checksum !== undefined)
      this.#statements
        .run('INSERT OR REPLACE INTO _edgectl_parts (upload_id, part_number, checksum) VALUES (?, ?, ?)')
        .run(uploadId, number, checksum);
    else if (before.length > 0)
      this.#statements
        .run('DELETE FROM _edgectl_parts WHERE upload_id = ? AND part_number = ?')
        .run(uploadId, number);
    return before;
  }

  /** Returns the parts that have arrived, sorted by number. */
  parts(uploadId: string): StoredPart[] {
    const sql = `SELECT part_number, blob_id, size, etag, checksum_md5, checksum
      FROM _mf_multipart_parts LEFT JOIN _edgectl_parts USING (upload_id, part_number) WHERE upload_id = ? ORDER BY part_number`;
    return this.#statements
      .run(sql)
      .all(uploadId)
      .map((row) => ({
        number: this.#statements.number(row['part_number']),
        blobId: this.#statements.text(row['blob_id']),
        size: this.#statements.number(row['size']),
        etag: this.#statements.text(row['etag']),
        md5: this.#statements.text(row['checksum_md5']),
        ...(row['checksum'] !== null && { checksum: this.#statements.text(row['checksum']) }),
      }));
  }

  /** Assigns these parts to the object with the given key, whose row must exist. Returns the blob ids of the unused parts. */
  complete(uploadId: string, key: string, parts: readonly StoredPart[]): string[] {
    const link = this.#statements.run(
      'UPDATE _mf_multipart_parts SET object_key = ? WHERE upload_id = ? AND part_number = ?',
    );
    for (const { number } of parts) link.run(key, uploadId, number);
    this.#end(uploadId, state.completed);
    return this.#statements.listBlobIds(
      'DELETE FROM _mf_multipart_parts WHERE upload_id = ? AND object_key IS NULL RETURNING blob_id',
      uploadId,
    );
  }

  /** Aborts an upload, and returns the blob ids of its parts. */
  abort(uploadId: string): string[] {
    this.#end(uploadId, state.aborted);
    return this.#statements.listBlobIds(
      'DELETE FROM _mf_multipart_parts WHERE upload_id = ? RETURNING blob_id',
      uploadId,
    );
  }

  #end(uploadId: string, ended: number): void {
    this.#statements
      .run('UPDATE _mf_multipart_uploads SET state = ? WHERE upload_id = ?')
      .run(ended, uploadId);
    for (const table of ['_edgectl_uploads', '_edgectl_parts'])
      this.#statements.run(`DELETE FROM ${table} WHERE upload_id = ?`).run(uploadId);
  }
}
