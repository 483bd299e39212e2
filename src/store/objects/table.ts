import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { Problem } from '../../model/problem.ts';
import type { KeyRange } from '../kv/table.ts';
import { columnNames, type Database, immediately } from '../sqlite.ts';
import { Statements } from '../statements.ts';
import { UploadTable } from './upload-table.ts';

/** The row of an object in a bucket's database. */
export interface ObjectColumns {
  readonly key: string;
  /** The blob id; null if the bytes are in several files, after a multipart upload. */
  readonly blobId: string | null;
  readonly version: string;
  readonly size: number;
  readonly etag: string;
  /** The time at which the object was stored, in milliseconds since the UNIX epoch. */
  readonly uploaded: number;
  /** The HTTP and the custom metadata, as JSON strings. */
  readonly httpMetadata: string;
  readonly customMetadata: string;
  /** The checksums: a JSON string from `formatDetails` or from Miniflare. */
  readonly checksums: string;
}

/** A file of an object that was created by a multipart upload. */
export interface PartRow {
  readonly blobId: string;
  readonly size: number;
}

/** Totals of a bucket: the number of objects, the number of their bytes, and the number of incomplete multipart uploads. */
export interface Usage {
  readonly objects: number;
  readonly bytes: number;
  readonly uploads: number;
}

/** The columns of each table, in Miniflare's order. */
const tables: Readonly<Record<string, readonly string[]>> = {
  _mf_objects: [
    'key',
    'blob_id',
    'version',
    'size',
    'etag',
    'uploaded',
    'checksums',
    'http_metadata',
    'custom_metadata',
  ],
  _mf_multipart_uploads: ['upload_id', 'key', 'http_metadata', 'custom_metadata', 'state'],
  _mf_multipart_parts: ['upload_id', 'part_number', 'blob_id', 'size', 'etag', 'checksum_md5', 'object_key'],
};

const schema = `
  CREATE TABLE IF NOT EXISTS _mf_objects (
    key TEXT PRIMARY KEY, blob_id TEXT, version TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    uploaded INTEGER NOT NULL, checksums TEXT NOT NULL, http_metadata TEXT NOT NULL, custom_metadata TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS _mf_multipart_uploads (
    upload_id TEXT PRIMARY KEY, key TEXT NOT NULL, http_metadata TEXT NOT NULL, custom_metadata TEXT NOT NULL,
    state TINYINT DEFAULT 0 NOT NULL
  );
  CREATE TABLE IF NOT EXISTS _mf_multipart_parts (
    upload_id TEXT NOT NULL REFERENCES _mf_multipart_uploads(upload_id), part_number INTEGER NOT NULL,
    blob_id TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, checksum_md5 TEXT NOT NULL,
    object_key TEXT REFERENCES _mf_objects(key) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (upload_id, part_number)
  );`;

/** Node 22 truncates TEXT at its first NUL, so a key with a NUL is read as bytes. */
const keyText = 'CASE WHEN instr(key, char(0)) THEN CAST(key AS BLOB) ELSE key END AS name';
const facts = `${keyText}, blob_id, version, size, etag, uploaded, checksums, http_metadata, custom_metadata`;

/**
 * Tables for those attributes of uploads in progress that have no column in Miniflare's own tables. Miniflare ignores these tables. If a
 * worker completes an upload, the upload's row remains, but has no effect, because ids are never reused.
 */
const ownTables: Readonly<Record<string, readonly string[]>> = {
  _edgectl_uploads: ['upload_id', 'details'],
  _edgectl_parts: ['upload_id', 'part_number', 'checksum'],
};

const ownSchema = `
  CREATE TABLE IF NOT EXISTS _edgectl_uploads (upload_id TEXT PRIMARY KEY, details TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS _edgectl_parts (
    upload_id TEXT NOT NULL, part_number INTEGER NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (upload_id, part_number)
  ) WITHOUT ROWID;`;

