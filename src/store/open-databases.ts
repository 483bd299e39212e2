import { storeProblem } from './faults.ts';
import {
  type BlobTable,
  closeDatabase,
  type DataKind,
  isReplaced,
  type OpenDatabase,
  openDatabaseToRead,
  openDatabaseToWrite,
} from './open-database.ts';

/**
 * The open databases of a root. At most `limit` databases are open: the least recently used database is closed before another database is
 * opened.
 */
export class OpenDatabases<T extends BlobTable> {
  readonly #kind: DataKind<T>;
  readonly #root: string;
  readonly #now: () => number;
  readonly #limit: number;
  /** Open databases by name, the least recently used first. */
  readonly #open = new Map<string, OpenDatabase<T>>();

  constructor(kind: DataKind<T>, root: string, now: () => number, limit: number) {
    this.#kind = kind;
    this.#root = root;
    this.#now = now;
    this.#limit = limit;
  }

  /**
   * Returns the database of the namespace or bucket with this name, open for reading or writing; undefined if the database does not exist.
   */
  toRead(name: string): OpenDatabase<T> | undefined {
    const cached = this.#cached(name);
    if (cached !== undefined) return cached;
    const opened = openDatabaseToRead(this.#kind, this.#root, name);
    return opened === undefined ? undefined : this.#keep(name, opened);
  }

  /** Returns the database of the namespace or bucket with this name, open for writing. Creates the database if it is missing. */
  toWrite(name: string): OpenDatabase<T> {
    const cached = this.#cached(name);
    if (cached?.mode === 'write') return cached;
    if (cached !== undefined) this.#end(name, cached);
    return this.#keep(name, openDatabaseToWrite(this.#kind, this.#root, name, this.#now()));
  }

  /** Removes a database from this list. The caller must close the database. */
  forget(name: string): void {
    this.#open.delete(name);
  }

  /** Closes all databases. If closing fails, throws the first error after trying to close the rest. */
  closeAll(): void {
    const failures: unknown[] = [];
    for (const [name, opened] of [...this.#open]) {
      try {
        this.#end(name, opened);
      } catch (error) {
        failures.push(storeProblem(error, opened.paths.database));
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Returns the open database with this name, if any. Closes the database if its file was deleted or replaced (`sandbox reset`, `rm -r`),
   * so that it is opened again.
   */
  #cached(name: string): OpenDatabase<T> | undefined {
    const opened = this.#open.get(name);
    if (opened === undefined) return undefined;
    if (isReplaced(opened)) {
      this.#end(name, opened);
      return undefined;
    }
    this.#open.delete(name);
    this.#open.set(name, opened);
    return opened;
  }

  #keep(name: string, opened: OpenDatabase<T>): OpenDatabase<T> {
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size >= this.#limit) this.#end(...oldest);
    this.#open.set(name, opened);
    return opened;
  }

  #end(name: string, opened: OpenDatabase<T>): void {
    this.#open.delete(name);
    closeDatabase(this.#kind, opened, this.#now());
  }
}
