// Calls the API with the official SDK for TypeScript, whose signatures differ between the major versions 3 to 7.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { all, call } from './reported.mjs';

const require = createRequire(join(process.env.CLIENT, 'x.js'));
const { default: Cloudflare, toFile } = require('cloudflare');
const { version } = JSON.parse(readFileSync(join(process.env.CLIENT, 'cloudflare/package.json'), 'utf8'));
const major = Number(version.split('.')[0]);
const account_id = process.env.CLOUDFLARE_ACCOUNT_ID;
const zone_id = process.env.CLOUDFLARE_ZONE_ID;
const client = new Cloudflare({ maxRetries: 0, baseURL: process.env.CLOUDFLARE_BASE_URL });
const { kv, r2, dns, zones, user, accounts, workers, customHostnames } = client;

/** Returns the arguments with the id of the parent, which is positional up to major version 6. */
const within = (parent, name, id, params) =>
  major < 7 ? [id, name, params] : [name, { ...params, [parent]: id }];

const namespace = await call('kv.namespaces.create', () =>
  kv.namespaces.create({ account_id, title: 'sdk' }),
);
const id = namespace?.id;
await call(
  'kv.namespaces.list',
  async () => (await all(kv.namespaces.list({ account_id }))).map((one) => one.title),
  ['sdk'],
);
if (kv.namespaces.get)
  await call('kv.namespaces.get', async () => (await kv.namespaces.get(id, { account_id })).title, 'sdk');
await call('kv.namespaces.update', () => kv.namespaces.update(id, { account_id, title: 'renamed' }));
// Major versions before 7 do not encode names, so they cannot send a question mark.
const odd = major < 7 ? 'a/b c ü' : 'a/b c?ü';
const key = (name, params = {}) => within('namespace_id', name, id, { account_id, ...params });
await call('kv.namespaces.values.update', () =>
  kv.namespaces.values.update(...key(odd, { value: 'text', metadata: '{"tag":1}' })),
);
await call(
  'kv.namespaces.values.get',
  async () => {
    const got = await kv.namespaces.values.get(...key(odd));
    return typeof got === 'string' ? got : got.text();
  },
  'text',
);
await call('kv.namespaces.metadata.get', () => kv.namespaces.metadata.get(...key(odd)), { tag: 1 });
const bulk = [
  { key: 'x', value: '1' },
  { key: 'y', value: 'Mg==', base64: true },
];
const bulkUpdate = kv.namespaces.keys.bulkUpdate ?? kv.namespaces.bulk?.update;
const bulkDelete = kv.namespaces.keys.bulkDelete ?? kv.namespaces.bulk?.delete;
const bulkOwner = kv.namespaces.keys.bulkUpdate ? kv.namespaces.keys : kv.namespaces.bulk;
await call('kv bulk update', () => bulkUpdate.call(bulkOwner, id, { account_id, body: bulk }));
await call(
  'kv.namespaces.keys.list',
  async () => (await all(kv.namespaces.keys.list(id, { account_id }))).map((one) => one.name).sort(),
  [odd, 'x', 'y'],
);
if (kv.namespaces.keys.bulkGet) {
  await call(
    'kv bulk get',
    async () => (await kv.namespaces.keys.bulkGet(id, { account_id, keys: ['x', 'y'] })).values,
    {
      x: '1',
      y: '2',
    },
  );
}
await call('kv bulk delete', () => bulkDelete.call(bulkOwner, id, { account_id, body: ['x', 'y'] }));
await call('kv.namespaces.values.delete', async () => {
  for (const name of [odd, 'x', 'y']) await kv.namespaces.values.delete(...key(name));
});
await call('kv.namespaces.keys.list, now empty', () => all(kv.namespaces.keys.list(id, { account_id })), []);
await call('kv.namespaces.delete', () => kv.namespaces.delete(id, { account_id }));

await call(
  'r2.buckets.create',
  async () => (await r2.buckets.create({ account_id, name: 'sdk-bucket' })).name,
  'sdk-bucket',
);
await call(
  'r2.buckets.get',
  async () => (await r2.buckets.get('sdk-bucket', { account_id })).name,
  'sdk-bucket',
);
await call('r2.buckets.list', async () => {
  const listed = await r2.buckets.list({ account_id });
  return (listed.buckets ?? listed.result?.buckets ?? listed.result ?? []).map((one) => one.name);
}, ['sdk-bucket']);
await call('r2.buckets.delete', () => r2.buckets.delete('sdk-bucket', { account_id }));

