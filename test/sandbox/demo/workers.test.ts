import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedDemo } from '../../../src/sandbox/demo/demo.ts';
import { inSoak } from '../../support/in-part.ts';
import { openWorkerSandbox, type WorkerSandbox } from '../workers/test-sandbox.ts';

let place: WorkerSandbox;
beforeAll(async () => {
  place = await openWorkerSandbox('in process');
  await seedDemo(place.sandbox);
});
afterAll(() => place.close());

interface Bound {
  name: string;
  type: string;
  text?: string;
  namespace_id?: string;
}

async function bindings(): Promise<Bound[]> {
  const reply = await place.workers('GET', '/scripts/shop-edge/settings');
  return reply.envelope<{ bindings: Bound[] }>().result?.bindings ?? [];
}

async function deployments(): Promise<{ created_on: string; versions: unknown[] }[]> {
  const reply = await place.workers('GET', '/scripts/shop-edge/deployments');
  return (
    reply.envelope<{ deployments: { created_on: string; versions: unknown[] }[] }>().result?.deployments ?? []
  );
}

test('the demo has a worker with a history of deployments, bindings and secret names', async () => {
  const list = await place.workers('GET', '/scripts');
  expect(list.envelope<{ id: string }[]>().result?.map(({ id }) => id)).toEqual(['shop-edge']);
  const ages = (await deployments()).map(({ created_on }) => place.clock.now - Date.parse(created_on));
  expect(ages.length).toBeGreaterThan(2);
  expect(ages).toEqual(ages.toSorted((left, right) => left - right));
  expect((await bindings()).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['kv_namespace', 'r2_bucket', 'plain_text', 'json', 'secret_text']),
  );
  const secrets = await place.workers('GET', '/scripts/shop-edge/secrets');
  expect(secrets.envelope<Bound[]>().result).toEqual([
    { name: 'CHECKOUT_API_TOKEN', type: 'secret_text' },
    { name: 'PREVIEW_KEY', type: 'secret_text' },
  ]);
});

test('seeding deploys nothing if the worker exists, and keeps a secret that was set', async () => {
  const secret = { name: 'PREVIEW_KEY', text: 'mine', type: 'secret_text' };
  await seedDemo(place.sandbox);
  const before = await deployments();
  await place.workers('PUT', '/scripts/shop-edge/secrets', { json: secret });
  const changed = await deployments();
  expect(changed.length).toBe(before.length + 1);
  await seedDemo(place.sandbox);
  expect(await deployments()).toEqual(changed);
});

test('seeding restores a deleted secret, namespace or worker, and keeps additions', async () => {
  await place.workers('DELETE', '/scripts/shop-edge/secrets/CHECKOUT_API_TOKEN');
  await place.workers('PUT', '/scripts/shop-edge/secrets', {
    json: { name: 'MINE', text: 'kept', type: 'secret_text' },
  });
  const old = (await bindings()).find(({ name }) => name === 'REDIRECTS')?.namespace_id;
  await place.kv('DELETE', `/${old}`);
  await seedDemo(place.sandbox);
  const names = (await bindings()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['CHECKOUT_API_TOKEN', 'MINE', 'PREVIEW_KEY']));
  const found = (await bindings()).find(({ name }) => name === 'REDIRECTS')?.namespace_id ?? '';
  expect(found).not.toBe(old);
  expect((await place.kv('GET', `/${found}/keys`)).status).toBe(200);
  await place.workers('DELETE', '/scripts/shop-edge');
  await seedDemo(place.sandbox);
  expect((await deployments()).length).toBeGreaterThan(2);
});

test('the demo worker serves redirects, products, flags for the key, and pages', async () => {
  const secret = { name: 'PREVIEW_KEY', text: 'letmein', type: 'secret_text' };
  await place.workers('PUT', '/scripts/shop-edge/secrets', { json: secret });
  const old = await place.visit('shop-edge', '/sale/2015');
  expect([old.status, old.headers['location']]).toEqual([302, expect.stringContaining('shop.example')]);
  const product = await place.visit('shop-edge', '/products/eu/de/shoes/0001');
  expect(JSON.parse(product.text)).toMatchObject({ price: { currency: 'EUR' } });
  expect((await place.visit('shop-edge', '/flags/search.semantic')).status).toBe(403);
  const headers = { 'x-preview-key': 'letmein' };
  expect((await place.visit('shop-edge', '/flags/search.semantic', { headers })).status).toBe(200);
  const page = await place.visit('shop-edge', '/');
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect((await place.visit('shop-edge', '/nothing')).status).toBe(404);
});

inSoak(() => {
  test('seeding a sandbox does not load Miniflare', () => {
    const url = (path: string) => JSON.stringify(new URL(`../../../src/sandbox/${path}`, import.meta.url));
    const code = `
    import { randomBytes } from 'node:crypto';
    import { createRequire } from 'node:module';
    const { openSandbox } = await import(${url('http/app.ts')});
    const { seedDemo } = await import(${url('demo/demo.ts')});
    const folder = ${JSON.stringify(join(place.folder, 'other'))};
    const options = { kind: 'sandbox', folder, persistRoot: folder, now: Date.now, random: randomBytes };
    const sandbox = openSandbox(options);
    await seedDemo(sandbox);
    console.log(String(sandbox.platform.registry().workers.list().length));
    sandbox.close();
    const loaded = Object.keys(createRequire(folder).cache);
    console.log(String(loaded.filter((file) => /[\\\\/](miniflare|esbuild)[\\\\/]/.test(file)).length));`;
    const args = ['--no-warnings', '--input-type=module', '-e', code];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('1\n0\n');
  });
});
