import { readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import { isProblem } from '../model/problem.ts';
import { hasCode, unlinkBlobs } from './blobs.ts';
import { beginCollection, collectedFile, findOrphans, scanBudget } from './collection.ts';
import { storeProblem } from './faults.ts';
import { checkFolders, findFile, identityOf, isThere } from './inside.ts';
import type { DataPlace } from './place.ts';
import { forgetNotes, Replaced } from './replaced.ts';
import { closeAndDelete, type Database, immediately, openToRead, openToWrite } from './sqlite.ts';

/** What every table over values can do. */
export interface BlobTable {
  /** Blob ids of all rows, in no order. */
  blobIds(): Iterable<string>;
  /** Removes up to `limit` rows, whichever, and gives their blob ids. Inside a transaction only. */
  removeAny(limit: number): string[];
}

/** A kind of data: where each of it lies, and which table holds its rows. */
export interface Layout<T extends BlobTable> {
  place(root: string, name: string): DataPlace;
  /** The table in an open database that is only read; undefined where there is none. */
  tableToRead(database: Database, file: string): T | undefined;
  /** The table in an open database, made when it is missing. */
  tableToWrite(database: Database, file: string): T;
}

/** One namespace or bucket, opened: its table, and what must be done about its values when it is closed. */
export interface Session<T extends BlobTable> {
  readonly place: DataPlace;
  readonly database: Database;
  readonly table: T;
  readonly mode: 'read' | 'write';
  readonly replaced: Replaced;
  /** The file that was opened: another one may have taken its name since. */
  readonly identity: string;
  /** How many values this session has written. */
  written: number;
}

/** Opens what exists, to read; undefined where there is none, and then nothing is made. */
export function openSessionToRead<T extends BlobTable>(
  layout: Layout<T>,
  root: string,
  name: string,
): Session<T> | undefined {
  const place = layout.place(root, name);
  checkFolders(root, [dirname(place.database), place.blobs]);
  if (identityOf(place.database) === undefined) return undefined;
  const database = openToRead(place.database);
  try {
    const table = layout.tableToRead(database, place.database);
    if (table !== undefined) return session(place, database, table, 'read');
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

/** Opens to write, and makes what is missing. Unlinks what earlier sessions had to leave. */
export function openSessionToWrite<T extends BlobTable>(
  layout: Layout<T>,
  root: string,
  name: string,
  now: number,
): Session<T> {
  const place = layout.place(root, name);
  checkFolders(root, [dirname(place.database), place.blobs]);
  findFile(collectedFile(place));
  const isNew = identityOf(place.database) === undefined;
  if (isNew) makePrivateFolder(dirname(place.database));
  const database = openToWrite(place.database);
  try {
    const table = layout.tableToWrite(database, place.database);
    makePrivateFolder(place.blobs);
    if (isNew) beginCollection(place, now);
    const opened = session(place, database, table, 'write');
    opened.replaced.readNotes(now);
    return opened;
  } catch (error) {
    database.close();
    throw error;
  }
}

function session<T extends BlobTable>(
  place: DataPlace,
  database: Database,
  table: T,
  mode: 'read' | 'write',
): Session<T> {
  const identity = identityOf(place.database) ?? '';
  return { place, database, table, mode, replaced: new Replaced(place), identity, written: 0 };
}

/** Whether the database's file has been deleted or exchanged since it was opened. */
export function isGone(opened: Session<BlobTable>): boolean {
  return identityOf(opened.place.database) !== opened.identity;
}

/**
 * Closes. After writing, and at most once a day, looks for values that a killed process left without a
 * row; then unlinks all values without a row, unless another process still has the database open.
 */
export function closeSession<T extends BlobTable>(layout: Layout<T>, opened: Session<T>, now: number): void {
  const { place, database, replaced, table } = opened;
  try {
    if (opened.mode === 'write' && !isGone(opened) && beginCollection(place, now)) {
      const named = { own: () => table.blobIds(), others: () => foreignBlobs(layout, place) };
      replaced.add(findOrphans(place, named, now, scanBudget(opened.written)), now);
    }
  } catch (error) {
    // A database beside this one may be damaged or locked. What was asked for is done; orphans wait another day.
    if (!isProblem(storeProblem(error, place.database))) throw error;
  } finally {
    database.close();
  }
  // Whoever closes a database last removes its log, so a log that remains is somebody's.
  replaced.settle(now, isThere(`${place.database}-wal`));
}

/** Blob ids in the databases beside this one. */
function* foreignBlobs<T extends BlobTable>(layout: Layout<T>, own: DataPlace): Generator<string> {
  const folder = dirname(own.database);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!/^[0-9a-f]{64}\.sqlite$/.test(name) || file === own.database) continue;
    const database = openToRead(file);
    try {
      yield* layout.tableToRead(database, file)?.blobIds() ?? [];
    } finally {
      database.close();
    }
  }
}

/** Rows that one transaction removes, so that no lock is held for long. */
const rowsAtOnce = 1000;

/** Removes all rows and values, then the files where no other process has them open. */
export function removeSession(opened: Session<BlobTable>): void {
  const { place, database, table, replaced } = opened;
  for (let ids: string[] | undefined; ids === undefined || ids.length > 0; ) {
    ids = immediately(database, () => table.removeAny(rowsAtOnce));
    unlinkBlobs(place.blobs, ids);
  }
  closeAndDelete(database, place.database);
  replaced.settle(0, false);
  removeFolder(place);
}

/**
 * An id or a name as the platform makes them has its folder to itself, because a folder's name holds `_` for what was
 * replaced in it; others may share theirs, and remove their own files only.
 */
function removeFolder(place: DataPlace): void {
  if (/^[0-9a-z-]{3,63}$/.test(place.folderName)) {
    rmSync(place.folder, { recursive: true, force: true });
    return;
  }
  forgetNotes(place.folder);
  const removals = [
    () => unlinkSync(collectedFile(place)),
    () => rmdirSync(place.blobs),
    () => rmdirSync(place.folder),
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
