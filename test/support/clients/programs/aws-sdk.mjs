// Calls the S3 API with the AWS SDK for JavaScript.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { call } from './reported.mjs';

const require = createRequire(join(process.env.CLIENT, 'x.js'));
const S3 = require('@aws-sdk/client-s3');
const client = new S3.S3Client({ region: 'auto', endpoint: process.env.AWS_ENDPOINT_URL, maxAttempts: 1 });
const send = (name, input) => client.send(new S3[`${name}Command`](input));
const Bucket = 'aws-bucket';
const Key = 'folder/ä b+c.txt';
const text = async (promise) => (await promise).Body.transformToString();

await call('CreateBucket', () => send('CreateBucket', { Bucket }));
await call('HeadBucket', () => send('HeadBucket', { Bucket }));
await call('ListBuckets', async () => (await send('ListBuckets', {})).Buckets.map(({ Name }) => Name), [
  Bucket,
]);
await call('PutObject', () =>
  send('PutObject', { Bucket, Key, Body: 'text', ContentType: 'text/plain', Metadata: { tag: 'one' } }),
);
await call('PutObject with SHA-256', () =>
  send('PutObject', { Bucket, Key: 'sum', Body: 'text', ChecksumAlgorithm: 'SHA256' }),
);
await call(
  'PutObject if absent, refused',
  () =>
    send('PutObject', { Bucket, Key, Body: 'other', IfNoneMatch: '*' }).then(
      () => 'written',
      (error) => error.name,
    ),
  'PreconditionFailed',
);
await call('GetObject', () => text(send('GetObject', { Bucket, Key })), 'text');
await call('GetObject of a range', () => text(send('GetObject', { Bucket, Key, Range: 'bytes=1-2' })), 'ex');
await call(
  'HeadObject',
  async () => {
    const { ContentType, ContentLength, Metadata } = await send('HeadObject', { Bucket, Key });
    return { ContentType, ContentLength, Metadata };
  },
  { ContentType: 'text/plain', ContentLength: 4, Metadata: { tag: 'one' } },
);
await call(
  'HeadObject of a missing key',
  () =>
    send('HeadObject', { Bucket, Key: 'none' }).then(
      () => 'found',
      (error) => error.name,
    ),
  'NotFound',
);
await call('CopyObject', () =>
  send('CopyObject', { Bucket, Key: 'copy', CopySource: `${Bucket}/${encodeURIComponent(Key)}` }),
);
await call('ListObjectsV2', async () => {
  const { CommonPrefixes, Contents } = await send('ListObjectsV2', { Bucket, Delimiter: '/' });
  return [CommonPrefixes.map(({ Prefix }) => Prefix), Contents.map((one) => one.Key)];
}, [['folder/'], ['copy', 'sum']]);
const upload = await call('CreateMultipartUpload', () =>
  send('CreateMultipartUpload', { Bucket, Key: 'large' }),
);
const { UploadId } = upload ?? {};
const part = (PartNumber, Body) => send('UploadPart', { Bucket, Key: 'large', UploadId, PartNumber, Body });
const parts = await call('UploadPart', async () => {
  const bodies = [Buffer.alloc(5 * 1024 * 1024, 'a'), Buffer.from('end')];
  const made = await Promise.all(bodies.map((body, index) => part(index + 1, body)));
  return made.map(({ ETag }, index) => ({ ETag, PartNumber: index + 1 }));
});
await call(
  'ListParts',
  async () => (await send('ListParts', { Bucket, Key: 'large', UploadId })).Parts.length,
  2,
);
await call('CompleteMultipartUpload', () =>
  send('CompleteMultipartUpload', { Bucket, Key: 'large', UploadId, MultipartUpload: { Parts: parts } }),
);
await call(
  'GetObject of its end',
  () => text(send('GetObject', { Bucket, Key: 'large', Range: 'bytes=-3' })),
  'end',
);
await call('AbortMultipartUpload', async () => {
  const { UploadId: other } = await send('CreateMultipartUpload', { Bucket, Key: 'never' });
  await send('AbortMultipartUpload', { Bucket, Key: 'never', UploadId: other });
  return (await send('ListMultipartUploads', { Bucket })).Uploads ?? [];
}, []);
await call('DeleteObject', () => send('DeleteObject', { Bucket, Key: 'copy' }));
await call(
  'DeleteObjects',
  async () => {
    const Objects = [Key, 'large', 'sum'].map((one) => ({ Key: one }));
    return (await send('DeleteObjects', { Bucket, Delete: { Objects } })).Deleted.length;
  },
  3,
);
await call('DeleteBucket', () => send('DeleteBucket', { Bucket }));
await call(
  'NoSuchBucket',
  () =>
    send('ListObjectsV2', { Bucket }).then(
      () => 'found',
      (error) => error.name,
    ),
  'NoSuchBucket',
);
