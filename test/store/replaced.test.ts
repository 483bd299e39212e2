import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findOrphans, orphanAge, scanBudget } from '../../src/store/collection.ts';
import { kvDatabases, kvPaths } from '../../src/store/paths.ts';
import { graceMilliseconds } from '../../src/store/replaced.ts';
import { openToRead, openToWrite } from '../../src/store/sqlite.ts';
import { inSoak } from '../support/in-part.ts';
import { blobFiles, blobRows, bytes, namespace, openStore, outside, scratch, text } from './scratch.ts';

const day = 24 * 60 * 60 * 1000;
const v = (value: string) => [{ key: 'k', value: bytes(value) }];

/** Returns the name of a value that was started at this time and that no row refers to. */
function orphan(time: number, digit = 'f'): string {
  return digit.repeat(64) + time.toString(16).padStart(16, '0');
}

/** Opens the namespace as another process that reads occasionally. */
function reader(root: string): Disposable {
  const database = openToRead(kvPaths(root, namespace).database);
  database.prepare('SELECT count(*) FROM _mf_entries').get();
  return { [Symbol.dispose]: () => database.close() };
}

it('keeps a replaced value only while a reader may still open it', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  store.write(namespace, v('1'), world.time);
  store.write(namespace, v('2'), world.time);
  world.time += graceMilliseconds - 1;
  store.write(namespace, v('3'), world.time);
  expect(blobFiles(root.path)).toHaveLength(3);
  world.time += 1;
  store.write(namespace, v('4'), world.time);
  expect(blobFiles(root.path)).toHaveLength(3);
  store.close();
  expect(blobFiles(root.path)).toEqual(blobRows(root.path));
});

it('leaves replaced values to a later session while another process has the database open', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  store.write(namespace, v('1'), world.time);
  {
    using _ = reader(root.path);
    store.write(namespace, v('2'), world.time);
    store.close();
    expect(blobFiles(root.path)).toHaveLength(2);
  }
  store.write(namespace, v('3'), world.time);
  store.close();
  expect(blobFiles(root.path)).toHaveLength(2);
  world.time += graceMilliseconds;
  store.write(namespace, [{ key: 'l', value: bytes('4') }], world.time);
  store.close();
  expect(blobFiles(root.path)).toEqual(blobRows(root.path));
  expect(readdirSync(kvPaths(root.path, namespace).folder).sort()).toEqual(['blobs', 'collected']);
});

it('ignores names in a note that are not values of the namespace', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  store.write(namespace, v('1'), world.time);
  store.close();
  const { folder } = kvPaths(root.path, namespace);
  writeFileSync(`${root.path}/v3/kv/precious`, '');
  writeFileSync(`${folder}/replaced-1-${'0'.repeat(16)}`, '../../precious\n\n../collected\n');
  store.write(namespace, [{ key: 'l', value: bytes('2') }], world.time);
  store.close();
  expect(existsSync(`${root.path}/v3/kv/precious`)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['blobs', 'collected']);
});

it('deletes values without a row after an hour, once a day, when a session with writes is closed', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  store.write(namespace, v('1'), world.time);
  store.close();
  const { blobs } = kvPaths(root.path, namespace);
  const [saved] = blobFiles(root.path);
  const old = world.time + day - orphanAge;
  const names = [orphan(old), `.${orphan(old, 'e')}.17.3.tmp`, orphan(old + 1, 'd'), 'notes.txt'];
  for (const name of names) writeFileSync(`${blobs}/${name}`, 'half a val');

  world.time += day - 1;
  store.write(namespace, [{ key: 'l', value: bytes('2') }], world.time);
  store.close();
  expect(blobFiles(root.path)).toEqual(expect.arrayContaining(names));

  world.time += 1;
  store.read(namespace, 'k', world.time);
  store.close();
  expect(blobFiles(root.path)).toEqual(expect.arrayContaining(names));

  store.write(namespace, [{ key: 'm', value: bytes('3') }], world.time);
  store.close();
  const rest = blobFiles(root.path);
  expect(rest).toEqual([...blobRows(root.path), orphan(old + 1, 'd'), 'notes.txt'].sort());
  expect(rest).toContain(saved);
});