/** The value of the column `state` in Miniflare's table for an upload in progress. */
const inProgress = 0;

/** The rows of one bucket, in Miniflare's tables. */
export class ObjectTable {
  readonly #statements: Statements;
  readonly uploads: UploadTable;

  private constructor(database: Database, file: string) {
    this.#statements = new Statements(database, file);
    this.uploads = new UploadTable(this.#statements);
  }

  /**
   * Returns the tables in an open read-only database; undefined if the database has no table of objects. The tables may have additional
   * columns.
   */
  static toRead(database: Database, file: string): ObjectTable | undefined {
    if (columnNames(database, '_mf_objects').length === 0) return undefined;
    checkColumns(database, file, tables, (found, known) => known.every((column) => found.includes(column)));
    return new ObjectTable(database, file);
  }

  /** Returns the tables in an open database, and creates them if they are missing. Existing tables must have exactly the known columns. */
  static toWrite(database: Database, file: string): ObjectTable {
    const isExact: Fits = (found, known) => found.join() === known.join();
    const isMissing = (table: string) => columnNames(database, table).length === 0;
    if (Object.keys(tables).some(isMissing)) immediately(database, () => database.exec(schema));
    checkColumns(database, file, tables, isExact);
    if (Object.keys(ownTables).some(isMissing)) immediately(database, () => database.exec(ownSchema));
    checkColumns(database, file, ownTables, isExact);
    return new ObjectTable(database, file);
  }

  find(key: string): ObjectColumns | undefined {
    const row = this.#statements.run(`SELECT ${facts} FROM _mf_objects WHERE key = ?`).get(key);
    return row === undefined ? undefined : this.#row(row);
  }

  /** Returns the files of an object that was created by a multipart upload, in order. */
  parts(key: string): PartRow[] {
    const sql = 'SELECT blob_id, size FROM _mf_multipart_parts WHERE object_key = ? ORDER BY part_number';
    return this.#statements
      .run(sql)
      .all(key)
      .map((row) => ({
        blobId: this.#statements.text(row['blob_id']),
        size: this.#statements.number(row['size']),
      }));
  }

  /** Yields rows in the order of their keys' UTF-8 bytes, each on demand. Only one iteration can be active at a time. */
  *walk(range: KeyRange): Generator<ObjectColumns> {
    const bounds: string[] = [];
    const values: SQLInputValue[] = [];
    for (const [condition, value] of [
      ['key >= ?', range.from],
      ['key > ?', range.after],
      ['key < ?', range.before],
    ] as const) {
      if (value === undefined) continue;
      bounds.push(condition);
      values.push(value);
    }
    const rows = this.#statements
      .run(`SELECT ${facts} FROM _mf_objects WHERE ${bounds.join(' AND ')} ORDER BY key`)
      .iterate(...values);
    for (const row of rows) yield this.#row(row);
  }

  /** Stores a row, and returns the blob ids of the replaced row. Works only inside a transaction. */
  put(row: ObjectColumns): string[] {
    const before = this.#blobIdsAt(row.key);
    this.#statements.run('DELETE FROM _mf_multipart_parts WHERE object_key = ?').run(row.key);
    this.#statements
      .run(`INSERT OR REPLACE INTO _mf_objects
      (key, blob_id, version, size, etag, uploaded, checksums, http_metadata, custom_metadata)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
      .run(
        row.key,
        row.blobId,
        row.version,
        row.size,
        row.etag,
        row.uploaded,
        row.checksums,
        row.httpMetadata,
        row.customMetadata,
      );
    return before;
  }

  /** Replaces the stored result of `formatDetails` for an object. Works only inside a transaction. */
  setChecksums(key: string, checksums: string): void {
    this.#statements.run('UPDATE _mf_objects SET checksums = ? WHERE key = ?').run(checksums, key);
  }

  /** Removes an object and returns its blob ids; undefined if the object does not exist. Works only inside a transaction. */
  remove(key: string): string[] | undefined {
    const before = this.#blobIdsAt(key);
    this.#statements.run('DELETE FROM _mf_multipart_parts WHERE object_key = ?').run(key);
    return this.#statements.run('DELETE FROM _mf_objects WHERE key = ?').run(key).changes === 0
      ? undefined
      : before;
  }

  #blobIdsAt(key: string): string[] {
    return this.#statements.listBlobIds(
      `SELECT blob_id FROM _mf_objects WHERE key = ?1 AND blob_id IS NOT NULL
        UNION ALL SELECT blob_id FROM _mf_multipart_parts WHERE object_key = ?1`,
      key,
    );
  }

  /**
   * Removes up to `limit` parts or, if no parts are left, all uploads and up to `limit` objects. The order is arbitrary. Returns the blob
   * ids of the removed rows.
   */
  removeAny(limit: number): string[] {
    const parts = this.#statements.listBlobIds(
      `DELETE FROM _mf_multipart_parts WHERE rowid IN (SELECT rowid FROM _mf_multipart_parts LIMIT ?)
        RETURNING blob_id`,
      limit,
    );
    if (parts.length > 0) return parts;
    for (const table of ['_mf_multipart_uploads', ...Object.keys(ownTables)])
      this.#statements.run(`DELETE FROM ${table}`).run();
    this.#statements.run('DELETE FROM _mf_objects WHERE blob_id IS NULL').run();
    return this.#statements.listBlobIds(
      'DELETE FROM _mf_objects WHERE rowid IN (SELECT rowid FROM _mf_objects LIMIT ?) RETURNING blob_id',
      limit,
    );
  }

  usage(): Usage {
    const sums = this.#statements
      .run('SELECT COUNT(*) AS objects, COALESCE(SUM(size), 0) AS bytes FROM _mf_objects')
      .get();
    const uploads = this.#statements.run(
      'SELECT COUNT(*) AS uploads FROM _mf_multipart_uploads WHERE state = ?',
    );
    return {
      objects: this.#statements.number(sums?.['objects']),
      bytes: this.#statements.number(sums?.['bytes']),
      uploads: this.#statements.number(uploads.get(inProgress)?.['uploads']),
    };
  }

  /** Returns the blob ids of all objects and parts, unordered. */
  *blobIds(): Generator<string> {
    const sql = `SELECT blob_id FROM _mf_objects WHERE blob_id IS NOT NULL
      UNION ALL SELECT blob_id FROM _mf_multipart_parts`;
    for (const row of this.#statements.run(sql).iterate()) yield this.#statements.text(row['blob_id']);
  }

  #row(row: Record<string, SQLOutputValue>): ObjectColumns {
    const name = row['name'];
    return {
      key: name instanceof Uint8Array ? Buffer.from(name).toString('utf8') : this.#statements.text(name),
      blobId: row['blob_id'] === null ? null : this.#statements.text(row['blob_id']),
      version: this.#statements.text(row['version']),
      size: this.#statements.number(row['size']),
      etag: this.#statements.text(row['etag']),
      uploaded: this.#statements.number(row['uploaded']),
      httpMetadata: this.#statements.text(row['http_metadata']),
      customMetadata: this.#statements.text(row['custom_metadata']),
      checksums: this.#statements.text(row['checksums']),
    };
  }
}

type Fits = (found: readonly string[], known: readonly string[]) => boolean;

function checkColumns(
  database: Database,
  file: string,
  expected: Readonly<Record<string, readonly string[]>>,
  fits: Fits,
): void {
  for (const [table, known] of Object.entries(expected)) {
    const found = columnNames(database, table);
    if (fits(found, known)) continue;
    const layout = found.length === 0 ? 'is missing' : `has the columns ${found.join(', ')}`;
    throw new Problem('store-invalid', `${file} has an unknown layout: table ${table} ${layout}.`, {
      remedy: { kind: 'leave-data' },
    });
  }
}
