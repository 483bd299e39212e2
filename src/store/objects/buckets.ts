import type { SQLOutputValue } from 'node:sqlite';
import type { World } from '../../world.ts';
import { isFurtherName } from '../disk-name.ts';
import { type Database, immediately } from '../sqlite.ts';

/** SQL that adds buckets to the registry's layout. */
export const bucketSchema = `
  CREATE TABLE bucket (
    name TEXT PRIMARY KEY, created_at INTEGER NOT NULL, storage_class TEXT NOT NULL, location TEXT
  ) STRICT;`;

/**
 * SQL that adds the jurisdictions of buckets to the registry's layout. In the earlier layout, the jurisdiction was a setting of the bucket,
 * stored by account.
 */
export const bucketJurisdictionSchema = `
  ALTER TABLE bucket ADD COLUMN jurisdiction TEXT;
  UPDATE bucket SET jurisdiction = (
    SELECT json_extract(setting.value, '$."' || substr(bucket.name, instr(bucket.name, '.') + 1) || '".jurisdiction')
    FROM setting
    WHERE setting.name = iif(
      instr(bucket.name, '.') > 0,
      substr(bucket.name, 1, instr(bucket.name, '.') - 1) || '/bucket_settings',
      'bucket_settings'
    )
  );`;

/** A bucket of a sandbox. `createdAt` is in milliseconds since the UNIX epoch. */
export interface StoredBucket {
  readonly name: string;
  readonly createdAt: number;
  readonly storageClass: string;
  readonly location?: string;
  /** The jurisdiction; absent for a bucket without a jurisdiction. */
  readonly jurisdiction?: string;
}

/** The buckets of one account of a sandbox. The objects of the buckets are in the object store. */
export interface BucketTable {
  /** Returns all buckets of the account, sorted by name. */
  list(): StoredBucket[];
  /** Returns the buckets of all accounts, with their names on disk. */
  everywhere(): StoredBucket[];
  /** Returns the bucket with this name on disk, in any account. */
  findEverywhere(name: string): StoredBucket | undefined;
  find(name: string): StoredBucket | undefined;
  /** Creates a bucket; undefined if the name is taken. The default of `createdAt` is the current time. */
  create(bucket: Omit<StoredBucket, 'createdAt'> & Partial<StoredBucket>): StoredBucket | undefined;
  /** Sets the storage class of a bucket's new objects; undefined if the bucket does not exist. */
  setStorageClass(name: string, storageClass: string): StoredBucket | undefined;
  /** Removes a bucket, but not its objects. Returns whether the bucket existed. */
  remove(name: string): boolean;
}

const columns = 'name, created_at, storage_class, location, jurisdiction';

/** Returns the buckets in an open registry. `run` converts a database failure to a Problem. */
export function bucketTable(
  database: Database,
  run: <T>(work: () => T) => T,
  { now }: Pick<World, 'now'>,
): BucketTable {
  const find = (name: string) => {
    const row = database.prepare(`SELECT ${columns} FROM bucket WHERE name = ?`).get(name);
    return row === undefined ? undefined : toBucket(row);
  };
  const everywhere = () =>
    run(() => database.prepare(`SELECT ${columns} FROM bucket ORDER BY name`).all().map(toBucket));
  const changing = <T>(work: () => T) => run(() => immediately(database, work));
  return {
    list: () => everywhere().filter(({ name }) => !isFurtherName(name)),
    everywhere,
    findEverywhere: (name) => run(() => find(name)),
    find: (name) => (isFurtherName(name) ? undefined : run(() => find(name))),
    create: ({ name, storageClass, location, jurisdiction, createdAt = now() }) =>
      changing(() => {
        if (find(name) !== undefined) return undefined;
        const insert = database.prepare(`INSERT INTO bucket (${columns}) VALUES (?, ?, ?, ?, ?)`);
        insert.run(name, createdAt, storageClass, location ?? null, jurisdiction ?? null);
        return find(name);
      }),
    setStorageClass: (name, storageClass) =>
      changing(() => {
        database.prepare('UPDATE bucket SET storage_class = ? WHERE name = ?').run(storageClass, name);
        return find(name);
      }),
    remove: (name) =>
      run(() => database.prepare('DELETE FROM bucket WHERE name = ?').run(name).changes === 1),
  };
}

function toBucket(row: Record<string, SQLOutputValue>): StoredBucket {
  return {
    name: String(row['name']),
    createdAt: Number(row['created_at']),
    storageClass: String(row['storage_class']),
    ...(row['location'] === null ? {} : { location: String(row['location']) }),
    ...(row['jurisdiction'] === null ? {} : { jurisdiction: String(row['jurisdiction']) }),
  };
}
