import { createHash, randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListPartsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import Cloudflare from 'cloudflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownAccessKey } from '../../src/sandbox/s3/credentials.ts';
import type { TestSandbox } from '../sandbox/test-sandbox.ts';
import { openS3, type S3Place, s3Failure } from './s3-client.ts';

let s3: S3Place;
let place: TestSandbox;
let client: S3Client;
beforeAll(async () => {
  s3 = await openS3();
  ({ place, client } = s3);
});
afterAll(() => s3.close());

async function bucket(name: string): Promise<{ Bucket: string }> {
  await client.send(new CreateBucketCommand({ Bucket: name }));
  return { Bucket: name };
}

test('the official S3 client creates, lists, reads and deletes buckets', async () => {
  const { Bucket } = await bucket('of-sdk');
  expect(await s3Failure(bucket('of-sdk'))).toBe('409 BucketAlreadyOwnedByYou');
  expect(await s3Failure(bucket('Of_SDK'))).toBe('400 InvalidBucketName');
  const { Buckets = [] } = await client.send(new ListBucketsCommand());
  expect(Buckets.map(({ Name }) => Name)).toContain('of-sdk');
  await client.send(new HeadBucketCommand({ Bucket }));
  expect(await s3Failure(client.send(new HeadBucketCommand({ Bucket: 'not-there' })))).toBe('404 NotFound');
  const { LocationConstraint } = await client.send(new GetBucketLocationCommand({ Bucket }));
  expect(LocationConstraint).toBe('auto');
  await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }));
  expect(await s3Failure(client.send(new DeleteBucketCommand({ Bucket })))).toBe('409 BucketNotEmpty');
  await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  await client.send(new DeleteBucketCommand({ Bucket }));
  expect(await s3Failure(client.send(new HeadBucketCommand({ Bucket })))).toBe('404 NotFound');
});

test('returns an object with its bytes, headers and metadata, in ranges and under conditions', async () => {
  const { Bucket } = await bucket('objects');
  const Key = "dir/ä b+c&'(1)*.txt";
  const put = await client.send(
    new PutObjectCommand({
      Bucket,
      Key,
      Body: 'hello world',
      ContentType: 'text/plain',
      CacheControl: 'max-age=60',
      Metadata: { owner: 'ops' },
    }),
  );
  expect(put.ETag).toBe(`"${createHash('md5').update('hello world').digest('hex')}"`);
  const got = await client.send(new GetObjectCommand({ Bucket, Key }));
  expect(await got.Body?.transformToString()).toBe('hello world');
  const facts = { ContentType: 'text/plain', CacheControl: 'max-age=60', Metadata: { owner: 'ops' } };
  expect(got).toMatchObject({ ...facts, ETag: put.ETag, ContentLength: 11 });
  const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
  expect(head).toMatchObject({ ...facts, ContentLength: 11 });
  const part = await client.send(new GetObjectCommand({ Bucket, Key, Range: 'bytes=6-' }));
  expect(await part.Body?.transformToString()).toBe('world');
  expect(part.ContentRange).toBe('bytes 6-10/11');
  const get = (more: object) => s3Failure(client.send(new GetObjectCommand({ Bucket, Key, ...more })));
  expect(await get({ Range: 'bytes=11-' })).toBe('416 InvalidRange');
  expect(await get({ IfMatch: '"other"' })).toBe('412 PreconditionFailed');
  expect(await get({ IfNoneMatch: put.ETag })).toMatch(/^304/);
  expect(await get({ Key: 'none' })).toBe('404 NoSuchKey');
  const again = new PutObjectCommand({ Bucket, Key, Body: 'x', IfNoneMatch: '*' });
  expect(await s3Failure(client.send(again))).toBe('412 PreconditionFailed');
  // The v4 API also returns the object that the S3 client stored.
  const found = place.sandbox.platform.objects().find(Bucket, Key);
  expect(found).toMatchObject({ size: 11, customMetadata: { owner: 'ops' } });
});

