import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { WorkerCode } from '../../src/model/workers/worker.ts';
import { accountInDiskName, diskName, isFurtherName, plainName } from '../../src/store/disk-name.ts';
import { settingMap } from '../../src/store/hostnames/settings.ts';
import { accountObjects, accountRegistry, isOfFurther } from '../../src/store/of-account.ts';
import { openRegistry, type Registry, type RegistryOptions, registryFile } from '../../src/store/registry.ts';
import { openToWrite } from '../../src/store/sqlite.ts';
import { bucket, chunks, get, openObjects, put } from './objects-scratch.ts';
import { bytes, outside, scratch, tree } from './scratch.ts';

const readOnly = { ...outside(), readOnly: true };

it('creates an account, a zone and credentials once, and keeps them', () => {
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

it('makes the registry readable by its owner only, including its log', () => {
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

it('lists namespaces in the order of their creation, and finds, renames and deletes them', () => {
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

it('reads a namespace together with a setting, both as another connection last committed them', () => {
  using dir = scratch();
  const registry = openRegistry(dir.path, outside());
  const other = openRegistry(dir.path, outside());
  const { namespace } = registry.namespaces.create('sessions');
  const read = () => registry.namespaces.findWithSetting(namespace.id, 'clock_offset');
  expect(read()).toEqual({ namespace, setting: undefined });
  other.settings.write('clock_offset', 5000);
  expect(read()).toEqual({ namespace, setting: 5000 });
  other.namespaces.rename(namespace.id, 'carts');
  expect(read()?.namespace.title).toBe('carts');
  other.namespaces.remove(namespace.id);
  expect(read()).toBeUndefined();
  registry.close();
  other.close();
});

it('returns the existing namespace when a title or an id is in use', () => {
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

it('creates nothing when it is opened for reading only', () => {
  using dir = scratch();
  expect(() => openRegistry(dir.path, readOnly)).toThrow(
    expect.objectContaining({ code: 'not-found', remedy: { kind: 'make-sandbox' } }),
  );
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

it('does not change a registry that a newer edgectl has changed', () => {
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

/** Opens a registry in a folder; the registry closes automatically. */
function open(dir: string, options: Partial<RegistryOptions> = {}): Registry & Disposable {
  const registry = openRegistry(dir, { ...outside(), ...options });
  return Object.assign(registry, { [Symbol.dispose]: () => registry.close() });
}

const now = 1_795_000_000_000;

describe('a reopened registry', () => {
  it('has the other accounts in order of creation, by their newest names', () => {
    using dir = scratch();
    {
      using registry = open(dir.path);
      for (const [id, name] of [
        ['b', 'Beta'],
        ['a', 'Alpha'],
        ['c', 'Gamma'],
      ] as const)
        registry.furtherAccounts.put({ id, name });
      registry.furtherAccounts.put({ id: 'b', name: 'Beta anew' });
      registry.furtherAccounts.remove('c');
      registry.nameAccount('Mine');
      expect(registry.account().name).toBe('Mine');
    }
    using registry = open(dir.path);
    expect(registry.furtherAccounts.list()).toEqual([
      { id: 'b', name: 'Beta anew' },
      { id: 'a', name: 'Alpha' },
    ]);
    expect(registry.furtherAccounts.find('a')).toEqual({ id: 'a', name: 'Alpha' });
    expect(registry.furtherAccounts.find('c')).toBeUndefined();
    expect(registry.account().name).toBe('Mine');
  });

  it('has the zones, with all their settings', () => {
    using dir = scratch();
    const fallback = { origin: 'o.one.demo', createdAt: now, updatedAt: now + 1, failed: true };
    {
      using registry = open(dir.path);
      const { zones } = registry;
      const one = zones.create('one.demo', now, { id: 'z1', account: 'further' });
      expect(one?.delegation).toMatch(/^[0-9a-f]{16}$/);
      expect(one).toEqual({
        id: 'z1',
        account: 'further',
        name: 'one.demo',
        createdAt: now,
        delegation: one?.delegation,
        hold: { hold: false, includeSubdomains: false },
      });
      expect(zones.create('one.demo', now)).toBeUndefined();
      expect(zones.create('other.demo', now, { id: 'z1' })).toBeUndefined();
      const two = zones.create('two.demo', now);
      expect(two?.id).toMatch(/^[0-9a-f]{32}$/);
      expect(two).not.toHaveProperty('account');
      zones.create('three.demo', now, { id: 'z3' });
      zones.setHold('z1', { hold: true, includeSubdomains: true });
      zones.setFallback('z1', fallback);
      zones.setOrigin('z1', { createdAt: now + 5, delegation: 'd5' });
      zones.setDelegation('z3', 'd3');
      zones.setFallback('z3', fallback);
      zones.setFallback('z3', undefined);
      expect([zones.remove(two?.id ?? ''), zones.remove(two?.id ?? '')]).toEqual([true, false]);
    }
    using registry = open(dir.path);
    const [own, one, three, ...others] = registry.zones.list();
    expect([own?.id, others]).toEqual([registry.zoneId(), []]);
    expect(one).toEqual({
      id: 'z1',
      account: 'further',
      name: 'one.demo',
      createdAt: now + 5,
      delegation: 'd5',
      hold: { hold: true, includeSubdomains: true },
      fallback,
    });
    expect(three).toEqual(registry.zones.find('z3'));
    expect(three?.delegation).toBe('d3');
    expect(three).not.toHaveProperty('fallback');
  });

  it('has the last written DNS records of each zone', () => {
    using dir = scratch();
    const draft = {
      type: 'A',
      name: 'a.demo',
      content: '192.0.2.1',
      proxied: true,
      ttl: 300,
      more: { tags: ['x'] },
    };
    {
      using registry = open(dir.path);
      const { dnsRecords } = registry;
      expect(dnsRecords.create('z', draft, now, { id: 'r1', modifiedAt: now + 7 })).toEqual({
        ...draft,
        id: 'r1',
        zoneId: 'z',
        createdAt: now,
        modifiedAt: now + 7,
      });
      const made = dnsRecords.create('z', { ...draft, proxied: false }, now);
      expect(made).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/), modifiedAt: now });
      dnsRecords.create('y', draft, now, { id: 'r2' });
      dnsRecords.create('x', draft, now, { id: 'r3' });
      const changed = { type: 'TXT', name: 'b.demo', content: 'text', proxied: false, ttl: 1, more: {} };
      expect(dnsRecords.change('z', 'r1', changed, now + 9)).toEqual({
        ...changed,
        id: 'r1',
        zoneId: 'z',
        createdAt: now,
        modifiedAt: now + 9,
      });
      expect(dnsRecords.change('y', 'r1', draft, now)).toBeUndefined();
      expect([
        dnsRecords.remove('y', 'r1'),
        dnsRecords.remove('z', made.id),
        dnsRecords.remove('z', made.id),
      ]).toEqual([false, true, false]);
      dnsRecords.removeZone('x');
    }
    using registry = open(dir.path);
    const ids = (zone?: string) => registry.dnsRecords.list(zone).map(({ id }) => id);
    expect([ids('z'), ids('y'), ids('x'), ids()]).toEqual([['r1'], ['r2'], [], ['r1', 'r2']]);
    expect(registry.dnsRecords.find('z', 'r1')).toMatchObject({ content: 'text', proxied: false });
    expect(registry.dnsRecords.find('y', 'r2')).toMatchObject({ content: '192.0.2.1', proxied: true });
    expect(registry.dnsRecords.find('z', 'r2')).toBeUndefined();
  });

  it('has the DNS entries outside its zones, by name and type; sets a list completely or not at all', () => {
    using dir = scratch();
    const entry = (name: string, type: string, ...contents: string[]) => ({ name, type, ttl: 60, contents });
    {
      using registry = open(dir.path);
      const { dnsEntries } = registry;
      dnsEntries.set([
        entry('b.demo', 'A', '192.0.2.1'),
        entry('a.demo', 'TXT', 'x', 'y'),
        entry('a.demo', 'A', '1'),
      ]);
      dnsEntries.set([
        entry('a.demo', 'A', '192.0.2.2'),
        entry('c.demo', 'A', '3'),
        entry('c.demo', 'CAA', '4'),
      ]);
      // SQLite cannot store the second entry, because its TTL is not a number.
      const faulty = { ...entry('e.demo', 'A'), ttl: Number.NaN };
      expect(() => dnsEntries.set([entry('d.demo', 'A', '5'), faulty])).toThrow();
      expect(dnsEntries.unset('c.demo', 'A')).toBe(1);
      expect(dnsEntries.unset('none.demo')).toBe(0);
    }
    using registry = open(dir.path);
    expect(registry.dnsEntries.list()).toEqual([
      entry('a.demo', 'A', '192.0.2.2'),
      entry('a.demo', 'TXT', 'x', 'y'),
      entry('b.demo', 'A', '192.0.2.1'),
      entry('c.demo', 'CAA', '4'),
    ]);
    expect(registry.dnsEntries.unset('a.demo')).toBe(2);
    registry.dnsEntries.clear();
    expect(registry.dnsEntries.list()).toEqual([]);
  });

  it('has the settings, by name', () => {
    using dir = scratch();
    {
      using registry = open(dir.path);
      const { settings } = registry;
      settings.write('b', { list: [1] });
      expect(settings.writeFirst('b', 'other')).toEqual({ list: [1] });
      expect(settings.writeFirst('a', 'first')).toBe('first');
      settings.change('b', (value) => ({ ...(value as object), more: 2 }));
      settings.change('c', (value) => (value === undefined ? 'new' : 'lost'));
      settings.change('d', () => 'for a while');
      settings.change('d', () => undefined);
      registry.atOnce(() => settings.change('e', () => 'within another change'));
      const failing = () =>
        settings.change('a', () => {
          throw new Error('stop');
        });
      expect(failing).toThrow('stop');
    }
    using registry = open(dir.path);
    const all = registry.settings.all();
    expect(Object.entries(all)).toEqual([
      ['a', 'first'],
      ['b', { list: [1], more: 2 }],
      ['c', 'new'],
      ['e', 'within another change'],
    ]);
    registry.settings.clear();
    expect(registry.settings.all()).toEqual({});
  });

  it('stores the values of one setting under any name, even `constructor`; deleting the last value deletes the setting', () => {
    using dir = scratch();
    using registry = open(dir.path);
    const map = settingMap<number>('per_bucket');
    const { settings } = registry;
    expect([map.read(settings, 'a'), map.read(settings, 'constructor')]).toEqual([undefined, undefined]);
    map.change(settings, 'constructor', (saved) => (saved === undefined ? 1 : 99));
    map.change(settings, 'constructor', (saved) => (saved ?? 0) + 1);
    map.change(settings, 'a', () => 5);
    expect([map.read(settings, 'constructor'), map.read(settings, 'a')]).toEqual([2, 5]);
    expect(map.read(settings, 'toString')).toBeUndefined();
    map.change(settings, 'a', () => undefined);
    expect(settings.read('per_bucket')).toEqual({ constructor: 2 });
    map.change(settings, 'constructor', () => undefined);
    expect(settings.read('per_bucket')).toBeUndefined();
  });

  it('has the buckets, ordered by name', () => {
    using dir = scratch();
    const world = outside(now);
    {
      using registry = open(dir.path, world);
      const { buckets } = registry;
      expect(buckets.create({ name: 'b', storageClass: 'Standard' })).toEqual({
        name: 'b',
        createdAt: now,
        storageClass: 'Standard',
      });
      buckets.create({ name: 'a', storageClass: 'Standard', location: 'WEUR', createdAt: 7 });
      expect(buckets.create({ name: 'a', storageClass: 'InfrequentAccess' })).toBeUndefined();
      expect(buckets.setStorageClass('b', 'InfrequentAccess')?.storageClass).toBe('InfrequentAccess');
      expect(buckets.setStorageClass('none', 'InfrequentAccess')).toBeUndefined();
      buckets.create({ name: 'c', storageClass: 'Standard' });
      expect([buckets.remove('c'), buckets.remove('c')]).toEqual([true, false]);
    }
    using registry = open(dir.path);
    expect(registry.buckets.list()).toEqual([
      { name: 'a', createdAt: 7, storageClass: 'Standard', location: 'WEUR' },
      { name: 'b', createdAt: now, storageClass: 'InfrequentAccess' },
    ]);
  });
});

describe('workers in the registry', () => {
  const code = (text: string): WorkerCode => ({
    format: 'modules',
    entry: 'index.js',
    modules: [
      { name: 'index.js', kind: 'esm', content: new Uint8Array(bytes(text)) },
      { name: './a.txt', kind: 'text', content: new Uint8Array(bytes('a')) },
    ],
  });
  const details = { source: 'api', annotations: { a: '1' }, bindings: [], compatibilityFlags: ['f'] };

  it('have their versions, deployments and settings after reopening', () => {
    using dir = scratch();
    const world = outside(now);
    {
      using registry = open(dir.path, world);
      const { workers } = registry;
      for (const name of ['two', 'one', 'three']) expect(workers.create(name)).toEqual(workers.find(name));
      expect(workers.find('two')).toEqual({
        name: 'two',
        tag: expect.stringMatching(/^[0-9a-f]{32}$/),
        createdAt: now,
        modifiedAt: now,
        routed: false,
        previews: false,
        settings: {},
      });
      world.time = now + 1;
      workers.change('one', { routed: true, settings: { tags: ['x'] } });
      workers.change('one', { previews: true });
      workers.change('none', { previews: true });
      world.time = now + 2;
      const first = workers.addVersion('two', workers.keepCode(code('1')), details);
      const second = workers.addVersion('two', workers.keepCode(code('2')), {
        ...details,
        compatibilityDate: '2026-11-01',
      });
      // RFC 9562: the id has version 4 and variant 10.
      expect(first.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect([first.number, second.number]).toEqual([1, 2]);
      world.time = now + 3;
      for (const { id } of [first, second])
        workers.addDeployment('two', { source: 'api', annotations: {}, versions: [{ id, percentage: 100 }] });
    }
    using registry = open(dir.path);
    const { workers } = registry;
    expect(workers.list().map(({ name }) => name)).toEqual(['two', 'one', 'three']);
    expect(workers.find('one')).toMatchObject({
      routed: true,
      previews: true,
      settings: { tags: ['x'] },
      createdAt: now,
      modifiedAt: now + 1,
    });
    expect(workers.find('two')).toMatchObject({ createdAt: now, modifiedAt: now + 3, routed: false });
    expect(workers.find('three')?.modifiedAt).toBe(now);
    const [second, first, ...others] = workers.versions('two');
    expect(others).toEqual([]);
    expect(second).toMatchObject({
      number: 2,
      createdAt: now + 2,
      compatibilityDate: '2026-11-01',
      ...details,
    });
    expect(first).not.toHaveProperty('compatibilityDate');
    expect(workers.code(second?.codeId ?? '')).toEqual(code('2'));
    expect(workers.code(first?.codeId ?? '')).toEqual(code('1'));
    const deployed = workers.deployments('two');
    expect(deployed.map(({ versions }) => versions[0]?.id)).toEqual([second?.id, first?.id]);
    expect(deployed[0]).toMatchObject({ source: 'api', annotations: {}, createdAt: now + 3 });
    expect([workers.versions('one'), workers.deployments('one')]).toEqual([[], []]);
  });

  it('have versions with ids of random bytes, in the format of RFC 9562', () => {
    using dir = scratch();
    using registry = open(dir.path, { random: (count) => new Uint8Array(count).fill(0xff) });
    const { workers } = registry;
    workers.create('w');
    expect(workers.addVersion('w', workers.keepCode(code('1')), details).id).toBe(
      'ffffffff-ffff-4fff-bfff-ffffffffffff',
    );
  });

  it('share the same code between versions until the last of these versions is deleted', () => {
    using dir = scratch();
    using registry = open(dir.path);
    const { workers } = registry;
    const script: WorkerCode = {
      format: 'script',
      entry: 'w.js',
      modules: [{ name: 'w.js', kind: 'script', content: new Uint8Array(bytes('1')) }],
    };
    for (const name of ['a', 'b']) {
      workers.create(name);
      workers.addVersion(name, workers.keepCode(script), details);
      workers.addVersion(name, workers.keepCode(code(name)), details);
    }
    const [[ofA, shared], [ofB, sharedToo]] = ['a', 'b'].map((name) =>
      workers.versions(name).map(({ codeId }) => codeId),
    ) as [[string, string], [string, string]];
    expect(sharedToo).toBe(shared);
    expect(ofA).not.toBe(ofB);
    expect([workers.remove('a'), workers.remove('a')]).toEqual([true, false]);
    expect(workers.code(shared)).toEqual(script);
    expect([workers.code(ofA).modules, workers.code(ofB).modules.length]).toEqual([[], 2]);
    expect([workers.versions('a'), workers.versions('b').length]).toEqual([[], 2]);
    workers.remove('b');
    expect(workers.code(shared).modules).toEqual([]);
  });

  it('keep their last hundred versions, and an older version that is running', () => {
    using dir = scratch();
    using registry = open(dir.path);
    const { workers } = registry;
    workers.create('w');
    workers.create('other');
    workers.addVersion('other', workers.keepCode(code('other')), details);
    const numbers = () => workers.versions('w').map(({ number }) => number);
    registry.atOnce(() => {
      for (let count = 1; count <= 103; count += 1) {
        const { id } = workers.addVersion('w', workers.keepCode(code(`${count}`)), details);
        if (count < 3) workers.addDeployment('w', { ...details, versions: [{ id, percentage: 100 }] });
        if (count === 100) expect(numbers()).toHaveLength(100);
        if (count === 101) expect(numbers().slice(-2)).toEqual([3, 2]);
      }
    });
    expect(numbers()).toEqual([...Array.from({ length: 100 }, (_, index) => 103 - index), 2]);
    const running = workers.versions('w').at(-1);
    expect(workers.code(running?.codeId ?? '')).toEqual(code('2'));
    expect(workers.versions('other')).toHaveLength(1);
  });
});

describe('another account', () => {
  const id = 'a5'.repeat(16);

  it('has its own namespaces, buckets, workers and settings, even with names that exist in the first account', () => {
    using dir = scratch();
    using registry = open(dir.path);
    const own = accountRegistry(registry, { id, name: 'Staging' });
    expect(own.account()).toEqual({ id, name: 'Staging' });
    for (const one of [registry, own]) {
      one.namespaces.create('same');
      one.buckets.create({ name: 'same', storageClass: 'Standard' });
      one.workers.create('same');
    }
    own.buckets.create({ name: 'staging', storageClass: 'Standard' });
    own.workers.create('staging');
    registry.buckets.create({ name: 'first', storageClass: 'Standard' });
    registry.workers.create('first');
    const names = ({ buckets, workers }: Registry) => [
      buckets.list().map(({ name }) => name),
      workers.list().map(({ name }) => name),
    ];
    expect(names(registry)).toEqual([
      ['first', 'same'],
      ['same', 'first'],
    ]);
    expect(names(own)).toEqual([
      ['same', 'staging'],
      ['same', 'staging'],
    ]);
    expect([registry.namespaces.list().length, own.namespaces.list().length]).toEqual([1, 1]);
    for (const { buckets, workers } of [registry, own]) {
      expect([buckets.everywhere().length, workers.everywhere().length]).toEqual([4, 4]);
      expect(buckets.findEverywhere(`${id}.staging`)?.name).toBe(`${id}.staging`);
      expect(workers.findEverywhere(`${id}.staging`)?.name).toBe(`${id}.staging`);
    }
    // No account finds these resources by their names on disk.
    expect(registry.buckets.find(`${id}.staging`)).toBeUndefined();
    expect(registry.workers.find(`${id}.staging`)).toBeUndefined();
    expect([own.buckets.find('first'), own.workers.find('first')]).toEqual([undefined, undefined]);

    expect(own.buckets.setStorageClass('same', 'InfrequentAccess')).toMatchObject({ name: 'same' });
    expect(registry.buckets.find('same')?.storageClass).toBe('Standard');
    expect(own.buckets.find('same')).toMatchObject({ name: 'same', storageClass: 'InfrequentAccess' });
    own.workers.change('same', { routed: true });
    const version = own.workers.addVersion(
      'same',
      own.workers.keepCode({ format: 'script', entry: 'w', modules: [] }),
      {
        source: 'api',
        annotations: {},
        bindings: [],
        compatibilityFlags: [],
      },
    );
    own.workers.addDeployment('same', {
      source: 'api',
      annotations: {},
      versions: [{ id: version.id, percentage: 100 }],
    });
    expect([registry, own].map(({ workers }) => workers.find('same')?.routed)).toEqual([false, true]);
    expect([registry, own].map(({ workers }) => workers.versions('same').length)).toEqual([0, 1]);
    expect([registry, own].map(({ workers }) => workers.deployments('same').length)).toEqual([0, 1]);
    expect([own.buckets.remove('same'), own.workers.remove('same'), own.buckets.remove('first')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(names(registry)).toEqual([
      ['first', 'same'],
      ['same', 'first'],
    ]);
  });

  it('has its own settings for its own resources, and shares all other settings', () => {
    using dir = scratch();
    using registry = open(dir.path);
    const own = accountRegistry(registry, { id, name: 'Staging' }).settings;
    const { settings } = registry;
    for (const name of ['bucket_settings', 'worker_schedules', 'worker_domains', 'clock']) {
      settings.write(name, 'of the first');
      own.write(name, 'of the further');
    }
    expect(
      ['bucket_settings', 'worker_schedules', 'worker_domains', 'clock'].map((name) => settings.read(name)),
    ).toEqual(['of the first', 'of the first', 'of the first', 'of the further']);
    own.change('bucket_settings', (value) => `${value}, changed`);
    expect(own.writeFirst('bucket_settings', 'other')).toBe('of the further, changed');
    expect(settings.writeFirst('bucket_settings', 'other')).toBe('of the first');
    expect(own.readText(['bucket_settings'])).not.toBe(settings.readText(['bucket_settings']));
    expect(own.readText(['clock'])).toBe(settings.readText(['clock']));
    expect(own.all()).toEqual({
      bucket_settings: 'of the further, changed',
      worker_domains: 'of the further',
      worker_schedules: 'of the further',
    });
    expect(Object.keys(settings.all()).filter(isOfFurther)).toHaveLength(3);
  });

  it('reads and writes only objects of its buckets', async () => {
    using dir = scratch();
    using all = openObjects(dir.path);
    const own = accountObjects(all, id);
    await put(all, 'k', 'first');
    await put(own, 'k', 'further');
    await put(own, 'l', 'more');
    expect((await get(own, 'k'))?.toString()).toBe('further');
    expect((await get(all, 'k'))?.toString()).toBe('first');
    expect(own.find(bucket, 'k')?.size).toBe(7);
    expect(own.list(bucket, { limit: 9 }).objects.map(({ key }) => key)).toEqual(['k', 'l']);
    const upload = {
      key: 'p',
      uploadId: own.uploads(bucket, (uploads) =>
        uploads.begin({ key: 'p', httpMetadata: {}, customMetadata: {} }, now),
      ),
    };
    await own.uploads(bucket, (uploads) => uploads.writePart(upload, 1, chunks('part')));
    expect(all.uploads(bucket, (uploads) => uploads.find(upload))).toBeUndefined();
    expect(own.usage(bucket)).toEqual({ objects: 2, bytes: 11, uploads: 1 });
    own.completeUpload(bucket, { ...upload, choose: (parts) => ({ parts }) }, now);
    expect((await get(own, 'p'))?.toString()).toBe('part');
    expect(own.remove(bucket, ['k', 'l'])).toBe(2);
    expect((await get(all, 'k'))?.toString()).toBe('first');
    expect(own.bucketFolders()).toEqual([bucket]);
    expect(all.bucketFolders().sort()).toEqual([`${id}.${bucket}`, bucket].sort());
    own.removeBucket(bucket);
    expect([own.bucketFolders(), all.bucketFolders()]).toEqual([[], [bucket]]);
    own.close();
  });
});

describe('copying a registry', () => {
  it('copies account, credentials and own zone to a new registry that is created for another registry', () => {
    using dir = scratch();
    using first = open(dir.path);
    first.zones.create('other.demo', now);
    first.namespaces.create('of the first');
    using beside = open(`${dir.path}/beside`, { tenantOf: dir.path });
    expect([beside.account(), beside.credentials(), beside.zoneId()]).toEqual([
      first.account(),
      first.credentials(),
      first.zoneId(),
    ]);
    expect(beside.zones.list().map(({ id, name }) => ({ id, name }))).toEqual([
      { id: first.zoneId(), name: 'saas.sandbox' },
    ]);
    expect(beside.namespaces.list()).toEqual([]);
  });

  it('copies all rows of another registry in one transaction, and records the source', () => {
    using dir = scratch();
    const other = `${dir.path}/other`;
    using mine = open(dir.path);
    mine.namespaces.create('mine');
    mine.settings.write('mine', 1);
    const account = mine.account();
    const revision = mine.dnsRevision();
    expect(mine.taken()).toBeUndefined();
    {
      using theirs = open(other);
      theirs.namespaces.create('theirs');
      theirs.nameAccount('Theirs');
      theirs.workers.create('w');
      theirs.dnsEntries.set([{ name: 'x.demo', type: 'A', ttl: 1, contents: [] }]);
      const taken = theirs.account();
      mine.takeFrom(other, 'id 1');
      expect([mine.account(), mine.account().id === account.id]).toEqual([taken, false]);
    }
    expect(mine.taken()).toBe('id 1');
    expect(mine.namespaces.list().map(({ title }) => title)).toEqual(['theirs']);
    expect([mine.settings.all(), mine.workers.list().length, mine.dnsEntries.list().length]).toEqual([
      {},
      1,
      1,
    ]);
    // A reader that knows the earlier revision of the DNS detects the change.
    expect(mine.dnsRevision()).toBeGreaterThan(revision);
    mine.takeFrom(other, 'id 2');
    expect(mine.taken()).toBe('id 2');
    expect(() => mine.takeFrom(`${dir.path}/missing`, 'id 3')).toThrow();
    expect([mine.taken(), mine.namespaces.list().length]).toEqual(['id 2', 1]);
  });
});

describe('a name on disk', () => {
  it('contains the account, and the name of the bucket or worker in that account', () => {
    const id = 'a5'.repeat(16);
    const name = diskName(id, 'mine');
    expect([isFurtherName(name), accountInDiskName(name), plainName(name)]).toEqual([true, id, 'mine']);
    expect([isFurtherName('mine'), accountInDiskName('mine'), plainName('mine')]).toEqual([
      false,
      undefined,
      'mine',
    ]);
  });
});

describe('an unusable registry', () => {
  it('is rejected by a reader if an older edgectl wrote it, and is not changed', () => {
    using dir = scratch();
    open(dir.path).close();
    const database = openToWrite(registryFile(dir.path));
    database.exec('PRAGMA user_version = 5');
    database.close();
    expect(() => openRegistry(dir.path, readOnly)).toThrow(
      expect.objectContaining({
        code: 'store-invalid',
        message: expect.stringContaining('older version of edgectl'),
        remedy: { kind: 'update-sandbox' },
      }),
    );
  });

  it('is reported without an account, with how to recreate a sandbox', () => {
    using dir = scratch();
    using registry = open(dir.path);
    const database = openToWrite(registryFile(dir.path));
    database.exec('DELETE FROM account');
    database.close();
    expect(() => registry.account()).toThrow(
      expect.objectContaining({ code: 'store-invalid', remedy: { kind: 'reset-sandbox' } }),
    );
  });
});
