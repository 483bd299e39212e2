// Uses KV over HTTP and the S3 API with unstorage.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { call } from './reported.mjs';

const from = (path) => import(pathToFileURL(join(process.env.CLIENT, 'unstorage', path)).href);
const { createStorage } = await from('dist/index.mjs');
const { default: kvDriver } = await from('drivers/cloudflare-kv-http.mjs');
const { default: s3Driver } = await from('drivers/s3.mjs');

const kv = createStorage({
  driver: kvDriver({
    accountId: process.env.CLOUDFLARE_ACCOUNT_ID,
    namespaceId: process.argv[2],
    apiToken: process.env.CLOUDFLARE_API_TOKEN,
  }),
});
const s3 = createStorage({
  driver: s3Driver({
    accessKeyId: process.env.AWS_ACCESS_KEY_ID,
    secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
    endpoint: process.env.AWS_ENDPOINT_URL,
    bucket: 'unstorage',
    region: 'auto',
  }),
});
for (const [name, storage] of Object.entries({ 'cloudflare-kv-http': kv, s3 })) {
  await call(`${name}: setItem`, () => storage.setItem('a:b', { one: 1 }));
  await call(`${name}: getItem`, () => storage.getItem('a:b'), { one: 1 });
  await call(`${name}: hasItem`, () => storage.hasItem('a:b'), true);
  await call(`${name}: hasItem of another`, () => storage.hasItem('a:c'), false);
  await call(`${name}: getKeys`, () => storage.getKeys(), ['a:b']);
  await call(`${name}: removeItem`, () => storage.removeItem('a:b'));
  await call(`${name}: getItem, now missing`, () => storage.getItem('a:b'), null);
  await call(`${name}: clear`, () => storage.clear());
}
