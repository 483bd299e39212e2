import { readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import { isProblem } from '../model/problem.ts';
import { hasCode, unlinkBlobs } from './blobs.ts';
import { beginCollection, collectedFile, findOrphans, scanBudget } from './collection.ts';
import { storeProblem } from './faults.ts';
import { checkFolders, fileIdentity, findFile, isThere } from './inside.ts';
import type { DataPaths } from './paths.ts';
import { forgetNotes, ReplacedValues } from './replaced.ts';
import { closeAndDelete, type Database, immediately, openToRead, openToWrite } from './sqlite.ts';

/** A table whose rows refer to the files that contain their values. */
export interface BlobTable {
  /** Returns the blob ids of all rows, unordered. */
  blobIds(): Iterable<string>;
  /** Removes up to `limit` rows, in any order, and returns the blob ids of these rows. Works only inside a transaction. */
  removeAny(limit: number): string[];
}

/** A kind of data (namespaces or buckets): its paths on disk, and the table that contains its rows. */
export interface DataKind<T extends BlobTable> {
  paths(root: string, name: string): DataPaths;
  /** Returns the table in an open read-only database; undefined if the table does not exist. */
  tableToRead(database: Database, file: string): T | undefined;
  /** Returns the table in an open database, and creates it if it is missing. */
  tableToWrite(database: Database, file: string): T;
}

/** The open database of one namespace or bucket, with the values to delete when the database is closed. */
export interface OpenDatabase<T extends BlobTable> {
  readonly paths: DataPaths;
  readonly database: Database;
  readonly table: T;
  readonly mode: 'read' | 'write';
  readonly replaced: ReplacedValues;
  /** The identity of the opened file, because another file may get the same name later. */
  readonly identity: string;
  /** Number of values written since the database was opened. */
  written: number;
}

/** Opens a database for reading. If the database does not exist, returns undefined and creates nothing. */
export function openDatabaseToRead<T extends BlobTable>(
  kind: DataKind<T>,
  root: string,
  name: string,
): OpenDatabase<T> | undefined {
  const paths = kind.paths(root, name);
  checkFolders(root, [dirname(paths.database), paths.blobs]);
  if (fileIdentity(paths.database) === undefined) return undefined;
  const database = openToRead(paths.database);
  try {
    const table = kind.tableToRead(database, paths.database);
    if (table !== undefined) return openDatabase(paths, database, table, 'read');
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

/** Opens a database for writing, and creates missing files. Also deletes values that earlier runs replaced but had to keep. */
export function openDatabaseToWrite<T extends BlobTable>(
  kind: DataKind<T>,
  root: string,
  name: string,
  now: number,
): OpenDatabase<T> {
  const paths = kind.paths(root, name);
  checkFolders(root, [dirname(paths.database), paths.blobs]);
  findFile(collectedFile(paths));
  const isNew = fileIdentity(paths.database) === undefined;
  if (isNew) makePrivateFolder(dirname(paths.database));
  const database = openToWrite(paths.database);
  try {
    const table = kind.tableToWrite(database, paths.database);
    makePrivateFolder(paths.blobs);
    if (isNew) beginCollection(paths, now);
    const opened = openDatabase(paths, database, table, 'write');
    opened.replaced.readNotes(now);
    return opened;
  } catch (error) {
    database.close();
    throw error;
  }
}

function openDatabase<T extends BlobTable>(
  paths: DataPaths,
  database: Database,
  table: T,
  mode: 'read' | 'write',
): OpenDatabase<T> {
  const identity = fileIdentity(paths.database) ?? '';
  return { paths, database, table, mode, replaced: new ReplacedValues(paths), identity, written: 0 };
}

/** Returns whether the database file has been deleted or replaced since it was opened. */
export function isReplaced(opened: OpenDatabase<BlobTable>): boolean {
  return fileIdentity(opened.paths.database) !== opened.identity;
}

/**
 * Closes a database, and deletes replaced values unless another process still has the database open. After writes, but at most once a day,
 * also deletes values without a row, which killed processes left behind.
 */
export function closeDatabase<T extends BlobTable>(
  kind: DataKind<T>,
  opened: OpenDatabase<T>,
  now: number,
): void {
  const { paths, database, replaced, table } = opened;
  try {
    if (opened.mode === 'write' && !isReplaced(opened) && beginCollection(paths, now)) {
      const named = { own: () => table.blobIds(), others: () => foreignBlobs(kind, paths) };
      replaced.add(findOrphans(paths, named, now, scanBudget(opened.written)), now);
    }
  } catch (error) {
    // Ignores the error: another database next to this one may be damaged or locked, and orphans can be deleted on another day.
    if (!isProblem(storeProblem(error, paths.database))) throw error;
  } finally {
    database.close();
  }
  // The last process that closes a database removes its log, so an existing log means that the database is still in use.
  replaced.settle(now, isThere(`${paths.database}-wal`));
}

/** Yields the blob ids in the other databases of the same folder. */
function* foreignBlobs<T extends BlobTable>(kind: DataKind<T>, own: DataPaths): Generator<string> {
  const folder = dirname(own.database);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!/^[0-9a-f]{64}\.sqlite$/.test(name) || file === own.database) continue;
    const database = openToRead(file);
    try {
      yield* kind.tableToRead(database, file)?.blobIds() ?? [];
    } finally {
      database.close();
    }
  }
}

/** Maximum number of rows that one transaction removes, so that locks are held only briefly. */
const rowsAtOnce = 1000;

/** Removes all rows and values of a database. Also deletes the database's files, unless another process has them open. */
export function removeDatabase(opened: OpenDatabase<BlobTable>): void {
  const { paths, database, table, replaced } = opened;
  for (let ids: string[] | undefined; ids === undefined || ids.length > 0; ) {
    ids = immediately(database, () => table.removeAny(rowsAtOnce));
    unlinkBlobs(paths.blobs, ids);
  }
  closeAndDelete(database, paths.database);
  replaced.settle(0, false);
  removeFolder(paths);
}

/**
 * Removes the folder with the values of a removed database. A valid id or name has a separate folder, because `_` in a folder name marks
 * replaced characters. Invalid names may share a folder, so for an invalid name, only edgectl's own files and empty folders are removed.
 */
function removeFolder(paths: DataPaths): void {
  if (/^[0-9a-z-]{3,63}$/.test(paths.folderName)) {
    rmSync(paths.folder, { recursive: true, force: true });
    return;
  }
  forgetNotes(paths.folder);
  const removals = [
    () => unlinkSync(collectedFile(paths)),
    () => rmdirSync(paths.blobs),
    () => rmdirSync(paths.folder),
  ];
  for (const remove of removals) ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], remove);
}

function ignoring(codes: readonly string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!codes.some((code) => hasCode(error, code))) throw error;
  }
}
