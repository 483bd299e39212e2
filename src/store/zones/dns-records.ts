import type { SQLOutputValue } from 'node:sqlite';
import type { World } from '../../world.ts';
import { type Database, immediately, prepared } from '../sqlite.ts';

const watched = ['zone', 'dns_record', 'dns_entry'];

/** SQL that makes the database count all changes to DNS data, so that a reader knows whether its copy is current. */
const revisionSchema = `
  CREATE TABLE dns_revision (only INTEGER PRIMARY KEY CHECK (only = 1), value INTEGER NOT NULL) STRICT;
  INSERT INTO dns_revision VALUES (1, 0);
  ${watched
    .flatMap((table) =>
      ['INSERT', 'UPDATE', 'DELETE'].map(
        (event) =>
          `CREATE TRIGGER ${table}_${event.toLowerCase()} AFTER ${event} ON ${table}
           BEGIN UPDATE dns_revision SET value = value + 1; END;`,
      ),
    )
    .join('\n  ')}`;

/** SQL that adds the DNS records of zones, and DNS entries outside of zones, to the registry's layout. */
export const dnsSchema = `
  CREATE TABLE dns_record (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, zone_id TEXT NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL,
    proxied INTEGER NOT NULL, ttl INTEGER NOT NULL, more TEXT NOT NULL,
    created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX dns_record_zone ON dns_record (zone_id, name);
  CREATE TABLE dns_entry (
    name TEXT NOT NULL, type TEXT NOT NULL, ttl INTEGER NOT NULL, contents TEXT NOT NULL, PRIMARY KEY (name, type)
  ) STRICT;${revisionSchema}`;

/** Returns a number that changes with every change to zones, their records, and the DNS entries outside of zones. */
export function dnsRevision(database: Database): number {
  return Number(prepared(database, 'SELECT value FROM dns_revision').get()?.['value']);
}

/** A zone's record as requested. `name` is normalized; `content` is in the API's format. */
export interface RecordDraft {
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly proxied: boolean;
  /** The time to live in seconds; 1 is "automatic". */
  readonly ttl: number;
  /** Fields that are only stored and returned, such as the comment, tags, data and priority. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** A DNS record of a zone. Times are in milliseconds. */
export interface StoredRecord extends RecordDraft {
  readonly id: string;
  readonly zoneId: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** Attributes that are kept when a record is copied from another sandbox. */
export interface GivenRecord {
  readonly id?: string | undefined;
  readonly modifiedAt?: number | undefined;
}

/** The DNS records of a sandbox's zones. */
export interface RecordTable {
  /** Returns the records of one zone or, if no zone is given, of all zones, in order of creation. */
  list(zoneId?: string): StoredRecord[];
  find(zoneId: string, id: string): StoredRecord | undefined;
  /**
   * Creates a record. `given` can set the id (default: a new id) and the time of the last change (default: the time of creation). The id
   * must not be in use.
   */
  create(zoneId: string, draft: RecordDraft, now: number, given?: GivenRecord): StoredRecord;
  /** Changes a record and returns it; undefined if the record does not exist. */
  change(zoneId: string, id: string, draft: RecordDraft, now: number): StoredRecord | undefined;
  remove(zoneId: string, id: string): boolean;
  removeZone(zoneId: string): void;
}

const insert = `
  INSERT INTO dns_record (id, zone_id, type, name, content, proxied, ttl, more, created_at, modified_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Returns the DNS records in an open registry. `run` converts a database failure to a Problem. */
export function recordTable(
  database: Database,
  run: <T>(work: () => T) => T,
  { random }: Pick<World, 'random'>,
): RecordTable {
  const find = (zoneId: string, id: string) => {
    const row = database.prepare('SELECT * FROM dns_record WHERE zone_id = ? AND id = ?').get(zoneId, id);
    return row === undefined ? undefined : toRecord(row);
  };
  const changing = <T>(work: () => T) => run(() => immediately(database, work));
  return {
    list: (zoneId) =>
      run(() => {
        const where = zoneId === undefined ? '' : 'WHERE zone_id = ?';
        const select = database.prepare(`SELECT * FROM dns_record ${where} ORDER BY position`);
        return select.all(...(zoneId === undefined ? [] : [zoneId])).map(toRecord);
      }),
    find: (zoneId, id) => run(() => find(zoneId, id)),
    create: (zoneId, draft, now, given = {}) =>
      run(() => {
        const { id = Buffer.from(random(16)).toString('hex'), modifiedAt = now } = given;
        const record = { ...draft, id, zoneId };
        const { type, name, content, ttl } = record;
        prepared(database, insert).run(
          record.id,
          zoneId,
          type,
          name,
          content,
          flag(record),
          ttl,
          more(record),
          now,
          modifiedAt,
        );
        return { ...record, createdAt: now, modifiedAt };
      }),
    change: (zoneId, id, draft, now) =>
      changing(() => {
        const { type, name, content, ttl } = draft;
        database
          .prepare(
            `UPDATE dns_record SET type = ?, name = ?, content = ?, proxied = ?, ttl = ?, more = ?, modified_at = ?
             WHERE zone_id = ? AND id = ?`,
          )
          .run(type, name, content, flag(draft), ttl, more(draft), now, zoneId, id);
        return find(zoneId, id);
      }),
    remove: (zoneId, id) =>
      run(() => {
        const remove = database.prepare('DELETE FROM dns_record WHERE zone_id = ? AND id = ?');
        return remove.run(zoneId, id).changes === 1;
      }),
    removeZone: (zoneId) =>
      run(() => {
        database.prepare('DELETE FROM dns_record WHERE zone_id = ?').run(zoneId);
      }),
  };
}

function flag({ proxied }: RecordDraft): number {
  return proxied ? 1 : 0;
}

function more(draft: RecordDraft): string {
  return JSON.stringify(draft.more);
}

function toRecord(row: Record<string, SQLOutputValue>): StoredRecord {
  return {
    id: String(row['id']),
    zoneId: String(row['zone_id']),
    type: String(row['type']),
    name: String(row['name']),
    content: String(row['content']),
    proxied: row['proxied'] === 1,
    ttl: Number(row['ttl']),
    more: JSON.parse(String(row['more'])) as Record<string, unknown>,
    createdAt: Number(row['created_at']),
    modifiedAt: Number(row['modified_at']),
  };
}