it('does not treat values of another namespace in the same folder as orphaned', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  store.write('a:b', v('mine'), world.time);
  store.write('a_b', v('yours'), world.time);
  expect(kvPaths(root.path, 'a:b').blobs).toBe(kvPaths(root.path, 'a_b').blobs);
  store.close();
  writeFileSync(`${kvPaths(root.path, 'a_b').blobs}/${orphan(world.time)}`, '');
  world.time += day;
  store.write('a:b', v('mine again'), world.time);
  store.close();
  // A database that was only searched is closed afterwards.
  const logs = readdirSync(kvDatabases(root.path)).filter((name) => !name.endsWith('.sqlite'));
  expect(logs).toEqual([]);
  expect(text(store.read('a_b', 'k', world.time)?.value)).toBe('yours');
  expect(text(store.read('a:b', 'k', world.time)?.value)).toBe('mine again');
  expect(blobFiles(root.path, 'a_b')).toHaveLength(2);
});

it('treats no value as orphaned while a database in the folder cannot be read, and does not fail', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  store.write(namespace, v('1'), world.time);
  store.close();
  const paths = kvPaths(root.path, namespace);
  writeFileSync(`${paths.blobs}/${orphan(world.time)}`, '');
  writeFileSync(kvPaths(root.path, 'damaged').database, 'no database '.repeat(500));
  world.time += day;
  store.write(namespace, v('2'), world.time);
  store.close();
  expect(blobFiles(root.path)).toContain(orphan(world.time - day));
  expect(text(store.read(namespace, 'k', world.time)?.value)).toBe('2');
});

inSoak(() => {
  it('deletes many removed values in parallel after the namespace is closed, and then their note', async () => {
    using root = scratch();
    const world = outside();
    const keys = Array.from({ length: 1500 }, (_, index) => `k${index}`);
    using store = openStore(root.path, world);
    store.write(
      namespace,
      keys.map((key) => ({ key, value: bytes(key) })),
      world.time,
    );
    // Another program may have written the row, so the file named in the row is not trusted to be a value.
    writeFileSync(`${root.path}/precious`, '');
    const database = openToWrite(kvPaths(root.path, namespace).database);
    database.exec("UPDATE _mf_entries SET blob_id = '../../../../precious' WHERE key = 'k7'");
    database.close();
    const named = blobFiles(root.path).find((name) => !blobRows(root.path).includes(name)) ?? '';
    store.remove(namespace, keys);
    store.close();
    const left = () => [...blobFiles(root.path), ...readdirSync(kvPaths(root.path, namespace).folder)];
    await expect.poll(left, { timeout: 10_000 }).not.toContainEqual(expect.stringMatching(/^replaced-/));
    expect(blobFiles(root.path)).toEqual([named]);
    expect(existsSync(`${root.path}/precious`)).toBe(true);
  });
});

it('searches again for orphaned values if the clock was set back, or the time of the last search is unknown', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  const { blobs, folder } = kvPaths(root.path, namespace);
  for (const last of [String(world.time + 10 * day), 'never', '']) {
    store.write(namespace, v('1'), world.time);
    store.close();
    const left = orphan(world.time - orphanAge);
    writeFileSync(`${blobs}/${left}`, '');
    writeFileSync(`${folder}/collected`, last);
    store.write(namespace, v('2'), world.time);
    store.close();
    expect(blobFiles(root.path)).not.toContain(left);
    expect(readFileSync(`${folder}/collected`, 'utf8')).toBe(String(world.time));
  }
});

