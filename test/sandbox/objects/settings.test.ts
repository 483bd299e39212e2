import {
  CopyObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import Cloudflare, { APIError } from 'cloudflare';
import { startSandbox, type TestSandbox } from 'edgectl/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestSandbox } from '../test-sandbox.ts';

let sandbox: TestSandbox;
let client: Cloudflare;
let account_id: string;
const bucket = 'pictures';

beforeAll(async () => {
  const objects = [
    { key: 'a/1', body: 'one' },
    { key: 'b/1', body: 'two' },
  ];
  sandbox = await startSandbox({ seed: { buckets: [{ name: bucket, objects }] } });
  account_id = sandbox.accountId;
  client = new Cloudflare({ apiToken: sandbox.apiToken, baseURL: sandbox.apiBaseUrl, maxRetries: 0 });
});
afterAll(() => sandbox.close());

/** Returns the status and error code of a refusal. */
async function refusal(asked: PromiseLike<unknown>): Promise<unknown> {
  const error = await Promise.resolve(asked).catch((thrown: unknown) => thrown);
  return error instanceof APIError ? [error.status, error.errors[0]?.code] : error;
}

test('CORS, lifecycle and lock rules are returned unchanged, and an error names the invalid field', async () => {
  const { cors, lifecycle, locks } = client.r2.buckets;
  expect(await refusal(cors.get(bucket, { account_id }))).toEqual([404, 10_059]);
  const rules = [{ allowed: { methods: ['GET' as const], origins: ['https://a.demo'] }, maxAgeSeconds: 60 }];
  await cors.update(bucket, { account_id, rules });
  expect(await cors.get(bucket, { account_id })).toEqual({ rules });
  const wrong = [{ allowed: { methods: [], origins: ['*'] } }];
  expect(await refusal(cors.update(bucket, { account_id, rules: wrong }))).toEqual([400, 10_029]);
  await cors.delete(bucket, { account_id });
  expect(await refusal(cors.get(bucket, { account_id }))).toEqual([404, 10_059]);
  expect(await lifecycle.get(bucket, { account_id })).toMatchObject({ rules: [{ enabled: true }] });
  const expire = {
    id: 'old',
    enabled: true,
    conditions: { prefix: 'logs/' },
    deleteObjectsTransition: { condition: { type: 'Age' as const, maxAge: 86_400 } },
  };
  await lifecycle.update(bucket, { account_id, rules: [expire] });
  expect(await lifecycle.get(bucket, { account_id })).toEqual({ rules: [expire] });
  const keep = { id: 'keep', enabled: true, prefix: 'x', condition: { type: 'Indefinite' as const } };
  await locks.update(bucket, { account_id, rules: [keep] });
  expect(await locks.get(bucket, { account_id })).toEqual({ rules: [keep] });
});

test('domains and event notifications are stored, and deleted with the bucket', async () => {
  const { domains, eventNotifications } = client.r2.buckets;
  expect(await domains.managed.update(bucket, { account_id, enabled: true })).toMatchObject({
    domain: expect.stringMatching(/^pub-[0-9a-f]{32}\.r2\.dev$/),
    enabled: true,
  });
  const domain = 'files.saas.sandbox';
  const own = { account_id, domain, enabled: true, zoneId: sandbox.zoneId };
  expect(await refusal(domains.custom.create(bucket, { ...own, domain: 'a.demo' }))).toEqual([400, 10_029]);
  await domains.custom.create(bucket, own);
  await domains.custom.update(domain, { account_id, bucket_name: bucket, minTLS: '1.2' });
  expect(await domains.custom.list(bucket, { account_id })).toMatchObject({
    domains: [{ domain, minTLS: '1.2', zoneName: 'saas.sandbox', status: { ssl: 'active' } }],
  });
  await domains.custom.delete(domain, { account_id, bucket_name: bucket });
  const gone = domains.custom.get(domain, { account_id, bucket_name: bucket });
  expect(await refusal(gone)).toMatchObject([404, expect.any(Number)]);
  const named = { account_id, bucket_name: bucket };
  await eventNotifications.update('q1', { ...named, rules: [{ actions: ['PutObject'], prefix: 'a/' }] });
  expect(await eventNotifications.list(bucket, { account_id })).toMatchObject({
    bucketName: bucket,
    queues: [{ queueId: 'q1', rules: [{ actions: ['PutObject'], ruleId: expect.any(String) }] }],
  });
  await eventNotifications.delete('q1', named);
  expect(await eventNotifications.list(bucket, { account_id })).toMatchObject({ queues: [] });
});

test('local data rejects settings of buckets, because it stores none', async () => {
  const local = await openTestSandbox('in process', { kind: 'local' });
  const at = '/accounts/anyone/r2/buckets/abc';
  const domain = { domain: 'a.demo', zoneId: 'z', enabled: true };
  for (const asked of [
    local.call('DELETE', `${at}/cors`),
    local.call('PUT', `${at}/lock`, { json: { rules: [] } }),
    local.call('POST', `${at}/domains/custom`, { json: domain }),
  ])
    expect(await asked).toMatchObject({ status: 400, code: 10_029 });
  await local.close();
});

test('a bucket of a jurisdiction is visible only to requests that name the jurisdiction', async () => {
  const eu = { account_id, 'cf-r2-jurisdiction': 'eu' as const };
  expect(await client.r2.buckets.create({ ...eu, name: 'european' })).toMatchObject({ jurisdiction: 'eu' });
  const names = async (params: typeof eu | { account_id: string }) =>
    (await client.r2.buckets.list(params)).buckets?.map(({ name }) => name);
  expect(await names({ account_id })).toEqual([bucket]);
  expect(await names(eu)).toEqual(['european']);
  expect(await refusal(client.r2.buckets.get('european', { account_id }))).toEqual([404, 10_006]);
  await client.r2.buckets.delete('european', eu);
  const again = await client.r2.buckets.create({ account_id, name: 'european' });
  expect(again).toMatchObject({ jurisdiction: 'default' });
  await client.r2.buckets.delete('european', { account_id });
});

test('the S3 endpoint answers CORS requests by the rules of the bucket', async () => {
  const url = `${sandbox.s3Endpoint}/${bucket}/a/1`;
  const allowed = { methods: ['PUT' as const], origins: ['https://*.a.demo'], headers: ['content-type'] };
  await client.r2.buckets.cors.update(bucket, { account_id, rules: [{ allowed, exposeHeaders: ['etag'] }] });
  const ask = (origin: string, header: string) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': header,
      },
    });
  const yes = await ask('https://www.a.demo', 'Content-Type');
  expect([yes.status, yes.headers.get('access-control-allow-origin')]).toEqual([204, 'https://www.a.demo']);
  expect(yes.headers.get('access-control-allow-methods')).toBe('PUT');
  expect((await ask('https://a.evil', 'content-type')).status).toBe(403);
  expect((await ask('https://www.a.demo', 'x-other')).status).toBe(403);
  const torn = { origin: 'https://www.a.demo', 'access-control-request-method': 'PUT' };
  for (const method of ['OPTIONS', 'GET'])
    expect((await fetch(`${sandbox.s3Endpoint}/%zz/x`, { method, headers: torn })).status).toBe(403);
  const refused = await fetch(url, { method: 'PUT', headers: { origin: 'https://www.a.demo' } });
  expect([refused.status, refused.headers.get('access-control-expose-headers')]).toEqual([403, 'etag']);
});

