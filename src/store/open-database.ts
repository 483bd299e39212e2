import { readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import { isProblem } from '../model/problem.ts';
import { hasCode, unlinkBlobs } from './blobs.ts';
import { beginCollection, collectedFile, findOrphans, scanBudget } from './collection.ts';
import { storeProblem } from './faults.ts';
import { checkFolders, findFile, identityOf, isThere } from './inside.ts';
import type { DataPaths } from './paths.ts';
import { forgetNotes, ReplacedValues } from './replaced.ts';
import { closeAndDelete, type Database, immediately, openToRead, openToWrite } from './sqlite.ts';

/** A table whose rows name the files of their values. */
export interface BlobTable {
  /** Blob ids of all rows, in no order. */
  blobIds(): Iterable<string>;
  /** Removes up to `limit` rows, whichever, and gives their blob ids. Inside a transaction only. */
  removeAny(limit: number): string[];
}

/** A kind of data, namespaces or buckets: where one lies on disk, and the table that holds its rows. */
export interface DataKind<T extends BlobTable> {
  paths(root: string, name: string): DataPaths;
  /** The table in an open database that is only read; undefined where there is none. */
  tableToRead(database: Database, file: string): T | undefined;
  /** The table in an open database, made when it is missing. */
  tableToWrite(database: Database, file: string): T;
}

/** The open database of one namespace or bucket, with the values that are to be removed when it is closed. */
export interface OpenDatabase<T extends BlobTable> {
  readonly paths: DataPaths;
  readonly database: Database;
  readonly table: T;
  readonly mode: 'read' | 'write';
  readonly replaced: ReplacedValues;
  /** The file that was opened: another one may have taken its name since. */
  readonly identity: string;
  /** How many values have been written since it was opened. */
  written: number;
}

/** Opens a database to read; undefined, and nothing is made, where there is none. */
export function openDatabaseToRead<T extends BlobTable>(
  kind: DataKind<T>,
  root: string,
  name: string,
): OpenDatabase<T> | undefined {
  const paths = kind.paths(root, name);
  checkFolders(root, [dirname(paths.database), paths.blobs]);
  if (identityOf(paths.database) === undefined) return undefined;
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

/** Opens to write, and makes what is missing. Unlinks the values that earlier openings had to leave. */
export function openDatabaseToWrite<T extends BlobTable>(
  kind: DataKind<T>,
  root: string,
  name: string,
  now: number,
): OpenDatabase<T> {
  const paths = kind.paths(root, name);
  checkFolders(root, [dirname(paths.database), paths.blobs]);
  findFile(collectedFile(paths));
  const isNew = identityOf(paths.database) === undefined;
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
  const identity = identityOf(paths.database) ?? '';
  return { paths, database, table, mode, replaced: new ReplacedValues(paths), identity, written: 0 };
}

/** Whether the database's file has been deleted or exchanged since it was opened. */
export function isGone(opened: OpenDatabase<BlobTable>): boolean {
  return identityOf(opened.paths.database) !== opened.identity;
}

/**
 * Closes a database. After writing, and at most once a day, looks for values that a killed process left without a
 * row; then unlinks all values without a row, unless another process still has the database open.
 */
export function closeDatabase<T extends BlobTable>(
  kind: DataKind<T>,
  opened: OpenDatabase<T>,
  now: number,
): void {
  const { paths, database, replaced, table } = opened;
  try {
    if (opened.mode === 'write' && !isGone(opened) && beginCollection(paths, now)) {
      const named = { own: () => table.blobIds(), others: () => foreignBlobs(kind, paths) };
      replaced.add(findOrphans(paths, named, now, scanBudget(opened.written)), now);
    }
  } catch (error) {
    // A database beside this one may be damaged or locked. What was asked for is done; orphans wait another day.
    if (!isProblem(storeProblem(error, paths.database))) throw error;
  } finally {
    database.close();
  }
  // Whoever closes a database last removes its log, so a log that remains is somebody's.
  replaced.settle(now, isThere(`${paths.database}-wal`));
}

/** Blob ids in the databases beside this one. */
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

/** Rows that one transaction removes, so that no lock is held for long. */
const rowsAtOnce = 1000;

/** Removes all rows and values of a database, then its files where no other process has them open. */
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
 * An id or a name as the platform makes them has its folder to itself, because a folder's name holds `_` for what was
 * replaced in it; others may share theirs, and remove their own files only.
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
