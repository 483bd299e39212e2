import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { Problem } from '../../src/model/problem.ts';
import { openKvStore } from '../../src/store/kv/disk.ts';
import { kvPaths } from '../../src/store/paths.ts';
import { openToRead, openToWrite } from '../../src/store/sqlite.ts';
import { blobsOf, bucket, openObjects, put } from './objects-scratch.ts';
import {
  blobFiles,
  blobRows,
  bytes,
  namespace,
  openStore,
  outside,
  scratch,
  text,
  tree,
  watchPragmas,
} from './scratch.ts';

const now = 1_795_000_000_000;

function getProblem(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

it('returns the bytes, the expiry and the metadata of a key', () => {
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

it('distinguishes an empty value from a missing key, and omits absent expiry and metadata', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'empty', value: new Uint8Array() }], now);
  expect(store.read(namespace, 'empty', now)).toEqual({ value: Buffer.alloc(0) });
  expect(store.readEntry(namespace, 'empty', now)).toEqual({ name: 'empty' });
  expect(store.read(namespace, 'other', now)).toBeUndefined();
});

it('returns the same results for a read of many keys as for single reads: missing, expired, repeated, and with any name', () => {
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

it('distinguishes hostile and similar names, names that contain NUL, and null as metadata', () => {
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

it('creates no file and no folder in a read of a missing or an existing namespace', () => {
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

it('reads rows that another process has written and not yet checkpointed, without changing its log', () => {
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

it('hides a key from reads when it expires, and lists it until then', () => {
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

it('deletes expired rows and their values on a write', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'old', value: bytes('v'), expiration: now / 1000 + 60 }], now);
  store.write(namespace, [{ key: 'new', value: bytes('v') }], now + 60_001);
  store.close();
  expect(blobRows(root.path)).toHaveLength(1);
  expect(blobFiles(root.path)).toEqual(blobRows(root.path));
});

it('stores the last of several entries with the same key, and only the value of that entry', () => {
  using root = scratch();
  using store = openStore(root.path);
  const entries = ['1', '2', '3'].map((value) => ({ key: 'k', value: bytes(value) }));
  store.write(namespace, [...entries, { key: 'l', value: bytes('4') }], now);
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('3');
  store.close();
  expect(blobFiles(root.path)).toHaveLength(2);
});

it('counts the unexpired keys that it deletes', () => {
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

it('lists a namespace in pages, by prefix and position, across more keys than fit a transaction', () => {
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

it('reads and writes more namespaces than it keeps open, each with its own keys', () => {
  using root = scratch();
  using store = openStore(root.path, { ...outside(), openAtOnce: 2 });
  const ids = ['a', 'b', 'c', 'd', '名前', 'a/../b'];
  for (const id of ids) store.write(id, [{ key: 'k', value: bytes(id) }], now);
  for (const id of ids) expect(text(store.read(id, 'k', now)?.value)).toBe(id);
  expect(store.namespaceFolders().sort()).toEqual(['a', 'b', 'c', 'd', '名前']);
});

it('deletes a namespace with all its files, and no value of another namespace in the same folder', () => {
  using root = scratch();
  using store = openStore(root.path);
  for (const id of [namespace, 'a:b', 'a_b']) store.write(id, [{ key: 'k', value: bytes(id) }], now);
  // A folder that cannot belong to any other namespace is deleted with all its files, even files from a killed process or another program.
  writeFileSync(`${kvPaths(root.path, namespace).blobs}/notes.txt`, '');
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

it("empties a namespace that another process has open, and keeps that process's file", () => {
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

it('detects immediately that another process deleted and recreated its data', () => {
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

it('rejects a database of an unknown layout before it changes anything, and names the file', () => {
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
  const problem = getProblem(() => store.write(namespace, [{ key: 'k', value: bytes('v') }], now));
  expect(problem.code).toBe('store-invalid');
  expect(problem.message).toContain(`${database} has an unknown layout: its columns are key, blob_id,`);
  expect(problem.remedy).toEqual({ kind: 'leave-data' });
  expect(readFileSync(database).equals(before)).toBe(true);
  expect(existsSync(kvPaths(root.path, namespace).folder)).toBe(false);
  expect(store.list(namespace, { limit: 10 }, now)).toEqual([]);
  store.close();
  const lacking = openToWrite(database);
  lacking.exec('ALTER TABLE _mf_entries DROP COLUMN metadata');
  lacking.close();
  for (const use of [() => store.read(namespace, 'k', now), () => store.remove(namespace, ['k'])])
    expect(getProblem(use).message).toContain('has an unknown layout');
});

it.each([
  ['is not a database', (file: string) => writeFileSync(file, 'no database at all '.repeat(400))],
  ['is a folder', (file: string) => mkdirSync(file)],
])('rejects a file that %s', (_, make) => {
  using root = scratch();
  using store = openStore(root.path);
  const { database } = kvPaths(root.path, namespace);
  mkdirSync(dirname(database), { recursive: true });
  make(database);
  for (const use of [
    () => store.read(namespace, 'k', now),
    () => store.write(namespace, [{ key: 'k', value: bytes('v') }], now),
  ]) {
    const problem = getProblem(use);
    expect(problem.code).toBe('store-invalid');
    expect(problem.message).toContain(database);
  }
});

it('does not follow a row that names a file outside the namespace', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  writeFileSync(`${root.path}/secret`, 'secret');
  const database = openToWrite(kvPaths(root.path, namespace).database);
  database.exec("UPDATE _mf_entries SET blob_id = '../../../../secret'");
  database.close();
  expect(getProblem(() => store.read(namespace, 'k', now))).toMatchObject({
    code: 'store-invalid',
    hint: expect.stringContaining('the row is ignored'),
  });
  store.write(namespace, [{ key: 'k', value: bytes('again') }], now);
  store.close();
  expect(readFileSync(`${root.path}/secret`, 'utf8')).toBe('secret');
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('again');
});

it.each([
  ["blob_id = x'00'", 'a value id that is not a string'],
  ['expiration = 9000000000000000000', 'an expiry that is not a safe integer'],
  ["expiration = 'soon'", 'an expiry that is text'],
  ["metadata = '{'", 'metadata that is not JSON'],
])('rejects a row with %s, %s, and names the file', (change) => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  const { database } = kvPaths(root.path, namespace);
  const other = openToWrite(database);
  other.exec(`UPDATE _mf_entries SET ${change}`);
  other.close();
  for (const use of [() => store.read(namespace, 'k', now), () => store.list(namespace, { limit: 1 }, now)]) {
    const problem = getProblem(use);
    expect(problem.code).toBe('store-invalid');
    expect(problem.message).toContain(database);
  }
  store.write(namespace, [{ key: 'l', value: bytes('w') }], now);
  expect(text(store.read(namespace, 'l', now)?.value)).toBe('w');
});

it('names the key whose metadata is not JSON', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  const { database } = kvPaths(root.path, namespace);
  const other = openToWrite(database);
  other.exec("UPDATE _mf_entries SET metadata = '{'");
  other.close();
  expect(getProblem(() => store.read(namespace, 'k', now)).message).toBe(
    `The metadata of the key "k" in ${database} is not JSON.`,
  );
});

it('reports that the store is busy when another process keeps its lock, and leaves no value behind', () => {
  // The first PRAGMA of a connection is its timeout: five seconds.
  using pragmas = watchPragmas((sql) => sql.replace(/(?<=busy_timeout = )\d+/, '20'));
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  const other = openToWrite(kvPaths(root.path, namespace).database);
  other.exec('BEGIN IMMEDIATE');
  const problem = getProblem(() => store.write(namespace, [{ key: 'k', value: bytes('w') }], now));
  expect(problem.code).toBe('store-busy');
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('v');
  other.close();
  expect(blobFiles(root.path)).toEqual(blobRows(root.path));
  store.write(namespace, [{ key: 'k', value: bytes('w') }], now);
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('w');
  expect(new Set(pragmas.said.filter((sql) => sql.includes('busy_timeout')))).toEqual(
    new Set(['PRAGMA busy_timeout = 5000']),
  );
});

// sqlite.org/pragma.html, "synchronous": in WAL mode a commit is durable with FULL, and may be rolled back by a power cut with NORMAL.
it('waits for the disk after a write of a single key or object, and not after a write of many', async () => {
  using pragmas = watchPragmas();
  const how = () => pragmas.said.splice(0).filter((sql) => sql.includes('synchronous'));
  const [full, normal] = [['PRAGMA synchronous = FULL'], ['PRAGMA synchronous = NORMAL']];
  using root = scratch();
  using store = openStore(root.path);
  const [one, two] = ['1', '2'].map((key) => ({ key, value: bytes(key) }));
  if (one === undefined || two === undefined) throw new Error('Two are wanted.');
  store.write(namespace, [one], now);
  expect(how()).toEqual(full);
  store.write(namespace, [one, two], now);
  expect(how()).toEqual(normal);
  store.remove(namespace, ['1'], now);
  expect(how()).toEqual(full);
  store.remove(namespace, ['1', '2'], now);
  expect(how()).toEqual(normal);
  using lasting = openStore(root.path, { ...outside(), durable: false });
  lasting.write(namespace, [one], now);
  expect(how()).toEqual(normal);
  using objects = openObjects(root.path);
  await put(objects, 'k', 'x');
  expect(how()).toEqual(full);
  objects.remove(bucket, ['k', 'l']);
  expect(how()).toEqual(normal);
  objects.remove(bucket, ['k']);
  expect(how()).toEqual(full);
  const uploadId = objects.uploads(bucket, (uploads) =>
    uploads.begin({ key: 'p', httpMetadata: {}, customMetadata: {} }, now),
  );
  objects.remove(bucket, ['k', 'l']);
  how();
  objects.completeUpload(bucket, { key: 'p', uploadId, choose: (parts) => ({ parts }) }, now);
  expect(how()).toEqual(full);
});

it('leaves no value behind if one of several values cannot be written', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  const faulty = { key: 'm', value: 7 as never };
  expect(() => store.write(namespace, [{ key: 'l', value: bytes('w') }, faulty], now)).toThrow(TypeError);
  expect(blobFiles(root.path)).toEqual(blobRows(root.path));
  expect(store.list(namespace, { limit: 9 }, now)).toEqual([{ name: 'k' }]);
});

// The next process may find a commit whose fsync failed. "max_page_count" (sqlite.org/pragma.html) simulates a full disk.
it('keeps the values of a change that SQLite failed to commit, because the change may be found later', async () => {
  using root = scratch();
  {
    using store = openStore(root.path);
    store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
    using objects = openObjects(root.path);
    await put(objects, 'k', 'v');
  }
  using _ = watchPragmas((sql) =>
    sql.startsWith('PRAGMA busy_timeout') ? `${sql}; PRAGMA max_page_count = 1` : sql,
  );
  using store = openStore(root.path);
  const metadata = 'm'.repeat(100_000);
  const problem = getProblem(() => store.write(namespace, [{ key: 'l', value: bytes('w'), metadata }], now));
  expect(problem.message).toContain('cannot grow: the disk is full');
  expect(blobFiles(root.path)).toHaveLength(2);
  expect(text(store.read(namespace, 'k', now)?.value)).toBe('v');
  using objects = openObjects(root.path);
  await expect(put(objects, 'l', 'w', { customMetadata: { m: metadata } })).rejects.toThrow(
    'the disk is full',
  );
  expect(blobsOf(root.path)).toHaveLength(2);
});

/** Adds keys whose values have no files, as another program could. */
function addRows(root: string, namespaceId: string, count: number, expiration: number | null = null): void {
  const database = openToWrite(kvPaths(root, namespaceId).database);
  const insert = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
    INSERT INTO _mf_entries SELECT 'row ' || i, format('%080x', i), ?, NULL FROM n`;
  database.prepare(insert).run(count, expiration);
  database.close();
}

it('deletes thousands of expired keys, and no other keys', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.removeExpired(namespace, now);
  expect(tree(root.path)).toEqual([]);
  store.write(namespace, [{ key: 'later', value: bytes('v'), expiration: now / 1000 + 61 }], now);
  addRows(root.path, namespace, 2000, now + 60_000);
  store.removeExpired(namespace, now + 60_001);
  store.close();
  expect(blobRows(root.path)).toHaveLength(1);
  expect(blobFiles(root.path)).toEqual(blobRows(root.path));
});

it('omits keys from a list of entries that were deleted after they were found', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  store.write(
    namespace,
    ['a', 'b', 'c'].map((key) => ({ key, value: bytes(key) })),
    now,
  );
  const entries = store.entries(namespace, {}, now);
  expect(entries.next().value).toMatchObject({ key: 'a' });
  store.remove(namespace, ['b']);
  // The replaced value is deleted as soon as no reader can still open its file.
  world.time += 5000;
  store.write(namespace, [{ key: 'z', value: bytes('z') }], now);
  expect([...entries].map(({ key }) => key)).toEqual(['c', 'z']);
});

it('rejects an empty id, and creates nothing', () => {
  using root = scratch();
  using store = openStore(root.path);
  for (const use of [
    () => store.read('', 'k', now),
    () => store.write('', [{ key: 'k', value: bytes('') }], now),
  ])
    expect(getProblem(use).code).toBe('invalid-input');
  store.write(namespace, [], now);
  expect(store.remove(namespace, [], now)).toBe(0);
  expect(tree(root.path)).toEqual([]);
});

it('deletes all values of a large namespace, even if other namespaces share its folder or other processes have it open', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write('a:b', [{ key: 'first', value: bytes('') }], now);
  addRows(root.path, 'a:b', 1500);
  store.write('a:b', [{ key: 'last', value: bytes('') }], now);
  store.write('a_b', [{ key: 'k', value: bytes('stays') }], now);
  using other = openStore(root.path);
  other.read('a:b', 'first', now);
  store.removeNamespace('a:b');
  expect(blobFiles(root.path, 'a_b')).toEqual(blobRows(root.path, 'a_b'));
  expect(other.list('a:b', { limit: 1 }, now)).toEqual([]);
  // A note left behind by a killed process does not prevent the deletion of the folder.
  writeFileSync(`${kvPaths(root.path, 'a_b').folder}/replaced-1-${'0'.repeat(16)}`, '');
  store.removeNamespace('a_b');
  expect(existsSync(kvPaths(root.path, 'a_b').folder)).toBe(false);
});

it('distinguishes a key whose value is lost from an absent key', () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('v') }], now);
  const [id] = blobFiles(root.path);
  rmSync(`${kvPaths(root.path, namespace).blobs}/${id}`);
  const problem = getProblem(() => store.read(namespace, 'k', now));
  expect(problem).toMatchObject({ code: 'store-invalid', status: 410 });
  expect(problem.message).toContain('The value of the key "k" is lost');
  expect(store.readEntry(namespace, 'k', now)).toEqual({ name: 'k' });
  expect(store.read(namespace, 'other', now)).toBeUndefined();
});

it('keeps the layout that Miniflare creates', () => {
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
