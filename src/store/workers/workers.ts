import { createHash } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import type { ModuleKind, WorkerBinding, WorkerCode } from '../../model/workers/worker.ts';
import type { World } from '../../world.ts';
import { isFurtherName } from '../disk-name.ts';
import type { Database } from '../sqlite.ts';

/** SQL that adds workers to the registry's layout. */
export const workerSchema = `
  CREATE TABLE worker (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE, tag TEXT NOT NULL, created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL,
    routed INTEGER NOT NULL, previews INTEGER NOT NULL, settings TEXT NOT NULL
  ) STRICT;
  CREATE TABLE worker_code (
    id TEXT PRIMARY KEY, format TEXT NOT NULL, entry TEXT NOT NULL
  ) STRICT;
  CREATE TABLE worker_module (
    code TEXT NOT NULL REFERENCES worker_code (id) ON DELETE CASCADE,
    position INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (code, position)
  ) STRICT;
  CREATE TABLE worker_version (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    worker TEXT NOT NULL REFERENCES worker (name) ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE, number INTEGER NOT NULL, created_at INTEGER NOT NULL,
    code TEXT NOT NULL REFERENCES worker_code (id), details TEXT NOT NULL
  ) STRICT;
  CREATE INDEX worker_version_code ON worker_version (code);
  CREATE TABLE worker_deployment (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    worker TEXT NOT NULL REFERENCES worker (name) ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, details TEXT NOT NULL
  ) STRICT;`;

