import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoBuckets } from '../../../src/sandbox/demo/buckets.ts';
import { seedDemo } from '../../../src/sandbox/demo/demo.ts';
import { imageSize } from '../../../src/text/image-size.ts';
import { openTestSandbox, type Reply, type TestSandbox } from '../test-sandbox.ts';

let place: TestSandbox;
let account: string;
beforeAll(async () => {
  place = await openTestSandbox('in process');
  account = `/accounts/${place.sandbox.access().accountId}`;
  await seedDemo(place.sandbox);
});
afterAll(() => place.close());

interface Listed {
  key: string;
  etag: string;
  last_modified: string;
  http_metadata: Record<string, string>;
  custom_metadata: Record<string, string>;
}

async function readObjects(bucket: string): Promise<Listed[]> {
  const reply = await place.call('GET', `${account}/r2/buckets/${bucket}/objects`);
  return reply.envelope<Listed[]>().result ?? [];
}

async function everything(): Promise<Listed[]> {
  return (await Promise.all(demoBuckets().map(({ name }) => readObjects(name)))).flat();
}

function objectPath(bucket: string, key: string): string {
  return `${account}/r2/buckets/${bucket}/objects/${encodeURIComponent(key)}`;
}

function getDay(text: string): number {
  return (place.clock.now - Date.parse(text)) / 86_400_000;
}

test('the demo has three buckets with objects of many types and ages, and no object is older than its bucket', async () => {
  const reply = await place.call('GET', `${account}/r2/buckets`);
  const { buckets = [] } =
    reply.envelope<{ buckets: { name: string; creation_date: string }[] }>().result ?? {};
  expect(buckets.map(({ name }) => name)).toEqual(['shop-assets', 'shop-reports', 'shop-uploads']);
  for (const { name, creation_date } of buckets) {
    const ages = (await readObjects(name)).map(({ last_modified }) => getDay(last_modified));
    expect(ages.length).toBeGreaterThan(7);
    expect(Math.max(...ages)).toBeLessThan(getDay(creation_date));
    expect(Math.max(...ages) - Math.min(...ages)).toBeGreaterThan(30);
  }
  const all = await everything();
  expect(new Set(all.map(({ http_metadata: { contentType } }) => contentType)).size).toBeGreaterThan(8);
  expect(all.some(({ custom_metadata }) => custom_metadata['customer'] === 'user-1037')).toBe(true);
});

test('object names include folders, other scripts and an escape sequence', async () => {
  const keys = (await readObjects('shop-uploads')).map(({ key }) => key);
  expect(keys.some((key) => key.includes('\u001b['))).toBe(true);
  expect(keys.some((key) => key.includes('日本語'))).toBe(true);
  const reply = await place.call('GET', `${account}/r2/buckets/shop-uploads/objects?delimiter=%2F`);
  expect(reply.envelope().result_info).toMatchObject({ delimited: ['invoices/', 'returns/'] });
});

test('the pictures in the demo buckets are valid images', async () => {
  const { bytes, headers } = await place.call('GET', objectPath('shop-assets', 'images/banner/winter.png'));
  expect(headers['content-type']).toBe('image/png');
  expect(imageSize(bytes)).toMatchObject({ width: 640, height: 160 });
});

test('seeding restores changed and deleted objects, and keeps all other objects', async () => {
  const before = await everything();
  await place.call('PUT', objectPath('shop-assets', 'robots.txt'), 'changed');
  await place.call('PUT', objectPath('shop-assets', 'mine.txt'), 'kept');
  await place.call('DELETE', objectPath('shop-reports', 'README.md'));
  place.clock.now += 3600_000;
  await seedDemo(place.sandbox);
  const after = await everything();
  expect(after).toHaveLength(before.length + 1);
  expect((await place.call('GET', objectPath('shop-assets', 'robots.txt'))).text).toContain('User-agent');
  expect((await place.call('GET', objectPath('shop-assets', 'mine.txt'))).text).toBe('kept');
  const touched = ['robots.txt', 'README.md', 'mine.txt'];
  const equal = (list: Listed[]) => list.filter(({ key }) => !touched.includes(key));
  expect(equal(after)).toEqual(equal(before));
});

test('seeding restores a deleted bucket of the demo', async () => {
  for (const { key } of await readObjects('shop-uploads')) {
    await place.call('DELETE', objectPath('shop-uploads', key));
  }
  const deleted: Reply = await place.call('DELETE', `${account}/r2/buckets/shop-uploads`);
  expect(deleted.status).toBe(200);
  await seedDemo(place.sandbox);
  expect(await readObjects('shop-uploads')).toHaveLength(demoBuckets()[2]?.objects.length ?? 0);
});
