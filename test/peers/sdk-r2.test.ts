import { createHash, randomBytes } from 'node:crypto';
import type Cloudflare from 'cloudflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../sandbox/test-sandbox.ts';
import { sdkClient, sdkFailure } from './sdk-client.ts';

let place: TestSandbox;
let client: Cloudflare;
let account_id: string;
beforeAll(async () => {
  place = await openTestSandbox('over a socket');
  account_id = place.sandbox.access().accountId;
  client = sdkClient(place);
});
afterAll(() => place.close());

test('the official SDK creates, gets, edits, lists and deletes buckets', async () => {
  const { buckets } = client.r2;
  const created = await buckets.create({ account_id, name: 'from-sdk', locationHint: 'weur' });
  expect(created).toMatchObject({ name: 'from-sdk', location: 'weur', storage_class: 'Standard' });
  expect(await buckets.get('from-sdk', { account_id })).toEqual(created);
  const edited = await buckets.edit('from-sdk', { account_id, storage_class: 'InfrequentAccess' });
  expect(edited).toMatchObject({ storage_class: 'InfrequentAccess' });
  for (const name of ['from-sdk-2', 'from-sdk-3']) await buckets.create({ account_id, name });
  const list = await buckets.list({ account_id, name_contains: 'sdk-', per_page: 1, direction: 'desc' });
  expect(list.buckets?.map(({ name }) => name)).toEqual(['from-sdk-3']);
  expect(await sdkFailure(buckets.create({ account_id, name: 'from-sdk' }))).toEqual({
    status: 409,
    codes: [10004],
  });
  await buckets.delete('from-sdk', { account_id });
  expect(await sdkFailure(buckets.get('from-sdk', { account_id }))).toEqual({ status: 404, codes: [10006] });
});

test('the official SDK uploads, gets, lists and deletes objects', async () => {
  const bucket_name = 'sdk-objects';
  await client.r2.buckets.create({ account_id, name: bucket_name });
  const { objects } = client.r2.buckets;
  const bytes = randomBytes(3_000_000);
  const at = { account_id, bucket_name };
  const etag = createHash('md5').update(bytes).digest('hex');
  const key = 'a/b c?d#ü%2F';
  expect(await objects.upload(key, bytes, at)).toMatchObject({ key, etag, size: '3000000' });
  const response = await objects.get(key, at);
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  expect(response.headers.get('etag')).toBe(`"${etag}"`);
  const unchanged = objects.get(key, { ...at, 'If-None-Match': `"${etag}"` });
  expect((await sdkFailure(unchanged)).status).toBe(304);
  const keys = Array.from({ length: 25 }, (_, index) => `list/${index + 10}`);
  for (const one of keys) await objects.upload(one, Buffer.from(one), at);
  const listed: unknown[] = [];
  for await (const object of objects.list(bucket_name, { account_id, prefix: 'list/', per_page: 10 })) {
    listed.push(object.key);
  }
  expect(listed).toEqual(keys);
  const grouped = await objects.list(bucket_name, { account_id, delimiter: '/' });
  expect(grouped.result).toEqual([]);
  expect(await objects.delete(key, at)).toEqual({ key });
  expect(await sdkFailure(objects.get(key, at))).toEqual({ status: 404, codes: [10007] });
  expect(await sdkFailure(client.r2.buckets.delete(bucket_name, { account_id }))).toEqual({
    status: 409,
    codes: [10008],
  });
});
