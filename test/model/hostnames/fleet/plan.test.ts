import { describe, expect, it, test } from 'vitest';
import { changesFor } from '../../../../src/model/hostnames/fleet/differences.ts';
import { FleetPlanner, type WantedHostname } from '../../../../src/model/hostnames/fleet/plan.ts';
import type { CustomHostname } from '../../../../src/model/hostnames/hostname.ts';
import { type HostnameLine, lineOfRecord } from '../../../../src/model/hostnames/lines.ts';

const now = Date.UTC(2026, 10, 21);
const hour = 60 * 60 * 1000;

function createRecord(hostname: string, more: Partial<CustomHostname> = {}): CustomHostname {
  const ssl = {
    status: 'active',
    method: 'http',
    certificate_authority: 'google',
    settings: { min_tls_version: '1.2' },
  };
  return { id: `id-${hostname}`, hostname, status: 'active', ssl, ...more };
}

function createWanted(...lines: readonly HostnameLine[]): ReadonlyMap<string, WantedHostname> {
  return new Map(lines.map((asked, at) => [asked.hostname, { line: at + 2, asked }]));
}

describe('differences from a record', () => {
  const record = createRecord('a.acme.com', {
    custom_origin_server: 'eu.saas.com',
    custom_metadata: { plan: 'pro', seats: { max: 3, min: 1 } },
  });

  it.each<[string, Omit<HostnameLine, 'hostname'>, string[]]>([
    ['no requested attributes', {}, []],
    [
      'equal values in another spelling',
      { origin: 'EU.saas.com.', wildcard: false, authority: 'default' },
      [],
    ],
    ['members in another order', { metadata: { seats: { min: 1, max: 3 }, plan: 'pro' } }, []],
    ['method and version', { method: 'txt', minimumTls: '1.3' }, ['method http txt', 'min_tls 1.2 1.3']],
    ['an authority', { authority: 'lets_encrypt' }, ['ca google lets_encrypt']],
    ['an origin to remove', { origin: '' }, ['origin eu.saas.com -']],
    ['a new name for TLS', { originSni: 'x.saas.com' }, ['origin_sni - x.saas.com']],
    [
      'metadata',
      { metadata: { plan: 'free', new: true } },
      ['metadata.new - true', 'metadata.plan pro free', 'metadata.seats {"max":3,"min":1} -'],
    ],
  ])('reports the differences from a record: %s', (_, asked, messages) => {
    const { differences, asks } = changesFor(record, asked);
    expect(differences.map(({ field, from = '-', to = '-' }) => `${field} ${from} ${to}`)).toEqual(messages);
    expect(Object.keys(asks).length > 0).toBe(messages.length > 0);
  });

  it('does not compare an uploaded certificate', () => {
    const uploaded = createRecord('a.acme.com', { ssl: { custom_certificate: 'PEM', method: 'http' } });
    expect(changesFor(uploaded, { method: 'txt', wildcard: true, origin: 'x.saas.com' }).asks).toEqual({
      origin: 'x.saas.com',
    });
  });

  it('finds no differences between a record and the line formatted from it', () => {
    const { hostname: _, ...asked } = lineOfRecord(record);
    expect(changesFor(record, asked).differences).toEqual([]);
  });
});

test('plans one step per hostname, with deletions last', () => {
  const moved = createRecord('moved.acme.com', { status: 'moved' });
  const recent = createRecord('recent.acme.com', { status: 'moved' });
  const planner = new FleetPlanner(
    createWanted(
      { hostname: 'new.acme.com' },
      { hostname: 'a.acme.com', minimumTls: '1.3' },
      { hostname: 'moved.acme.com' },
      { hostname: 'recent.acme.com' },
      { hostname: 'same.acme.com' },
    ),
    { prune: true, now },
  );
  planner.see([
    { record: createRecord('A.acme.com') },
    { record: createRecord('gone.acme.com') },
    { record: moved },
  ]);
  planner.see([{ record: createRecord('same.acme.com') }, { record: recent, refreshedAt: now - hour }]);
  const steps = planner.end();
  expect(steps.map(({ does, hostname }) => `${does} ${hostname}`)).toEqual([
    'change A.acme.com',
    'refresh moved.acme.com',
    'create new.acme.com',
    'delete gone.acme.com',
    'leave recent.acme.com',
    'leave same.acme.com',
  ]);
  expect(steps[4]?.reason).toBe('in Moved; restarted less than a day ago');
});

test('does not change hostnames outside the file unless it prunes', () => {
  const planner = new FleetPlanner(createWanted(), { prune: false, now });
  planner.see([{ record: createRecord('a.acme.com') }]);
  expect(planner.end()).toMatchObject([{ does: 'leave', reason: expect.stringContaining('kept') }]);
});
