import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/model/problem.ts';
import { bucketPaths } from '../../src/store/objects/paths.ts';
import type { StoredPart } from '../../src/store/objects/upload-table.ts';
import { begunAt, type UploadAddress } from '../../src/store/objects/uploads.ts';
import { blobIds } from '../../src/store/paths.ts';
import { openStream } from '../../src/v4/send.ts';
import { blobsOf, bucket, chunks, get, onDatabase, openObjects, put } from './objects-scratch.ts';
import { outside, scratch, tree } from './scratch.ts';

const md5 = (bytes: string | Uint8Array) => createHash('md5').update(bytes).digest('hex');

describe('an object', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([0])],
    ['more bytes than one read returns', randomBytes(1_000_000)],
  ])('is returned unchanged, with its MD5 as etag: %s', async (_, bytes) => {
    using root = scratch();
    using store = openObjects(root.path);
    const stored = await put(store, 'k', bytes);
    expect(stored).toMatchObject({ key: 'k', size: bytes.length, etag: md5(bytes) });
    expect(stored.version).toMatch(/^[0-9a-f]{32}$/);
    expect(await get(store, 'k')).toEqual(bytes);
  });

  it('keeps HTTP and custom metadata, and the upload time', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    const httpMetadata = { contentType: 'text/plain', cacheExpiry: 1_800_000_000_000 };
    const customMetadata = { größe: 'XL', __proto__x: '1' };
    await put(store, 'k', 'x', { httpMetadata, customMetadata });
    expect(store.find(bucket, 'k')).toMatchObject({
      httpMetadata,
      customMetadata,
      uploaded: 1_795_000_000_000,
    });
  });

  it('can be read in part, whether small or streamed', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    const large = randomBytes(300_000);
    await put(store, 'small', '0123456789');
    await put(store, 'large', large);
    expect((await get(store, 'small', { start: 3, end: 5 }))?.toString()).toBe('345');
    expect(await get(store, 'large', { start: 100_001, end: 299_999 })).toEqual(large.subarray(100_001));
  });

  it('keeps its old content until the new content is complete, and after a failed write', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'k', 'old');
    let seen: Buffer | undefined;
    async function* broken() {
      yield Buffer.from('half of the new');
      seen = await get(store, 'k');
      throw new Error('the sender went away');
    }
    await expect(put(store, 'k', '', { body: broken() })).rejects.toThrow('the sender went away');
    expect(seen?.toString()).toBe('old');
    expect((await get(store, 'k'))?.toString()).toBe('old');
    store.close();
    expect(blobsOf(root.path)).toHaveLength(1);
  });

  it('keeps its old content if a condition rejects the new content after all bytes have arrived', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    const { etag } = await put(store, 'k', 'old');
    const refused = put(store, 'k', 'new', {
      allow: (before) => {
        throw new Problem('refused', `there is ${before?.etag}`);
      },
    });
    await expect(refused).rejects.toThrow(`there is ${etag}`);
    expect((await get(store, 'k'))?.toString()).toBe('old');
    store.close();
    expect(blobsOf(root.path)).toHaveLength(1);
  });

  it('leaves no file behind when it is replaced or deleted', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'k', 'one');
    await put(store, 'k', 'two');
    await put(store, 'gone', 'three');
    expect(store.remove(bucket, ['gone', 'never there'])).toBe(1);
    store.close();
    expect(blobsOf(root.path)).toHaveLength(1);
    expect(store.find(bucket, 'gone')).toBeUndefined();
    expect((await get(store, 'k'))?.toString()).toBe('two');
  });

  it('can be read to its end even if it is deleted during the read', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    const bytes = randomBytes(2_000_000);
    await put(store, 'k', bytes);
    const opened = store.read(bucket, 'k', ({ size }) => ({ start: 0, end: size - 1 }));
    store.removeBucket(bucket);
    const parts: Uint8Array[] = [];
    for await (const part of openStream(() => opened?.body as AsyncIterable<Uint8Array>)) parts.push(part);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it('is distinguished from a missing object if its file was deleted', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'k', 'x');
    onDatabase(root.path, (database) => {
      database.prepare("UPDATE _mf_objects SET blob_id = ? WHERE key = 'k'").run('0'.repeat(80));
    });
    await expect(get(store, 'k')).rejects.toMatchObject({ code: 'store-invalid', status: 410 });
    expect(await get(store, 'other')).toBeUndefined();
  });
});

