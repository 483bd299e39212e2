import { storeProblem } from './faults.ts';
import {
  type BlobTable,
  closeSession,
  isGone,
  type Layout,
  openSessionToRead,
  openSessionToWrite,
  type Session,
} from './session.ts';

/** The namespaces or buckets of a root that are open, at most `limit`: the least recently used is closed for another. */
export class Sessions<T extends BlobTable> {
  readonly #layout: Layout<T>;
  readonly #root: string;
  readonly #now: () => number;
  readonly #limit: number;
  /** Least recently used first. */
  readonly #open = new Map<string, Session<T>>();

  constructor(layout: Layout<T>, root: string, now: () => number, limit: number) {
    this.#layout = layout;
    this.#root = root;
    this.#now = now;
    this.#limit = limit;
  }

  /** What has this name, open to read or to write; undefined where there is none. */
  toRead(name: string): Session<T> | undefined {
    const cached = this.#cached(name);
    if (cached !== undefined) return cached;
    const session = openSessionToRead(this.#layout, this.#root, name);
    return session === undefined ? undefined : this.#keep(name, session);
  }

  /** What has this name, open to write; made when it is missing. */
  toWrite(name: string): Session<T> {
    const cached = this.#cached(name);
    if (cached?.mode === 'write') return cached;
    if (cached !== undefined) this.#end(name, cached);
    return this.#keep(name, openSessionToWrite(this.#layout, this.#root, name, this.#now()));
  }

  /** Hands a session over: the caller closes it. */
  forget(name: string): void {
    this.#open.delete(name);
  }

  /** Closes all; the first failure is thrown when every one has been tried. */
  closeAll(): void {
    const failures: unknown[] = [];
    for (const [name, session] of [...this.#open]) {
      try {
        this.#end(name, session);
      } catch (error) {
        failures.push(storeProblem(error, session.place.database));
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** A file that was deleted or exchanged under its name (`sandbox reset`, `rm -r`) is not the same any more. */
  #cached(name: string): Session<T> | undefined {
    const session = this.#open.get(name);
    if (session === undefined) return undefined;
    if (isGone(session)) {
      this.#end(name, session);
      return undefined;
    }
    this.#open.delete(name);
    this.#open.set(name, session);
    return session;
  }

  #keep(name: string, session: Session<T>): Session<T> {
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size >= this.#limit) this.#end(...oldest);
    this.#open.set(name, session);
    return session;
  }

  #end(name: string, session: Session<T>): void {
    this.#open.delete(name);
    closeSession(this.#layout, session, this.#now());
  }
}
