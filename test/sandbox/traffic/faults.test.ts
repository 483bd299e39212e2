import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { matchesRoute } from '../../../src/sandbox/traffic/match.ts';
import { followRequests } from '../../../src/services/sandbox/traffic.ts';
import { openClient } from './client.ts';

let client: Awaited<ReturnType<typeof openClient>>;

beforeEach(async () => {
  client = await openClient();
  onTestFinished(client.close);
});

const put = (key: string, body: string) =>
  client.ask(`${client.keys}/values/${key}`, { method: 'PUT', body });
const get = async (key: string) => (await client.ask(`${client.keys}/values/${key}`)).text();

test.each([
  '/**',
  'GET /zones/**',
  'PUT /**/values/*',
  '* /client/v4/accounts/*/storage/kv/namespaces',
  'GET /accounts/*/storage/kv/namespaces/*/values/a/b',
  'PATCH /zones/z/custom_hostnames/*',
  'PUT /any-bucket/key',
])('matches a route with the filter %s', (match) => {
  expect(matchesRoute(match)).toBe(true);
});

test('answers with a status, its Retry-After and a page, the requested number of times', async () => {
  await client.fault({ match: 'GET /zones', status: 502, body: 'html', retryAfter: 3, times: 2 });
  const first = await client.ask('/zones');
  expect([first.status, first.headers.get('retry-after'), first.headers.get('content-type')]).toEqual([
    502,
    '3',
    'text/html; charset=UTF-8',
  ]);
  expect((await client.ask('/zones')).status).toBe(502);
  expect((await client.ask('/zones')).status).toBe(200);
  const [fault] = (await client.json('/sandbox/faults')).result;
  expect(fault).toMatchObject({ id: '1', met: 2, times: 2 });
});

test.each([
  ['GET /zones', false],
  ['PUT /accounts/*/storage/kv/**', true],
  ['* /client/v4/accounts/**/values/a', true],
  ['/accounts/*/values/a', false],
  ['/**/a', true],
  ['/**', true],
])('matches the write of a key with the filter %s: %s', async (match, meets) => {
  await client.fault({ match, status: 500 });
  expect((await put('a', '1')).status === 500).toBe(meets);
});

test('applies a fault for a share of requests to the same requests with the same seed', async () => {
  const statuses = async (seed: number) => {
    await client.json('/sandbox/faults', { method: 'DELETE' });
    await client.fault({ match: 'GET /zones', status: 500, share: 0.5, seed });
    const all: number[] = [];
    for (let at = 0; at < 20; at += 1) all.push((await client.ask('/zones')).status);
    return all.join(' ');
  };
  const first = await statuses(7);
  expect(first).toContain('200');
  expect(first).toContain('500');
  expect(await statuses(7)).toBe(first);
  expect(await statuses(8)).not.toBe(first);
});

test('drops the connection before the operation, after it, or within the answer', async () => {
  await client.fault({ match: 'PUT /**/before', cut: 'before' });
  await client.fault({ match: 'PUT /**/after', cut: 'after' });
  await expect(put('before', 'x')).rejects.toThrow('fetch failed');
  await expect(put('after', 'a longer value')).rejects.toThrow('fetch failed');
  expect((await client.ask(`${client.keys}/values/before`)).status).toBe(404);
  expect(await get('after')).toBe('a longer value');
  await client.fault({ match: 'GET /**/after', cut: 'in' });
  await expect(get('after')).rejects.toThrow('terminated');
  await client.fault({ match: 'GET /zones', cut: 'in' });
  // The client knows the full length in advance.
  const cut = await client.ask('/zones');
  expect(Number(cut.headers.get('content-length'))).toBeGreaterThan(100);
  await expect(cut.text()).rejects.toThrow('terminated');
  expect((await client.log('?status=cut')).map(({ path }) => path.split('/').at(-1))).toEqual([
    'before',
    'after',
  ]);
});

test('corrupts a body and keeps the status', async () => {
  const bodies: string[] = [];
  for (const body of ['truncated', 'wrong', 'empty'] as const) {
    await client.json('/sandbox/faults', { method: 'DELETE' });
    await client.fault({ match: '/zones', body });
    const answer = await client.ask('/zones');
    expect(answer.status).toBe(200);
    bodies.push(await answer.text());
  }
  expect(bodies.slice(1)).toEqual(['{"unexpected":["shape"]}', '']);
  expect(() => JSON.parse(bodies[0] ?? '')).toThrow(SyntaxError);
});

test('writes some keys of a bulk call, and lists the unwritten keys', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `key${at}`);
  const entries = names.map((key) => ({ key, value: 'x' }));
  await client.fault({ match: 'PUT /**/bulk', unsuccessfulKeys: 0.3, seed: 3 });
  const { result } = await client.json(`${client.keys}/bulk`, {
    method: 'PUT',
    body: JSON.stringify(entries),
  });
  const failed = new Set<string>(result.unsuccessful_keys);
  expect(failed.size).toBeGreaterThan(5);
  expect(result.successful_key_count).toBe(50 - failed.size);
  const listed = (await client.json(`${client.keys}/keys`)).result.map(({ name }: { name: string }) => name);
  expect(new Set(listed)).toEqual(new Set(names.filter((name) => !failed.has(name))));
});

