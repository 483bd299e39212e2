import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { orphanAge } from '../../src/store/collection.ts';
import { kvPaths } from '../../src/store/paths.ts';
import { graceMilliseconds } from '../../src/store/replaced.ts';
import { openToRead } from '../../src/store/sqlite.ts';
import { blobFiles, blobRows, bytes, namespace, openStore, outside, scratch, text } from './scratch.ts';

const day = 24 * 60 * 60 * 1000;
const v = (value: string) => [{ key: 'k', value: bytes(value) }];

/** The name of a value that was begun at a time and belongs to no row. */
function orphan(time: number, digit = 'f'): string {
  return digit.repeat(64) + time.toString(16).padStart(16, '0');
}

/** Opens the namespace as another process would that reads from time to time. */
function reader(root: string): Disposable {
  const database = openToRead(kvPaths(root, namespace).database);
  database.prepare('SELECT count(*) FROM _mf_entries').get();
  return { [Symbol.dispose]: () => database.close() };
}

it('keeps a replaced value as long as somebody may be about to open it, and no longer', () => {
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

it('follows no name in a note that is not a value of the namespace', () => {
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

it('collects values without a row after an hour, once a day, when a session that wrote is closed', () => {
  using root = scratch();
  const world = outside();
  using store = openStore(root.path, world);
  store.write(namespace, v('1'), world.time);
  store.close();
  const { blobs } = kvPaths(root.path, namespace);
  const [kept] = blobFiles(root.path);
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
  expect(rest).toContain(kept);
});

it('does not take the values of another namespace in the same folder for orphans', () => {
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
  expect(text(store.read('a_b', 'k', world.time)?.value)).toBe('yours');
  expect(text(store.read('a:b', 'k', world.time)?.value)).toBe('mine again');
  expect(blobFiles(root.path, 'a_b')).toHaveLength(2);
});

it('takes nothing for an orphan while a database beside it cannot be read, and does not fail for that', () => {
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

it('takes many removed values away side by side once it is closed, and their note after them', async () => {
  using root = scratch();
  const world = outside();
  const keys = Array.from({ length: 1500 }, (_, index) => `k${index}`);
  using store = openStore(root.path, world);
  store.write(
    namespace,
    keys.map((key) => ({ key, value: bytes(key) })),
    world.time,
  );
  store.remove(namespace, keys);
  store.close();
  const left = () => [...blobFiles(root.path), ...readdirSync(kvPaths(root.path, namespace).folder)];
  await expect.poll(left, { timeout: 10_000 }).not.toContainEqual(expect.stringMatching(/^replaced-/));
  expect(blobFiles(root.path)).toEqual([]);
});
