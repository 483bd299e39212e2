import { storeProblem } from './faults.ts';
import { closeSession, isGone, type KvSession, openSessionToRead, openSessionToWrite } from './kv-session.ts';

/** The namespaces of a root that are open, at most `limit` of them: the least recently used is closed for another. */
export class KvSessions {
  readonly #root: string;
  readonly #now: () => number;
  readonly #limit: number;
  /** Least recently used first. */
  readonly #open = new Map<string, KvSession>();

  constructor(root: string, now: () => number, limit: number) {
    this.#root = root;
    this.#now = now;
    this.#limit = limit;
  }

  /** The namespace, open to read or to write; undefined where there is none. */
  toRead(namespaceId: string): KvSession | undefined {
    const cached = this.#cached(namespaceId);
    if (cached !== undefined) return cached;
    const session = openSessionToRead(this.#root, namespaceId);
    return session === undefined ? undefined : this.#keep(namespaceId, session);
  }

  /** The namespace, open to write; made when it is missing. */
  toWrite(namespaceId: string): KvSession {
    const cached = this.#cached(namespaceId);
    if (cached?.mode === 'write') return cached;
    if (cached !== undefined) this.#end(namespaceId, cached);
    return this.#keep(namespaceId, openSessionToWrite(this.#root, namespaceId, this.#now()));
  }

  /** Hands a session over: the caller closes it. */
  forget(namespaceId: string): void {
    this.#open.delete(namespaceId);
  }

  /** Closes all; the first failure is thrown when every one has been tried. */
  closeAll(): void {
    const failures: unknown[] = [];
    for (const [namespaceId, session] of [...this.#open]) {
      try {
        this.#end(namespaceId, session);
      } catch (error) {
        failures.push(storeProblem(error, session.place.database));
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** A file that was deleted or exchanged under its name (`sandbox reset`, `rm -r`) is not the namespace any more. */
  #cached(namespaceId: string): KvSession | undefined {
    const session = this.#open.get(namespaceId);
    if (session === undefined) return undefined;
    if (isGone(session)) {
      this.#end(namespaceId, session);
      return undefined;
    }
    this.#open.delete(namespaceId);
    this.#open.set(namespaceId, session);
    return session;
  }

  #keep(namespaceId: string, session: KvSession): KvSession {
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size >= this.#limit) this.#end(...oldest);
    this.#open.set(namespaceId, session);
    return session;
  }

  #end(namespaceId: string, session: KvSession): void {
    this.#open.delete(namespaceId);
    closeSession(this.#root, session, this.#now());
  }
}
