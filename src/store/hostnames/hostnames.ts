import type { SQLOutputValue } from 'node:sqlite';
import { type HostnameState, nextMoment } from '../../model/hostnames/state.ts';
import { type Database, immediately, prepared } from '../sqlite.ts';

/** SQL that adds custom hostnames, and the other data that the platform stores for them, to the registry's layout. */
export const hostnameSchema = `
  CREATE TABLE custom_hostname (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, zone_id TEXT NOT NULL, hostname TEXT NOT NULL, state TEXT NOT NULL,
    next_at INTEGER NOT NULL, revision INTEGER NOT NULL, activated_at INTEGER, certificate TEXT, private_key TEXT,
    UNIQUE (zone_id, hostname)
  ) STRICT;
  CREATE INDEX custom_hostname_due ON custom_hostname (next_at);
  CREATE INDEX custom_hostname_name ON custom_hostname (hostname);
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`;

/** A certificate and its key, both in PEM. The certificate may be followed by its certificate chain. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** A custom hostname in the registry. */
export interface StoredHostname {
  readonly zoneId: string;
  readonly state: HostnameState;
  /** Number of changes. A change that is based on an older revision is refused. */
  readonly revision: number;
  /** The time at which the hostname last became active, or was changed while active, in milliseconds. */
  readonly activatedAt?: number;
  /** The certificate and key with which the edge serves the hostname; absent until a certificate is issued. */
  readonly keyed?: KeyedCertificate;
}

/** The custom hostnames of a sandbox's zones. */
export interface HostnameTable {
  /** Returns the hostnames of one zone or, if no zone is given, of all zones, in order of creation. */
  list(zoneId?: string): StoredHostname[];
  /** Skips `skipped` hostnames of a zone, and returns the next `count` hostnames in order of creation. */
  page(zoneId: string, skipped: number, count: number): StoredHostname[];
  find(zoneId: string, id: string): StoredHostname | undefined;
  /** Returns the custom hostnames with exactly this name, in all zones. */
  named(hostname: string): StoredHostname[];
  /** Returns the hostnames that exist in more than one zone. */
  shared(): ReadonlySet<string>;
  count(zoneId: string): number;
  /** Returns the hostnames that need work by `now`, in milliseconds. */
  due(now: number): StoredHostname[];
  /** Returns whether the hostname was inserted; false if the zone already has this hostname. */
  insert(stored: StoredHostname): boolean;
  /** Returns whether the hostname was saved; false if another writer has changed or removed the hostname since it was read. */
  save(stored: StoredHostname): boolean;
  /** Runs `work` in one transaction: either all saves and removals are written, or none. */
  together<T>(work: () => T): T;
  /** Returns whether the hostname existed. */
  remove(zoneId: string, id: string): boolean;
  removeZone(zoneId: string): void;
  clear(): void;
}

/** Returns the custom hostnames in an open registry. `run` converts a database failure to a Problem. */
export function hostnameTable(database: Database, run: <T>(work: () => T) => T): HostnameTable {
  const all = (rest: string, ...values: (string | number)[]) =>
    run(() =>
      prepared(database, `SELECT * FROM custom_hostname ${rest}`)
        .all(...values)
        .map(toHostname),
    );
  const changes = (sql: string, ...values: (string | number | null)[]) =>
    run(() => Number(prepared(database, sql).run(...values).changes));
  return {
    list: (zoneId) =>
      zoneId === undefined ? all('ORDER BY position') : all('WHERE zone_id = ? ORDER BY position', zoneId),
    page: (zoneId, skipped, count) =>
      all('WHERE zone_id = ? ORDER BY position LIMIT ? OFFSET ?', zoneId, count, skipped),
    find: (zoneId, id) => all('WHERE zone_id = ? AND id = ?', zoneId, id)[0],
    named: (hostname) => all('WHERE hostname = ? ORDER BY position', hostname),
    shared: () =>
      run(() => {
        const sql = 'SELECT hostname FROM custom_hostname GROUP BY hostname HAVING count(*) > 1';
        return new Set(
          prepared(database, sql)
            .all()
            .map((row) => String(row['hostname'])),
        );
      }),
    count: (zoneId) =>
      run(() => {
        const count = database.prepare('SELECT count(*) AS n FROM custom_hostname WHERE zone_id = ?');
        return Number(count.get(zoneId)?.['n']);
      }),
    due: (now) => all('WHERE next_at <= ? ORDER BY position', now),
    insert: (stored) => run(() => insert(database, stored)),
    save: ({ state, revision, activatedAt, keyed }) =>
      changes(
        `UPDATE custom_hostname SET state = ?, next_at = ?, revision = revision + 1, activated_at = ?,
         certificate = ?, private_key = ? WHERE id = ? AND revision = ?`,
        JSON.stringify(state),
        nextMoment(state),
        activatedAt ?? null,
        keyed?.certificate ?? null,
        keyed?.privateKey ?? null,
        state.record.id,
        revision,
      ) === 1,
    together: (work) => run(() => immediately(database, work)),
    remove: (zoneId, id) =>
      changes('DELETE FROM custom_hostname WHERE zone_id = ? AND id = ?', zoneId, id) === 1,
    removeZone: (zoneId) => void changes('DELETE FROM custom_hostname WHERE zone_id = ?', zoneId),
    clear: () => void changes('DELETE FROM custom_hostname'),
  };
}

function insert(database: Database, { zoneId, state, activatedAt, keyed }: StoredHostname): boolean {
  const { id, hostname } = state.record;
  const insertion = database
    .prepare(
      `INSERT OR IGNORE INTO custom_hostname
       (id, zone_id, hostname, state, next_at, revision, activated_at, certificate, private_key)
       VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    )
    .run(
      id,
      zoneId,
      hostname,
      JSON.stringify(state),
      nextMoment(state),
      activatedAt ?? null,
      keyed?.certificate ?? null,
      keyed?.privateKey ?? null,
    );
  return insertion.changes === 1;
}

function toHostname(row: Record<string, SQLOutputValue>): StoredHostname {
  const { activated_at: activatedAt, certificate, private_key: privateKey } = row;
  return {
    zoneId: String(row['zone_id']),
    state: JSON.parse(String(row['state'])) as HostnameState,
    revision: Number(row['revision']),
    ...(activatedAt !== null && { activatedAt: Number(activatedAt) }),
    ...(typeof privateKey === 'string' && { keyed: { certificate: String(certificate), privateKey } }),
  };
}