/** A worker of the account, without its code. Times are in milliseconds since the UNIX epoch. */
export interface StoredWorker {
  readonly name: string;
  /** The worker's tag: 32 lower-case hex digits. */
  readonly tag: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** Whether the worker serves its own hostname. */
  readonly routed: boolean;
  readonly previews: boolean;
  /** Settings of the worker, not of a version, in wire format: tags and logs. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A version without its code. The bindings include secrets with their values. */
export interface VersionDetails {
  /** The tool that created the version, such as `wrangler` or `api`. */
  readonly source: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly bindings: readonly WorkerBinding[];
  readonly compatibilityDate?: string;
  readonly compatibilityFlags: readonly string[];
}

/** A version of a worker. Versions never change. `number` counts from 1; `codeId` is the hash of the version's code. */
export interface StoredVersion extends VersionDetails {
  readonly id: string;
  readonly number: number;
  readonly createdAt: number;
  readonly codeId: string;
}

/** The deployed versions, whose percentages add up to 100. */
export interface DeploymentDetails {
  readonly source: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly versions: readonly { readonly id: string; readonly percentage: number }[];
}

export interface StoredDeployment extends DeploymentDetails {
  readonly id: string;
  readonly createdAt: number;
}

/** The workers of one account of a sandbox, with their versions and deployments. Versions and deployments are listed newest first. */
export interface WorkerTable {
  /** Returns all workers, in order of creation. */
  list(): StoredWorker[];
  /** Returns the workers of all accounts, with their names in the runtime. */
  everywhere(): StoredWorker[];
  /** Returns the worker with this name in the runtime, in any account. */
  findEverywhere(name: string): StoredWorker | undefined;
  find(name: string): StoredWorker | undefined;
  /** Creates a worker. The name must not be in use. */
  create(name: string): StoredWorker;
  change(name: string, change: Partial<Pick<StoredWorker, 'routed' | 'previews' | 'settings'>>): void;
  /** Removes a worker with its versions. Returns whether the worker existed. */
  remove(name: string): boolean;
  /** Stores code and returns its id. Identical code has the same id. */
  keepCode(code: WorkerCode): string;
  code(id: string): WorkerCode;
  /** Adds a version. If there are more than a hundred versions, deletes the oldest versions that are not deployed. */
  addVersion(name: string, codeId: string, details: VersionDetails): StoredVersion;
  versions(name: string): StoredVersion[];
  addDeployment(name: string, details: DeploymentDetails): StoredDeployment;
  deployments(name: string): StoredDeployment[];
}

const maxVersions = 100;

/** Returns the workers in an open registry. `run` converts a database failure to a Problem. */
export function workerTable(
  database: Database,
  run: <T>(work: () => T) => T,
  { random, now }: Pick<World, 'random' | 'now'>,
): WorkerTable {
  const rows = (sql: string, ...values: (string | number)[]) => database.prepare(sql).all(...values);
  const find = (name: string) => rows('SELECT * FROM worker WHERE name = ?', name).map(toWorker)[0];
  const versions = (name: string) =>
    rows('SELECT * FROM worker_version WHERE worker = ? ORDER BY position DESC', name).map(toVersion);
  const deployments = (name: string) =>
    rows('SELECT * FROM worker_deployment WHERE worker = ? ORDER BY position DESC', name).map(toDeployment);
  const everywhere = () => run(() => rows('SELECT * FROM worker ORDER BY position').map(toWorker));
  const touch = (name: string) =>
    database.prepare('UPDATE worker SET modified_at = ? WHERE name = ?').run(now(), name);
  return {
    list: () => everywhere().filter(({ name }) => !isFurtherName(name)),
    everywhere,
    findEverywhere: (name) => run(() => find(name)),
    find: (name) => (isFurtherName(name) ? undefined : run(() => find(name))),
    create: (name) =>
      run(() => {
        const worker = newWorker(name, Buffer.from(random(16)).toString('hex'), now());
        insertWorker(database, worker);
        return worker;
      }),
    change: (name, change) =>
      run(() => {
        const worker = find(name);
        if (worker === undefined) return;
        updateWorker(database, { ...worker, ...change });
        touch(name);
      }),
    remove: (name) =>
      run(() => {
        const { changes } = database.prepare('DELETE FROM worker WHERE name = ?').run(name);
        sweepCode(database);
        return changes === 1;
      }),
    keepCode: (code) => run(() => keepCode(database, code)),
    code: (id) => run(() => readCode(database, id)),
    addVersion: (name, codeId, details) =>
      run(() => {
        const number = (versions(name)[0]?.number ?? 0) + 1;
        const version = { ...details, id: uuid(random(16)), number, createdAt: now(), codeId };
        insertVersion(database, name, version);
        removeOldVersions(database, name, number - maxVersions, deployments(name)[0]);
        touch(name);
        return version;
      }),
    versions: (name) => run(() => versions(name)),
    addDeployment: (name, details) =>
      run(() => {
        const deployment = { ...details, id: uuid(random(16)), createdAt: now() };
        insertDeployment(database, name, deployment);
        touch(name);
        return deployment;
      }),
    deployments: (name) => run(() => deployments(name)),
  };
}

function newWorker(name: string, tag: string, now: number): StoredWorker {
  return { name, tag, createdAt: now, modifiedAt: now, routed: false, previews: false, settings: {} };
}

function updateWorker(database: Database, { name, routed, previews, settings }: StoredWorker): void {
  database
    .prepare('UPDATE worker SET routed = ?, previews = ?, settings = ? WHERE name = ?')
    .run(Number(routed), Number(previews), JSON.stringify(settings), name);
}

function insertWorker(database: Database, worker: StoredWorker): void {
  const { name, tag, createdAt, modifiedAt } = worker;
  database
    .prepare(
      `INSERT INTO worker (name, tag, created_at, modified_at, routed, previews, settings)
       VALUES (?, ?, ?, ?, 0, 0, '{}')`,
    )
    .run(name, tag, createdAt, modifiedAt);
}

function insertVersion(database: Database, worker: string, version: StoredVersion): void {
  const { id, number, createdAt, codeId, ...details } = version;
  database
    .prepare(
      `INSERT INTO worker_version (worker, id, number, created_at, code, details) VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(worker, id, number, createdAt, codeId, JSON.stringify(details));
}

function insertDeployment(database: Database, worker: string, deployment: StoredDeployment): void {
  const { id, createdAt, ...details } = deployment;
  database
    .prepare('INSERT INTO worker_deployment (worker, id, created_at, details) VALUES (?, ?, ?, ?)')
    .run(worker, id, createdAt, JSON.stringify(details));
}

/** Removes versions up to the given number, except deployed versions, and code that no version uses. */
function removeOldVersions(
  database: Database,
  worker: string,
  last: number,
  running: StoredDeployment | undefined,
): void {
  if (last < 1) return;
  const ids = JSON.stringify((running?.versions ?? []).map(({ id }) => id));
  database
    .prepare(
      `DELETE FROM worker_version WHERE worker = ? AND number <= ?
         AND id NOT IN (SELECT value FROM json_each(?))`,
    )
    .run(worker, last, ids);
  sweepCode(database);
}

type Row = Record<string, SQLOutputValue>;

function toWorker(row: Row): StoredWorker {
  return {
    name: String(row['name']),
    tag: String(row['tag']),
    createdAt: Number(row['created_at']),
    modifiedAt: Number(row['modified_at']),
    routed: row['routed'] === 1,
    previews: row['previews'] === 1,
    settings: JSON.parse(String(row['settings'])),
  };
}

function toVersion(row: Row): StoredVersion {
  return {
    ...(JSON.parse(String(row['details'])) as VersionDetails),
    id: String(row['id']),
    number: Number(row['number']),
    createdAt: Number(row['created_at']),
    codeId: String(row['code']),
  };
}

function toDeployment(row: Row): StoredDeployment {
  return {
    ...(JSON.parse(String(row['details'])) as DeploymentDetails),
    id: String(row['id']),
    createdAt: Number(row['created_at']),
  };
}

/** Returns a random UUID (RFC 9562, version 4). */
function uuid(random: Uint8Array): string {
  const bytes = Buffer.from(random);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Removes code that no version uses. */
export function sweepCode(database: Database): void {
  database.exec('DELETE FROM worker_code WHERE id NOT IN (SELECT code FROM worker_version)');
}

/** Stores code under its hash, and returns the hash. */
export function keepCode(database: Database, code: WorkerCode): string {
  const id = hashCode(code);
  const { changes } = database
    .prepare('INSERT OR IGNORE INTO worker_code (id, format, entry) VALUES (?, ?, ?)')
    .run(id, code.format, code.entry);
  if (changes === 0) return id;
  const insert = database.prepare(
    'INSERT INTO worker_module (code, position, name, kind, content) VALUES (?, ?, ?, ?, ?)',
  );
  code.modules.forEach(({ name, kind, content }, position) => {
    insert.run(id, position, name, kind, content);
  });
  return id;
}

function hashCode({ format, entry, modules }: WorkerCode): string {
  const hash = createHash('sha256').update(JSON.stringify([format, entry]));
  for (const { name, kind, content } of modules) {
    hash.update(JSON.stringify([name, kind, content.length])).update(content);
  }
  return hash.digest('hex');
}

/** Returns the code with this id. */
export function readCode(database: Database, id: string): WorkerCode {
  const row = database.prepare('SELECT format, entry FROM worker_code WHERE id = ?').get(id);
  const modules = database
    .prepare('SELECT name, kind, content FROM worker_module WHERE code = ? ORDER BY position')
    .all(id);
  return {
    format: row?.['format'] === 'script' ? 'script' : 'modules',
    entry: String(row?.['entry']),
    modules: modules.map(({ name, kind, content }) => ({
      name: String(name),
      kind: kind as ModuleKind,
      content: content as Uint8Array,
    })),
  };
}
