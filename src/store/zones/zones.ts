import type { SQLOutputValue } from 'node:sqlite';
import type { ZoneHold } from '../../model/zones/zone.ts';
import type { World } from '../../world.ts';
import { type Database, immediately } from '../sqlite.ts';

/** SQL that adds zones to the registry's layout. The sandbox's own zone is created together with its account. */
export const zoneSchema = `
  CREATE TABLE zone (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL,
    delegation TEXT NOT NULL, hold TEXT NOT NULL, fallback TEXT
  ) STRICT;`;

/** The name of the zone that every sandbox has. The top-level domain of this name does not exist in public DNS. */
export const ownZoneName = 'saas.sandbox';

/** A zone's fallback origin. Times are in milliseconds. The status is derived from the times. */
export interface StoredFallback {
  readonly origin: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Whether the platform failed to deploy the fallback origin. A failed deployment is not retried. */
  readonly failed?: boolean;
}

/** A zone of a sandbox: the sandbox's own zone, a zone that represents a customer's zone, or a zone of an additional account. */
export interface StoredZone {
  readonly id: string;
  /** The additional account that owns the zone (default: the sandbox's own account). */
  readonly account?: string;
  readonly name: string;
  readonly createdAt: number;
  /** The 16 hex digits, which the provider calls a UUID, in the delegation target `<uuid>.dcv.<provider>`. */
  readonly delegation: string;
  readonly hold: ZoneHold;
  readonly fallback?: StoredFallback;
}

/** The zones of all accounts of a sandbox. Names are unique, normalized and in lower case. */
export interface ZoneTable {
  /** Returns all zones, in order of creation. */
  list(): StoredZone[];
  find(id: string): StoredZone | undefined;
  /**
   * Creates a zone, by default with a new id and in the sandbox's own account; undefined if the name or id is taken. `now` is on the
   * platform's clock.
   */
  create(
    name: string,
    now: number,
    given?: Partial<Pick<StoredZone, 'id' | 'account'>>,
  ): StoredZone | undefined;
  /** Returns whether the zone existed. */
  remove(id: string): boolean;
  setHold(id: string, hold: ZoneHold): void;
  /** Sets the UUID in delegation targets to a UUID that customers already point to. */
  setDelegation(id: string, delegation: string): void;
  /** Sets the creation time of a zone, and the UUID of its delegation targets. */
  setOrigin(id: string, origin: Pick<StoredZone, 'createdAt' | 'delegation'>): void;
  /** Sets the fallback origin; undefined removes it. */
  setFallback(id: string, fallback: StoredFallback | undefined): void;
}

const noHold: ZoneHold = { hold: false, includeSubdomains: false };

/** Returns the zones in an open registry. `run` converts a database failure to a Problem. */
export function zoneTable(
  database: Database,
  run: <T>(work: () => T) => T,
  { random }: Pick<World, 'random'>,
): ZoneTable {
  const one = (column: 'id' | 'name', value: string) => {
    const row = database.prepare(`SELECT * FROM zone WHERE ${column} = ?`).get(value);
    return row === undefined ? undefined : toZone(row);
  };
  const changing = <T>(work: () => T) => run(() => immediately(database, work));
  return {
    list: () => run(() => database.prepare('SELECT * FROM zone ORDER BY position').all().map(toZone)),
    find: (id) => run(() => one('id', id)),
    create: (name, now, { id = Buffer.from(random(16)).toString('hex'), account } = {}) =>
      changing(() => {
        if (one('name', name) !== undefined || one('id', id) !== undefined) return undefined;
        const delegation = newDelegation(random(16));
        insertZone(database, { id, name, createdAt: now, delegation, account });
        return one('id', id);
      }),
    remove: (id) => run(() => database.prepare('DELETE FROM zone WHERE id = ?').run(id).changes === 1),
    setHold: (id, hold) =>
      run(() => {
        database.prepare('UPDATE zone SET hold = ? WHERE id = ?').run(JSON.stringify(hold), id);
      }),
    setOrigin: (id, { createdAt, delegation }) =>
      run(() => {
        const set = database.prepare('UPDATE zone SET created_at = ?, delegation = ? WHERE id = ?');
        set.run(createdAt, delegation, id);
      }),
    setDelegation: (id, delegation) =>
      run(() => {
        database.prepare('UPDATE zone SET delegation = ? WHERE id = ?').run(delegation, id);
      }),
    setFallback: (id, fallback) =>
      run(() => {
        const text = fallback === undefined ? null : JSON.stringify(fallback);
        database.prepare('UPDATE zone SET fallback = ? WHERE id = ?').run(text, id);
      }),
  };
}

/** Creates the sandbox's own zone, with the id that the account stores, unless it exists. */
export function makeOwnZone(database: Database, { random, now }: Pick<World, 'random' | 'now'>): void {
  const account = database.prepare('SELECT zone_id FROM account').get();
  if (account === undefined) return;
  const id = String(account['zone_id']);
  insertZone(database, { id, name: ownZoneName, createdAt: now(), delegation: newDelegation(random(16)) });
}

type NewZone = Pick<StoredZone, 'id' | 'name' | 'createdAt' | 'delegation'>;

function insertZone(database: Database, zone: NewZone & { readonly account?: string | undefined }): void {
  database
    .prepare(
      'INSERT OR IGNORE INTO zone (id, name, created_at, delegation, hold, account) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(zone.id, zone.name, zone.createdAt, zone.delegation, JSON.stringify(noHold), zone.account ?? '');
}

function newDelegation(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').slice(0, 16);
}

function toZone(row: Record<string, SQLOutputValue>): StoredZone {
  const { fallback, account } = row;
  return {
    id: String(row['id']),
    ...(account !== '' && { account: String(account) }),
    name: String(row['name']),
    createdAt: Number(row['created_at']),
    delegation: String(row['delegation']),
    hold: JSON.parse(String(row['hold'])) as ZoneHold,
    ...(fallback !== undefined &&
      fallback !== null && { fallback: JSON.parse(String(fallback)) as StoredFallback }),
  };
}
