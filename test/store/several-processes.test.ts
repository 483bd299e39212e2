import { expect, it } from 'vitest';
import { readLease } from '../../src/store/lease.ts';
import { openRegistry } from '../../src/store/registry.ts';
import { roundsInPart } from '../support/in-part.ts';
import { start } from './child.ts';
import {
  blobFiles,
  blobRows,
  bytes,
  integrity,
  namespace,
  openStore,
  outside,
  scratch,
  text,
} from './scratch.ts';

it('keeps a namespace readable, with the complete value of every key, after a kill at any moment of a bulk write', async () => {
  using root = scratch();
  for (let round = 0; round < roundsInPart(5, 2); round += 1) {
    await using child = start('bulk-write', root.path);
    await child.line();
    // Spreads the kills over the values, the rows and the commit of a chunk.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    await child.kill();
    using store = openStore(root.path);
    const entries = [...store.entries(namespace, {}, 0)];
    expect(entries.length).toBeGreaterThanOrEqual(700);
    expect(entries.every(({ key, value }) => text(value) === key.repeat(100))).toBe(true);
    expect(store.list(namespace, { limit: 10_000 }, 0)).toHaveLength(entries.length);
    expect(integrity(root.path)).toBe('ok');
  }
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'after', value: bytes('it') }], 0);
  expect(text(store.read(namespace, 'after', 0)?.value)).toBe('it');
});

it('loses no entry if several processes add to a list', async () => {
  using root = scratch();
  const registry = openRegistry(root.path, { now: () => 0, random: (count) => new Uint8Array(count) });
  const children = ['a', 'b'].map((name) => start('set-origins', root.path, name));
  await Promise.all(children.map((child) => child.ended()));
  expect(Object.keys(registry.settings.read('origins') ?? {})).toHaveLength(300);
  registry.close();
});

it('loses no write if several processes create a namespace and write to it', async () => {
  using root = scratch();
  const names = ['a', 'b', 'c'];
  const children = names.map((name) => start('write-own', root.path, name));
  await Promise.all(children.map((child) => child.ended()));
  using store = openStore(root.path);
  for (const name of names) {
    const own = [...store.entries(namespace, { prefix: `${name} ` }, 0)];
    expect(own).toHaveLength(300);
    expect(own.every(({ key, value }) => text(value) === `${name} wrote ${key}`)).toBe(true);
  }
  expect(text(store.read(namespace, 'hot', 0)?.value)).toMatch(/^[abc] wrote hot$/);
  expect(integrity(root.path)).toBe('ok');
});

it('leaves no value without a row when several writers have finished', async () => {
  using root = scratch();
  const children = ['a', 'b'].map((name) => start('write-own', root.path, name));
  await Promise.all(children.map((child) => child.ended()));
  const later = outside(Date.now() + 60_000);
  using store = openStore(root.path, later);
  store.write(namespace, [{ key: 'last', value: bytes('') }], later.time);
  store.close();
  expect(blobFiles(root.path)).toEqual(blobRows(root.path));
});

it('never misses a key that another process overwrites, even if the previous value is unlinked immediately', async () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'hot', value: bytes('value') }], 0);
  store.close();
  await using child = start('overwrite', root.path);
  await child.line();
  const seen = new Set<string | undefined>();
  for (let count = 0; count < roundsInPart(6000, 3); count += 1)
    seen.add(text(store.read(namespace, 'hot', 0)?.value));
  expect([...seen]).toEqual(['value']);
});

it('gives several processes that open a new registry the same account, and creates a namespace in only one of them', async () => {
  using dir = scratch();
  const children = ['a', 'b', 'c', 'd'].map((name) => start('register', dir.path, name));
  const said = await Promise.all(children.map(async (child) => JSON.parse(await child.line())));
  await Promise.all(children.map((child) => child.ended()));
  expect(new Set(said.map(({ account, credentials }) => JSON.stringify([account, credentials]))).size).toBe(
    1,
  );
  expect(said.map(({ outcome }) => outcome).sort()).toEqual(['done', 'duplicate', 'duplicate', 'duplicate']);
  const registry = openRegistry(dir.path, { ...outside(), readOnly: true });
  expect(registry.namespaces.list()).toHaveLength(5);
  registry.close();
});

it('gives the lease of a folder to one process at a time', async () => {
  using dir = scratch();
  const children = ['a', 'b'].map((name) => start('lease', dir.path, name));
  await Promise.all(children.map((child) => child.ended()));
  expect(readLease(dir.path)).toBeUndefined();
});