test('stores a stream that is sent in chunks as one object', async () => {
  const { Bucket } = await bucket('streams');
  const bytes = randomBytes(300_000);
  const Body = Readable.from([bytes.subarray(0, 70_000), bytes.subarray(70_000)], { objectMode: false });
  await client.send(new PutObjectCommand({ Bucket, Key: 's', Body, ContentLength: bytes.length }));
  const got = await client.send(new GetObjectCommand({ Bucket, Key: 's' }));
  expect(Buffer.compare((await got.Body?.transformToByteArray()) ?? Buffer.alloc(0), bytes)).toBe(0);
  expect(got.ContentEncoding).toBeUndefined();
});

test('lists objects in pages, by prefix and delimiter, in both versions', async () => {
  const { Bucket } = await bucket('lists');
  const keys = ['a.txt', 'b/1', 'b/2', 'c d.txt', 'e/f/g'];
  for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  const found: (string | undefined)[] = [];
  const config = { client, pageSize: 2 };
  for await (const page of paginateListObjectsV2(config, { Bucket, Delimiter: '/', EncodingType: 'url' }))
    found.push(
      ...(page.Contents ?? []).map(({ Key }) => Key),
      ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
    );
  expect(found).toEqual(['a.txt', 'b/', 'c%20d.txt', 'e/']);
  const old = await client.send(new ListObjectsCommand({ Bucket, Delimiter: '/', MaxKeys: 2 }));
  expect(old).toMatchObject({ IsTruncated: true, NextMarker: 'b/' });
  const rest = await client.send(new ListObjectsCommand({ Bucket, Delimiter: '/', Marker: 'b/' }));
  expect(rest.Contents?.map(({ Key }) => Key)).toEqual(['c d.txt']);
  const { Deleted = [] } = await client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects: keys.map((Key) => ({ Key })) } }),
  );
  expect(Deleted.map(({ Key }) => Key)).toEqual(keys);
  expect((await client.send(new ListObjectsCommand({ Bucket }))).Contents).toBeUndefined();
});