describe('a bucket', () => {
  it('is stored where Miniflare stores it', () => {
    // The path was observed on disk after `wrangler r2 object put assets/k --local`.
    expect(bucketPaths('/root', 'assets').database).toBe(
      '/root/v3/r2/miniflare-R2BucketObject/299a2f66a79fcedbb151ae222146d757e2bb35086217b5b783f6c3b2f53e05d7.sqlite',
    );
  });

  it('creates no file when it is read', () => {
    using root = scratch();
    using store = openObjects(root.path);
    expect(store.find(bucket, 'k')).toBeUndefined();
    expect(store.list(bucket, { limit: 10 })).toEqual({ objects: [], prefixes: [], next: undefined });
    expect(store.usage(bucket)).toEqual({ objects: 0, bytes: 0, uploads: 0 });
    expect(store.remove(bucket, ['k'])).toBe(0);
    expect(store.bucketFolders()).toEqual([]);
    expect(tree(root.path)).toEqual([]);
  });

  it('is counted, found by its folder, and deleted with all its objects', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'a', '12345');
    await put(store, 'b', '12');
    expect(store.usage(bucket)).toEqual({ objects: 2, bytes: 7, uploads: 0 });
    expect(store.bucketFolders()).toEqual([bucket]);
    store.removeBucket(bucket);
    store.close();
    expect(store.bucketFolders()).toEqual([]);
    expect(existsSync(bucketPaths(root.path, bucket).folder)).toBe(false);
    expect(existsSync(bucketPaths(root.path, bucket).database)).toBe(false);
  });

  it.each([
    ['ALTER TABLE _mf_objects ADD COLUMN owner TEXT', 'owner'],
    ['DROP TABLE _mf_multipart_parts; CREATE TABLE _mf_multipart_parts (x)', '_mf_multipart_parts'],
  ])('is not written to if it has another layout (%s)', async (sql, named) => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'k', 'x');
    store.close();
    onDatabase(root.path, (database) => database.exec(sql));
    await expect(put(store, 'k', 'y')).rejects.toThrow(named);
    await expect(put(store, 'k', 'y')).rejects.toMatchObject({ code: 'store-invalid' });
  });

  it('is not read if it lacks a column', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'k', 'x');
    store.close();
    onDatabase(root.path, (database) => database.exec('ALTER TABLE _mf_objects RENAME COLUMN etag TO tag'));
    expect(() => store.find(bucket, 'k')).toThrow('_mf_objects');
    expect(() => store.remove(bucket, ['k'])).toThrow('_mf_objects');
  });

  it('keeps the values of other buckets in the same folder when it is deleted', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    const write = (name: string, key: string) =>
      store.write(name, { key, body: chunks(key), httpMetadata: {}, customMetadata: {} }, 0);
    expect(bucketPaths(root.path, 'a:b').blobs).toBe(bucketPaths(root.path, 'a_b').blobs);
    await write('a:b', 'mine');
    await write('a:b', 'mine too');
    const uploadId = store.uploads('a:b', (uploads) =>
      uploads.begin({ key: 'parts', httpMetadata: {}, customMetadata: {} }, 1_795_000_000_000),
    );
    await store.uploads('a:b', (uploads) => uploads.writePart({ key: 'parts', uploadId }, 1, chunks('part')));
    const { key } = await write('a_b', 'yours');
    store.removeBucket('a:b');
    store.close();
    expect(readdirSync(bucketPaths(root.path, 'a_b').blobs)).toHaveLength(1);
    expect(store.find('a_b', key)?.size).toBe(5);
    store.removeBucket('a_b');
    expect(existsSync(bucketPaths(root.path, 'a_b').folder)).toBe(false);
  });
});

