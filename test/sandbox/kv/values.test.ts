import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox, transports } from '../test-sandbox.ts';

const second = 1000;

describe.each(transports)('values %s', (way) => {
  let place: TestSandbox;
  let ns: string;
  beforeAll(async () => {
    place = await openTestSandbox(way);
    ns = `/${await place.create()}`;
  });
  afterAll(() => place.close());

  const at = (key: string) => `${ns}/values/${encodeURIComponent(key)}`;
  const unixSeconds = () => Math.floor(place.clock.now / second);

  test.each([
    ['plain text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['text that looks like an envelope', Buffer.from('{"success":false,"errors":[]}')],
  ])('a value that contains %s is returned unchanged', async (_, value) => {
    expect((await place.kv('PUT', at('bytes'), value)).envelope()).toMatchObject({
      success: true,
      result: {},
    });
    const reply = await place.kv('GET', at('bytes'));
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/octet-stream');
    expect(reply.bytes).toEqual(value);
  });

  test('a form content type other than multipart is stored unchanged', async () => {
    await place.kv('PUT', at('form'), 'a=1&b=2', { 'content-type': 'application/x-www-form-urlencoded' });
    expect((await place.kv('GET', at('form'))).text).toBe('a=1&b=2');
  });

  test('a missing key returns 404 and 10009', async () => {
    const reply = await place.kv('GET', at('missing'));
    expect(reply.status).toBe(404);
    expect(reply.envelope().errors).toEqual([{ code: 10009, message: "get: 'key not found'" }]);
    expect((await place.kv('GET', `${ns}/metadata/missing`)).code).toBe(10009);
  });

  test('a delete removes a key, and succeeds for a missing key', async () => {
    await place.kv('PUT', at('doomed'), 'x');
    expect((await place.kv('DELETE', at('doomed'))).status).toBe(200);
    expect((await place.kv('GET', at('doomed'))).status).toBe(404);
    expect((await place.kv('DELETE', at('doomed'))).envelope().success).toBe(true);
  });

  test.each([
    'a/b/c',
    'what?is=this#here',
    'percent%2Fencoded',
    '../up',
    '...',
    'a\\b',
    'a//b/',
    ' ',
    'line\nbreak\u001b[31m',
    '日本語',
    '👩🏽‍🚀',
    '__proto__',
    'x'.repeat(512),
    'ü'.repeat(256),
  ])('the key %j addresses one key', async (key) => {
    await place.kv('PUT', at(key), `value of ${key}`);
    expect((await place.kv('GET', at(key))).text).toBe(`value of ${key}`);
    const list = await place.kv('GET', `${ns}/keys?prefix=${encodeURIComponent(key)}`);
    expect(list.envelope<{ name: string }[]>().result?.map(({ name }) => name)).toEqual([key]);
    await place.kv('DELETE', at(key));
  });

  test('raw slashes in a path are part of the key', async () => {
    await place.kv('PUT', `${ns}/values/raw/a//b`, 'slashes');
    expect((await place.kv('GET', at('raw/a//b'))).text).toBe('slashes');
  });

  test.each(['.', '..', '%2e', '%2E%2e', 'a/../b', 'a/%2e%2e', '%', '%ff'])(
    'the path segment %s is rejected and reaches no other path',
    async (segment) => {
      for (const method of ['PUT', 'GET', 'DELETE'] as const) {
        const reply = await place.kv(method, `${ns}/values/${segment}`, method === 'PUT' ? 'x' : undefined);
        expect([reply.status, reply.envelope().success]).toEqual([400, false]);
      }
      expect((await place.kv('GET', ns)).status).toBe(200);
    },
  );

  test('a key of 513 bytes is rejected with 414, an empty key with 400', async () => {
    expect((await place.kv('PUT', at(`${'ü'.repeat(256)}x`), 'v')).status).toBe(414);
    expect((await place.kv('PUT', at(''), 'v')).status).toBe(400);
  });

  test('an expiring key reports its expiration and is then deleted', async () => {
    const expiration = unixSeconds() + 60;
    await place.kv('PUT', `${at('by-time')}?expiration=${expiration}`, 'v');
    await place.kv('PUT', `${at('by-ttl')}?expiration_ttl=60`, 'v');
    for (const key of ['by-time', 'by-ttl']) {
      expect((await place.kv('GET', at(key))).headers['expiration']).toBe(String(expiration));
    }
    place.clock.now += 59 * second;
    expect((await place.kv('GET', at('by-ttl'))).status).toBe(200);
    place.clock.now += second;
    for (const key of ['by-time', 'by-ttl']) expect((await place.kv('GET', at(key))).status).toBe(404);
    place.clock.now += 1;
    const list = await place.kv('GET', `${ns}/keys?prefix=by-`);
    expect(list.envelope().result).toEqual([]);
  });

  test('a ttl overrides an expiration, which is then not checked', async () => {
    await place.kv('PUT', `${at('both')}?expiration_ttl=90&expiration=1`, 'v');
    expect((await place.kv('GET', at('both'))).headers['expiration']).toBe(String(unixSeconds() + 90));
  });

  test('rewriting a key without an expiry makes it permanent', async () => {
    await place.kv('PUT', `${at('again')}?expiration_ttl=60`, 'v');
    await place.kv('PUT', at('again'), 'v');
    expect((await place.kv('GET', at('again'))).headers['expiration']).toBeUndefined();
  });

  test.each([
    ['expiration_ttl=59', 10034],
    ['expiration_ttl=0', 10034],
    ['expiration_ttl=-60', 10034],
    ['expiration_ttl=abc', 10034],
    ['expiration_ttl=60.5', 10034],
    ['expiration_ttl=9007199254740991', 10034],
    ['expiration=1', 10033],
    ['expiration=soon', 10033],
    ['expiration=9007199254740991', 10033],
  ])('a write with %s is rejected and stores nothing', async (query, code) => {
    const reply = await place.kv('PUT', `${at('refused')}?${query}`, 'v');
    expect([reply.status, reply.code]).toEqual([400, code]);
    expect((await place.kv('GET', at('refused'))).status).toBe(404);
  });

  test('a value of 25 MiB is stored, and a value with one more byte is rejected with 413', async () => {
    const largest = randomBytes(25 * 1024 * 1024);
    expect((await place.kv('PUT', at('large'), largest)).status).toBe(200);
    expect((await place.kv('GET', at('large'))).bytes.equals(largest)).toBe(true);
    const larger = await place.kv('PUT', at('large'), Buffer.concat([largest, Buffer.alloc(1)]));
    expect(larger.status).toBe(413);
    expect((await place.kv('GET', at('large'))).bytes.length).toBe(largest.length);
  });

  describe('values in a multipart form', () => {
    const type = 'multipart/form-data; boundary=line';

    function form(parts: Record<string, Buffer | string>): Buffer {
      const written = Object.entries(parts).flatMap(([name, body]) => [
        Buffer.from(`--line\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
        Buffer.from(body),
        Buffer.from('\r\n'),
      ]);
      return Buffer.concat([...written, Buffer.from('--line--\r\n')]);
    }

    const put = (key: string, parts: Record<string, Buffer | string>, query = '') =>
      place.kv('PUT', `${at(key)}${query}`, form(parts), { 'content-type': type });

    test('a value in a multipart form keeps its bytes and its metadata', async () => {
      const value = Buffer.from([0, 255, 13, 10, 45, 45, 254]);
      await put('form-value', { value, metadata: '{"a":[1,"ü"]}' });
      expect((await place.kv('GET', at('form-value'))).bytes).toEqual(value);
      expect((await place.kv('GET', `${ns}/metadata/form-value`)).envelope().result).toEqual({ a: [1, 'ü'] });
      const listed = (await place.kv('GET', `${ns}/keys?prefix=form-value`)).envelope().result;
      expect(listed).toEqual([{ name: 'form-value', metadata: { a: [1, 'ü'] } }]);
    });

    test('reads the expiry of a form upload from the form or from the query', async () => {
      await put('form-ttl', { value: 'v', expiration_ttl: '120' });
      expect((await place.kv('GET', at('form-ttl'))).headers['expiration']).toBe(String(unixSeconds() + 120));
      await put('form-query', { value: 'v' }, '?expiration_ttl=180');
      expect((await place.kv('GET', at('form-query'))).headers['expiration']).toBe(
        String(unixSeconds() + 180),
      );
    });

    test('metadata in a form is null if it is null or absent', async () => {
      await put('no-metadata', { value: 'v', metadata: 'null' });
      expect((await place.kv('GET', `${ns}/metadata/no-metadata`)).envelope().result).toBeNull();
    });

    test.each([
      ['no value', { metadata: '{}' }, 400],
      ['metadata that is not JSON', { value: 'v', metadata: '{' }, 400],
      [
        'metadata nested 100,000 levels deep',
        { value: 'v', metadata: '['.repeat(1e5) + ']'.repeat(1e5) },
        413,
      ],
      ['metadata of more than 1,024 bytes', { value: 'v', metadata: JSON.stringify('x'.repeat(1023)) }, 413],
    ])('a form with %s is rejected', async (_, parts, status) => {
      expect((await put('bad-form', parts as Record<string, string>)).status).toBe(status);
      expect((await place.kv('GET', at('bad-form'))).status).toBe(404);
    });

    test('a truncated form is rejected', async () => {
      const cut = form({ value: 'hello' }).subarray(0, -12);
      expect((await place.kv('PUT', at('cut'), cut, { 'content-type': type })).code).toBe(10012);
      expect((await place.kv('GET', at('cut'))).status).toBe(404);
    });

    test('a value of 25 MiB in a form is stored, and a value with one more byte is rejected with 413', async () => {
      const largest = randomBytes(25 * 1024 * 1024);
      expect((await put('large-form', { value: largest, metadata: '{}' })).status).toBe(200);
      expect((await place.kv('GET', at('large-form'))).bytes.equals(largest)).toBe(true);
      expect((await put('large-form', { value: Buffer.concat([largest, Buffer.alloc(1)]) })).status).toBe(
        413,
      );
    });
  });
});
