import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { Problem } from '../../src/model/problem.ts';
import { openKvStore } from '../../src/store/kv/disk.ts';
import { kvPaths } from '../../src/store/paths.ts';
import { openToRead, openToWrite } from '../../src/store/sqlite.ts';
import { blobFiles, blobRows, bytes, namespace, openStore, outside, scratch, text, tree } from './scratch.ts';

const now = 1_795_000_000_000;

function problemOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

it('gives back the bytes, the expiry and the metadata of a key', () => {
  using root = scratch();
  using store = openStore(root.path);
  const value = Uint8Array.from({ length: 256 }, (_, index) => index);
  const metadata = { a: [1, null, 'é'], '': {} };
  store.write(namespace, [{ key: 'k', value, expiration: now / 1000 + 60, metadata }], now);
  const stored = store.read(namespace, 'k', now);
  expect(Buffer.from(stored?.value ?? []).equals(value)).toBe(true);
  expect(stored).toMatchObject({ expiration: now / 1000 + 60, metadata });
  expect(store.readEntry(namespace, 'k', now)).toEqual({ name: 'k', expiration: now / 1000 + 60, metadata });
});

it('tells an empty value from a missing key, and leaves out what a key does not have', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'empty', value: new Uint8Array() }], now);
  expect(store.read(namespace, 'empty', now)).toEqual({ value: Buffer.alloc(0) });
  expect(store.readEntry(namespace, 'empty', now)).toEqual({ name: 'empty' });
  expect(store.read(namespace, 'other', now)).toBeUndefined();
});

it('reads many keys as one at a time: what is missing, expired, asked for twice or of any name', () => {
  using root = scratch();
  using store = openStore(root.path);
  expect([...store.readMany(namespace, ['a'], now)]).toEqual([undefined]);
  const plain = Array.from({ length: 250 }, (_, index) => `key ${index}`);
  const odd = ['a\0', 'a\0b', "'; --", 'é', 'e\u0301', '🍵', '\u001b[2J', '__proto__'];
  const entries = [...plain, ...odd].map((key) => ({ key, value: bytes(`of ${key}`), metadata: { key } }));
  const soon = { key: 'soon', value: bytes('gone'), expiration: now / 1000 + 60 };
  store.write(namespace, [...entries, soon], now);
  const asked = ['missing', ...plain, 'key 7', ...odd, 'soon', 'a\0c'];
  for (const at of [now, now + 61_000]) {
    expect([...store.readMany(namespace, asked, at)]).toEqual(
      asked.map((key) => store.read(namespace, key, at)),
    );
  }
});

it('keeps hostile and equal-looking names apart, a NUL within and a null as metadata', () => {
  using root = scratch();
  using store = openStore(root.path);
  const names = [
    'a',
    'a\0',
    'a\0b',
    '../../x',
    "'; DROP TABLE _mf_entries; --",
    '%',
    '\u001b[2J',
    'é',
    'e\u0301',
  ];
  store.write(
    namespace,
    names.map((key) => ({ key, value: bytes(key), metadata: null })),
    now,
  );
  for (const name of names) expect(text(store.read(namespace, name, now)?.value)).toBe(name);
  const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(store.list(namespace, { limit: 100 }, now)).toEqual(
    sorted.map((name) => ({ name, metadata: null })),
  );
});

it('makes no file and no folder by reading, of a namespace that is missing and of one that is there', () => {
  using root = scratch();
  using store = openStore(root.path);
  expect(store.read(namespace, 'k', now)).toBeUndefined();
  expect(store.list(namespace, { limit: 10 }, now)).toEqual([]);
  expect([...store.entries(namespace, {}, now)]).toEqual([]);
  expect(store.remove(namespace, ['k'], now)).toBe(0);
  store.removeNamespace(namespace);
  expect(store.namespaceFolders()).toEqual([]);
  expect(tree(root.path)).toEqual([]);

  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  store.close();
  const before = tree(root.path);
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('v');
  expect(store.list(namespace, { limit: 10 }, now)).toHaveLength(1);
  store.close();
  expect(tree(root.path)).toEqual(before);
});

it('reads what another process has written and not yet moved out of its log, and leaves the log alone', () => {
  using root = scratch();
  using writer = openStore(root.path);
  writer.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  const log = `${kvPaths(root.path, namespace).database}-wal`;
  const before = readFileSync(log);
  const reader = openKvStore(root.path, outside());
  expect(text(reader.read(namespace, 'k', now)?.value)).toBe('v');
  reader.close();
  expect(readFileSync(log).equals(before)).toBe(true);
});

it('ends a key at its expiry for reading, and lists it until then', () => {
  using root = scratch();
  using store = openStore(root.path);
  const end = now + 60_000;
  store.write(namespace, [{ key: 'k', value: bytes('v'), expiration: end / 1000 }], now);
  expect(store.read(namespace, 'k', end - 1)).toBeDefined();
  expect(store.read(namespace, 'k', end)).toBeUndefined();
  expect(store.readEntry(namespace, 'k', end)).toBeUndefined();
  expect(store.list(namespace, { limit: 10 }, end)).toHaveLength(1);
  expect(store.list(namespace, { limit: 10 }, end + 1)).toEqual([]);
});

