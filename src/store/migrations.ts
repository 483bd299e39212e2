import { isNewer, newerFormatProblem } from '../model/formats.ts';
import { Problem } from '../model/problem.ts';
import { accountSchema } from './accounts.ts';
import { hostnameSchema } from './hostnames/hostnames.ts';
import { namespaceJurisdictionSchema } from './kv/namespaces.ts';
import { bucketJurisdictionSchema, bucketSchema } from './objects/buckets.ts';
import { type Database, immediately } from './sqlite.ts';
import { takenSchema } from './tables.ts';
import { workerSchema } from './workers/workers.ts';
import { dnsSchema } from './zones/dns-records.ts';
import { zoneSchema } from './zones/zones.ts';

/**
 * The registry's layout as a list of steps; `user_version` is the number of applied steps. Every new table or column is a new step at the
 * end. A released step never changes.
 */
const migrations: readonly string[] = [
  `CREATE TABLE account (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     id TEXT NOT NULL, name TEXT NOT NULL, zone_id TEXT NOT NULL,
     api_token TEXT NOT NULL, email TEXT NOT NULL, api_key TEXT NOT NULL
   ) STRICT;
   CREATE TABLE namespace (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE, title TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
   ) STRICT;`,
  workerSchema,
  bucketSchema,
  `${zoneSchema}${dnsSchema}${hostnameSchema}`,
  takenSchema,
  accountSchema,
  `${bucketJurisdictionSchema}${namespaceJurisdictionSchema}`,
];

/**
 * Migrates a registry to the current layout. If a step was missing, also runs `fill` in the same transaction, so that no other process sees
 * a half-migrated registry. Refuses a registry that a newer edgectl has migrated.
 */
export function migrate(database: Database, file: string, fill: () => void): void {
  if (readVersion(database, file) === migrations.length) return;
  immediately(database, () => {
    for (const step of migrations.slice(readVersion(database, file))) database.exec(step);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    fill();
  });
}

/** Refuses a registry whose layout is not current. Changes nothing. */
export function checkVersion(database: Database, file: string): void {
  if (readVersion(database, file) === migrations.length) return;
  throw new Problem('store-invalid', `${file} has the layout of an older version of edgectl.`, {
    remedy: { kind: 'update-sandbox' },
  });
}

function readVersion(database: Database, file: string): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (!isNewer('registry', version)) return version;
  throw newerFormatProblem('registry', file, version, {
    hint: 'Upgrade edgectl, or use another folder: edgectl does not change this folder.',
  });
}
