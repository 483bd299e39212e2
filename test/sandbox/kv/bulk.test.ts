import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox, transports } from '../test-sandbox.ts';

describe.each(transports)('bulk operations %s', (way) => {
  let place: TestSandbox;
  let ns: string;
  beforeAll(async () => {
    place = await openTestSandbox(way);
    ns = `/${await place.create()}`;
  });
  afterAll(() => place.close());

  const put = (json: unknown) => place.kv('PUT', `${ns}/bulk`, { json });
  const get = (json: unknown) => place.kv('POST', `${ns}/bulk/get`, { json });
  const unixSeconds = () => Math.floor(place.clock.now / 1000);

  test('stores values, base64 bytes, metadata and expiry', async () => {
    const reply = await put([
      { key: 'text', value: 'ü' },
      { key: 'bytes', value: '/wAB', base64: true },
      { key: 'tagged', value: '{"a":1}', metadata: { tag: 1 }, expiration_ttl: 60 },
      { key: 'both', value: '', expiration_ttl: 120, expiration: 1 },
    ]);
    expect(reply.envelope().result).toEqual({ successful_key_count: 4, unsuccessful_keys: [] });
    expect((await place.kv('GET', `${ns}/values/bytes`)).bytes).toEqual(Buffer.from([255, 0, 1]));
    expect((await place.kv('GET', `${ns}/keys`)).envelope().result).toEqual([
      { name: 'both', expiration: unixSeconds() + 120 },
      { name: 'bytes' },
      { name: 'tagged', expiration: unixSeconds() + 60, metadata: { tag: 1 } },
      { name: 'text' },
    ]);
  });

  test('stores the last of several equal keys', async () => {
    await put([
      { key: 'twice', value: 'first' },
      { key: 'twice', value: 'second' },
    ]);
    expect((await place.kv('GET', `${ns}/values/twice`)).text).toBe('second');
  });

  test.each([
    ['an object', { key: 'a', value: 'b' }, 400],
    ['an entry without key', [{ value: 'b' }], 400],
    ['an entry without value', [{ key: 'a' }], 400],
    ['a value that is not a string', [{ key: 'a', value: 1 }], 400],
    ['an entry that is not an object', ['a'], 400],
    ['an empty key', [{ key: '', value: 'b' }], 400],
    ['the key ..', [{ key: '..', value: 'b' }], 400],
    ['a key of 513 bytes', [{ key: 'x'.repeat(513), value: 'b' }], 414],
    ['half a surrogate pair', [{ key: '\ud800', value: 'b' }], 400],
    ['invalid base64', [{ key: 'a', value: '***', base64: true }], 400],
    ['a short ttl', [{ key: 'a', value: 'b', expiration_ttl: 59 }], 400],
    ['a ttl in words', [{ key: 'a', value: 'b', expiration_ttl: '60' }], 400],
    ['an expiration in the past', [{ key: 'a', value: 'b', expiration: 100 }], 400],
    ['long metadata', [{ key: 'a', value: 'b', metadata: { x: 'y'.repeat(1024) } }], 413],
  ])('rejects all entries of a bulk put with %s', async (_, json, status) => {
    const entries = Array.isArray(json) ? [{ key: 'good', value: 'x' }, ...json] : json;
    expect((await put(entries)).status).toBe(status);
    expect((await place.kv('GET', `${ns}/values/good`)).status).toBe(404);
  });

  test.each(['', '[', '{"a":1}x', 'null', '"text"', '\u0000'])(
    'rejects the body %j with 10012',
    async (body) => {
      for (const [method, path] of [
        ['PUT', '/bulk'],
        ['DELETE', '/bulk'],
        ['POST', '/bulk/delete'],
        ['POST', '/bulk/get'],
      ] as const) {
        const reply = await place.kv(method, `${ns}${path}`, body);
        expect([reply.status, reply.code]).toEqual([400, 10012]);
      }
    },
  );

  // The platform accepts up to 10,000 entries. Before the limit existed, JSON.parse took a minute for 100 MiB of small values, and no
  // signal could stop it.
  test('rejects a body with more values than can be parsed in a second, without parsing it', async () => {
    const body = `[${'"",'.repeat(999_998)}""]`;
    const refused = await place.kv('PUT', `/${await place.create()}/bulk`, body);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('at most 10000 keys')]);
    const more = await place.kv('PUT', `/${await place.create()}/bulk`, `["","",${body.slice(1)}`);
    expect([more.status, more.text]).toEqual([413, expect.stringContaining('more than 1000000 values')]);
  });

  test('rejects a body that is not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('[{"key":"a","value":"'),
      Buffer.from([0xff]),
      Buffer.from('"}]'),
    ]);
    expect((await place.kv('PUT', `${ns}/bulk`, body)).code).toBe(10012);
  });

  test('stores 10,000 entries and rejects 10,001', async () => {
    const entries = Array.from({ length: 10_001 }, (_, index) => ({
      key: `many/${index}`,
      value: String(index),
    }));
    expect((await put(entries)).status).toBe(400);
    const reply = await put(entries.slice(1));
    expect(reply.envelope().result).toEqual({ successful_key_count: 10_000, unsuccessful_keys: [] });
    expect((await place.kv('GET', `${ns}/values/many%2F10000`)).text).toBe('10000');
  });

  test.each([
    ['POST', '/bulk/delete'],
    ['DELETE', '/bulk'],
  ] as const)('deletes the named keys through %s %s, and ignores missing keys', async (method, path) => {
    await put([
      { key: 'stay', value: '1' },
      { key: 'go', value: '2' },
    ]);
    const reply = await place.kv(method, `${ns}${path}`, { json: ['go', 'never-there'] });
    expect(reply.envelope().result).toEqual({ successful_key_count: 2, unsuccessful_keys: [] });
    const after = await get({ keys: ['stay', 'go'] });
    expect(after.envelope().result).toEqual({ values: { stay: '1', go: null } });
    expect((await place.kv(method, `${ns}${path}`, { json: [{ name: 'stay' }] })).status).toBe(400);
  });

  test('returns text, JSON and metadata', async () => {
    await put([
      { key: 'plain', value: '{"n":[1,null]}' },
      { key: 'rich', value: '7', metadata: { m: 1 }, expiration_ttl: 60 },
      { key: '__proto__', value: 'own' },
    ]);
    const keys = ['plain', 'rich', 'missing'];
    expect((await get({ keys })).envelope().result).toEqual({
      values: { plain: '{"n":[1,null]}', rich: '7', missing: null },
    });
    expect((await get({ keys, type: 'json' })).envelope().result).toEqual({
      values: { plain: { n: [1, null] }, rich: 7, missing: null },
    });
    expect((await get({ keys, withMetadata: true })).envelope().result).toEqual({
      values: {
        plain: { value: '{"n":[1,null]}', metadata: null },
        rich: { value: '7', metadata: { m: 1 }, expiration: unixSeconds() + 60 },
        missing: null,
      },
    });
    expect((await get({ keys: ['__proto__'] })).text).toContain('{"values":{"__proto__":"own"}}');
  });

  test('reads between 1 and 100 keys, and up to 25 MiB', async () => {
    const keys = Array.from({ length: 101 }, (_, index) => `k${index}`);
    expect((await get({ keys })).status).toBe(400);
    expect((await get({ keys: keys.slice(1) })).status).toBe(200);
    expect((await get({ keys: [] })).code).toBe(10029);
    expect((await get({ keys: ['a'], type: 'xml' })).status).toBe(400);
    const half = 'x'.repeat(13 * 1024 * 1024);
    await put([
      { key: 'half-1', value: half },
      { key: 'half-2', value: half },
    ]);
    expect((await get({ keys: ['half-1'] })).status).toBe(200);
    expect((await get({ keys: ['half-1', 'half-2'] })).status).toBe(413);
  });

  test('rejects a value that is not JSON with type json', async () => {
    await put([{ key: 'words', value: 'no json' }]);
    expect((await get({ keys: ['words'], type: 'json' })).status).toBe(400);
  });
});
