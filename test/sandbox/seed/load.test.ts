import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { topicHelp } from '../../../src/cli/output/topics.ts';
import type { Seed } from '../../../src/model/sandbox/seed.ts';
import { seedDemo } from '../../../src/sandbox/demo/demo.ts';
import { openTestSandbox, type TestSandbox } from '../test-sandbox.ts';

let place: TestSandbox | undefined;

afterEach(async () => {
  await place?.close();
  place = undefined;
});

async function open(): Promise<TestSandbox> {
  place = await openTestSandbox('in process');
  return place;
}

function load(at: TestSandbox, seed: unknown, query = '') {
  return at.call('PUT', `/sandbox/seed${query}`, { json: seed });
}

async function readFaults(at: TestSandbox, seed: unknown): Promise<readonly string[]> {
  const reply = await load(at, seed);
  expect(reply.status).toBe(400);
  return reply.envelope().errors.map(({ message }) => message);
}

async function ask<T>(at: TestSandbox, path: string): Promise<T> {
  const reply = await at.call('GET', path);
  expect(reply.status, reply.text).toBe(200);
  return reply.envelope<T>().result as T;
}

const everything: Seed = {
  namespaces: [
    {
      title: 'CONFIG',
      id: '0123456789abcdef0123456789abcdef',
      keys: [
        { key: 'greeting', value: 'hello', metadata: { lang: 'en' } },
        { key: 'bytes', value: 'AP8=', base64: true },
        { key: 'gone', value: 'x', expiration: '-1d' },
        { key: 'short', value: 'x', expiration_ttl: 600 },
      ],
    },
  ],
  buckets: [
    {
      name: 'assets',
      location: 'weur',
      created: '2026-01-02T03:04:05Z',
      objects: [
        {
          key: 'a/logo.svg',
          body: '<svg/>',
          http_metadata: { contentType: 'image/svg+xml' },
          uploaded: '-2d',
        },
      ],
    },
  ],
  zones: [
    {
      name: 'saas.sandbox',
      fallback_origin: 'origin.saas.sandbox',
      records: [{ type: 'A', name: 'origin', content: '192.0.2.1', proxied: true }],
    },
    {
      name: 'customer.demo',
      hold: { hold: true, include_subdomains: true },
      records: [{ type: 'TXT', name: '@', content: 'v=spf1 -all' }],
    },
  ],
  dns: [{ name: 'waits.demo', type: 'SERVFAIL', contents: ['CAA'] }],
  hostnames: [
    { hostname: 'shop.demo', status: 'active', created_at: '-41d', ssl: { expires_on: '+3d' } },
    { hostname: 'away.demo', status: 'moved', moved_at: '-5d' },
    { hostname: 'held.customer.demo', status: 'blocked', verification_errors: ['held'] },
    {
      hostname: 'caa.demo',
      status: 'caa_error',
      ssl: { status: 'pending_issuance', validation_errors: ['caa_error: caa.demo'] },
    },
    { hostname: 'odd.demo', status: 'test_failed', ssl: { status: 'issuance_timed_out' } },
    { hostname: 'old.demo', status: 'active', ssl: { status: 'expired', expires_on: '-1d' } },
    { hostname: 'new.demo' },
  ],
  workers: [
    {
      name: 'greeter',
      code: 'export default { fetch: () => new Response("hi") };',
      bindings: [
        { type: 'kv_namespace', name: 'KV', namespace: 'CONFIG' },
        { type: 'secret_text', name: 'KEY', text: 'hush' },
      ],
    },
  ],
};

interface Shown {
  readonly hostname: string;
  readonly status: string;
  readonly created_at: string;
  readonly ssl?: {
    readonly status: string;
    readonly expires_on?: string;
    readonly validation_records?: unknown;
  };
}

async function readHostnames(at: TestSandbox): Promise<Map<string, Shown>> {
  const zone = at.sandbox.platform.registry().zoneId();
  const all = await ask<Shown[]>(at, `/zones/${zone}/custom_hostnames?per_page=50`);
  return new Map(all.map((one) => [one.hostname, one]));
}

test('creates every kind of resource, with its dates', async () => {
  const at = await open();
  const reply = await load(at, everything);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.envelope().result).toEqual({
    namespaces: 1,
    keys: 4,
    buckets: 1,
    objects: 1,
    workers: 1,
    zones: 2,
    hostnames: 7,
  });
  const { accountId } = at.sandbox.access();
  const id = everything.namespaces?.[0]?.id;
  const keys = await ask<object[]>(at, `/accounts/${accountId}/storage/kv/namespaces/${id}/keys`);
  expect(keys).toEqual([
    { name: 'bytes' },
    { name: 'greeting', metadata: { lang: 'en' } },
    { name: 'short', expiration: at.clock.now / 1000 + 600 },
  ]);
  const value = await at.kv('GET', `/${id}/values/bytes`);
  expect([...value.bytes]).toEqual([0, 255]);
  const objects = await ask<object[]>(at, `/accounts/${accountId}/r2/buckets/assets/objects`);
  expect(objects).toMatchObject([{ key: 'a/logo.svg', last_modified: '2026-11-19T10:00:00.000Z' }]);
  const zones = await ask<{ id: string; name: string }[]>(at, '/zones');
  expect(zones.map(({ name }) => name)).toEqual(['saas.sandbox', 'customer.demo']);
  const settings = await ask<{ bindings: object[] }>(
    at,
    `/accounts/${accountId}/workers/scripts/greeter/settings`,
  );
  expect(settings.bindings).toContainEqual({ type: 'kv_namespace', name: 'KV', namespace_id: id });
});

