import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { Problem } from '../../model/problem.ts';
import { columnNames, type Database, immediately } from '../sqlite.ts';
import { Statements } from '../statements.ts';

/** The row of one key in a namespace's database. */
export interface KvRow {
  readonly key: string;
  readonly blobId: string;
  /** The expiry in milliseconds since the UNIX epoch; null if the key does not expire. */
  readonly expiration: number | null;
  /** The metadata as a JSON string; null if the key has no metadata. */
  readonly metadata: string | null;
}

/** A range of keys in the order of their UTF-8 bytes. `from` is inclusive; `after` and `before` are exclusive. */
export interface KeyRange {
  readonly from?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

const columns = ['key', 'blob_id', 'expiration', 'metadata'];

const schema = `
  CREATE TABLE IF NOT EXISTS _mf_entries (
    key TEXT PRIMARY KEY, blob_id TEXT NOT NULL, expiration INTEGER, metadata TEXT
  );
  CREATE INDEX IF NOT EXISTS _mf_entries_expiration_idx ON _mf_entries(expiration);`;

/**
 * Node 22 truncates TEXT at its first NUL, so a key with a NUL is read as bytes. The alias must not be `key`, because ORDER BY would then
 * sort by the alias and not use the index.
 */
const keyText = 'CASE WHEN instr(key, char(0)) THEN CAST(key AS BLOB) ELSE key END AS name';

/** Number of keys per query. One query per key would take three times as long. */
const keysAtOnce = 100;

const findSome = `SELECT ${keyText}, blob_id, expiration, metadata FROM _mf_entries
  WHERE key IN (${Array(keysAtOnce).fill('?').join(', ')})`;

/** A pattern for keys that contain only printable ASCII characters. */
const plainKey = /^[ -~]*$/;

/** The rows of one namespace, in Miniflare's table. */
export class KvTable {
  readonly #statements: Statements;

  private constructor(database: Database, file: string) {
    this.#statements = new Statements(database, file);
  }

  /**
   * Returns the table in an open database. For writing, the table is created if it is missing, and must have exactly the known columns. For
   * reading, the table may have additional columns, and the result is undefined if the table is missing.
   */
  static over(database: Database, file: string, mode: 'write'): KvTable;
  static over(database: Database, file: string, mode: 'read'): KvTable | undefined;
  static over(database: Database, file: string, mode: 'read' | 'write'): KvTable | undefined {
    let found = columnNames(database, '_mf_entries');
    if (found.length === 0) {
      if (mode === 'read') return undefined;
      immediately(database, () => database.exec(schema));
      found = columnNames(database, '_mf_entries');
    }
    const known = columns.every((column) => found.includes(column));
    if (!known || (mode === 'write' && found.length !== columns.length)) throw unknownLayout(file, found);
    return new KvTable(database, file);
  }

  find(key: string): KvRow | undefined {
    const row = this.#statements
      .run('SELECT blob_id, expiration, metadata FROM _mf_entries WHERE key = ?')
      .get(key);
    return row === undefined ? undefined : this.#row(key, row);
  }