test('returns stale values, including a missing key, until the fault ends', async () => {
  await client.fault({ match: 'GET /**/values/*', stale: 60 });
  await put('a', 'old');
  expect(await get('a')).toBe('old');
  expect((await client.ask(`${client.keys}/values/b`)).status).toBe(404);
  await put('a', 'new');
  await put('b', 'here');
  client.clock.now += 59_000;
  expect(await get('a')).toBe('old');
  expect((await client.ask(`${client.keys}/values/b`)).status).toBe(404);
  client.clock.now += 1000;
  expect([await get('a'), await get('b')]).toEqual(['new', 'here']);
});

test('limits the page size, and all pages can still be read', async () => {
  for (let at = 0; at < 11; at += 1) await put(`key${at + 10}`, 'x');
  await client.fault({ match: 'GET /**/keys', pageSize: 10 });
  const first = await client.json(`${client.keys}/keys?limit=1000`);
  expect(first.result).toHaveLength(10);
  const rest = await client.json(`${client.keys}/keys?limit=1000&cursor=${first.result_info.cursor}`);
  expect(rest.result).toMatchObject([{ name: 'key20' }]);
});

test('rejects requests for one path that are too frequent, and reports when to retry', async () => {
  await client.fault({ match: 'PUT /**', rate: { requests: 1, seconds: 10, per: 'path' } });
  expect((await put('a', '1')).status).toBe(200);
  client.clock.now += 4000;
  const refused = await put('a', '2');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6']);
  expect((await put('b', '1')).status).toBe(200);
  client.clock.now += 6000;
  expect((await put('a', '2')).status).toBe(200);
});

test('delays an answer by the latency of the fault', async () => {
  await client.fault({ match: '/zones', latency: 60 });
  const began = performance.now();
  await client.ask('/zones');
  expect(performance.now() - began).toBeGreaterThan(55);
});

test('logs requests without credentials, and clears the log', async () => {
  await put('a', 'hello');
  const [, asked] = await client.log();
  expect(asked).toMatchObject({
    number: 2,
    time: '2026-11-01T00:00:00.000Z',
    method: 'PUT',
    path: `${client.keys}/values/a`,
    query: '',
    status: 200,
    route: '/accounts/:account/storage/kv/namespaces/:namespace/values/*key',
    rule: null,
    requestBody: 'hello',
  });
  expect(JSON.stringify(asked)).not.toMatch(/Bearer/);
  expect(await client.log('?since=2')).toEqual([]);
  expect(await client.log('?method=post')).toHaveLength(1);
  await client.json('/sandbox/requests', { method: 'DELETE' });
  expect(await client.log()).toEqual([]);
});

test.each([
  [{ match: '/**' }, 'has no effect'],
  [{ match: 'zones', status: 500 }, 'match: "zones" is invalid: it must be a method or *, and a path'],
  [{ match: 'GET /accounts/*/storage/kw/**', status: 500 }, 'must match a route'],
  [{ match: 'DELETE /zones', status: 500 }, 'must match a route'],
  [{ match: '/zones/*/custom-hostnames', status: 500 }, 'must match a route'],
  [{ match: '/accounts/a/storage', status: 500 }, 'must match a route'],
  [{ match: '/**', status: 99 }, 'status: 99 is invalid: it must be 200 or more'],
  [{ match: '/**', share: 'half' }, 'share: "half" is invalid: it must be a number'],
  [{ match: '/**', latency: 1, times: 1.5 }, 'times: 1.5 is invalid: it must be a whole number'],
  [
    { match: '/**', body: 'truncate' },
    'body: "truncate" is not one of truncated, wrong, empty, html; did you mean truncated?',
  ],
  [{ match: '/**', rate: { requests: 1 } }, 'rate.seconds: is missing'],
  [{ match: '/**', latency: 1, retryAfter: 1 }, 'has retryAfter'],
  [{ match: '/**', latencies: 1 }, 'latencies: unknown field; did you mean latency?'],
  ['no object', 'the fault: "no object" is invalid: it must be an object with fields'],
])('rejects the fault %j', async (fault, words) => {
  const { errors } = await client.json('/sandbox/faults', { method: 'POST', body: JSON.stringify(fault) });
  expect(errors[0].message).toContain(words);
  expect((await client.json('/sandbox/faults')).result).toEqual([]);
});

test('returns the last requests up to the limit to a log reader, and then each new request', async () => {
  await put('a', '1');
  await put('b', '1');
  const following = new AbortController();
  const askMore = async () => {
    if (messages.length > 1) following.abort();
    else await Promise.all(['c', 'd', 'e'].map((key) => put(key, '1')));
  };
  const messages: string[] = [];
  const filter = { method: 'PUT', limit: 1 };
  for await (const { path } of followRequests(client.send, filter, { sleep: askMore }, following.signal))
    messages.push(path.at(-1) ?? '');
  expect([messages[0], ...messages.slice(1).sort()]).toEqual(['b', 'c', 'd', 'e']);
});
