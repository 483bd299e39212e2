import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKvStore } from '../../../src/store/kv/disk.ts';
import { openTestSandbox, type TestSandbox } from '../test-sandbox.ts';

let place: TestSandbox;

beforeEach(async () => {
  place = await openTestSandbox('in process');
});
afterEach(() => place.close());

test('expires keys by the sandbox clock, and then deletes them from disk', async () => {
  const id = await place.create();
  const entries = [
    { key: 'hour', value: 'x', expiration_ttl: 3600 },
    { key: 'week', value: 'x', expiration_ttl: 7 * 24 * 3600 },
  ];
  await place.kv('PUT', `/${id}/bulk`, { json: entries });
  await place.call('POST', '/sandbox/clock', { json: { seconds: 3599 } });
  expect((await place.kv('GET', `/${id}/values/hour`)).status).toBe(200);
  await place.call('POST', '/sandbox/clock', { json: { seconds: 2 } });
  expect((await place.kv('GET', `/${id}/values/hour`)).status).toBe(404);
  const names = (await place.kv('GET', `/${id}/keys`)).envelope<{ name: string }[]>().result;
  expect(names?.map(({ name }) => name)).toEqual(['week']);
  await place.call('POST', '/sandbox/clock', { json: { seconds: 60 } });
  // The keys are listed with the machine's clock, as a worker lists them, so only a deletion can hide a key.
  const random = (bytes: number) => new Uint8Array(bytes);
  const disk = openKvStore(place.folder, { now: () => place.clock.now, random });
  expect(disk.list(id, { limit: 10 }, place.clock.now).map(({ name }) => name)).toEqual(['week']);
  disk.close();
  await place.kv('PUT', `/${id}/values/late?expiration_ttl=60`, 'x');
  const late = (await place.kv('GET', `/${id}/values/late`)).headers['expiration'];
  expect(Number(late)).toBe((place.clock.now + 3_661_000) / 1000 + 60);
});