test('assembles an object from parts, sent or copied, and lists the upload until it is complete', async () => {
  const { Bucket } = await bucket('parts');
  const first = randomBytes(5 * 1024 * 1024);
  await client.send(new PutObjectCommand({ Bucket, Key: 'source', Body: first }));
  const upload = { Bucket, Key: 'whole' };
  const create = new CreateMultipartUploadCommand({ ...upload, ContentType: 'x/y', Metadata: { a: 'b' } });
  const { UploadId } = await client.send(create);
  const of = { ...upload, UploadId };
  const copied = await client.send(
    new UploadPartCopyCommand({ ...of, PartNumber: 1, CopySource: `${Bucket}/source` }),
  );
  const sent = await client.send(new UploadPartCommand({ ...of, PartNumber: 2, Body: 'the end' }));
  const { Parts = [] } = await client.send(new ListPartsCommand(of));
  expect(Parts.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
    [1, first.length],
    [2, 7],
  ]);
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  expect(Uploads).toMatchObject([{ Key: 'whole', UploadId }]);
  const complete = (...etags: (string | undefined)[]) =>
    client.send(
      new CompleteMultipartUploadCommand({
        ...of,
        MultipartUpload: { Parts: etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 })) },
      }),
    );
  expect(await s3Failure(complete('"0"', sent.ETag))).toBe('400 InvalidPart');
  const { ETag } = await complete(copied.CopyPartResult?.ETag, sent.ETag);
  const md5 = (data: string | Uint8Array) => createHash('md5').update(data).digest();
  const hash = md5(Buffer.concat([md5(first), md5('the end')])).toString('hex');
  expect(ETag).toBe(`"${hash}-2"`);
  expect(await s3Failure(complete(sent.ETag))).toBe('404 NoSuchUpload');
  const tail = await client.send(new GetObjectCommand({ ...upload, Range: `bytes=${first.length - 1}-` }));
  expect(await tail.Body?.transformToString('latin1')).toBe(
    `${first.toString('latin1', first.length - 1)}the end`,
  );
  expect(tail).toMatchObject({ ContentType: 'x/y', Metadata: { a: 'b' } });
  const copy = new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/whole` });
  expect((await client.send(copy)).CopyObjectResult?.ETag).toMatch(/^"[0-9a-f]{32}"$/);
  expect((await client.send(new HeadObjectCommand({ Bucket, Key: 'copy' }))).Metadata).toEqual({ a: 'b' });
});

test('rejects a short part, a completed upload and a wrong secret', async () => {
  const { Bucket } = await bucket('refusals');
  const upload = { Bucket, Key: 'k' };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload));
  const of = { ...upload, UploadId };
  const Parts = [];
  for (const PartNumber of [1, 2]) {
    const { ETag } = await client.send(new UploadPartCommand({ ...of, PartNumber, Body: 'short' }));
    Parts.push({ PartNumber, ETag });
  }
  const complete = new CompleteMultipartUploadCommand({ ...of, MultipartUpload: { Parts } });
  expect(await s3Failure(client.send(complete))).toBe('400 EntityTooSmall');
  await client.send(new AbortMultipartUploadCommand(of));
  const late = new UploadPartCommand({ ...of, PartNumber: 1, Body: 'x' });
  expect(await s3Failure(client.send(late))).toBe('404 NoSuchUpload');
  const stranger = s3.clientWith('wrong');
  expect(await s3Failure(stranger.send(new ListBucketsCommand()))).toBe('403 SignatureDoesNotMatch');
  stranger.destroy();
});

test('completes the retries of the official client after refusals and after connections dropped within a part', async () => {
  const { Bucket } = await bucket('faults');
  const patient = s3.clientWith(ownAccessKey(place.sandbox.access().apiToken).secret, 5);
  const { traffic } = place.sandbox.platform;
  traffic?.faults.add({ match: 'PUT s3:/faults/**', status: 503, times: 1 });
  traffic?.faults.add({ match: 'PUT s3:/faults/**', cut: 'after', times: 2 });
  traffic?.faults.add({ match: 'GET s3:/faults/**', body: 'truncated', status: 500, times: 1 });
  const upload = { Bucket, Key: 'whole' };
  const { UploadId } = await patient.send(new CreateMultipartUploadCommand(upload));
  const bodies = [randomBytes(5 * 1024 * 1024), randomBytes(7)];
  const Parts = await Promise.all(
    bodies.map(async (Body, index) => {
      const part = { ...upload, UploadId, PartNumber: index + 1 };
      const { ETag } = await patient.send(new UploadPartCommand({ ...part, Body }));
      return { PartNumber: index + 1, ETag };
    }),
  );
  await patient.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload: { Parts } }));
  const got = await patient.send(new GetObjectCommand(upload));
  expect(Buffer.concat(bodies).equals((await got.Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(
    true,
  );
  expect(traffic?.faults.list().map(({ met: hits }) => hits)).toEqual([1, 2, 1]);
  const log = traffic?.log.list({ path: 's3:/faults/whole' }) ?? [];
  expect(log.map(({ route, status }) => `${route} ${status}`).sort()).toEqual([
    ...['CompleteMultipartUpload 200', 'CreateMultipartUpload 200', 'GetObject 200', 'GetObject 500'],
    ...['UploadPart 200', 'UploadPart 200', 'UploadPart 503', 'UploadPart null'],
  ]);
  traffic?.faults.clear();
  patient.destroy();
});

test('does not make official clients retry when data on disk is unusable', async () => {
  const { Bucket } = await bucket('unusable');
  const { accountId: account_id, apiToken } = place.sandbox.access();
  const namespace_id = await place.create();
  const data = join(place.folder, 'v3');
  await rename(data, `${data}.away`);
  await writeFile(data, 'a file where a folder should be');
  const patient = s3.clientWith(ownAccessKey(apiToken).secret, 5);
  const put = patient.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  expect(await s3Failure(put)).toBe('507 InsufficientStorage');
  const v4 = new Cloudflare({ apiToken, baseURL: place.apiBaseUrl });
  const write = v4.kv.namespaces.values.update('k', { account_id, namespace_id, value: 'v' });
  await expect(write).rejects.toMatchObject({ status: 507 });
  const log = place.sandbox.platform.traffic?.log.list({}) ?? [];
  expect(log.filter(({ status }) => status === 507)).toHaveLength(2);
  patient.destroy();
  await rm(data);
  await rename(`${data}.away`, data);
});
