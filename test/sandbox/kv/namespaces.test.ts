import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox, transports } from '../test-sandbox.ts';

interface Shown {
  id: string;
  title: string;
  supports_url_encoding: boolean;
}

describe.each(transports)('namespaces %s', (way) => {
  let place: TestSandbox;
  beforeAll(async () => {
    place = await openTestSandbox(way);
  });
  afterAll(() => place.close());

  test('a new namespace has an id of 32 lower-case hex digits, by which it can be read', async () => {
    const created = (await place.kv('POST', '', { json: { title: 'shop-SESSIONS' } })).envelope<Shown>()
      .result;
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      title: 'shop-SESSIONS',
      supports_url_encoding: true,
    });
    const found = await place.kv('GET', `/${created?.id}`);
    expect(found.envelope().result).toEqual(created);
  });

  // Source: API reference, "Create a Namespace"; SDK kv/namespaces, `jurisdiction`.
  test('a jurisdiction is set at creation, and does not change', async () => {
    const made = await place.kv('POST', '', { json: { title: 'restricted', jurisdiction: 'eu' } });
    const namespace = made.envelope<{ id: string }>().result;
    expect(namespace).toMatchObject({ title: 'restricted', jurisdiction: 'eu' });
    const renamed = await place.kv('PUT', `/${namespace?.id}`, { json: { title: 'renamed' } });
    expect(renamed.envelope().result).toMatchObject({ title: 'renamed', jurisdiction: 'eu' });
    expect((await place.kv('GET', `/${namespace?.id}`)).envelope().result).toMatchObject({
      jurisdiction: 'eu',
    });
  });

  test('a title in use is rejected with 10014', async () => {
    await place.create('taken');
    const again = await place.kv('POST', '', { json: { title: 'taken' } });
    expect(again.status).toBe(400);
    expect(again.envelope()).toEqual({
      success: false,
      result: null,
      errors: [{ code: 10014, message: 'a namespace with this account ID and title already exists' }],
      messages: [],
    });
  });

  test.each([
    [{}, 10019],
    [{ title: '' }, 10019],
    [{ title: 7 }, 10019],
    [{ title: 'x'.repeat(513) }, 10019],
    [['title'], 10012],
    [{ title: 'here', jurisdiction: 'moon' }, 10012],
  ])('creating from %j is rejected with %i', async (json, code) => {
    const reply = await place.kv('POST', '', { json });
    expect([reply.status, reply.code]).toEqual([400, code]);
  });

  test('a title can have any 512 bytes', async () => {
    const title = `${'ü'.repeat(255)} \n`;
    const id = await place.create(title);
    expect((await place.kv('GET', `/${id}`)).envelope<Shown>().result?.title).toBe(title);
  });

  test('a rename keeps id and data, frees the old title, and rejects a title in use', async () => {
    const id = await place.create('before');
    await place.kv('PUT', `/${id}/values/k`, 'v');
    const renamed = await place.kv('PUT', `/${id}`, { json: { title: 'after' } });
    expect(renamed.envelope<Shown>().result).toMatchObject({ id, title: 'after' });
    expect((await place.kv('GET', `/${id}/values/k`)).text).toBe('v');
    const second = await place.create('before');
    const clash = await place.kv('PUT', `/${second}`, { json: { title: 'after' } });
    expect([clash.status, clash.code]).toEqual([400, 10014]);
    expect((await place.kv('PUT', `/${second}`, { json: { title: 'before' } })).status).toBe(200);
  });

  test('deleting a namespace deletes its data and frees its title', async () => {
    const id = await place.create('short-lived');
    await place.kv('PUT', `/${id}/values/k`, 'v');
    expect((await place.kv('DELETE', `/${id}`)).envelope()).toMatchObject({ success: true, result: {} });
    const gone = await place.kv('GET', `/${id}/values/k`);
    expect([gone.status, gone.code]).toEqual([404, 10013]);
    expect(await place.create('short-lived')).toMatch(/^[0-9a-f]{32}$/);
  });

  test.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/keys'],
    ['GET', '/values/k'],
    ['PUT', '/values/k'],
    ['DELETE', '/values/k'],
    ['GET', '/metadata/k'],
    ['PUT', '/bulk'],
    ['DELETE', '/bulk'],
    ['POST', '/bulk/get'],
    ['POST', '/bulk/delete'],
  ] as const)(
    'rejects %s of an unknown namespace%s with 404 and 10013, and of a malformed id with 400 and 10011',
    async (method, path) => {
      const body = method === 'GET' ? undefined : { json: [] };
      const unknown = await place.kv(method, `/${'0'.repeat(32)}${path}`, body);
      expect([unknown.status, unknown.code]).toEqual([404, 10013]);
      const malformed = await place.kv(method, `/nonsense${path}`, body);
      expect([malformed.status, malformed.code]).toEqual([400, 10011]);
    },
  );
});

describe.each(transports)('the list of namespaces %s', (way) => {
  let place: TestSandbox;
  const titles = Array.from(
    { length: 25 },
    (_, index) => `title ${String((index * 7) % 25).padStart(2, '0')}`,
  );
  beforeAll(async () => {
    place = await openTestSandbox(way);
    for (const title of titles) await place.create(title);
  });
  afterAll(() => place.close());

  async function list(query: string) {
    const envelope = (await place.kv('GET', query)).envelope<Shown[]>();
    return { titles: envelope.result?.map(({ title }) => title) ?? [], info: envelope.result_info };
  }

  test('has pages of 20 by default, with totals', async () => {
    const { titles, info } = await list('');
    expect(titles).toHaveLength(20);
    expect(info).toEqual({ page: 1, per_page: 20, count: 20, total_count: 25, total_pages: 2 });
  });

  test('is sorted by title in both directions', async () => {
    const up = await list('?per_page=1000&order=title&direction=asc');
    expect(up.titles).toEqual(titles.toSorted());
    const down = await list('?per_page=1000&order=title&direction=desc');
    expect(down.titles).toEqual(titles.toSorted().reverse());
  });

  test('is empty past its end, with the same totals', async () => {
    const last = await list('?per_page=10&page=3&order=title');
    expect(last.titles).toEqual(titles.toSorted().slice(20));
    const past = await list('?per_page=10&page=4&order=title');
    expect(past).toEqual({
      titles: [],
      info: { page: 4, per_page: 10, count: 0, total_count: 25, total_pages: 3 },
    });
  });

  test.each(['?page=0', '?per_page=1001', '?per_page=x', '?order=size', '?direction=up'])(
    'rejects a list request with %s',
    async (query) => {
      expect((await place.kv('GET', query)).status).toBe(400);
    },
  );
});
