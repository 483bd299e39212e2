// Calls the S3 API with the MinIO client for JavaScript.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { all, call } from './reported.mjs';

const require = createRequire(join(process.env.CLIENT, 'x.js'));
const { Client, CopyConditions } = require('minio');
const { hostname, port } = new URL(process.env.AWS_ENDPOINT_URL);
const client = new Client({
  endPoint: hostname,
  port: Number(port),
  useSSL: false,
  region: 'auto',
  pathStyle: true,
  accessKey: process.env.AWS_ACCESS_KEY_ID,
  secretKey: process.env.AWS_SECRET_ACCESS_KEY,
});
const bucket = 'minio-bucket';
const name = 'folder/ä b+c.txt';

await call('makeBucket', () => client.makeBucket(bucket, 'auto'));
await call('bucketExists', () => client.bucketExists(bucket), true);
await call('bucketExists of another', () => client.bucketExists('another-bucket'), false);
await call('listBuckets', async () => (await client.listBuckets()).map((one) => one.name), [bucket]);
await call('putObject', () =>
  client.putObject(bucket, name, 'text', 4, { 'Content-Type': 'text/plain', tag: 'one' }),
);
await call('getObject', async () => text(await client.getObject(bucket, name)), 'text');
await call('getPartialObject', async () => text(await client.getPartialObject(bucket, name, 1, 2)), 'ex');
await call(
  'statObject',
  async () => {
    const { size, metaData } = await client.statObject(bucket, name);
    return { size, type: metaData['content-type'], tag: metaData.tag };
  },
  { size: 4, type: 'text/plain', tag: 'one' },
);
await call('copyObject', () => client.copyObject(bucket, 'copy', `/${bucket}/${name}`, new CopyConditions()));
const large = Buffer.alloc(12 * 1024 * 1024, 'large');
await call('putObject in parts', () => {
  client.partSize = 5 * 1024 * 1024;
  return client.putObject(bucket, 'large', large);
});
await call('statObject of parts', async () => (await client.statObject(bucket, 'large')).size, large.length);
await call(
  'listObjectsV2',
  async () => (await all(client.listObjectsV2(bucket, '', true))).map((one) => one.name),
  ['copy', name, 'large'],
);
await call(
  'presignedGetObject',
  async () => (await fetch(await client.presignedGetObject(bucket, name, 60))).text(),
  'text',
);
await call(
  'presignedPutObject',
  async () => {
    const put = await fetch(await client.presignedPutObject(bucket, 'put', 60), {
      method: 'PUT',
      body: 'put',
    });
    return put.status;
  },
  200,
);
await call('removeObject', () => client.removeObject(bucket, 'put'));
await call('removeObjects', () => client.removeObjects(bucket, ['copy', name, 'large']));
await call('listIncompleteUploads', () => all(client.listIncompleteUploads(bucket, '', true)), []);
await call('removeBucket', () => client.removeBucket(bucket));
