import { describe, expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { HostnameLine } from '../../../src/model/hostnames/lines.ts';
import type { Progress } from '../../../src/model/progress.ts';
import { readMember, type Selection, selectHostnames } from '../../../src/services/hostnames/fleet/select.ts';
import {
  changingSteps,
  deletingSteps,
  restartingSteps,
} from '../../../src/services/hostnames/fleet/steps.ts';
import type { WantedFile } from '../../../src/services/hostnames/fleet/wanted.ts';
import { result, stubPlatform } from './platform.ts';

const zone = 'z'.repeat(32);
const silent = { progress: () => undefined, warn: () => undefined };

function record(name: string, status: string, certificate: string) {
  return { id: `id-${name}`, hostname: `${name}.acme.com`, status, ssl: { status: certificate } };
}

const all = [
  record('a', 'moved', 'active'),
  record('b', 'active', 'active'),
  record('c', 'active', 'expired'),
];

function names(filter: object) {
  const { session } = stubPlatform(({ path }) =>
    path.endsWith('/custom_hostnames')
      ? result(all, { page: 1, per_page: 50, count: 3, total_pages: 1, total_count: 3 })
      : undefined,
  );
  return selectHostnames(session, zone, { by: 'filter', filter }, silent).then(({ hostnames }) =>
    hostnames.map(({ record: { hostname } }) => hostname),
  );
}

test('selects only matching hostnames even if the platform ignores a status filter', async () => {
  expect(await names({ status: 'moved' })).toEqual(['a.acme.com']);
  expect(await names({ certificateStatus: 'expired' })).toEqual(['c.acme.com']);
});

test('selects a hostname once if the list shows it on two pages', async () => {
  const pages = [[...all.slice(0, 2)], [...all.slice(1)]];
  const { session } = stubPlatform(({ path, query }) => {
    if (!path.endsWith('/custom_hostnames')) return undefined;
    const page = Number(query.get('page'));
    return result(pages[page - 1] ?? [], { page, per_page: 2, count: 2, total_pages: 2, total_count: 4 });
  });
  const chosen = await selectHostnames(session, zone, { by: 'filter', filter: {} }, silent);
  expect(chosen.hostnames.map(({ record: { id } }) => id)).toEqual(['id-a', 'id-b', 'id-c']);
});

/** Creates a platform that lists these hostnames, two per page. */
function createPlatform(records: readonly Partial<CustomHostname>[]) {
  return stubPlatform(({ path, query }) => {
    const id = path.split('/custom_hostnames/')[1];
    if (id !== undefined) return result(records.find((one) => one.id === id) ?? null);
    const exact = query.get('hostname.exact');
    if (exact !== null) return result(records.filter(({ hostname }) => hostname === exact));
    const page = Number(query.get('page'));
    const shown = records.slice(2 * page - 2, 2 * page);
    const pages = Math.ceil(records.length / 2);
    const info = { page, per_page: 2, count: shown.length, total_pages: pages, total_count: records.length };
    return result(shown, info);
  });
}

async function select(records: readonly Partial<CustomHostname>[], selection: Selection) {
  const { session } = createPlatform(records);
  const messages: Progress[] = [];
  const reporter = { progress: (one: Progress) => messages.push(one), warn: () => undefined };
  const { hostnames, missing } = await selectHostnames(session, zone, selection, reporter);
  return { hostnames, missing, told: messages, names: hostnames.map(({ record }) => record.hostname) };
}

test('reads named hostnames in the given order, each once', async () => {
  const selection: Selection = { by: 'names', names: ['c.acme.com', 'A.acme.com', 'c.acme.com'] };
  const { hostnames, missing } = await select(all, selection);
  expect(hostnames).toEqual([{ record: all[2] }, { record: all[0] }]);
  expect(missing).toEqual([]);
  const unknown: Selection = { by: 'names', names: ['a.acme.com', 'd.acme.com'] };
  await expect(select(all, unknown)).rejects.toMatchObject({ code: 'not-found' });
});

test('selects the hostnames of a file in its order with their attributes, and reports missing hostnames', async () => {
  const lines: readonly HostnameLine[] = [
    { hostname: 'c.acme.com', method: 'txt' },
    { hostname: 'gone.acme.com' },
    { hostname: 'a.acme.com' },
  ];
  const wanted = new Map(lines.map((asked, at) => [asked.hostname, { line: at + 2, asked }]));
  const file: WantedFile = { name: 'some.csv', path: undefined, fingerprint: 'f', wanted, wrong: [] };
  // DNS names are case-insensitive, and the platform may list a name in upper case.
  const listed = all.map((one) => ({ ...one, hostname: one.hostname.toUpperCase() }));
  const { hostnames, missing, told: messages } = await select(listed, { by: 'file', file });
  expect(hostnames).toEqual([
    { record: listed[2], line: 2, place: 0, asked: { method: 'txt' } },
    { record: listed[0], line: 4, place: 2, asked: {} },
  ]);
  expect(missing).toEqual(['gone.acme.com']);
  expect(messages.map(({ phase, done, total }) => `${phase} ${done}/${total}`)).toEqual([
    'looking 2/3',
    'looking 3/3',
  ]);
});

describe('a filter', () => {
  const day = 24 * 3600;
  const now = Date.now();
  const aged = (name: string, days: number) => ({
    ...record(name, 'active', 'active'),
    created_at: new Date(now - days * day * 1000).toISOString(),
  });
  const of = (name: string, custom_metadata: Readonly<Record<string, unknown>>) => ({
    ...record(name, 'active', 'active'),
    custom_metadata,
  });

  test('selects matching hostnames by age, and no hostname of unknown age', async () => {
    const ageless = record('none', 'active', 'active');
    const records = [aged('young', 1.9), aged('old', 3), aged('just', 2), ageless];
    const { names: chosen } = await select(records, { by: 'filter', filter: { olderThan: 2 * day } });
    expect(chosen).toEqual(['just.acme.com', 'old.acme.com']);
    const unfiltered = await select(records, { by: 'filter', filter: {} });
    expect(unfiltered.names).toContain('none.acme.com');
    expect(unfiltered.missing).toEqual([]);
  });

  test.each<[Readonly<Record<string, string>>, string[]]>([
    [{ plan: 'pro' }, ['a.acme.com', 'c.acme.com']],
    [{ plan: 'pro', seats: '3' }, ['a.acme.com']],
    [{ seats: '3' }, ['a.acme.com', 'b.acme.com']],
    [{ flags: '{"beta":true}' }, ['c.acme.com']],
    // A property that every object inherits is not metadata.
    [{ constructor: 'undefined' }, []],
    [{ toString: '' }, []],
  ])('compares every metadata field exactly, other types as JSON: %j', async (members, expected) => {
    const records = [
      of('c', { plan: 'pro', flags: { beta: true } }),
      of('a', { plan: 'pro', seats: 3 }),
      of('b', { plan: 'free', seats: '3' }),
      record('none', 'active', 'active'),
    ];
    const metadata = new Map(Object.entries(members));
    expect((await select(records, { by: 'filter', filter: { metadata } })).names).toEqual(expected);
  });

  test('skips a hostname without a certificate if it selects by certificate status', async () => {
    const { ssl: _, ...bare } = record('bare', 'active', 'active');
    const filter = { certificateStatus: 'active' } as const;
    expect((await select([bare, ...all], { by: 'filter', filter })).names).toEqual([
      'a.acme.com',
      'b.acme.com',
    ]);
  });

  test('returns hostnames of the same name in the order of the list', async () => {
    const twice = [{ ...record('b', 'moved', 'active'), id: 'id-other' }, ...all.slice(0, 2)];
    const { hostnames } = await select(twice, { by: 'filter', filter: {} });
    expect(hostnames.map(({ record: { id } }) => id)).toEqual(['id-a', 'id-other', 'id-b']);
  });

  test('stops at an interruption before the next page', async () => {
    const stop = new AbortController();
    const { session, calls } = createPlatform(all);
    const interrupted = { ...session, world: { ...session.world, interrupted: stop.signal } };
    const reporter = { progress: () => stop.abort(), warn: () => undefined };
    const selection: Selection = { by: 'filter', filter: {} };
    await expect(selectHostnames(interrupted, zone, selection, reporter)).rejects.toThrow(/abort/i);
    expect(calls.length).toBeLessThanOrEqual(2);
  });
});

test.each([
  ['plan=pro', ['plan', 'pro']],
  ['p=', ['p', '']],
  ['query=a=b', ['query', 'a=b']],
])('parses a metadata field and its value: %s', (text, expected) => {
  expect(readMember(text, '--metadata')).toEqual(expected);
});

test.each(['plan', '=pro', ''])('refuses %j as a metadata field and its value', (text) => {
  expect(() => readMember(text, '--metadata')).toThrow(/^--metadata must be NAME=VALUE/);
});

describe('steps for the selected hostnames', () => {
  const [moved, , expired] = all.map((one) => ({ record: { ...one, ssl: { ...one.ssl, method: 'http' } } }));
  const chosen = [moved, expired].flatMap((one) => one ?? []);
  const bare = { record: { id: 'id-d', hostname: 'd.acme.com' } };

  test('contain only the id for a delete, with the status as the reason', () => {
    expect(deletingSteps([...chosen, bare])).toEqual([
      { does: 'delete', hostname: 'a.acme.com', record: { id: 'id-a' }, reason: 'status moved' },
      { does: 'delete', hostname: 'c.acme.com', record: { id: 'id-c' }, reason: 'status active' },
      { does: 'delete', hostname: 'd.acme.com', record: { id: 'id-d' }, reason: 'status unknown' },
    ]);
  });

  test('name the certificate for a restart, if there is a certificate', () => {
    const steps = restartingSteps([...chosen, bare]);
    expect(steps.map(({ does, hostname, reason }) => [does, hostname, reason])).toEqual([
      ['refresh', 'a.acme.com', 'status moved, certificate active'],
      ['refresh', 'c.acme.com', 'status active, certificate expired'],
      ['refresh', 'd.acme.com', 'status unknown'],
    ]);
  });

  test('change only differing settings, and are skipped if nothing differs; the line of a file takes precedence', () => {
    const fromFile = {
      ...chosen[1],
      record: { id: 'i', hostname: 'f.acme.com' },
      line: 7,
      asked: { origin: 'eu.saas.com' },
    };
    const there = {
      record: { id: 'j', hostname: 'g.acme.com', custom_origin_server: 'us.saas.com' },
      line: 9,
    };
    const inputs = { origin: 'us.saas.com', originSni: undefined };
    expect(changingSteps([bare, fromFile, there], inputs)).toStrictEqual({
      steps: [
        {
          does: 'change',
          hostname: 'd.acme.com',
          record: bare.record,
          asks: { origin: 'us.saas.com' },
          differences: [{ field: 'origin', to: 'us.saas.com' }],
          reason: 'origin - -> us.saas.com',
        },
        {
          does: 'change',
          hostname: 'f.acme.com',
          line: 7,
          record: fromFile.record,
          asks: { origin: 'eu.saas.com' },
          differences: [{ field: 'origin', to: 'eu.saas.com' }],
          reason: 'origin - -> eu.saas.com',
        },
        { does: 'leave', hostname: 'g.acme.com', line: 9, record: { id: 'j' }, reason: 'already set' },
      ],
      wrong: [],
    });
  });

  test.each([
    [{ branding: false }, 'not visible in the record'],
    [{ branding: true, method: 'txt' }, 'method http -> txt'],
    [{ authority: 'default' }, 'ca - -> default (google, or lets_encrypt if CAA forbids google)'],
    [{ authority: 'google' }, 'ca - -> google'],
    [
      { authority: 'default', origin: '' },
      'origin eu.saas.com -> the fallback origin f.saas.com, ca - -> default (google, or lets_encrypt if CAA forbids google)',
    ],
  ] as const)('always send values that a record does not show: %j', (inputs, reason) => {
    const ssl = { status: 'active', method: 'http' };
    const one = { record: { id: 'i', hostname: 'a.acme.com', ssl, custom_origin_server: 'eu.saas.com' } };
    const { steps } = changingSteps([one], inputs, { origin: 'f.saas.com' });
    expect(steps).toMatchObject([{ does: 'change', asks: inputs, reason }]);
  });

  test('are omitted for a line that the platform would refuse, and the line is reported', () => {
    const { steps, wrong } = changingSteps(
      [{ ...chosen[0], record: all[0] as CustomHostname, line: 4 }, bare],
      {
        wildcard: true,
        method: 'http',
      },
    );
    expect(steps).toEqual([]);
    expect(wrong).toEqual([
      { line: 4, hostname: 'a.acme.com', reason: expect.stringContaining('cannot be validated over HTTP') },
      {
        line: undefined,
        hostname: 'd.acme.com',
        reason: expect.stringContaining('cannot be validated over HTTP'),
      },
    ]);
  });
});
