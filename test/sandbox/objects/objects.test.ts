import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox, transports } from '../test-sandbox.ts';
import { type BucketCall, bucketCalls } from './test-sandbox.ts';

const md5 = (bytes: string | Uint8Array) => createHash('md5').update(bytes).digest('hex');

interface Row {
  readonly key: string;
}

describe.each(transports)('objects %s', (way) => {
  let place: TestSandbox;
  let call: BucketCall;
  beforeAll(async () => {
    place = await openTestSandbox(way);
    call = bucketCalls(place);
    await call('POST', '', { json: { name: 'assets' } });
  });
  afterAll(() => place.close());

  const at = (key: string) => `/assets/objects/${encodeURIComponent(key)}`;
  const keysOf = async (query: string) => {
    const { result, result_info } = (await call('GET', `/assets/objects${query}`)).envelope<Row[]>();
    return { keys: result?.map(({ key }) => key), info: result_info };
  };

  test('an upload answers with etag, size and version', async () => {
    const reply = (await call('PUT', at('told'), 'hello')).envelope();
    expect(reply.result).toEqual({
      key: 'told',
      etag: md5('hello'),
      size: '5',
      uploaded: '2026-11-21T10:00:00.000Z',
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
      storage_class: 'Standard',
    });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([255])],
    ['25 MB', randomBytes(25_000_000)],
  ])('%s is returned unchanged, with its length and etag', async (_, bytes) => {
    await call('PUT', at('bytes'), bytes);
    const reply = await call('GET', at('bytes'));
    expect(reply.bytes.equals(bytes)).toBe(true);
    expect(reply.headers).toMatchObject({
      'content-length': String(bytes.length),
      etag: `"${md5(bytes)}"`,
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
    });
  });

  test('HTTP and custom metadata are returned as headers, and in the list', async () => {
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'attachment; filename="a.html"',
      'content-encoding': 'identity',
      'content-language': 'de',
      'cache-control': 'max-age=60',
      expires: 'Fri, 01 Jan 2027 00:00:00 GMT',
    };
    const custom = JSON.stringify({ plan: 'pro', größe: 'XL' }).replace('öß', '\\u00f6\\u00df');
    await call('PUT', at('meta'), 'x', { ...headers, 'cf-r2-custom-metadata': custom });
    const reply = await call('GET', at('meta'));
    expect(reply.headers).toMatchObject({ ...headers, 'cf-r2-storage-class': 'Standard' });
    expect(JSON.parse(reply.headers['cf-r2-custom-metadata'] ?? '')).toEqual({ plan: 'pro', größe: 'XL' });
    const [row] = (await call('GET', '/assets/objects?prefix=meta')).envelope<object[]>().result ?? [];
    expect(row).toEqual({
      key: 'meta',
      size: 1,
      etag: md5('x'),
      last_modified: '2026-11-21T10:00:00.000Z',
      http_metadata: {
        contentType: headers['content-type'],
        contentDisposition: headers['content-disposition'],
        contentEncoding: 'identity',
        contentLanguage: 'de',
        cacheControl: 'max-age=60',
        cacheExpiry: '2027-01-01T00:00:00.000Z',
      },
      custom_metadata: { plan: 'pro', größe: 'XL' },
      ssec: false,
      storage_class: 'Standard',
    });
    const facts = await call('GET', at('meta'), undefined, { 'cf-metadata-only': 'true' });
    expect(facts.envelope().result).toEqual(row);
  });

  test.each([
    ['cf-r2-custom-metadata', '{"a":1}', 10029],
    ['cf-r2-custom-metadata', '[]', 10029],
    ['cf-r2-custom-metadata', '{', 10029],
    ['cf-r2-custom-metadata', JSON.stringify({ a: 'x'.repeat(8192) }), 10012],
    ['expires', 'tomorrow', 10029],
    ['cf-r2-storage-class', 'Cold', 10040],
  ])('an upload with the header %s of %.20s is rejected', async (name, value, code) => {
    const reply = await call('PUT', at('refused'), 'x', { [name]: value });
    expect([reply.status, reply.code]).toEqual([400, code]);
    expect((await call('GET', at('refused'))).status).toBe(404);
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
    ['bytes=4-2', 200, '0123456789', undefined],
  ])('a read of the range %s returns %i', async (range, status, text, contentRange) => {
    await call('PUT', at('range'), '0123456789');
    const reply = await call('GET', at('range'), undefined, { range });
    expect([reply.status, reply.text, reply.headers['content-range']]).toEqual([status, text, contentRange]);
    expect(reply.headers['content-length']).toBe(String(text.length));
  });

  test.each(['bytes=10-', 'bytes=-0'])('the range %s of ten bytes is rejected with 416', async (range) => {
    await call('PUT', at('range'), '0123456789');
    const reply = await call('GET', at('range'), undefined, { range });
    expect([reply.status, reply.code]).toEqual([416, 10039]);
  });

  const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
  const earlier = 'Sat, 21 Nov 2026 09:59:59 GMT';
  test.each([
    [{ 'if-none-match': `"${md5('x')}"` }, 304],
    [{ 'if-none-match': `W/"${md5('x')}", "b"` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-match': `"${md5('x')}"` }, 200],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-modified-since': date }, 304],
    [{ 'if-modified-since': earlier }, 200],
    [{ 'if-unmodified-since': date }, 200],
    [{ 'if-unmodified-since': earlier }, 412],
    [{ 'if-none-match': '"other"', 'if-modified-since': date }, 200],
  ])('a read with the condition %j returns %i', async (headers, status) => {
    await call('PUT', at('condition'), 'x');
    const reply = await call('GET', at('condition'), undefined, headers);
    expect([reply.status, reply.text.length > 0]).toEqual([status, status !== 304]);
    if (status === 304) expect(reply.headers['etag']).toBe(`"${md5('x')}"`);
    if (status === 412) expect(reply.code).toBe(10031);
  });

  test('a write whose condition is not met changes nothing', async () => {
    const once = { 'if-none-match': '*' };
    expect((await call('PUT', at('once'), 'first', once)).status).toBe(200);
    const again = await call('PUT', at('once'), 'second', once);
    expect([again.status, again.code]).toEqual([412, 10031]);
    expect((await call('PUT', at('once'), 'third', { 'if-match': '"other"' })).status).toBe(412);
    expect((await call('GET', at('once'))).text).toBe('first');
    const match = { 'if-match': `"${md5('first')}"` };
    expect((await call('PUT', at('once'), 'fourth', match)).status).toBe(200);
  });

  test.each([
    'a/b/c',
    'a/../b',
    'what?is=this#here',
    'percent%2Fencoded',
    '...',
    'a\\b',
    'a//b/',
    '/absolute',
    ' ',
    'line\nbreak\u001b[31m',
    'two  words',
    '日本語',
    '👩🏽‍🚀',
    '__proto__',
    'x'.repeat(1024),
    'ü'.repeat(512),
  ])('the key %j addresses one object', async (key) => {
    const { result } = (await call('PUT', at(key), `value of ${key}`)).envelope<Row>();
    expect(result?.key).toBe(key);
    expect((await call('GET', at(key))).text).toBe(`value of ${key}`);
    expect((await keysOf(`?prefix=${encodeURIComponent(key)}`)).keys).toContain(key);
    await call('DELETE', at(key));
    expect((await call('GET', at(key))).status).toBe(404);
  });

  test('raw slashes in a path are part of the key', async () => {
    await call('PUT', '/assets/objects/raw/a//b', 'slashes');
    expect((await call('GET', at('raw/a//b'))).text).toBe('slashes');
  });

  test.each(['.', '..', '%2e', '%2E%2e', 'a/../b', 'a/%2e%2e', '%', '%ff'])(
    'the path segment %s is rejected and reaches no other path',
    async (segment) => {
      for (const method of ['PUT', 'GET', 'DELETE'] as const) {
        const reply = await call(method, `/assets/objects/${segment}`, method === 'PUT' ? 'x' : undefined);
        expect([reply.status, reply.envelope().success]).toEqual([400, false]);
      }
      expect((await call('GET', '/assets')).status).toBe(200);
    },
  );

  test.each([
    ['1,025 bytes', `${'ü'.repeat(512)}x`],
    ['no bytes', ''],
  ])('a key of %s is rejected with 10020', async (_, key) => {
    expect((await call('PUT', at(key), 'x')).code).toBe(10020);
  });

  test('returns 404 and 10007 for a missing object, and 10006 for a missing bucket; deleting a missing object succeeds', async () => {
    const missing = await call('GET', at('missing'));
    expect([missing.status, missing.code]).toEqual([404, 10007]);
    expect((await call('DELETE', at('missing'))).envelope()).toMatchObject({ result: { key: 'missing' } });
    for (const [method, path] of [
      ['GET', '/nowhere/objects/k'],
      ['PUT', '/nowhere/objects/k'],
      ['DELETE', '/nowhere/objects/k'],
      ['GET', '/nowhere/objects'],
    ] as const) {
      const reply = await call(method, path, method === 'PUT' ? 'x' : undefined);
      expect([reply.status, reply.code]).toEqual([404, 10006]);
    }
    expect((await call('GET', '/Bad_Name/objects')).code).toBe(10005);
  });

  test('lists page by cursor, by prefix, after a key, and grouped by a delimiter', async () => {
    await call('POST', '', { json: { name: 'listed' } });
    const all = ['a', 'b/1', 'b/2', 'b/c/3', 'd', ...Array.from({ length: 20 }, (_, n) => `e/${n + 10}`)];
    for (const key of all) await call('PUT', `/listed/objects/${encodeURIComponent(key)}`, key);
    const list = async (query: string) => {
      const { result, result_info } = (await call('GET', `/listed/objects${query}`)).envelope<Row[]>();
      return { keys: result?.map(({ key }) => key), info: result_info };
    };
    const first = await list('');
    expect(first.keys).toEqual(all.slice(0, 20));
    expect(first.info).toMatchObject({ is_truncated: true, per_page: 20 });
    const second = await list(`?cursor=${first.info?.cursor}`);
    expect(second).toEqual({ keys: all.slice(20), info: { is_truncated: false, per_page: 20 } });
    expect((await list('?prefix=b/')).keys).toEqual(['b/1', 'b/2', 'b/c/3']);
    expect((await list('?start_after=e/27')).keys).toEqual(['e/28', 'e/29']);
    const root = await list('?delimiter=/');
    expect(root).toMatchObject({ keys: ['a', 'd'], info: { delimited: ['b/', 'e/'], is_truncated: false } });
    const one = await list('?delimiter=/&per_page=2');
    expect(one).toMatchObject({ keys: ['a'], info: { delimited: ['b/'], is_truncated: true } });
    const rest = await list(`?delimiter=/&per_page=2&cursor=${one.info?.cursor}`);
    expect(rest).toMatchObject({ keys: ['d'], info: { delimited: ['e/'], is_truncated: false } });
    expect(await list('?delimiter=/&prefix=b/')).toMatchObject({
      keys: ['b/1', 'b/2'],
      info: { delimited: ['b/c/'] },
    });
  });

  test.each(['per_page=0', 'per_page=1001', 'per_page=x', 'cursor=%21'])(
    'the list ?%s is rejected',
    async (query) => {
      expect((await call('GET', `/assets/objects?${query}`)).status).toBe(400);
    },
  );

  test('several objects are deleted together', async () => {
    const keys = ['many/1', 'many/2', 'many/../3'];
    for (const key of keys) await call('PUT', at(key), key);
    const reply = await call('DELETE', '/assets/objects', { json: [...keys, 'never there'] });
    expect(reply.envelope().result).toEqual([...keys, 'never there'].map((key) => ({ key })));
    expect((await keysOf('?prefix=many/')).keys).toEqual([]);
    for (const body of ['[]', '{}', '[1]', JSON.stringify(Array(1001).fill('k'))]) {
      expect((await call('DELETE', '/assets/objects', body)).status).toBe(400);
    }
  });
});

