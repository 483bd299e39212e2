import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox, transports } from '../test-sandbox.ts';
import { type BucketCall, bucketCalls } from './test-sandbox.ts';

interface Page {
  readonly buckets: readonly { readonly name: string }[];
}

describe.each(transports)('buckets %s', (way) => {
  let place: TestSandbox;
  let call: BucketCall;
  beforeAll(async () => {
    place = await openTestSandbox(way);
    call = bucketCalls(place);
  });
  afterAll(() => place.close());

  const names = async (query: string) => {
    const { result, result_info } = (await call('GET', query)).envelope<Page>();
    return { names: result?.buckets.map(({ name }) => name), info: result_info };
  };

  test('a bucket is created, read, listed and deleted', async () => {
    const created = (await call('POST', '', { json: { name: 'assets', locationHint: 'WEUR' } })).envelope();
    expect(created.result).toEqual({
      name: 'assets',
      creation_date: '2026-11-21T10:00:00.000Z',
      location: 'weur',
      storage_class: 'Standard',
      jurisdiction: 'default',
    });
    expect((await call('GET', '/assets')).envelope().result).toEqual(created.result);
    expect((await names('')).names).toEqual(['assets']);
    expect((await call('DELETE', '/assets')).envelope()).toMatchObject({ success: true, result: {} });
    const gone = await call('GET', '/assets');
    expect([gone.status, gone.code]).toEqual([404, 10006]);
    expect(gone.envelope().errors[0]?.message).toBe('The specified bucket does not exist.');
  });

  test('a name in use is rejected with 10004', async () => {
    await call('POST', '', { json: { name: 'taken' } });
    const again = await call('POST', '', { json: { name: 'taken' } });
    expect([again.status, again.code]).toEqual([409, 10004]);
    await call('DELETE', '/taken');
  });

  test.each(['ab', 'a'.repeat(64), 'Upper', 'under_score', '-a-', 'a b c', 'a.b.c', '', 7])(
    'the name %j is rejected with 10005',
    async (name) => {
      const reply = await call('POST', '', { json: { name } });
      expect([reply.status, reply.code]).toEqual([400, 10005]);
    },
  );

  test('names of 3 and of 63 characters are valid', async () => {
    for (const name of ['a-1', 'b'.repeat(63)]) {
      expect((await call('POST', '', { json: { name } })).status).toBe(200);
      await call('DELETE', `/${name}`);
    }
  });

  test('lists of buckets page by cursor, 20 at a time by default, filtered and in both directions', async () => {
    const all = Array.from({ length: 23 }, (_, index) => `page-${index + 10}`);
    for (const name of all.toReversed()) await call('POST', '', { json: { name } });
    const first = await names('');
    expect(first.names).toEqual(all.slice(0, 20));
    expect(first.info).toMatchObject({ per_page: 20 });
    const second = await names(`?cursor=${first.info?.cursor}`);
    expect(second).toEqual({ names: all.slice(20), info: { per_page: 20 } });
    expect((await names('?per_page=1000')).names).toEqual(all);
    expect((await names('?name_contains=-2&per_page=4')).names).toEqual(all.slice(10, 14));
    expect((await names('?start_after=page-30')).names).toEqual(['page-31', 'page-32']);
    const back = await names('?direction=desc&per_page=22');
    expect(back.names).toEqual(all.toReversed().slice(0, 22));
    expect((await names(`?direction=desc&cursor=${back.info?.cursor}`)).names).toEqual(['page-10']);
    for (const name of all) await call('DELETE', `/${name}`);
  });

  test.each(['?per_page=0', '?per_page=1001', '?order=size', '?direction=up', '?cursor=%21'])(
    'the list of buckets with %s is rejected',
    async (query) => {
      expect((await call('GET', query)).status).toBe(400);
    },
  );

  test('a bucket with an object is not deleted', async () => {
    await call('POST', '', { json: { name: 'full' } });
    await call('PUT', '/full/objects/k', 'x');
    const refused = await call('DELETE', '/full');
    expect([refused.status, refused.code]).toEqual([409, 10008]);
    expect(refused.envelope().errors[0]?.message).toMatch(
      /^The bucket you tried to delete \(full\) is not empty/,
    );
    await call('DELETE', '/full/objects/k');
    expect((await call('DELETE', '/full')).status).toBe(200);
  });

  test('the storage class of new objects can be changed', async () => {
    await call('POST', '', { json: { name: 'classy', storageClass: 'InfrequentAccess' } });
    await call('PUT', '/classy/objects/k', 'x');
    const list = await call('GET', '/classy/objects');
    expect(list.envelope().result).toMatchObject([{ storage_class: 'InfrequentAccess' }]);
    const changed = await call('PATCH', '/classy', undefined, { 'cf-r2-storage-class': 'Standard' });
    expect(changed.envelope().result).toMatchObject({ storage_class: 'Standard' });
    const wrong = await call('PATCH', '/classy', undefined, { 'cf-r2-storage-class': 'Cold' });
    expect([wrong.status, wrong.code]).toEqual([400, 10040]);
    expect((await call('POST', '', { json: { name: 'cold', storageClass: 'Cold' } })).code).toBe(10040);
  });

  test('an unsupported jurisdiction, hint or body is rejected', async () => {
    const moon = { 'cf-r2-jurisdiction': 'moon' };
    expect((await call('GET', '', undefined, moon)).status).toBe(400);
    expect((await call('POST', '', { json: { name: 'moon-base', locationHint: 'moon' } })).status).toBe(400);
    expect((await call('POST', '', '[1]')).status).toBe(400);
    expect((await call('POST', '', '{')).status).toBe(400);
  });

  test('a caller without credentials is rejected', async () => {
    expect((await call('GET', '', undefined, { authorization: 'Bearer wrong' })).status).toBe(401);
  });
});

test('local data lists the buckets that have objects, and accepts objects in any bucket', async () => {
  const place = await openTestSandbox('in process', { kind: 'local' });
  const call = bucketCalls(place);
  try {
    expect((await call('PUT', '/MY_BUCKET/objects/k', 'x')).status).toBe(200);
    expect((await call('GET', '')).envelope<Page>().result?.buckets.map(({ name }) => name)).toEqual([
      'MY_BUCKET',
    ]);
    expect((await call('POST', '', { json: { name: 'more' } })).status).toBe(400);
    await call('DELETE', '/MY_BUCKET/objects/k');
    expect((await call('DELETE', '/MY_BUCKET')).status).toBe(200);
    expect((await call('GET', '')).envelope<Page>().result?.buckets).toEqual([]);
  } finally {
    await place.close();
  }
});

test('a reset deletes all buckets with their objects', async () => {
  const place = await openTestSandbox('in process');
  const call = bucketCalls(place);
  try {
    for (const name of ['empty', 'full']) await call('POST', '', { json: { name } });
    await call('PUT', '/full/objects/k', 'x');
    expect((await place.call('POST', '/sandbox/reset')).envelope().result).toMatchObject({
      removed_buckets: 2,
    });
    expect((await call('GET', '')).envelope<Page>().result?.buckets).toEqual([]);
    await call('POST', '', { json: { name: 'full' } });
    expect((await call('GET', '/full/objects')).envelope().result).toEqual([]);
  } finally {
    await place.close();
  }
});
