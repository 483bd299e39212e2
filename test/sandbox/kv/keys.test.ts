import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox, transports } from '../test-sandbox.ts';

interface Key {
  name: string;
}

describe.each(transports)('the list of keys %s', (way) => {
  let place: TestSandbox;
  let ns: string;
  const names = Array.from({ length: 2345 }, (_, index) => `key/${String(index).padStart(5, '0')}`);
  const odd = ['Z', 'a', 'é', '\ud83d\ude80', '\uffee'];
  beforeAll(async () => {
    place = await openTestSandbox(way);
    ns = `/${await place.create()}`;
    const entries = [...names, ...odd].map((key) => ({ key, value: '' }));
    await place.kv('PUT', `${ns}/bulk`, { json: entries });
  });
  afterAll(() => place.close());

  async function all(query: string): Promise<{ pages: number[]; names: string[] }> {
    const pages: number[] = [];
    const found: string[] = [];
    let cursor = '';
    do {
      const envelope = (await place.kv('GET', `${ns}/keys?${query}&cursor=${cursor}`)).envelope<Key[]>();
      const page = envelope.result ?? [];
      expect(envelope.result_info?.count).toBe(page.length);
      pages.push(page.length);
      found.push(...page.map(({ name }) => name));
      cursor = envelope.result_info?.cursor ?? '';
    } while (cursor !== '');
    return { pages, names: found };
  }

  test('has pages of 1,000 keys and ends with an empty cursor', async () => {
    const list = await all('prefix=key/');
    expect(list.pages).toEqual([1000, 1000, 345]);
    expect(list.names).toEqual(names);
  });

  test('has the requested page size', async () => {
    const list = await all('prefix=key/000&limit=10');
    expect(list.pages).toEqual(Array.from({ length: 10 }, () => 10));
    expect(list.names).toEqual(names.slice(0, 100));
  });

  test('is in the order of UTF-8 bytes', async () => {
    const list = await all('');
    expect(list.names.filter((name) => odd.includes(name))).toEqual([
      'Z',
      'a',
      'é',
      '\uffee',
      '\ud83d\ude80',
    ]);
  });

  test('contains all keys for an empty prefix, and one empty page for a prefix without keys', async () => {
    expect((await all('prefix=')).names).toHaveLength(names.length + odd.length);
    expect(await all('prefix=nothing')).toEqual({ pages: [0], names: [] });
  });

  test('continues from a cursor after keys were deleted', async () => {
    const first = (await place.kv('GET', `${ns}/keys?prefix=key/&limit=10`)).envelope<Key[]>();
    await place.kv('DELETE', `${ns}/values/key%2F00009`);
    await place.kv('DELETE', `${ns}/values/key%2F00010`);
    const query = `prefix=key/&limit=10&cursor=${first.result_info?.cursor}`;
    const next = (await place.kv('GET', `${ns}/keys?${query}`)).envelope<Key[]>();
    expect(next.result?.[0]?.name).toBe('key/00011');
    await place.kv('PUT', `${ns}/values/key%2F00009`, '');
    await place.kv('PUT', `${ns}/values/key%2F00010`, '');
  });

  test.each(['limit=9', 'limit=1001', 'limit=0', 'limit=-1', 'limit=ten', 'cursor=made-up', 'cursor=%00'])(
    'rejects a list request with %s',
    async (query) => {
      expect((await place.kv('GET', `${ns}/keys?${query}`)).status).toBe(400);
    },
  );
});

test('sends an empty page with a cursor before each page of keys with emptyPages', async () => {
  await using stack = new AsyncDisposableStack();
  const place = await openTestSandbox('in process', { emptyPages: true });
  stack.defer(() => place.close());
  const ns = `/${await place.create()}`;
  const entries = Array.from({ length: 15 }, (_, index) => ({ key: `k${index + 10}`, value: '' }));
  await place.kv('PUT', `${ns}/bulk`, { json: entries });
  const counts: number[] = [];
  let cursor = '';
  do {
    const envelope = (await place.kv('GET', `${ns}/keys?limit=10&cursor=${cursor}`)).envelope<Key[]>();
    counts.push(envelope.result?.length ?? -1);
    cursor = envelope.result_info?.cursor ?? '';
  } while (cursor !== '');
  expect(counts).toEqual([0, 10, 0, 5]);
});
