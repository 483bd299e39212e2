import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newHostname } from '../../src/model/hostnames/change.ts';
import type { HostnameState } from '../../src/model/hostnames/state.ts';
import { openRegistry, type Registry, registryFile } from '../../src/store/registry.ts';
import { scratchFolder } from '../support/world.ts';

const now = Date.UTC(2026, 10, 21, 10);
let folder: string;
let registry: Registry;
beforeEach(() => {
  folder = scratchFolder('hostnames');
  registry = open();
});
afterEach(() => registry.close());

function open(): Registry {
  return openRegistry(folder, { now: () => now, random: randomBytes });
}

function stateOf(hostname: string, at = now): HostnameState {
  return newHostname(
    { hostname },
    {
      id: hostname,
      seed: 'seed',
      delegation: 'x.dcv.demo',
      now: at,
      seen: {
        routing: 'nowhere',
        proxied: false,
        ownershipTxt: [],
        dcvTxt: [],
        delegated: false,
        caa: { name: hostname, asked: [] },
        fallback: 'active',
        rival: false,
      },
    },
  );
}

const stored = (hostname: string, zoneId = 'z', at = now) => ({
  zoneId,
  state: stateOf(hostname, at),
  revision: 0,
});

test('creates a private registry with a zone whose id is derived from the account', () => {
  const [zone, ...others] = registry.zones.list();
  expect([zone?.id, zone?.name, others]).toEqual([registry.zoneId(), 'saas.sandbox', []]);
  expect(zone?.hold).toEqual({ hold: false, includeSubdomains: false });
  expect(statSync(registryFile(folder)).mode & 0o777).toBe(0o600);
});

test('creates the zone and tables of an old registry when it is opened, and keeps its namespaces', () => {
  const id = registry.zoneId();
  const { namespace } = registry.namespaces.create('flags');
  registry.close();
  const database = new DatabaseSync(registryFile(folder));
  const tables = ['zone', 'dns_record', 'dns_entry', 'dns_revision', 'custom_hostname', 'setting', 'taken'];
  for (const table of [...tables, 'further_account', 'namespace']) database.exec(`DROP TABLE ${table}`);
  database.exec(
    `CREATE TABLE namespace (position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
       title TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL) STRICT;
     INSERT INTO namespace (id, title, created_at) VALUES ('${namespace.id}', 'flags', 0)`,
  );
  database.exec('ALTER TABLE bucket DROP COLUMN jurisdiction');
  database.exec('PRAGMA user_version = 3');
  database.close();
  registry = open();
  expect(registry.zones.list().map((zone) => zone.id)).toEqual([id]);
  expect(registry.hostnames.list()).toEqual([]);
  expect(registry.namespaces.list()).toEqual([namespace]);
  const staging = 'a5'.repeat(16);
  expect(registry.openNamespaces(staging).list()).toEqual([]);
  expect(registry.openNamespaces(staging).create('flags').outcome).toBe('done');
});

test('accepts a hostname once in a zone, and in several zones', () => {
  const { hostnames } = registry;
  expect(hostnames.insert(stored('a.demo'))).toBe(true);
  expect(hostnames.insert({ ...stored('a.demo'), state: { ...stateOf('a.demo') } })).toBe(false);
  const other = stored('a.demo', 'y');
  const state = { ...other.state, record: { ...other.state.record, id: 'other' } };
  expect(hostnames.insert({ ...other, state })).toBe(true);
  expect(hostnames.named('a.demo').map(({ zoneId }) => zoneId)).toEqual(['z', 'y']);
  expect([hostnames.count('z'), hostnames.list().length]).toEqual([1, 2]);
});

test('rejects a change that is based on an outdated read', () => {
  const { hostnames } = registry;
  hostnames.insert(stored('a.demo'));
  const [first] = hostnames.list();
  if (first === undefined) throw new Error('It is not there.');
  const keyed = { certificate: 'C', privateKey: 'K' };
  expect(hostnames.save({ ...first, keyed, activatedAt: now })).toBe(true);
  expect(hostnames.save({ ...first })).toBe(false);
  expect(hostnames.find('z', 'a.demo')).toMatchObject({ revision: 1, keyed, activatedAt: now });
});

