import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoNamespaces } from '../../../src/sandbox/demo/data.ts';
import { seedDemo } from '../../../src/sandbox/demo/demo.ts';
import { openTestSandbox, type TestSandbox } from '../test-sandbox.ts';

let place: TestSandbox;
beforeAll(async () => {
  place = await openTestSandbox('in process');
});
afterAll(() => place.close());

interface Key {
  name: string;
  expiration?: number;
}

async function readKeys(id: string): Promise<Key[]> {
  return (await place.kv('GET', `/${id}/keys`)).envelope<Key[]>().result ?? [];
}

test('the demo has five namespaces with about a hundred keys', async () => {
  const seeded = await seedDemo(place.sandbox);
  expect(seeded.map(({ title }) => title)).toEqual([
    'shop-FEATURE_FLAGS',
    'shop-SESSIONS',
    'shop-CATALOGUE',
    'shop-REDIRECTS',
    'shop-ODDITIES',
  ]);
  for (const { id, keys } of seeded) expect(await readKeys(id)).toHaveLength(keys);
  expect(seeded.reduce((sum, { keys }) => sum + keys, 0)).toBeGreaterThan(300);
});

test('seeding keeps ids and other keys, and restores expired keys', async () => {
  const before = await seedDemo(place.sandbox);
  const sessions = before.find(({ title }) => title === 'shop-SESSIONS');
  const id = sessions?.id ?? '';
  await place.kv('PUT', `/${id}/values/mine`, 'kept');
  place.clock.now += 3 * 24 * 60 * 60 * 1000;
  expect(await readKeys(id)).toHaveLength(1);
  expect(await seedDemo(place.sandbox)).toEqual(before);
  expect(await readKeys(id)).toHaveLength((sessions?.keys ?? 0) + 1);
  expect((await place.kv('GET', `/${id}/values/mine`)).text).toBe('kept');
});

test('the demo data is identical on every seeding', () => {
  expect(demoNamespaces()).toEqual(demoNamespaces());
});

test('the namespace of oddities contains an empty and a large value, a name of 512 bytes and hostile names', async () => {
  const seeded = await seedDemo(place.sandbox);
  const id = seeded.find(({ title }) => title === 'shop-ODDITIES')?.id ?? '';
  const names = (await readKeys(id)).map(({ name }) => name);
  expect(names.some((name) => Buffer.byteLength(name) === 512)).toBe(true);
  expect(names.filter((name) => /[\u0000-\u001f\u202e\u200b]/.test(name)).length).toBeGreaterThan(3);
  expect(names).toContain('__proto__');
  const size = async (name: string) => (await place.kv('GET', `/${id}/values/${name}`)).bytes.length;
  expect(await size('empty-value')).toBe(0);
  expect(await size('large-300k.json')).toBeGreaterThan(300_000);
});

test('the pictures in the demo namespaces are PNG files', async () => {
  const seeded = await seedDemo(place.sandbox);
  const id = seeded.find(({ title }) => title === 'shop-ODDITIES')?.id ?? '';
  const { bytes } = await place.kv('GET', `/${id}/values/pixel.png`);
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  expect(bytes.subarray(-8).toString('hex')).toBe('49454e44ae426082');
});
