import { existsSync, mkdirSync, rmdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode, unlinkBlobs } from './blobs.ts';
import { beginCollection, findOrphans, scanBudget } from './collection.ts';
import { KvTable } from './kv-table.ts';
import { type KvPlace, kvPlace } from './place.ts';
import { forgetNotes, Replaced } from './replaced.ts';
import { closeAndDelete, type Database, immediately, openToRead, openToWrite } from './sqlite.ts';

/** One namespace, opened: its table, and what must be done about its values when it is closed. */
export interface KvSession {
  readonly place: KvPlace;
  readonly database: Database;
  readonly table: KvTable;
  readonly mode: 'read' | 'write';
  readonly replaced: Replaced;
  /** The file that was opened: another one may have taken its name since. */
  readonly identity: string;
  /** How many values this session has written. */
  written: number;
}

/** Opens a namespace that exists, to read; undefined where there is none, and then nothing is made. */
export function openSessionToRead(root: string, namespaceId: string): KvSession | undefined {
  const place = kvPlace(root, namespaceId);
  if (identityOf(place) === undefined) return undefined;
  const database = openToRead(place.database);
  try {
    const table = KvTable.over(database, place.database, 'read');
    if (table !== undefined) return session(place, database, table, 'read');
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

/** Opens a namespace to write, and makes it when it is missing. Unlinks what earlier sessions had to leave. */
export function openSessionToWrite(root: string, namespaceId: string, now: number): KvSession {
  const place = kvPlace(root, namespaceId);
  const isNew = identityOf(place) === undefined;
  if (isNew) mkdirSync(dirname(place.database), { recursive: true });
  const database = openToWrite(place.database);
  try {
    const table = KvTable.over(database, place.database, 'write');
    mkdirSync(place.blobs, { recursive: true });
    if (isNew) beginCollection(place, now);
    const opened = session(place, database, table, 'write');
    opened.replaced.readNotes(now);
    return opened;
  } catch (error) {
    database.close();
    throw error;
  }
}

function session(place: KvPlace, database: Database, table: KvTable, mode: 'read' | 'write'): KvSession {
  const identity = identityOf(place) ?? '';
  return { place, database, table, mode, replaced: new Replaced(place), identity, written: 0 };
}

/** Whether the database's file has been deleted or exchanged since it was opened. */
export function isGone(opened: KvSession): boolean {
  return identityOf(opened.place) !== opened.identity;
}

function identityOf(place: KvPlace): string | undefined {
  const found = statSync(place.database, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

/**
 * Closes a namespace. After writing, and at most once a day, looks for values that a killed process left without a
 * row; then unlinks all values without a row, unless another process still has the database open.
 */
export function closeSession(root: string, opened: KvSession, now: number): void {
  const { place, database, replaced } = opened;
  try {
    if (opened.mode === 'write' && !isGone(opened) && beginCollection(place, now)) {
      replaced.add(findOrphans(root, place, opened.table, now, scanBudget(opened.written)), now);
    }
  } finally {
    database.close();
  }
  // Whoever closes a database last removes its log, so a log that remains is somebody's.
  replaced.settle(now, existsSync(`${place.database}-wal`));
}

/** Rows that one transaction removes, so that no lock is held for long. */
const rowsAtOnce = 1000;

/** Removes all rows and values of a namespace, then its files where no other process has them open. */
export function removeSession(opened: KvSession): void {
  const { place, database, table, replaced } = opened;
  for (let ids: string[] | undefined; ids === undefined || ids.length > 0; ) {
    ids = immediately(database, () => table.removeAny(rowsAtOnce));
    unlinkBlobs(place.blobs, ids);
  }
  closeAndDelete(database, place.database);
  replaced.settle(0, false);
  removeFolder(place);
}

/** An id as the platform makes them has its folder to itself; others may share theirs, and remove their own files only. */
function removeFolder(place: KvPlace): void {
  if (/^[0-9a-f]{32}$/.test(place.folderName)) {
    rmSync(place.folder, { recursive: true, force: true });
    return;
  }
  forgetNotes(place.folder);
  const removals = [
    () => unlinkSync(join(place.folder, 'collected')),
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