/** Stores an object as Miniflare does after a multipart upload. */
function putInParts(root: string, key: string, texts: readonly string[]): void {
  const { blobs } = bucketPaths(root, bucket);
  const ids = blobIds(texts.length, (count) => randomBytes(count), 1000);
  texts.forEach((text, index) => {
    writeFileSync(join(blobs, ids[index] ?? ''), text);
  });
  const size = texts.join('').length;
  onDatabase(root, (database) => {
    database.exec('BEGIN');
    database
      .prepare("INSERT INTO _mf_multipart_uploads VALUES (?, ?, '{}', '{}', 1)")
      .run(`upload of ${key}`, key);
    database
      .prepare(
        `INSERT INTO _mf_objects VALUES (?, NULL, ?, ?, 'd41d8cd98f00b204e9800998ecf8427e-3', 1000, '{}', '{}', '{}')`,
      )
      .run(key, '0'.repeat(32), size);
    texts.forEach((text, index) => {
      database
        .prepare('INSERT INTO _mf_multipart_parts VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(`upload of ${key}`, index + 1, ids[index] ?? '', text.length, 'e', md5(text), key);
    });
    database.exec('COMMIT');
  });
}

describe('an object that was uploaded in parts', () => {
  const texts = ['first part, ', 'second part, ', 'third part'];

  it('is read completely and across the boundaries of its parts', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'other', 'x');
    putInParts(root.path, 'k', texts);
    expect((await get(store, 'k'))?.toString()).toBe(texts.join(''));
    expect((await get(store, 'k', { start: 6, end: 17 }))?.toString()).toBe('part, second');
    expect((await get(store, 'k', { start: 30, end: 34 }))?.toString()).toBe(texts.join('').slice(30, 35));
    expect(store.find(bucket, 'k')?.etag).toBe('d41d8cd98f00b204e9800998ecf8427e-3');
  });

  it('is deleted with all its parts when it is replaced or removed', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'other', 'x');
    putInParts(root.path, 'replaced', texts);
    putInParts(root.path, 'removed', texts);
    await put(store, 'replaced', 'whole');
    expect(store.remove(bucket, ['removed'])).toBe(1);
    store.close();
    expect((await get(store, 'replaced'))?.toString()).toBe('whole');
    expect(blobsOf(root.path)).toHaveLength(2);
    const rows = onDatabase(root.path, (database) =>
      database.prepare('SELECT COUNT(*) AS n FROM _mf_multipart_parts').get(),
    );
    expect(rows?.['n']).toBe(0);
  });

  it('is deleted with its bucket, whose usage includes running uploads', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'other', 'x');
    putInParts(root.path, 'k', texts);
    onDatabase(root.path, (database) => {
      database.exec("INSERT INTO _mf_multipart_uploads VALUES ('u', 'z', '{}', '{}', 0)");
    });
    expect(store.usage(bucket)).toMatchObject({ objects: 2, uploads: 1 });
    store.removeBucket(bucket);
    expect(store.usage(bucket)).toEqual({ objects: 0, bytes: 0, uploads: 0 });
    expect(existsSync(bucketPaths(root.path, bucket).folder)).toBe(false);
  });

  it('keeps its parts when files of killed processes are deleted', async () => {
    using root = scratch();
    const world = outside();
    {
      using store = openObjects(root.path, world);
      await put(store, 'other', 'x');
    }
    putInParts(root.path, 'k', texts);
    const [orphan = ''] = blobIds(1, (count) => randomBytes(count), 2000);
    const { blobs } = bucketPaths(root.path, bucket);
    writeFileSync(join(blobs, orphan), 'left');
    writeFileSync(join(blobs, `.${orphan.replace(/^./, 'f')}.0.0.tmp`), 'left');
    world.time += 25 * 60 * 60 * 1000;
    {
      using store = openObjects(root.path, world);
      await put(store, 'another', 'x');
    }
    expect(blobsOf(root.path)).toHaveLength(5);
    using store = openObjects(root.path, world);
    expect((await get(store, 'k'))?.toString()).toBe(texts.join(''));
  });
});

