import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openClient } from './client.ts';

let client: Awaited<ReturnType<typeof openClient>>;

const opened = async (strict = false) => {
  client = await openClient(strict);
  onTestFinished(client.close);
  await client.askS3('PUT', '/pictures');
};
const put = (key: string, body = 'hello', headers = {}) =>
  client.askS3('PUT', `/pictures/${key}`, headers, body);
const codeIn = async (answer: Response) => /<Code>(.*?)<\/Code>/.exec(await answer.text())?.[1];

beforeEach(() => opened());

test('logs requests with their operation, without signatures', async () => {
  await put('a%20b.txt');
  await client.askS3('HEAD', '/pictures/a%20b.txt');
  await fetch(client.link('pictures', 'a b.txt'));
  await client.askS3('GET', '/pictures?list-type=2&fancy=1', { 'x-amz-acl': 'private' });
  const log = await client.log('?path=s3:/pictures');
  expect(
    log.map(({ api, method, path, query, route, status }) => [api, method, path, query, route, status]),
  ).toEqual([
    ['s3', 'PUT', '/pictures', '', 'CreateBucket', 200],
    ['s3', 'PUT', '/pictures/a%20b.txt', '', 'PutObject', 200],
    ['s3', 'HEAD', '/pictures/a%20b.txt', '', 'HeadObject', 200],
    ['s3', 'GET', '/pictures/a%20b.txt', '', 'GetObject', 200],
    ['s3', 'GET', '/pictures', 'list-type=2&fancy=1', 'ListObjectsV2', 200],
  ]);
  expect(log[1]?.requestBody).toBe('hello');
  await put('zeros', '\0\0');
  expect((await client.log()).at(-1)).not.toHaveProperty('requestBody');
  await client.askS3('GET', '/pictures/zeros?response-content-type=image%2Fpng');
  expect((await client.log()).at(-1)).toMatchObject({ status: 200, notes: [] });
  expect(log[4]?.notes).toEqual(['the header x-amz-acl is ignored', 'the query parameter fancy is ignored']);
  expect(JSON.stringify(log)).not.toMatch(/Credential|Signature/i);
  expect((await client.log()).filter(({ api }) => api === 'v4')).toHaveLength(1);
});

test('applies a fault to the API that it names, and answers in the format of that API', async () => {
  await client.fault({ match: '/**', status: 500 });
  expect((await put('a')).status).toBe(200);
  expect(
    await client.fault({ match: 'PUT /pictures/**', status: 503, retryAfter: 2, times: 1 }),
  ).toMatchObject({
    result: { match: 'PUT s3:/pictures/**' },
  });
  const slow = await put('a');
  expect([slow.status, slow.headers.get('retry-after'), await codeIn(slow)]).toEqual([503, '2', 'SlowDown']);
  expect((await put('a')).status).toBe(200);
  for (const [status, code] of [
    [500, 'InternalError'],
    [502, 'ServiceUnavailable'],
    [429, 'TooManyRequests'],
    [418, 'InvalidRequest'],
  ] as const) {
    await client.fault({ match: '* s3:/**', status, times: 1 });
    expect([await codeIn(await put('a')), (await client.log()).at(-1)?.rule]).toEqual([
      code,
      expect.stringContaining('fault'),
    ]);
  }
  await client.fault({ match: 'GET s3:/', body: 'wrong' });
  expect(await (await client.askS3('GET', '/')).text()).toContain('<Unexpected');
});

test('drops connections before, within and after the operation', async () => {
  await client.fault({ match: 'PUT s3:/pictures/before', cut: 'before' });
  await client.fault({ match: 'PUT s3:/pictures/after', cut: 'after' });
  await expect(put('before')).rejects.toThrow('fetch failed');
  await expect(put('after')).rejects.toThrow('fetch failed');
  expect((await client.askS3('GET', '/pictures/before')).status).toBe(404);
  expect(await (await client.askS3('GET', '/pictures/after')).text()).toBe('hello');
  await client.fault({ match: 'GET s3:/pictures/after', cut: 'in' });
  const cut = await client.askS3('GET', '/pictures/after');
  expect(cut.headers.get('content-length')).toBe('5');
  await expect(cut.text()).rejects.toThrow('terminated');
});