it('removes expired rows and their values when something is written', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'old', value: bytes('v'), expiration: now / 1000 + 60 }], now);
  store.write(namespace, [{ key: 'new', value: bytes('v') }], now + 60_001);
  store.close();
  expect(blobRows(root.path)).toHaveLength(1);
  expect(blobFiles(root.path)).toEqual(blobRows(root.path));
});

it('stores the last of equal keys, and only its value', () => {
  using root = scratch();
  using store = openStore(root.path);
  const entries = ['1', '2', '3'].map((value) => ({ key: 'k', value: bytes(value) }));
  store.write(namespace, [...entries, { key: 'l', value: bytes('4') }], now);
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('3');
  store.close();
  expect(blobFiles(root.path)).toHaveLength(2);
});

it('counts the live keys that it removes', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(
    namespace,
    [
      { key: 'live', value: bytes('v') },
      { key: 'expired', value: bytes('v'), expiration: now / 1000 },
    ],
    now,
  );
  expect(store.remove(namespace, ['live', 'live', 'expired', 'missing'], now)).toBe(1);
  store.close();
  expect(blobFiles(root.path)).toEqual([]);
});

it('goes through a namespace in pages, by prefix and by place, across more keys than a transaction holds', () => {
  using root = scratch();
  using store = openStore(root.path);
  const names = Array.from({ length: 2345 }, (_, index) => `p:${String(index).padStart(5, '0')}`);
  store.write(
    namespace,
    [...names, 'q', 'o\u{10ffff}'].map((key) => ({ key, value: bytes(key) })),
    now,
  );
  const listed: string[] = [];
  for (let after: string | undefined; ; after = listed.at(-1)) {
    const page = store.list(namespace, { prefix: 'p:', after, limit: 1000 }, now);
    listed.push(...page.map((entry) => entry.name));
    if (page.length < 1000) break;
  }
  expect(listed).toEqual(names);
  const entries = [...store.entries(namespace, { prefix: 'p:', after: 'p:00999' }, now)];
  expect(entries.map((entry) => [entry.key, text(entry.value)])).toEqual(
    names.slice(1000).map((n) => [n, n]),
  );
});

it('holds more namespaces than it keeps open, each with its own keys', () => {
  using root = scratch();
  using store = openStore(root.path, { ...outside(), openAtOnce: 2 });
  const ids = ['a', 'b', 'c', 'd', '名前', 'a/../b'];
  for (const id of ids) store.write(id, [{ key: 'k', value: bytes(id) }], now);
  for (const id of ids) expect(text(store.read(id, 'k', now)?.value)).toBe(id);
  expect(store.namespaceFolders().sort()).toEqual(['a', 'b', 'c', 'd', '名前']);
});

it('removes a namespace with all its files, and no value of one that shares its folder', () => {
  using root = scratch();
  using store = openStore(root.path);
  for (const id of [namespace, 'a:b', 'a_b']) store.write(id, [{ key: 'k', value: bytes(id) }], now);
  store.removeNamespace(namespace);
  store.removeNamespace('a:b');
  expect(tree(root.path).filter((path) => path.includes(namespace))).toEqual([]);
  expect(existsSync(kvPaths(root.path, namespace).database)).toBe(false);
  expect(store.read('a:b', 'k', now)).toBeUndefined();
  expect(text(store.read('a_b', 'k', now)?.value)).toBe('a_b');
  store.removeNamespace('a_b');
  expect(store.namespaceFolders()).toEqual([]);
  expect(tree(root.path)).toEqual(['v3', 'v3/kv', 'v3/kv/miniflare-KVNamespaceObject']);
});

it('empties a namespace that another process has open, and leaves that one its file', () => {
  using root = scratch();
  using store = openStore(root.path);
  using other = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  expect(other.read(namespace, 'k', now)).toBeDefined();
  store.removeNamespace(namespace);
  expect(other.read(namespace, 'k', now)).toBeUndefined();
  other.write(namespace, [{ key: 'k', value: bytes('again') }], now);
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('again');
});

it('sees at once that the data were deleted and made anew under it', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('old') }], now);
  rmSync(`${root.path}/v3`, { recursive: true });
  expect(store.read(namespace, 'k', now)).toBeUndefined();
  using other = openStore(root.path);
  other.write(namespace, [{ key: 'k', value: bytes('new') }], now);
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('new');
  store.write(namespace, [{ key: 'l', value: bytes('both') }], now);
  expect(text(other.read(namespace, 'l', now)?.value)).toBe('both');
});