describe('an upload in parts', () => {
  const metadata = { httpMetadata: { contentType: 'text/plain' }, customMetadata: { a: '1' } };
  const all = (parts: readonly StoredPart[]) => ({ parts });

  it('becomes an object of the selected parts, with the etag that S3 defines', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'k', 'before');
    const uploadId = store.uploads(bucket, (uploads) =>
      uploads.begin({ key: 'k', ...metadata }, 1_795_000_000_000),
    );
    expect(begunAt(uploadId)).toBe(1_795_000_000_000);
    expect([begunAt('of a worker'), begunAt(`${uploadId}0`)]).toEqual([undefined, undefined]);
    const upload = { key: 'k', uploadId };
    const write = (number: number, text: string) =>
      store.uploads(bucket, (uploads) => uploads.writePart(upload, number, chunks(text)));
    expect(await write(3, 'third')).toMatchObject({
      number: 3,
      size: 5,
      etag: md5('third'),
      md5: md5('third'),
    });
    await write(1, 'no');
    await write(1, 'first, ');
    await write(2, 'left over');
    const arrived = store.uploads(bucket, (uploads) => uploads.parts(upload)) ?? [];
    expect(arrived.map(({ number, size }) => [number, size])).toEqual([
      [1, 7],
      [2, 9],
      [3, 5],
    ]);
    expect((await get(store, 'k'))?.toString()).toBe('before');
    const choose = (parts: readonly StoredPart[]) => ({
      parts: parts.filter(({ number }) => number !== 2),
    });
    const made = store.completeUpload(bucket, { ...upload, choose }, 1_795_000_000_500);
    // docs.aws.amazon.com, "Checking object integrity": the etag contains the MD5 of the parts' MD5s, and the number of parts.
    const etag = `${md5(Buffer.concat([arrived[0], arrived[2]].map((part) => Buffer.from(part?.md5 ?? '', 'hex'))))}-2`;
    expect(made).toEqual({
      key: 'k',
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
      size: 12,
      etag,
      uploaded: 1_795_000_000_500,
      ...metadata,
    });
    expect(store.find(bucket, 'k')).toEqual(made);
    expect((await get(store, 'k'))?.toString()).toBe('first, third');
    expect((await get(store, 'k', { start: 5, end: 8 }))?.toString()).toBe(', th');
    expect(store.completeUpload(bucket, { ...upload, choose: all }, 0)).toEqual(made);
    const fewer = (parts: readonly StoredPart[]) => ({ parts: parts.slice(1) });
    expect(store.completeUpload(bucket, { ...upload, choose: fewer }, 0)).toBeUndefined();
    expect(store.usage(bucket)).toEqual({ objects: 1, bytes: 12, uploads: 0 });
    store.close();
    expect(blobsOf(root.path)).toHaveLength(2);
  });

  it('becomes an object that can be read from any offset to any other offset', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    const parts = [randomBytes(100_000), randomBytes(70_000), randomBytes(10)];
    const uploadId = store.uploads(bucket, (uploads) =>
      uploads.begin({ key: 'k', ...metadata }, 1_795_000_000_000),
    );
    for (const [at, part] of parts.entries())
      await store.uploads(bucket, (uploads) =>
        uploads.writePart({ key: 'k', uploadId }, at + 1, chunks(part)),
      );
    store.completeUpload(bucket, { key: 'k', uploadId, choose: all }, 0);
    const bytes = Buffer.concat(parts);
    for (const [start, end] of [
      [0, 170_009],
      [0, 99_999],
      [99_999, 170_000],
      [100_000, 169_999],
      [170_000, 170_009],
    ] as const)
      expect((await get(store, 'k', { start, end }))?.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it('is found only by its key and id together until it ends, and then accepts no part', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    const begin = (key: string) => ({
      key,
      uploadId: store.uploads(bucket, (uploads) =>
        uploads.begin({ key, httpMetadata: {}, customMetadata: {} }, 1_795_000_000_000),
      ),
    });
    const [b, a, other] = [begin('p/b'), begin('p/a'), begin('q')];
    const listed = (...all: UploadAddress[]) => all.map((one) => ({ ...one, details: {} }));
    const on = <T>(work: Parameters<typeof store.uploads<T>>[1]) => store.uploads(bucket, work);
    expect(on((uploads) => uploads.list('p/'))).toEqual(listed(a, b));
    expect(on((uploads) => uploads.list(''))).toEqual(listed(a, b, other));
    expect(on((uploads) => uploads.find(a))).toEqual({});
    const mixed = { key: 'p/b', uploadId: a.uploadId };
    expect(on((uploads) => [uploads.find(mixed), uploads.parts(mixed), uploads.abort(mixed)])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await on((uploads) => uploads.writePart(a, 1, chunks('one')));
    await on((uploads) => uploads.writePart(a, 2, chunks('two')));
    expect(await on((uploads) => uploads.writePart(mixed, 1, chunks('three')))).toBeUndefined();
    expect(blobsOf(root.path)).toHaveLength(2);
    async function* cut() {
      yield Buffer.from('half');
      throw new Error('the sender went away');
    }
    await expect(on((uploads) => uploads.writePart(a, 1, cut()))).rejects.toThrow('the sender went away');
    expect(on((uploads) => uploads.parts(a))?.map(({ size }) => size)).toEqual([3, 3]);
    expect([on((uploads) => uploads.abort(a)), on((uploads) => uploads.abort(a))]).toEqual([true, undefined]);
    expect(on((uploads) => uploads.list(''))).toEqual(listed(b, other));
    expect(await on((uploads) => uploads.writePart(a, 3, chunks('late')))).toBeUndefined();
    expect(store.usage(bucket).uploads).toBe(2);
    store.close();
    expect(blobsOf(root.path)).toEqual([]);
  });

  it('changes nothing if its parts or the object are rejected', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    const { etag } = await put(store, 'k', 'before');
    const uploadId = store.uploads(bucket, (uploads) =>
      uploads.begin({ key: 'k', ...metadata }, 1_795_000_000_000),
    );
    const upload = { key: 'k', uploadId };
    await store.uploads(bucket, (uploads) => uploads.writePart(upload, 1, chunks('new')));
    const refusing = (at: 'choose' | 'allow') => () =>
      store.completeUpload(
        bucket,
        {
          ...upload,
          choose: (parts) => {
            if (at === 'choose') throw new Problem('refused', 'no such part');
            return { parts };
          },
          allow: (before) => {
            throw new Problem('refused', `there is ${before?.etag}`);
          },
        },
        0,
      );
    expect(refusing('choose')).toThrow('no such part');
    expect(refusing('allow')).toThrow(`there is ${etag}`);
    expect((await get(store, 'k'))?.toString()).toBe('before');
    expect(store.uploads(bucket, (uploads) => uploads.parts(upload))).toHaveLength(1);
    store.completeUpload(bucket, { ...upload, choose: all, allow: () => undefined }, 0);
    expect((await get(store, 'k'))?.toString()).toBe('new');
  });
});