  /** Returns the existing rows of these keys, by key. */
  findMany(keys: readonly string[]): ReadonlyMap<string, KvRow> {
    const found = new Map<string, KvRow>();
    const plain = keys.filter((key) => plainKey.test(key));
    for (let start = 0; start < plain.length; start += keysAtOnce) {
      const group = plain.slice(start, start + keysAtOnce);
      const [first = ''] = group;
      const filled = [...group, ...Array<string>(keysAtOnce - group.length).fill(first)];
      for (const row of this.#statements.run(findSome).all(...filled)) {
        const key = this.#name(row['name']);
        found.set(key, this.#row(key, row));
      }
    }
    // SQLite may return a key with other characters in a form that differs from the requested key, so these keys are looked up one by one.
    for (const key of keys) {
      const row = plainKey.test(key) ? undefined : this.find(key);
      if (row !== undefined) found.set(key, row);
    }
    return found;
  }

  /**
   * Returns rows that have not expired at `now` (milliseconds), in order. As in Miniflare, a key whose expiration equals `now` is still
   * listed.
   */
  list(range: KeyRange, limit: number, now: number): KvRow[] {
    const bounds: string[] = [];
    const values: SQLInputValue[] = [];
    const bind = (condition: string, value: string | undefined) => {
      if (value === undefined) return;
      bounds.push(`${condition} AND`);
      values.push(value);
    };
    bind('key >= ?', range.from);
    bind('key > ?', range.after);
    bind('key < ?', range.before);
    const rows = this.#statements.run(`SELECT ${keyText}, blob_id, expiration, metadata FROM _mf_entries
      WHERE ${bounds.join(' ')} (+expiration IS NULL OR +expiration >= ?) ORDER BY key LIMIT ?`);
    return rows.all(...values, now, limit).map((row) => this.#row(this.#name(row['name']), row));
  }

  /** Stores a row, and returns the blob id of the replaced row. Works only inside a transaction. */
  put(row: KvRow): string | undefined {
    const before = this.#statements.run('SELECT blob_id FROM _mf_entries WHERE key = ?').get(row.key);
    this.#statements
      .run(`INSERT INTO _mf_entries (key, blob_id, expiration, metadata) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET (blob_id, expiration, metadata)
        = (excluded.blob_id, excluded.expiration, excluded.metadata)`)
      .run(row.key, row.blobId, row.expiration, row.metadata);
    return before === undefined ? undefined : this.#statements.text(before['blob_id']);
  }

  /** Removes a row, and returns its blob id and expiration; undefined if the key does not exist. */
  remove(key: string): { blobId: string; expiration: number | null } | undefined {
    const row = this.#statements
      .run('DELETE FROM _mf_entries WHERE key = ? RETURNING blob_id, expiration')
      .get(key);
    if (row === undefined) return undefined;
    return { blobId: this.#statements.text(row['blob_id']), expiration: this.#expiry(row['expiration']) };
  }

  /** Removes up to `limit` rows that expired before `now`, as Miniflare does when listing. Returns their blob ids. */
  removeExpired(now: number, limit: number): string[] {
    return this.#statements.listBlobIds(
      `DELETE FROM _mf_entries WHERE rowid IN (SELECT rowid FROM _mf_entries WHERE expiration < ? LIMIT ?)
        RETURNING blob_id`,
      now,
      limit,
    );
  }

  /** Removes up to `limit` rows, in any order, and returns their blob ids. */
  removeAny(limit: number): string[] {
    return this.#statements.listBlobIds(
      'DELETE FROM _mf_entries WHERE rowid IN (SELECT rowid FROM _mf_entries LIMIT ?) RETURNING blob_id',
      limit,
    );
  }

  /** Returns the blob ids of all rows, unordered. */
  *blobIds(): Generator<string> {
    for (const row of this.#statements.run('SELECT blob_id FROM _mf_entries').iterate())
      yield this.#statements.text(row['blob_id']);
  }

  #row(key: string, row: Record<string, SQLOutputValue>): KvRow {
    const metadata = row['metadata'];
    return {
      key,
      blobId: this.#statements.text(row['blob_id']),
      expiration: this.#expiry(row['expiration']),
      metadata: metadata === null ? null : this.#statements.text(metadata),
    };
  }

  #name(value: SQLOutputValue | undefined): string {
    return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : this.#statements.text(value);
  }

  #expiry(value: SQLOutputValue | undefined): number | null {
    return value === null ? null : this.#statements.number(value);
  }
}

function unknownLayout(file: string, found: readonly string[]): Problem {
  return new Problem('store-invalid', `${file} has an unknown layout: its columns are ${found.join(', ')}.`, {
    remedy: { kind: 'leave-data' },
  });
}