test('creates hostnames in any state, and applies their dates afterward', async () => {
  const at = await open();
  await load(at, everything);
  const states = () =>
    readHostnames(at).then((all) =>
      Object.fromEntries([...all].map(([name, { status, ssl }]) => [name, `${status} ${ssl?.status}`])),
    );
  const placed = {
    'shop.demo': 'active active',
    'away.demo': 'moved active',
    'held.customer.demo': 'blocked pending_validation',
    'caa.demo': 'caa_error pending_issuance',
    'odd.demo': 'test_failed issuance_timed_out',
    'old.demo': 'active expired',
    'new.demo': 'pending initializing',
  };
  expect(await states()).toEqual({ ...placed, 'held.customer.demo': 'blocked initializing' });
  expect((await readHostnames(at)).get('away.demo')?.created_at).toBe('2026-11-16T10:00:00.000000Z');
  at.clock.now += 60 * 60 * 1000;
  expect(await states()).toMatchObject({ ...placed, 'new.demo': 'pending pending_validation' });
  at.clock.now += 2.5 * 24 * 60 * 60 * 1000;
  const later = await states();
  expect(later).toMatchObject({
    'shop.demo': 'active active',
    'caa.demo': 'caa_error pending_issuance',
  });
  expect(later['away.demo']).toBeUndefined();
  // The certificate was being renewed when it had three days left, and nothing has prevented the renewal.
  const renewed = (await readHostnames(at)).get('shop.demo')?.ssl?.expires_on ?? '';
  expect((Date.parse(renewed) - at.clock.now) / 86_400_000).toBeGreaterThan(80);
});

test('reports each error with its path and a suggestion, and then loads nothing', async () => {
  const at = await open();
  const faults = await readFaults(at, {
    namespaces: [
      { title: 'A', kyes: [] },
      { title: 'B', keys: [{ key: 'k', value: 1 }] },
    ],
    hostnames: [{ hostname: 'a.demo' }, { hostname: 'b.demo', status: 'activ' }],
    workers: [{ name: 'w', code: '', bindings: [{ type: 'kv_namespaces', name: 'KV' }] }],
    bukets: [],
  });
  expect(faults).toEqual([
    'namespaces[0].kyes: unknown field; did you mean keys?',
    'namespaces[1].keys[0].value: 1 is invalid: it must be a string',
    expect.stringMatching(
      /^workers\[0\]\.bindings\[0\]\.type: "kv_namespaces" is not one of .*; did you mean kv_namespace\?$/,
    ),
    expect.stringMatching(
      /^hostnames\[1\]\.status: "activ" is not one of active, .*; did you mean active\?$/,
    ),
    'bukets: unknown field; did you mean buckets?',
  ]);
  const deeper = await readFaults(at, {
    namespaces: [{ title: 'A' }, { title: 'A', keys: [{ key: '', value: '%', base64: true }] }],
    buckets: [{ name: 'No' }],
    zones: [
      {
        name: 'x.example',
        fallback_origin: 'o.x.example',
        records: [{ type: 'A', name: 'a', content: 'word' }],
      },
    ],
    hostnames: [
      { hostname: 'a.demo', zone: 'y.example' },
      { hostname: 'a.demo', zone: 'y.example' },
    ],
    workers: [{ name: 'w', code: '', bindings: [{ type: 'kv_namespace', name: 'KV', namespace: 'C' }] }],
  });
  const places = [
    'namespaces[1].title',
    'namespaces[1].keys[0].key',
    'namespaces[1].keys[0].value',
    'buckets[0].name',
  ];
  expect(deeper.map((fault) => fault.split(': ')[0])).toEqual([
    ...places,
    'zones[0].records[0]',
    'zones[0].fallback_origin',
    'workers[0].bindings[0].namespace',
    'hostnames[1].hostname',
    'hostnames[0].zone',
    'hostnames[1].zone',
  ]);
  expect(await ask(at, `/accounts/${at.sandbox.access().accountId}/storage/kv/namespaces`)).toEqual([]);
});