describe('objects over a socket', () => {
  let place: TestSandbox;
  let port: number;
  let headers: Record<string, string>;
  let path: string;
  beforeAll(async () => {
    place = await openTestSandbox('over a socket');
    await bucketCalls(place)('POST', '', { json: { name: 'assets' } });
    const { accountId, apiToken } = place.sandbox.access();
    port = Number(new URL(place.apiBaseUrl).port);
    headers = { authorization: `Bearer ${apiToken}` };
    path = `/client/v4/accounts/${accountId}/r2/buckets/assets/objects/k`;
  });
  afterAll(() => place.close());

  const openFiles = () =>
    readdirSync('/proc/self/fd', { withFileTypes: true }).filter((entry) => entry.isSymbolicLink()).length;

  test('a HEAD has the headers of a GET and no body, and closes the file', async () => {
    await bucketCalls(place)('PUT', '/assets/objects/k', randomBytes(500_000));
    const head = () => {
      const { promise, resolve, reject } = Promise.withResolvers<[number, string, number]>();
      const sent = request({ host: '127.0.0.1', port, path, method: 'HEAD', headers }, (answer) => {
        let length = 0;
        answer.on('data', (chunk: Buffer) => {
          length += chunk.length;
        });
        answer.on('end', () =>
          resolve([answer.statusCode ?? 0, answer.headers['content-length'] ?? '', length]),
        );
      });
      sent.on('error', reject);
      sent.end();
      return promise;
    };
    expect(await head()).toEqual([200, '500000', 0]);
    const before = openFiles();
    for (let count = 0; count < 30; count += 1) await head();
    await expect.poll(openFiles).toBeLessThan(before + 10);
  });

  test('an aborted upload leaves the object unchanged, and leaves no file', async () => {
    const call = bucketCalls(place);
    await call('PUT', '/assets/objects/k', 'whole');
    const blobs = join(place.folder, 'v3/r2/assets/blobs');
    const before = readdirSync(blobs);
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'PUT',
      headers: { ...headers, 'content-length': '1000000' },
    });
    sent.on('error', () => undefined);
    sent.write(randomBytes(300_000));
    await expect.poll(() => readdirSync(blobs).length).toBe(before.length + 1);
    sent.destroy();
    await expect.poll(() => readdirSync(blobs)).toEqual(before);
    expect((await call('GET', '/assets/objects/k')).text).toBe('whole');
  });

  test('a body of more than 300 MiB is rejected before it is read', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const length = String(302 * 1024 * 1024);
    const sent = request(
      { host: '127.0.0.1', port, path, method: 'PUT', headers: { ...headers, 'content-length': length } },
      (answer) => resolve(answer.statusCode ?? 0),
    );
    sent.on('error', () => undefined);
    sent.flushHeaders();
    expect(await promise).toBe(413);
    sent.destroy();
  });
});