it('deletes thousands of objects, and counts the objects that existed', async () => {
  using root = scratch();
  using store = openObjects(root.path);
  await put(store, 'z', 'stays');
  const keys = Array.from({ length: 2100 }, (_, index) => `k${index}`);
  onDatabase(root.path, (database) => {
    const insert = database.prepare(
      "INSERT INTO _mf_objects VALUES (?, NULL, 'v', 0, 'e', 0, '{}', '{}', '{}')",
    );
    database.exec('BEGIN');
    for (const key of keys) insert.run(key);
    database.exec('COMMIT');
  });
  expect(store.remove(bucket, [])).toBe(0);
  expect(store.remove(bucket, ['missing', ...keys.slice(0, 2050), 'k0'])).toBe(2050);
  expect(store.list(bucket, { limit: 100 }).objects.map(({ key }) => key)).toEqual([
    ...keys.slice(2050),
    'z',
  ]);
});

it.each([
  ["http_metadata = '['", 'metadata that is not JSON'],
  ["custom_metadata = '7'", 'metadata that is not a JSON object'],
  ["http_metadata = 'null'", 'metadata that is null'],
  ["etag = x'00'", 'an etag that is not a string'],
  ["size = 'large'", 'a size that is not a number'],
])('rejects a row with %s, %s, and names the file', async (change) => {
  using root = scratch();
  using store = openObjects(root.path);
  await put(store, 'k', 'x');
  onDatabase(root.path, (database) => database.exec(`UPDATE _mf_objects SET ${change}`));
  for (const use of [() => store.find(bucket, 'k'), () => store.list(bucket, { limit: 1 })])
    expect(use).toThrow(
      expect.objectContaining({
        code: 'store-invalid',
        message: expect.stringContaining(bucketPaths(root.path, bucket).database),
      }),
    );
  await put(store, 'k', 'anew');
  expect((await get(store, 'k'))?.toString()).toBe('anew');
});

it('names the object whose metadata is not a JSON object', async () => {
  using root = scratch();
  using store = openObjects(root.path);
  await put(store, 'k', 'x');
  onDatabase(root.path, (database) => database.exec("UPDATE _mf_objects SET custom_metadata = '7'"));
  const { database } = bucketPaths(root.path, bucket);
  const message = `The metadata of the object "k" in ${database} is not a JSON object.`;
  expect(() => store.find(bucket, 'k')).toThrow(expect.objectContaining({ message }));
});

it('rejects an empty name, and creates nothing', () => {
  using root = scratch();
  using store = openObjects(root.path);
  expect(() => store.find('', 'k')).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  expect(tree(root.path)).toEqual([]);
});

it('returns no bytes for an empty range', async () => {
  using root = scratch();
  using store = openObjects(root.path);
  await put(store, 'k', '0123456789');
  const body = (range: { start: number; end: number } | undefined) =>
    store.read(bucket, 'k', () => range)?.body;
  expect(body(undefined)).toHaveLength(0);
  expect(body({ start: 5, end: 4 })).toHaveLength(0);
  expect(body({ start: 5, end: 5 })).toEqual(Buffer.from('5'));
  expect(body({ start: 8, end: 20 })).toEqual(Buffer.from('89'));
  const stop = () =>
    store.read(bucket, 'k', () => {
      throw new Error('not in range');
    });
  expect(stop).toThrow('not in range');
});

