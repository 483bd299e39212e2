import { unlinkSync } from 'node:fs';
import process from 'node:process';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { primaryCode, sqliteCode } from './faults.ts';
import { checkDatabase, checkDatabaseToRead, isThere } from './inside.ts';

export type Database = DatabaseSync;

let sqlite: typeof import('node:sqlite') | undefined;

/**
 * Loads SQLite at its first use. While node:sqlite is loaded, Node 22 warns that SQLite is experimental. Only this warning is suppressed,
 * because nothing else runs during the load.
 */
function loadSqlite(): typeof import('node:sqlite') {
  if (sqlite !== undefined) return sqlite;
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    sqlite = process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
  return sqlite;
}

/**
 * Milliseconds for which a connection waits for another process's lock. The time is set with a PRAGMA statement, because early versions of
 * Node 22 ignore the option `timeout`.
 */
const busyMilliseconds = 5000;

/** Opens a database for writing, in WAL mode. Creates the file, but not its folder, if it is missing. */
export function openToWrite(file: string): Database {
  checkDatabase(file);
  const database = open(file);
  try {
    retryWhileBusy(() => {
      const mode = database.prepare('PRAGMA journal_mode').get()?.['journal_mode'];
      if (mode !== 'wal') database.exec('PRAGMA journal_mode = WAL');
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens an existing file for reading, such that the folder contains the same files as before once the database is closed. A read-only
 * connection cannot remove the `-wal` and `-shm` files that it creates, so a read-only connection is used only if these files already
 * exist: another process is using the database, or was killed while using it. Otherwise, the connection is opened for writing but limited
 * to queries, so that it removes these files when it closes. If the folder is not writable, other processes of this user cannot write
 * either, so the file is read as immutable.
 */
export function openToRead(file: string): Database {
  checkDatabaseToRead(file);
  if (isThere(`${file}-wal`)) return open(file, true);
  const database = open(file);
  try {
    database.exec('PRAGMA query_only = ON; SELECT 1 FROM sqlite_schema LIMIT 1');
    return database;
  } catch (error) {
    database.close();
    const code = primaryCode(error);
    if (code !== sqliteCode.cannotOpen && code !== sqliteCode.readOnly) throw error;
  }
  const immutable = new URL(pathToFileURL(file));
  immutable.searchParams.set('immutable', '1');
  return open(immutable, true);
}

function open(file: string | URL, readOnly = false): Database {
  const database = new (loadSqlite().DatabaseSync)(file, { readOnly });
  database.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
  return database;
}

/** Retries while the database is locked, because changing the journal mode may fail without waiting for the lock. */
function retryWhileBusy(work: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += 10) {
    try {
      work();
      return;
    } catch (error) {
      if (primaryCode(error) !== sqliteCode.busy || waited >= busyMilliseconds) throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

const statements = new WeakMap<Database, Map<string, StatementSync>>();

/**
 * Returns a statement of a connection, compiled at its first use. Never call `iterate` on the result: two readers of one statement would
 * interfere.
 */
export function prepared(database: Database, sql: string): StatementSync {
  const known = statements.get(database) ?? new Map<string, StatementSync>();
  statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}

/**
 * Runs `work` in the transaction that is already open, or else in a new transaction that holds the write lock from its start. Rolls back if
 * `work` throws.
 */
export function immediately<T>(database: Database, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Runs `work` while no other process uses this function with the same `file`. The file stays empty; it is created if it is missing, and
 * never deleted. The system releases the lock when the process ends, even if the process is killed.
 */
export function exclusively<T>(file: string, work: () => T): T {
  checkDatabase(file);
  const database = open(file);
  try {
    database.exec('BEGIN EXCLUSIVE');
    return work();
  } finally {
    database.close();
  }
}

/** Returns the names of a table's columns, in order; an empty list if the table does not exist. */
export function columnNames(database: Database, table: string): string[] {
  return database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map((row) => String(row['name']));
}

/**
 * Closes a database and deletes its file. Does not delete the file if another process has it open, because that process would continue to
 * write to the deleted file. Returns whether the file was deleted.
 */
export function closeAndDelete(database: Database, file: string): boolean {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE');
    const mode = database.prepare('PRAGMA journal_mode = DELETE').get()?.['journal_mode'];
    if (mode !== 'delete') return false;
    database.exec('BEGIN EXCLUSIVE');
    unlinkSync(file);
    return true;
  } catch (error) {
    if (primaryCode(error) === sqliteCode.busy || primaryCode(error) === sqliteCode.locked) return false;
    throw error;
  } finally {
    database.close();
  }
}
