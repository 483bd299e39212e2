import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { Problem } from '../../src/model/problem.ts';
import type { KvService } from '../../src/services/console/kv.ts';
import { planChange } from '../../src/services/kv/key-change.ts';

interface Stored {
  readonly entry: KeyEntry;
  readonly value: Uint8Array;
}

/** Key-value data in memory, listed in the order of the platform. */
export interface MemoryKv {
  readonly service: KvService;
  readonly namespaces: Namespace[];
  /** Returns the stored value and metadata of a key. */
  find(namespaceId: string, key: string): Stored | undefined;
  put(namespaceId: string, key: string, value: string | Uint8Array, extra?: Omit<KeyEntry, 'name'>): void;
  remove(namespaceId: string, key: string): void;
  /** Requests in order: `listKeys demo prefix=a`, `writeKey demo key`. */
  readonly calls: string[];
  /** Makes the next call to the named function fail with the problem. */
  failNext(name: keyof KvService, problem: Problem): void;
  /** Delays all answers from the named function until the returned function is called. */
  hold(name: keyof KvService): () => void;
}

/** The backend of the service. */
interface Account {
  readonly namespaces: Namespace[];
  keysOf(id: string): Map<string, Stored>;
  put: MemoryKv['put'];
  now(): number;
  /** Records a call, waits while `hold` delays the function, and fails if `failNext` has requested a failure. */
  enter(name: keyof KvService, ...words: string[]): Promise<void>;
}

/** Creates an empty account. */
export function memoryKv(now: () => number): MemoryKv {
  const namespaces: Namespace[] = [];
  const stored = new Map<string, Map<string, Stored>>();
  const failures = new Map<string, Problem>();
  const gates = new Map<string, Promise<void>>();
  const calls: string[] = [];
  const keysOf = (id: string) =>
    stored.get(id) ?? stored.set(id, new Map()).get(id) ?? new Map<string, Stored>();
  const put: MemoryKv['put'] = (id, key, value, extra = {}) =>
    keysOf(id).set(key, { entry: { name: key, ...extra }, value: Buffer.from(value) });
  const enter: Account['enter'] = async (name, ...words) => {
    calls.push([name, ...words].join(' '));
    await gates.get(name);
    const failure = failures.get(name);
    failures.delete(name);
    if (failure !== undefined) throw failure;
  };
  const account = { namespaces, keysOf, put, now, enter };
  return {
    service: { ...namespaceService(account), ...keyService(account) },
    namespaces,
    calls,
    find: (id, key) => keysOf(id).get(key),
    put,
    remove: (id, key) => void keysOf(id).delete(key),
    failNext: (name, problem) => void failures.set(name, problem),
    hold(name) {
      const { promise, resolve } = Promise.withResolvers<void>();
      gates.set(name, promise);
      return () => {
        gates.delete(name);
        resolve();
      };
    },
  };
}

type NamespaceService = Pick<
  KvService,
  'listNamespaces' | 'createNamespace' | 'renameNamespace' | 'deleteNamespace' | 'listBindings'
>;

function namespaceService({ namespaces, enter }: Account): NamespaceService {
  const indexOf = (id: string) => namespaces.findIndex((namespace) => namespace.id === id);
  return {
    async *listNamespaces() {
      await enter('listNamespaces');
      yield namespaces.toSorted((one, other) => (one.title < other.title ? -1 : 1));
    },
    async createNamespace(title) {
      await enter('createNamespace', title);
      if (namespaces.some((namespace) => namespace.title === title)) {
        const message = `A namespace with the title "${title}" already exists.`;
        throw new Problem('refused', message, { requestId: 'ray-1' });
      }
      const namespace = { id: String(namespaces.length + 1).padStart(32, '0'), title };
      namespaces.push(namespace);
      return namespace;
    },
    async renameNamespace(id, title) {
      await enter('renameNamespace', id, title);
      namespaces[indexOf(id)] = { id, title };
    },
    async deleteNamespace(id) {
      await enter('deleteNamespace', id);
      namespaces.splice(indexOf(id), 1);
    },
    listBindings: async () => [],
  };
}

function keyService({ keysOf, put, now, enter }: Account): Omit<KvService, keyof NamespaceService> {
  return {
    async *listKeys(id, { prefix, limit }) {
      const names = [...keysOf(id).keys()]
        .filter((name) => name.startsWith(prefix))
        .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
      for (let at = 0; at === 0 || at < names.length; at += limit) {
        await enter('listKeys', id, `prefix=${prefix}`, `from=${at}`);
        yield names.slice(at, at + limit).flatMap((name) => keysOf(id).get(name)?.entry ?? []);
      }
    },
    async readKey(id, key) {
      await enter('readKey', id, key);
      return keysOf(id).get(key);
    },
    async readValueStart(id, key, length) {
      await enter('readValueStart', id, key);
      const value = keysOf(id).get(key)?.value;
      return value && { bytes: value.subarray(0, length), isWhole: value.length <= length };
    },
    // A write is recorded when it is stored, because a conflict writes nothing.
    async writeKey(id, change) {
      const planned = planChange(change, keysOf(id).get(change.key), now());
      if (planned.outcome === 'conflict') return { written: planned, canUndo: false };
      await enter('writeKey', id, change.key);
      const { value, ttl, expiration, metadata } = planned.stored;
      const expires = ttl === undefined ? expiration : Math.floor(now() / 1000) + ttl;
      const extra = {
        ...(expires !== undefined && { expiration: expires }),
        ...(metadata !== undefined && { metadata }),
      };
      put(id, change.key, value, extra);
      return { written: { outcome: 'stored', value, entry: { name: change.key, ...extra } }, canUndo: false };
    },
    previewImport: () => {
      throw new Problem('bug', 'files are compared by the real service');
    },
    async removeKey(id, key) {
      await enter('removeKey', id, key);
      return keysOf(id).delete(key) && false;
    },
  };
}