test('lists hostnames in order of creation, by zone and in pages, until they are deleted', () => {
  const { hostnames } = registry;
  for (const [name, zone] of [
    ['c.demo', 'z'],
    ['a.demo', 'z'],
    ['b.demo', 'y'],
    ['d.demo', 'z'],
    ['e.demo', 'x'],
  ] as const)
    hostnames.insert(stored(name, zone));
  const twin = stored('a.demo', 'y');
  const state = { ...twin.state, record: { ...twin.state.record, id: 'twin' } };
  hostnames.insert({ ...twin, state, activatedAt: now, keyed: { certificate: 'C', privateKey: 'K' } });
  const names = (list = hostnames.list()) => list.map(({ state: { record } }) => record.hostname);
  expect(names()).toEqual(['c.demo', 'a.demo', 'b.demo', 'd.demo', 'e.demo', 'a.demo']);
  expect(names(hostnames.list('z'))).toEqual(['c.demo', 'a.demo', 'd.demo']);
  expect(names(hostnames.page('z', 1, 1))).toEqual(['a.demo']);
  expect(names(hostnames.page('z', 2, 5))).toEqual(['d.demo']);
  expect([...hostnames.shared()]).toEqual(['a.demo']);
  expect(hostnames.find('y', 'twin')).toEqual({
    zoneId: 'y',
    state,
    revision: 0,
    activatedAt: now,
    keyed: { certificate: 'C', privateKey: 'K' },
  });
  expect(hostnames.find('z', 'c.demo')).toEqual(stored('c.demo'));
  expect([hostnames.find('z', 'twin'), hostnames.find('y', 'c.demo')]).toEqual([undefined, undefined]);
  expect([
    hostnames.remove('z', 'twin'),
    hostnames.remove('y', 'twin'),
    hostnames.remove('y', 'twin'),
  ]).toEqual([false, true, false]);
  expect([...hostnames.shared()]).toEqual([]);
  hostnames.removeZone('z');
  expect(names()).toEqual(['b.demo', 'e.demo']);
  expect([hostnames.count('z'), hostnames.count('y')]).toEqual([0, 1]);
  hostnames.clear();
  expect(names()).toEqual([]);
});

test('replaces everything stored about a hostname when it is saved, and sets the next due time', () => {
  const { hostnames } = registry;
  hostnames.insert({ ...stored('a.demo'), activatedAt: now, keyed: { certificate: 'C', privateKey: 'K' } });
  const later = stateOf('a.demo', now + 60_000);
  expect(hostnames.save({ zoneId: 'z', state: later, revision: 0 })).toBe(true);
  expect(hostnames.list()).toEqual([{ zoneId: 'z', state: later, revision: 1 }]);
  expect(hostnames.due(now + 60_000)).toEqual([]);
  expect(hostnames.due(now + 62_000)).toHaveLength(1);
  hostnames.remove('z', 'a.demo');
  expect(hostnames.save({ zoneId: 'z', state: later, revision: 1 })).toBe(false);
});

test('finds due hostnames by time', () => {
  const { hostnames } = registry;
  hostnames.insert(stored('late.demo', 'z', now + 60_000));
  hostnames.insert(stored('soon.demo'));
  expect(hostnames.due(now + 1999)).toEqual([]);
  expect(hostnames.due(now + 2000).map(({ state }) => state.record.hostname)).toEqual(['soon.demo']);
});

test('saves all changes of a transaction, or none', () => {
  const { hostnames } = registry;
  expect(() =>
    hostnames.together(() => {
      hostnames.insert(stored('a.demo'));
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(hostnames.list()).toEqual([]);
});

test('counts every change to zones, records and entries, and shows the count to other processes', () => {
  const { zones, dnsRecords, dnsEntries } = registry;
  const zone = zones.create('one.demo', now);
  expect(zones.create('one.demo', now)).toBeUndefined();
  const counts = [registry.dnsRevision()];
  const count = () => counts.push(registry.dnsRevision());
  const id = zone?.id ?? '';
  const draft = {
    type: 'A',
    name: 'a.one.demo',
    content: '192.0.2.1',
    proxied: true,
    ttl: 1,
    more: { tags: ['x'] },
  };
  const record = dnsRecords.create(id, draft, now);
  count();
  dnsRecords.change(id, record.id, { ...draft, content: '192.0.2.2' }, now + 1);
  count();
  dnsEntries.set([{ name: 'x.demo', type: 'A', ttl: 1, contents: ['192.0.2.3'] }]);
  count();
  zones.setHold(id, { hold: true, includeSubdomains: true, holdAfter: now });
  count();
  expect(new Set(counts).size).toBe(counts.length);
  const other = open();
  expect(other.dnsRecords.list(id)).toEqual([
    { ...draft, content: '192.0.2.2', id: record.id, zoneId: id, createdAt: now, modifiedAt: now + 1 },
  ]);
  expect(other.zones.find(id)?.hold).toEqual({ hold: true, includeSubdomains: true, holdAfter: now });
  expect(other.dnsEntries.unset('x.demo', 'TXT')).toBe(0);
  expect(other.dnsEntries.unset('x.demo')).toBe(1);
  other.close();
  expect(registry.dnsEntries.list()).toEqual([]);
});

test('keeps a setting as a JSON value under a name until it is deleted', () => {
  const { settings } = registry;
  expect(settings.read('x')).toBeUndefined();
  settings.write('x', { a: [1] });
  expect(settings.read('x')).toEqual({ a: [1] });
  settings.write('x', undefined);
  expect(settings.read('x')).toBeUndefined();
});

test('changes the serialized settings only if one of their values changes', () => {
  const { settings } = registry;
  const text = () => settings.readText(['x', 'y']);
  const seen = [text()];
  settings.write('z', 1);
  expect(text()).toBe(seen[0]);
  for (const name of ['x', 'y']) {
    settings.write(name, 1);
    seen.push(text());
  }
  settings.write('y', 2);
  seen.push(text());
  expect(new Set(seen).size).toBe(seen.length);
});