it('refuses a database of an unknown layout before it changes anything, and names the file', () => {
  using root = scratch();
  using store = openStore(root.path);
  const { database } = kvPaths(root.path, namespace);
  mkdirSync(dirname(database), { recursive: true });
  const made = openToWrite(database);
  made.exec(
    'CREATE TABLE _mf_entries (key TEXT PRIMARY KEY, blob_id TEXT, expiration INTEGER, metadata TEXT, tag TEXT)',
  );
  made.close();
  const before = readFileSync(database);
  const problem = problemOf(() => store.write(namespace, [{ key: 'k', value: bytes('v') }], now));
  expect(problem.code).toBe('store-invalid');
  expect(problem.message).toContain(database);
  expect(readFileSync(database).equals(before)).toBe(true);
  expect(existsSync(kvPaths(root.path, namespace).folder)).toBe(false);
  expect(store.list(namespace, { limit: 10 }, now)).toEqual([]);
});

it.each([
  ['is no database', (file: string) => writeFileSync(file, 'no database at all '.repeat(400))],
  ['is a folder', (file: string) => mkdirSync(file)],
])('refuses a file that %s', (_, make) => {
  using root = scratch();
  using store = openStore(root.path);
  const { database } = kvPaths(root.path, namespace);
  mkdirSync(dirname(database), { recursive: true });
  make(database);
  for (const use of [
    () => store.read(namespace, 'k', now),
    () => store.write(namespace, [{ key: 'k', value: bytes('v') }], now),
  ]) {
    const problem = problemOf(use);
    expect(problem.code).toBe('store-invalid');
    expect(problem.message).toContain(database);
  }
});

it('does not follow a row that names a file outside of the namespace', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  writeFileSync(`${root.path}/secret`, 'secret');
  const database = openToWrite(kvPaths(root.path, namespace).database);
  database.exec("UPDATE _mf_entries SET blob_id = '../../../../secret'");
  database.close();
  expect(problemOf(() => store.read(namespace, 'k', now)).code).toBe('store-invalid');
  store.write(namespace, [{ key: 'k', value: bytes('again') }], now);
  store.close();
  expect(readFileSync(`${root.path}/secret`, 'utf8')).toBe('secret');
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('again');
});

it.each([
  ["blob_id = x'00'", 'a value id that is no text'],
  ['expiration = 9000000000000000000', 'an expiry beyond all numbers'],
  ["expiration = 'soon'", 'an expiry that is text'],
  ["metadata = '{'", 'metadata that is no JSON'],
])('refuses a row with %s, %s, and names the file', (change) => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  const { database } = kvPaths(root.path, namespace);
  const other = openToWrite(database);
  other.exec(`UPDATE _mf_entries SET ${change}`);
  other.close();
  for (const use of [() => store.read(namespace, 'k', now), () => store.list(namespace, { limit: 1 }, now)]) {
    const problem = problemOf(use);
    expect(problem.code).toBe('store-invalid');
    expect(problem.message).toContain(database);
  }
  store.write(namespace, [{ key: 'l', value: bytes('w') }], now);
  expect(text(store.read(namespace, 'l', now)?.value)).toBe('w');
});

it('says that the store is busy when another process keeps its lock, and leaves no value behind', () => {
  // What a connection is told first is how long it waits: five seconds.
  const { exec } = DatabaseSync.prototype;
  onTestFinished(() => {
    DatabaseSync.prototype.exec = exec;
  });
  const waits = new Set<string>();
  DatabaseSync.prototype.exec = function (sql) {
    if (sql.startsWith('PRAGMA busy_timeout')) waits.add(sql);
    exec.call(this, sql.replace(/(?<=busy_timeout = )\d+/, '20'));
  };
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  const other = openToWrite(kvPaths(root.path, namespace).database);
  other.exec('BEGIN IMMEDIATE');
  const problem = problemOf(() => store.write(namespace, [{ key: 'k', value: bytes('w') }], now));
  expect(problem.code).toBe('store-busy');
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('v');
  other.close();
  expect(blobFiles(root.path)).toEqual(blobRows(root.path));
  store.write(namespace, [{ key: 'k', value: bytes('w') }], now);
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('w');
  expect([...waits]).toEqual(['PRAGMA busy_timeout = 5000']);
});

it('tells a key whose value is lost from one that is absent', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  const [id] = blobFiles(root.path);
  rmSync(`${kvPaths(root.path, namespace).blobs}/${id}`);
  const problem = problemOf(() => store.read(namespace, 'k', now));
  expect(problem).toMatchObject({ code: 'store-invalid', status: 410 });
  expect(problem.message).toContain('The value of the key "k" is lost');
  expect(store.readEntry(namespace, 'k', now)).toEqual({ name: 'k' });
  expect(store.read(namespace, 'other', now)).toBeUndefined();
});

it('keeps the layout that Miniflare makes', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(
    namespace,
    [{ key: 'k', value: bytes('v'), expiration: 2_000_000_000, metadata: { a: 1 } }],
    now,
  );
  const database = openToRead(kvPaths(root.path, namespace).database);
  const [row] = database.prepare('SELECT * FROM _mf_entries').all();
  const journal = database.prepare('PRAGMA journal_mode').get()?.['journal_mode'];
  database.close();
  expect(row).toMatchObject({ key: 'k', expiration: 2_000_000_000_000, metadata: '{"a":1}' });
  expect(String(row?.['blob_id'])).toMatch(/^[0-9a-f]{80}$/);
  expect(journal).toBe('wal');
});
