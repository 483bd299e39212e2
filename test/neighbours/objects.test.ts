import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ObjectStore } from '../../src/store/objects/objects.ts';
import { endWrangler, openWrangler } from '../peers/wrangler.ts';
import { blobsOf, bucket, get, openObjects, put } from '../store/objects-scratch.ts';
import { scratch } from '../store/scratch.ts';
import { type BucketWorker, startBucketWorker } from './objects-worker.ts';

afterAll(endWrangler);

const base64 = (value: string | Uint8Array) => Buffer.from(value).toString('base64');

describe('a running worker on the same folder', () => {
  const root = scratch();
  let store: ObjectStore & Disposable;
  let worker: BucketWorker;
  beforeAll(async () => {
    store = openObjects(root.path);
    worker = await startBucketWorker(root.path, bucket);
  }, 60_000);
  afterAll(async () => {
    await worker[Symbol.asyncDispose]();
    store[Symbol.dispose]();
    root[Symbol.dispose]();
  });

  test.each(['plain', 'a/b', 'a/../b', 'what?is#this%2F', 'two words', '😀', 'x'.repeat(1024)])(
    "finds the object that edgectl stored under %.30j, with its metadata; edgectl finds the worker's object",
    async (key) => {
      const httpMetadata = {
        contentType: 'text/plain',
        contentLanguage: 'de',
        cacheExpiry: 1_800_000_000_000,
      };
      const customMetadata = { größe: 'XL' };
      const { etag } = await put(store, key, 'from edgectl', { httpMetadata, customMetadata });
      expect(await worker.act({ does: 'get', key })).toEqual({
        key,
        size: 12,
        etag,
        httpMetadata: { ...httpMetadata, cacheExpiry: '2027-01-15T08:00:00.000Z' },
        customMetadata,
        value: base64('from edgectl'),
      });
      const options = { httpMetadata, customMetadata };
      await worker.act({ does: 'put', key, value: base64('from the worker'), options });
      expect((await get(store, key))?.toString()).toBe('from the worker');
      expect(store.find(bucket, key)).toMatchObject({ key, size: 15, httpMetadata, customMetadata });
      await worker.act({ does: 'delete', key });
      expect(store.find(bucket, key)).toBeUndefined();
      await put(store, key, 'again');
      store.remove(bucket, [key]);
      expect(await worker.act({ does: 'head', key })).toBeNull();
    },
  );

  test('a running worker and edgectl exchange large objects in both directions', async () => {
    const bytes = randomBytes(3_000_000);
    await put(store, 'large', bytes);
    const found = (await worker.act({ does: 'get', key: 'large' })) as { value: string };
    expect(Buffer.from(found.value, 'base64').equals(bytes)).toBe(true);
    await worker.act({ does: 'put', key: 'large', value: base64(bytes.subarray(1)) });
    expect((await get(store, 'large'))?.equals(bytes.subarray(1))).toBe(true);
    store.remove(bucket, ['large']);
  });

  test('edgectl reads objects that a running worker uploads in parts, and the worker replaces and deletes them with all parts', async () => {
    const partSize = 5 * 1024 * 1024;
    const deed = { does: 'upload in parts', partSize, parts: 2 } as const;
    const { etag } = (await worker.act({ ...deed, key: 'parts' })) as { etag: string };
    await worker.act({ ...deed, key: 'replaced' });
    expect(store.find(bucket, 'parts')).toMatchObject({
      etag,
      size: partSize + 10,
      httpMetadata: { contentType: 'text/plain' },
    });
    const across = await get(store, 'parts', { start: partSize - 2, end: partSize + 1 });
    expect(across).toEqual(Buffer.from([1, 1, 2, 2]));
    expect((await get(store, 'parts'))?.length).toBe(partSize + 10);
    await put(store, 'replaced', 'whole');
    expect(await worker.act({ does: 'get', key: 'replaced' })).toMatchObject({ value: base64('whole') });
    expect(store.remove(bucket, ['parts', 'replaced'])).toBe(2);
    expect(await worker.act({ does: 'list', options: {} })).toMatchObject({ keys: [] });
  });

  test('a running worker lists the same objects as edgectl, grouped and in pages', async () => {
    const keys = ['a', 'a/1', 'a/2', 'a/b/3', 'b/é', 'b/😀', 'c', 'a-b/c'];
    for (const key of keys) await put(store, key, key);
    for (const options of [
      { delimiter: '/' },
      { delimiter: '/', prefix: 'a/' },
      { delimiter: '/', limit: 2 },
      { prefix: 'b' },
      { startAfter: 'a/1' },
    ]) {
      const { startAfter: after, ...rest } = options as { startAfter?: string };
      const { objects, prefixes, next } = store.list(bucket, { limit: 1000, after, ...rest });
      expect(await worker.act({ does: 'list', options })).toEqual({
        keys: objects.map(({ key }) => key),
        delimitedPrefixes: prefixes,
        truncated: next !== undefined,
      });
    }
    store.remove(bucket, keys);
  });
});

test('the real wrangler gets objects that edgectl stored, and edgectl sees objects that wrangler puts and deletes', {
  timeout: 120_000,
}, async () => {
  using root = scratch();
  using home = scratch();
  using store = openObjects(root.path);
  const wrangler = openWrangler(home.path, {});
  const object = async (...args: string[]) => {
    const run = await wrangler('r2', 'object', ...args, '--local', '--persist-to', root.path);
    expect(run, run.said).toMatchObject({ code: 0 });
  };
  const bytes = randomBytes(400_000);
  await put(store, 'dir/from-edgectl', bytes, { httpMetadata: { contentType: 'image/png' } });
  store.close();
  const file = join(home.path, 'file');
  await object('get', `${bucket}/dir/from-edgectl`, '--file', file);
  expect(readFileSync(file).equals(bytes)).toBe(true);
  writeFileSync(file, 'from wrangler');
  await object('put', `${bucket}/dir/from-wrangler`, '--file', file, '--content-type', 'text/plain');
  expect((await get(store, 'dir/from-wrangler'))?.toString()).toBe('from wrangler');
  expect(store.find(bucket, 'dir/from-wrangler')?.httpMetadata).toMatchObject({ contentType: 'text/plain' });
  await object('delete', `${bucket}/dir/from-edgectl`);
  expect(store.find(bucket, 'dir/from-edgectl')).toBeUndefined();
  expect(store.bucketFolders()).toEqual([bucket]);
  expect(blobsOf(root.path)).toHaveLength(1);
});