/** Returns the expected listing, computed from all keys in memory. */
function naive(keys: readonly string[], prefix: string, delimiter: string): string[] {
  const rows = new Map<string, Buffer>();
  for (const key of keys.filter((one) => one.startsWith(prefix))) {
    const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const row = at === -1 ? `object ${key}` : `group ${key.slice(0, at + delimiter.length)}`;
    rows.set(row, Buffer.from(row.replace(/^\w+ /, '')));
  }
  return [...rows].sort(([, a], [, b]) => Buffer.compare(a, b)).map(([row]) => row);
}

describe('a listing', () => {
  it('returns every key once, in UTF-8 byte order, grouped, for any page size', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'seed', 'x');
    store.remove(bucket, ['seed']);
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '/', '//', 'é', '😀', '\uffff', '\0'),
      maxLength: 6,
    });
    const keys = fc.uniqueArray(
      text.filter((key) => key !== ''),
      { maxLength: 25 },
    );
    const cases = fc.record({
      keys,
      prefix: fc.constantFrom('', 'a', 'a/', 'é', '/'),
      delimiter: fc.constantFrom('', '/', '//', 'b', '😀'),
      limit: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(cases, ({ keys, prefix, delimiter, limit }) => {
        fill(root.path, keys);
        const rows: string[] = [];
        for (let next: object | undefined = {}; next !== undefined; ) {
          const page = store.list(bucket, { prefix, delimiter, limit, ...next });
          const found = [
            ...page.objects.map(({ key }) => `object ${key}`),
            ...page.prefixes.map((group) => `group ${group}`),
          ];
          expect(found.length).toBeLessThanOrEqual(limit);
          if (page.next !== undefined) expect(found.length).toBe(limit);
          rows.push(...naiveOrder(found));
          next = page.next;
        }
        expect(rows).toEqual(naive(keys, prefix, delimiter));
      }),
      { numRuns: 150 },
    );
  });

  it('can begin after a key', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    for (const key of ['a', 'b/1', 'b/2', 'c']) await put(store, key, key);
    const list = (after: string, delimiter = '') => {
      const { objects, prefixes } = store.list(bucket, { after, delimiter, limit: 10 });
      return [...objects.map(({ key }) => key), ...prefixes];
    };
    expect(list('a')).toEqual(['b/1', 'b/2', 'c']);
    expect(list('b/1', '/')).toEqual(['c', 'b/']);
    expect(list('b/2', '/')).toEqual(['c']);
    expect(list('zzz')).toEqual([]);
  });

  it('reads only as much of a group of 200,000 keys as it needs', async () => {
    using root = scratch();
    using store = openObjects(root.path);
    await put(store, 'zoo', 'x');
    onDatabase(root.path, (database) => {
      database.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199999)
        INSERT INTO _mf_objects SELECT 'many/' || i, NULL, 'v', 0, 'e', 0, '{}', '{}', '{}' FROM n`);
    });
    const timed = (work: () => unknown) => {
      const start = process.hrtime.bigint();
      work();
      return Number(process.hrtime.bigint() - start);
    };
    const listed = () => store.list(bucket, { delimiter: '/', limit: 1000 });
    expect(listed()).toMatchObject({ prefixes: ['many/'], objects: [{ key: 'zoo' }] });
    const scan = timed(() => store.usage(bucket));
    expect(Math.min(timed(listed), timed(listed), timed(listed))).toBeLessThan(scan / 3);
  });
});

function naiveOrder(rows: readonly string[]): string[] {
  const at = (row: string) => Buffer.from(row.replace(/^\w+ /, ''));
  return [...rows].sort((a, b) => Buffer.compare(at(a), at(b)));
}

function fill(root: string, keys: readonly string[]): void {
  onDatabase(root, (database) => {
    database.exec('DELETE FROM _mf_objects');
    const insert = database.prepare(
      "INSERT INTO _mf_objects VALUES (?, NULL, 'v', 0, 'e', 0, '{}', '{}', '{}')",
    );
    for (const key of keys) insert.run(key);
  });
}

it('keeps the objects of two stores that write to a bucket at the same time', async () => {
  using root = scratch();
  using one = openObjects(root.path);
  using two = openObjects(root.path);
  const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
  await Promise.all(keys.map((key, index) => put(index % 2 === 0 ? one : two, key, key)));
  for (const key of keys) expect((await get(one, key))?.toString()).toBe(key);
  expect(one.usage(bucket).objects).toBe(40);
});
