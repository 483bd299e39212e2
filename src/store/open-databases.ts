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

/** The open databases of a root, at most `limit`: the least recently used database is closed for a new one. */
export class OpenDatabases<T extends BlobTable> {
  readonly #kind: DataKind<T>;
  readonly #root: string;
  readonly #now: () => number;
  readonly #limit: number;
  /** Open databases, the least recently used first. */
  readonly #open = new Map<string, OpenDatabase<T>>();

  constructor(kind: DataKind<T>, root: string, now: () => number, limit: number) {
    this.#kind = kind;
    this.#root = root;
    this.#now = now;
    this.#limit = limit;
  }

  /** Returns the namespace or bucket with this name, open for reading or writing; undefined if there is none. */
  toRead(name: string): OpenDatabase<T> | undefined {
    const cached = this.#cached(name);
    if (cached !== undefined) return cached;
    const opened = openDatabaseToRead(this.#kind, this.#root, name);
    return opened === undefined ? undefined : this.#keep(name, opened);
  }

  /** Returns the namespace or bucket with this name, open for writing; created if missing. */
  toWrite(name: string): OpenDatabase<T> {
    const cached = this.#cached(name);
    if (cached?.mode === 'write') return cached;
    if (cached !== undefined) this.#end(name, cached);
    return this.#keep(name, openDatabaseToWrite(this.#kind, this.#root, name, this.#now()));
  }

  /** Releases a database: the caller closes it. */
  forget(name: string): void {
    this.#open.delete(name);
  }

  /** Closes all databases; throws the first failure after trying each. */
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

  /** A file that was deleted or replaced under its name (`sandbox reset`, `rm -r`) must be opened again. */
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
