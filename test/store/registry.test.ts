import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openRegistry, registryFile } from '../../src/store/registry.ts';
import { openToWrite } from '../../src/store/sqlite.ts';
import { outside, scratch, tree } from './scratch.ts';

const readOnly = { ...outside(), readOnly: true };

it('makes an account, a zone and credentials once, and keeps them', () => {
  using dir = scratch();
  const registry = openRegistry(dir.path, outside());
  const first = [registry.account(), registry.credentials(), registry.zoneId()];
  registry.close();
  const again = openRegistry(dir.path, outside());
  expect([again.account(), again.credentials(), again.zoneId()]).toEqual(first);
  expect(again.account().id).toMatch(/^[0-9a-f]{32}$/);
  expect(again.zoneId()).toMatch(/^[0-9a-f]{32}$/);
  expect(again.credentials().apiToken).toMatch(/^[\w-]{40}$/);
  expect(again.credentials().apiKey).toMatch(/^[0-9a-f]{37}$/);
  again.close();
});

it('is readable by its owner only, its log too', () => {
  using dir = scratch();
  const folder = `${dir.path}/a/b`;
  const registry = openRegistry(folder, outside());
  registry.namespaces.create('one');
  const modes = [folder, registryFile(folder), `${registryFile(folder)}-wal`].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o600]);
  registry.close();
});

it('lists namespaces in the order of their creation, and finds, renames and removes them', () => {
  using dir = scratch();
  const registry = openRegistry(dir.path, outside());
  const { namespaces } = registry;
  const made = ['zeta', 'alpha', 'mid'].map((title) => namespaces.create(title).namespace);
  expect(namespaces.list()).toEqual(made);
  const [zeta, alpha] = made;
  expect(zeta?.id).toMatch(/^[0-9a-f]{32}$/);
  expect(namespaces.find(alpha?.id ?? '')).toEqual(alpha);
  const renamed = { id: zeta?.id ?? '', title: 'omega' };
  expect(namespaces.rename(renamed.id, 'omega')).toEqual({ outcome: 'done', namespace: renamed });
  expect(namespaces.rename(renamed.id, 'omega')).toEqual({ outcome: 'done', namespace: renamed });
  expect(namespaces.list()[0]).toEqual(renamed);
  expect(namespaces.remove(renamed.id)).toBe(true);
  expect(namespaces.remove(renamed.id)).toBe(false);
  expect(namespaces.find(renamed.id)).toBeUndefined();
  expect(namespaces.rename(renamed.id, 'x')).toBeUndefined();
  registry.close();
});

it('gives the other namespace when a title or an id is taken', () => {
  using dir = scratch();
  const registry = openRegistry(dir.path, outside());
  const { namespaces } = registry;
  const one = namespaces.create('one', '0'.repeat(32)).namespace;
  const two = namespaces.create('two').namespace;
  expect(namespaces.create('one')).toEqual({ outcome: 'duplicate', namespace: one });
  expect(namespaces.create('three', one.id)).toEqual({ outcome: 'duplicate', namespace: one });
  expect(namespaces.rename(two.id, 'one')).toEqual({ outcome: 'duplicate', namespace: one });
  expect(namespaces.list()).toEqual([one, two]);
  registry.close();
});

it('makes nothing when it is opened to read only', () => {
  using dir = scratch();
  expect(() => openRegistry(dir.path, readOnly)).toThrow(expect.objectContaining({ code: 'not-found' }));
  expect(tree(dir.path)).toEqual([]);
  const registry = openRegistry(dir.path, outside());
  registry.namespaces.create('one');
  const reading = openRegistry(dir.path, readOnly);
  expect(reading.namespaces.list()).toEqual(registry.namespaces.list());
  expect(() => reading.namespaces.create('two')).toThrow(expect.objectContaining({ code: 'store-invalid' }));
  reading.close();
  registry.close();
  expect(tree(dir.path)).toEqual(['registry.sqlite']);
});

it('leaves a registry alone that a newer edgectl has changed', () => {
  using dir = scratch();
  openRegistry(dir.path, outside()).close();
  const database = openToWrite(registryFile(dir.path));
  database.exec('PRAGMA user_version = 9999');
  database.close();
  for (const options of [outside(), readOnly]) {
    expect(() => openRegistry(dir.path, options)).toThrow(
      expect.objectContaining({ code: 'store-invalid', message: expect.stringContaining('newer') }),
    );
  }
});
