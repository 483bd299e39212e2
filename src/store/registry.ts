import { join } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import { Problem } from '../model/problem.ts';
import type { World } from '../world.ts';
import { type AccountRow, type AccountTable, accountTable } from './accounts.ts';
import { guarded } from './faults.ts';
import { type HostnameTable, hostnameTable } from './hostnames/hostnames.ts';
import { type SettingTable, settingTable } from './hostnames/settings.ts';
import { ensureFile, findFile, isThere } from './inside.ts';
import { type NamespaceTable, namespaceTable } from './kv/namespaces.ts';
import { checkVersion, migrate } from './migrations.ts';
import { type BucketTable, bucketTable } from './objects/buckets.ts';
import { type Database, immediately, openToRead, openToWrite } from './sqlite.ts';
import { copyTenant, takenId, takeTables } from './tables.ts';
import { type WorkerTable, workerTable } from './workers/workers.ts';
import { dnsRevision, type RecordTable, recordTable } from './zones/dns-records.ts';
import { type DnsEntryTable, dnsEntryTable } from './zones/outside-dns.ts';
import { makeOwnZone, type ZoneTable, zoneTable } from './zones/zones.ts';

/** The credentials that a sandbox accepts: the token, or the email address together with the key. */
export interface AcceptedCredentials {
  readonly apiToken: string;
  readonly email: string;
  readonly apiKey: string;
}

/**
 * The data of a sandbox outside Miniflare's layout. Every method throws Problem 'store-busy' if another process holds the lock on the
 * database for more than five seconds, and 'store-invalid' if the file is unusable.
 */
export interface Registry {
  /** Returns the sandbox's own account. */
  account(): AccountRow;
  /** Sets the name of the sandbox's own account. */
  nameAccount(name: string): void;
  /** The accounts of the sandbox, except its own account. */
  readonly furtherAccounts: AccountTable;
  /** Returns the namespaces of an additional account. The namespaces of the sandbox's own account are in `namespaces`. */
  openNamespaces(account: string): NamespaceTable;
  credentials(): AcceptedCredentials;
  /** Returns the id of the sandbox's own zone: 32 lower-case hex digits. */
  zoneId(): string;
  readonly namespaces: NamespaceTable;
  readonly workers: WorkerTable;
  readonly buckets: BucketTable;
  readonly zones: ZoneTable;
  readonly dnsRecords: RecordTable;
  readonly dnsEntries: DnsEntryTable;
  /** Returns a number that changes with every change to zones, their records and external DNS entries. */
  dnsRevision(): number;
  readonly hostnames: HostnameTable;
  readonly settings: SettingTable;
  /** Runs `work` in one transaction, so that other readers see either all changes or none. */
  atOnce<T>(work: () => T): T;
  /** Replaces all data with the data from a registry in another folder, in one transaction that also records the id. */
  takeFrom(dir: string, id: string): void;
  /** Returns the id that `takeFrom` recorded most recently; undefined if `takeFrom` has never run. */
  taken(): string | undefined;
  close(): void;
}

export interface RegistryOptions extends Pick<World, 'random' | 'now'> {
  /**
   * The folder of another registry. If set, a missing registry is created with the account, credentials and own zone from the other
   * registry.
   */
  readonly tenantOf?: string | undefined;
  /** Whether nothing on disk may be changed. If set, a registry that is missing or has an older layout is refused. */
  readonly readOnly?: boolean;
}

/** Returns the registry file of a folder: `<dir>/registry.sqlite`. */
export function registryFile(dir: string): string {
  return join(dir, 'registry.sqlite');
}

/**
 * Opens the registry of a folder. A missing registry is created with an account, a zone and credentials from `random`, in a file that only
 * its owner can read. If several processes create the registry at the same time, all of them get the same registry. With `readOnly`, throws
 * 'not-found' if the registry is missing.
 */
export function openRegistry(dir: string, options: RegistryOptions): Registry {
  const file = registryFile(dir);
  const run = <T>(work: () => T): T => guarded(() => file, work);
  const database = run(() => (options.readOnly ? openExisting(dir, file) : openOrMake(dir, file, options)));
  if (options.tenantOf !== undefined) {
    const other = registryFile(options.tenantOf);
    run(() => closingOnFailure(database, () => copyTenant(database, other)));
  }
  let known: Tenant | undefined;
  // The account is cached, because every request needs it and only its name can change.
  const tenant = () => {
    known ??= run(() => readTenant(database, file));
    return known;
  };
  return {
    account: () => tenant().account,
    credentials: () => tenant().credentials,
    zoneId: () => tenant().zoneId,
    nameAccount(name) {
      run(() => database.prepare('UPDATE account SET name = ?').run(name));
      known = undefined;
    },
    furtherAccounts: accountTable(database, run),
    openNamespaces: (account) => namespaceTable(database, run, options, account),
    namespaces: namespaceTable(database, run, options),
    workers: workerTable(database, run, options),
    buckets: bucketTable(database, run, options),
    zones: zoneTable(database, run, options),
    dnsRecords: recordTable(database, run, options),
    dnsEntries: dnsEntryTable(database, run),
    dnsRevision: () => run(() => dnsRevision(database)),
    hostnames: hostnameTable(database, run),
    settings: settingTable(database, run),
    atOnce: (work) => run(() => immediately(database, work)),
    takeFrom(dir, id) {
      run(() => takeTables(database, registryFile(dir), id));
      known = undefined;
    },
    taken: () => run(() => takenId(database)),
    close: () => database.close(),
  };
}

function openExisting(dir: string, file: string): Database {
  if (!isThere(file)) {
    throw new Problem('not-found', `No sandbox found in ${dir}.`, {
      remedy: { kind: 'make-sandbox' },
    });
  }
  const database = openToRead(file);
  return closingOnFailure(database, () => checkVersion(database, file));
}

function openOrMake(dir: string, file: string, options: RegistryOptions): Database {
  if (findFile(file) === undefined) {
    makePrivateFolder(dir);
    // Creates the file with its final mode, because SQLite gives its log the same mode.
    ensureFile(file);
  }
  const database = openToWrite(file);
  return closingOnFailure(database, () => migrate(database, file, () => fill(database, options)));
}

function closingOnFailure(database: Database, work: () => void): Database {
  try {
    work();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

interface Tenant {
  readonly account: AccountRow;
  readonly credentials: AcceptedCredentials;
  readonly zoneId: string;
}

function fill(database: Database, options: RegistryOptions): void {
  const { random } = options;
  const hex = (bytes: number) => Buffer.from(random(bytes)).toString('hex');
  database
    .prepare(
      `INSERT OR IGNORE INTO account (only, id, name, zone_id, api_token, email, api_key)
       VALUES (1, ?, 'Sandbox', ?, ?, 'operator@sandbox.example', ?)`,
    )
    .run(hex(16), hex(16), Buffer.from(random(30)).toString('base64url'), hex(19).slice(1));
  makeOwnZone(database, options);
}

function readTenant(database: Database, file: string): Tenant {
  const row = database.prepare('SELECT * FROM account').get();
  if (row === undefined) {
    throw new Problem('store-invalid', `${file} contains no account.`, {
      remedy: { kind: 'reset-sandbox' },
    });
  }
  const text = (column: string) => String(row[column]);
  return {
    account: { id: text('id'), name: text('name') },
    credentials: { apiToken: text('api_token'), email: text('email'), apiKey: text('api_key') },
    zoneId: text('zone_id'),
  };
}