it('checks up to the maximum number of values, and deletes no value if there are more', () => {
  using root = scratch();
  const paths = kvPaths(root.path, namespace);
  mkdirSync(paths.blobs, { recursive: true });
  const now = Date.now();
  const [known, alike] = ['a', 'b'].map(
    (digit) => `${'0'.repeat(12)}${digit.repeat(52)}${orphan(1).slice(64)}`,
  );
  const [one, two] = [orphan(now - orphanAge, 'c'), `.${orphan(now - orphanAge, 'd')}.1.2.tmp`];
  const foreign = orphan(1, 'e');
  for (const name of [known, alike, one, two, foreign, orphan(now - orphanAge + 1, 'f'), 'other'])
    writeFileSync(`${paths.blobs}/${name}`, '');
  const named = { own: () => [orphan(1, '9'), known ?? '', orphan(1, '1')], others: () => [foreign] };
  expect(findOrphans(paths, named, now, 6)).toEqual([]);
  expect(findOrphans(paths, named, now, 7).sort()).toEqual([two, one]);
  // The rows of other databases are read only if a file could belong to one of them.
  for (const name of [one, two, foreign]) rmSync(`${paths.blobs}/${name}`);
  const unread = () => {
    throw new Error('It was read.');
  };
  expect(findOrphans(paths, { ...named, others: unread }, now, 7)).toEqual([]);
  // The budget grows with the amount written, because even the larger scan costs only a fraction of what the writes cost.
  expect(scanBudget(1_000_000)).toBeGreaterThan(1_000_000 + scanBudget(0));
});

it('deletes only notes older than the grace period, even if the clock was changed', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  store.write(namespace, v('1'), world.time);
  store.close();
  const { folder, blobs } = kvPaths(root.path, namespace);
  const noted = [0, graceMilliseconds - 1, graceMilliseconds, -graceMilliseconds].map((age, index) => {
    const id = orphan(world.time, String(index));
    writeFileSync(`${blobs}/${id}`, '');
    const path = `${folder}/replaced-${world.time - age}-${id.slice(0, 16)}`;
    writeFileSync(path, id);
    return { path, blob: `${blobs}/${id}` };
  });
  writeFileSync(`${folder}/replaced-1`, noted[0]?.blob ?? '');
  store.write(namespace, [{ key: 'l', value: bytes('2') }], world.time);
  const saved = noted.map(({ path, blob }) => [existsSync(path), existsSync(blob)]);
  expect(saved).toEqual([
    [true, true],
    [true, true],
    [false, false],
    [false, false],
  ]);
  expect(existsSync(`${folder}/replaced-1`)).toBe(true);
});

it('closes only the least recently used database to open another', () => {
  using root = scratch();
  const world = { ...outside(), openAtOnce: 2 };
  using store = openStore(root.path, world);
  // The last process that closes a database deletes its log.
  const open = () => ['a', 'b', 'c'].filter((id) => existsSync(`${kvPaths(root.path, id).database}-wal`));
  const use = (id: string) => store.write(id, v(id), world.now());
  use('a');
  use('b');
  expect(open()).toEqual(['a', 'b']);
  store.read('a', 'k', world.now());
  use('c');
  expect(open()).toEqual(['a', 'c']);
  use('b');
  expect(open()).toEqual(['b', 'c']);
  store.removeNamespace('b');
  use('a');
  expect(open()).toEqual(['a', 'c']);
  store.close();
  expect(open()).toEqual([]);
});

it('closes all other databases if a database cannot be closed', () => {
  using root = scratch();
  const world = outside();
  const store = openStore(root.path, world);
  for (const id of ['a', 'b', 'c']) store.write(id, v('1'), world.time);
  for (const id of ['a', 'b', 'c']) store.write(id, v('2'), world.time);
  // The value replaced by 'a' is now a folder, which cannot be unlinked.
  const { blobs } = kvPaths(root.path, 'a');
  const [replaced = ''] = blobFiles(root.path, 'a').filter(
    (name) => !blobRows(root.path, 'a').includes(name),
  );
  rmSync(`${blobs}/${replaced}`);
  mkdirSync(`${blobs}/${replaced}`);
  expect(() => store.close()).toThrow(expect.objectContaining({ code: 'store-invalid' }));
  for (const id of ['b', 'c']) expect(blobFiles(root.path, id)).toEqual(blobRows(root.path, id));
  store.close();
});