test('reports an unreadable copy source as unreadable for temporary credentials', async () => {
  const { accessKeyId = '', ...made } = await client.r2.temporaryCredentials.create({
    account_id,
    bucket,
    parentAccessKeyId: sandbox.s3AccessKeyId ?? '',
    permission: 'object-read-write',
    ttlSeconds: 600,
  });
  const { secretAccessKey = '', sessionToken = '' } = made;
  const s3 = new S3Client({
    region: 'auto',
    endpoint: sandbox.s3Endpoint ?? '',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey, sessionToken },
  });
  const copy = new CopyObjectCommand({ Bucket: bucket, Key: 'a/2', CopySource: '%zz' });
  await expect(s3.send(copy)).rejects.toMatchObject({ name: 'InvalidURI' });
});

test('temporary credentials are accepted within their limits until they expire', async () => {
  const made = await client.r2.temporaryCredentials.create({
    account_id,
    bucket,
    parentAccessKeyId: sandbox.s3AccessKeyId ?? '',
    permission: 'object-read-only',
    prefixes: ['a/'],
    ttlSeconds: 600,
  });
  const { accessKeyId = '', secretAccessKey = '', sessionToken = '' } = made;
  const clientOf = (token: string) =>
    new S3Client({
      region: 'auto',
      endpoint: sandbox.s3Endpoint ?? '',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId, secretAccessKey, sessionToken: token },
    });
  const s3 = clientOf(sessionToken);
  const read = (Key: string) => s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
  expect(await (await read('a/1')).Body?.transformToString()).toBe('one');
  const listed = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'a/' }));
  expect(listed.Contents?.map(({ Key }) => Key)).toEqual(['a/1']);
  await expect(read('b/1')).rejects.toMatchObject({ name: 'AccessDenied' });
  await expect(s3.send(new ListObjectsV2Command({ Bucket: bucket }))).rejects.toMatchObject({
    name: 'AccessDenied',
  });
  const put = new PutObjectCommand({ Bucket: bucket, Key: 'a/2', Body: 'no' });
  await expect(s3.send(put)).rejects.toMatchObject({ name: 'AccessDenied' });
  const other = clientOf('another').send(new GetObjectCommand({ Bucket: bucket, Key: 'a/1' }));
  await expect(other).rejects.toMatchObject({ name: 'InvalidToken' });
  await sandbox.advanceClock(601);
  await expect(read('a/1')).rejects.toMatchObject({ name: 'ExpiredToken' });
});