test('reports an invalid clock, and does not set it', async () => {
  const at = await open();
  const faults = await readFaults(at, { settings: { clock_offset: 'soon' } });
  expect(faults.join()).toContain('settings.clock_offset: "soon" is invalid');
  expect((await at.call('GET', '/sandbox/info')).status).toBe(200);
});

test('returns the same bytes for a snapshot of a sandbox that was loaded from a snapshot', async () => {
  const first = await open();
  await load(first, everything);
  await first.call('POST', '/sandbox/clock', { json: { seconds: 3600 } });
  const saved = await first.call('GET', '/sandbox/seed');
  await first.close();
  const second = await open();
  await load(second, { namespaces: [{ title: 'CONFIG' }], buckets: [{ name: 'other' }] });
  const seed = saved.envelope<Seed>().result;
  const again = await load(second, seed, '?replace=true');
  expect(again.status, again.text).toBe(200);
  const equal = (await second.call('GET', '/sandbox/seed')).text === saved.text;
  expect(equal).toBe(true);
  const states = await readHostnames(second);
  expect([...states.keys()]).toContain('shop.demo');
});

test('loads the demo data in another sandbox unchanged', async () => {
  const first = await open();
  await seedDemo(first.sandbox);
  const saved = (await first.call('GET', '/sandbox/seed')).envelope<Seed>().result;
  await first.close();
  const second = await open();
  const reply = await load(second, saved, '?replace=true');
  expect(reply.status, reply.text.slice(0, 500)).toBe(200);
  expect((await second.call('GET', '/sandbox/seed')).envelope<Seed>().result).toEqual(saved);
});

test('restores objects with their bytes', async () => {
  const at = await open();
  await load(at, everything);
  const seed = (await at.call('GET', '/sandbox/seed')).envelope<Seed>().result;
  expect(seed?.buckets?.[0]?.objects).toEqual([
    {
      key: 'a/logo.svg',
      body: '<svg/>',
      http_metadata: { contentType: 'image/svg+xml' },
      uploaded: '2026-11-19T10:00:00.000Z',
    },
  ]);
});

test('rejects a seed that conflicts with existing data, unless the seed replaces the data', async () => {
  const at = await open();
  const id = await at.create('CONFIG');
  const other = { namespaces: [{ title: 'CONFIG', id: 'f'.repeat(32) }] };
  expect(await readFaults(at, other)).toEqual([
    `namespaces[0].id: the sandbox has a namespace "CONFIG" with the id ${id}`,
  ]);
  expect((await load(at, other, '?replace=true')).status).toBe(200);
});

test('loads the seed in the help text', async () => {
  const shown = topicHelp('seed')
    .split('\n')
    .filter((line) => /^\w+: \[/.test(line));
  const at = await open();
  const reply = await load(at, parse(shown.join('\n')));
  expect(reply.envelope()).toMatchObject({ success: true, result: { keys: 1, objects: 1, hostnames: 1 } });
});

// "A signal still ends it": this also applies between two written chunks, and the data to be replaced is then unchanged.
test('stops writing a seed on a signal, and changes nothing if the seed would replace data', async () => {
  const at = await open();
  await at.create('BEFORE');
  const keys = Array.from({ length: 3000 }, (_, index) => ({ key: `k${index}`, value: 'v' }));
  const body = Buffer.from(JSON.stringify({ namespaces: [{ title: 'MANY', keys }] }));
  const ending = new AbortController();
  const { apiToken } = at.sandbox.access();
  const loaded = at.sandbox.send({
    method: 'PUT',
    path: '/sandbox/seed?replace=true',
    headers: { authorization: `Bearer ${apiToken}` },
    // The request is aborted after the seed was read; an earlier abort would stop the reading.
    body: async function* () {
      yield body;
      setImmediate(() => ending.abort());
    },
    repeatable: false,
    signal: ending.signal,
  });
  await expect(loaded).rejects.toMatchObject({ name: 'AbortError' });
  const titles = await ask<readonly { title: string }[]>(
    at,
    `/accounts/${at.sandbox.access().accountId}/storage/kv/namespaces`,
  );
  expect(titles.map(({ title }) => title)).toEqual(['BEFORE']);
});

// Before the limit existed, JSON.parse took a minute and a half for 42 MB of `[],`, during which the server was blocked, and the errors for
// a million places took a kilobyte each.
test('rejects a seed with too many values unparsed, and reports only the first of many errors', async () => {
  const at = await open();
  const many = await at.call('PUT', '/sandbox/seed', `[${'1,'.repeat(5_000_000)}1]`);
  expect([many.status, many.text]).toEqual([
    413,
    expect.stringContaining('seed has more than 5000000 values'),
  ]);
  const wrong = { namespaces: Array.from({ length: 10_001 }, () => 1) };
  expect(await readFaults(at, wrong)).toEqual([
    'namespaces[0]: 1 is invalid: it must be an object with fields',
  ]);
});