await call('user.tokens.verify', async () => (await user.tokens.verify()).status, 'active');
await call('accounts.list', async () => (await all(accounts.list())).map((one) => one.id), [account_id]);
await call('zones.list', async () => (await all(zones.list())).some((one) => one.id === zone_id), true);
await call('zones.get', async () => (await zones.get({ zone_id })).id, zone_id);
await call('zones.holds.get', async () => (await zones.holds.get({ zone_id })).hold, false);
const zone = (await zones.get({ zone_id })).name;
const record = await call('dns.records.create', () =>
  dns.records.create({ zone_id, type: 'A', name: `sdk.${zone}`, content: '192.0.2.7', ttl: 300 }),
);
await call(
  'dns.records.edit',
  async () => {
    const params = { zone_id, type: 'A', name: `sdk.${zone}`, content: '192.0.2.8', ttl: 300 };
    return (await dns.records.edit(record.id, params)).content;
  },
  '192.0.2.8',
);
await call(
  'dns.records.get',
  async () => (await dns.records.get(record.id, { zone_id })).content,
  '192.0.2.8',
);
await call(
  'dns.records.list',
  async () => (await all(dns.records.list({ zone_id }))).some((one) => one.id === record.id),
  true,
);
await call('dns.records.delete', () => dns.records.delete(record.id, { zone_id }));

const origin = `origin.${zone}`;
await dns.records.create({ zone_id, type: 'A', name: origin, content: '192.0.2.9', ttl: 1, proxied: true });
await call('customHostnames.fallbackOrigin.update', () =>
  customHostnames.fallbackOrigin.update({ zone_id, origin }),
);
await call(
  'customHostnames.fallbackOrigin.get',
  async () => (await customHostnames.fallbackOrigin.get({ zone_id })).origin,
  origin,
);
const hostname = await call('customHostnames.create', () =>
  customHostnames.create({ zone_id, hostname: 'shop.customer.com', ssl: { method: 'txt', type: 'dv' } }),
);
await call(
  'customHostnames.list',
  async () => (await all(customHostnames.list({ zone_id }))).map((one) => one.hostname),
  ['shop.customer.com'],
);
await call(
  'customHostnames.get',
  async () => (await customHostnames.get(hostname.id, { zone_id })).ssl.method,
  'txt',
);
await call(
  'customHostnames.edit',
  async () =>
    (await customHostnames.edit(hostname.id, { zone_id, ssl: { method: 'http', type: 'dv' } })).ssl.method,
  'http',
);
await call('customHostnames.delete', () => customHostnames.delete(hostname.id, { zone_id }));

const code = 'export default { fetch() { return new Response("sdk") } }';
await call('workers.scripts.update', async () => {
  const file = await toFile(Buffer.from(code), 'index.mjs', { type: 'application/javascript+module' });
  const metadata = { main_module: 'index.mjs', compatibility_date: '2023-11-01' };
  const files = major < 5 ? { 'index.mjs': file } : [file];
  // Major version 7 declares a form as JavaScript unless the header is removed.
  const options = major < 7 ? undefined : { headers: { 'Content-Type': null } };
  return workers.scripts.update('sdk-worker', { account_id, metadata, files }, options);
});
await call(
  'workers.scripts.list',
  async () => (await all(workers.scripts.list({ account_id }))).map((one) => one.id),
  ['sdk-worker'],
);
if (workers.scripts.secrets) {
  const secret = { account_id, name: 'TOKEN', text: 'secret', type: 'secret_text' };
  await call('workers.scripts.secrets.update', () => workers.scripts.secrets.update('sdk-worker', secret));
  await call(
    'workers.scripts.secrets.list',
    async () =>
      (await all(workers.scripts.secrets.list('sdk-worker', { account_id }))).map((one) => one.name),
    ['TOKEN'],
  );
}
await call('workers.scripts.delete', () => workers.scripts.delete('sdk-worker', { account_id, force: true }));