test('truncates bodies, returns stale reads and small pages, and counts rates per access key', async () => {
  for (let at = 0; at < 12; at += 1) await put(`key${at + 10}`);
  await client.fault({ match: 'GET s3:/pictures', pageSize: 10 });
  const page = await (await client.askS3('GET', '/pictures?list-type=2&max-keys=1000')).text();
  expect([page.match(/<Key>/g)?.length, page.includes('<IsTruncated>true<')]).toEqual([10, true]);
  await client.fault({ match: 'GET s3:/pictures/key10', body: 'truncated' });
  expect(await (await client.askS3('GET', '/pictures/key10')).text()).toBe('he');
  await client.fault({ match: '* s3:/pictures/key11', stale: 60 });
  const read = async () => (await client.askS3('GET', '/pictures/key11')).text();
  await read();
  await put('key11', 'new');
  expect(await read()).toBe('hello');
  // The fault keeps no old ranges, so a range is read from the new object.
  const part = await client.askS3('GET', '/pictures/key11', { range: 'bytes=0-1' });
  expect(await part.text()).toBe('ne');
  await client.fault({ match: 'HEAD s3:/**', rate: { requests: 1, seconds: 10, per: 'token' } });
  const heads = [];
  for (const key of ['key10', 'key12']) heads.push((await client.askS3('HEAD', `/pictures/${key}`)).status);
  expect(heads).toEqual([200, 429]);
});

test('rejects operations that the provider does not implement, and a second write within a second, in a strict sandbox', async () => {
  await opened(true);
  const refused = await put('a', 'x', { 'x-amz-acl': 'public-read' });
  expect([refused.status, await codeIn(refused)]).toEqual([501, 'NotImplemented']);
  expect((await client.log()).at(-1)?.rule).toBe(
    'strict: the platform does not implement the header x-amz-acl',
  );
  const statuses = [];
  for (const key of ['a', 'b', 'a']) statuses.push((await put(key)).status);
  client.clock.now += 999;
  statuses.push((await put('a')).status);
  // Rejected writes do not count.
  client.clock.now += 1;
  statuses.push((await put('a')).status);
  expect(statuses).toEqual([200, 200, 429, 429, 200]);
  // The limit counts an object once, regardless of how its path is written.
  const below = `/${client.keys.split('/')[2]}`;
  for (const path of [`${below}/pictures/a`, '/pictures/%61', '/nowhere/c', '/nowhere/c'])
    statuses.push((await client.askS3('PUT', path, {}, 'x')).status);
  expect(statuses.slice(5)).toEqual([429, 429, 404, 404]);
  for (let at = 0; at < 10; at += 1) await put(`key${at}`);
  const page = await (await client.askS3('GET', '/pictures?list-type=2')).text();
  expect(page.match(/<Key>/g)).toHaveLength(10);
  expect((await client.log()).at(-1)?.rule).toContain('next page');
});

test('treats an operation with and without the account in its path equally, in the log and in strict mode', async () => {
  await opened(true);
  const below = `/${client.keys.split('/')[2]}`;
  for (let at = 0; at < 12; at += 1) await put(`key${at}`);
  const page = await (await client.askS3('GET', `${below}/pictures?list-type=2`)).text();
  expect(page.match(/<Key>/g)).toHaveLength(10);
  await client.askS3('HEAD', `${below}/pictures`);
  expect((await client.log('?path=s3:')).slice(-2).map(({ route }) => route)).toEqual([
    'ListObjectsV2',
    'HeadBucket',
  ]);
});

test('rejects a fault for unwritten keys on the S3 API', async () => {
  const { errors } = await client.fault({ match: 'POST s3:/pictures', unsuccessfulKeys: 1 });
  expect(errors[0].message).toContain('has unsuccessfulKeys');
});
