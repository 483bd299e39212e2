// Creates, changes and destroys a namespace, a bucket, a DNS record and a worker with alchemy.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { call } from './reported.mjs';

const from = (path) => import(pathToFileURL(join(process.env.CLIENT, 'alchemy', 'lib', path)).href);
const { default: alchemy } = await from('index.js');
const { KVNamespace, R2Bucket, Worker, DnsRecords } = await from('cloudflare/index.js');
const zoneId = process.env.CLOUDFLARE_ZONE_ID;

async function up(word) {
  const app = await alchemy('peer', { stage: 'test', phase: 'up', quiet: true, password: 'secret' });
  const kv = await call(`KVNamespace (${word})`, () => KVNamespace('colours', { title: 'alchemy-colours' }));
  const bucket = await call(`R2Bucket (${word})`, () => R2Bucket('files', { name: 'alchemy-files' }));
  await call(`DnsRecords (${word})`, () =>
    DnsRecords('records', {
      zoneId,
      records: [{ name: `alchemy.${process.env.ZONE}`, type: 'A', content: '192.0.2.7', proxied: false }],
    }),
  );
  await call(`Worker (${word})`, () =>
    Worker('worker', {
      name: 'alchemy-worker',
      script: 'export default { fetch(request, env) { return new Response(env.WORD) } }',
      format: 'esm',
      bindings: { WORD: word, KV: kv, FILES: bucket },
      url: true,
    }),
  );
  await app.finalize();
}

async function down() {
  const app = await alchemy('peer', { stage: 'test', phase: 'destroy', quiet: true, password: 'secret' });
  await app.finalize();
}

await up('first');
await up('second');
await call('destroy', down);
