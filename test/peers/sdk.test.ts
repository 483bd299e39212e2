import { randomBytes } from 'node:crypto';
import type Cloudflare from 'cloudflare';
import { toFile } from 'cloudflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../sandbox/test-sandbox.ts';
import { listAll, sdkClient, sdkFailure, signIns } from './sdk-client.ts';

let place: TestSandbox;
let account_id: string;
beforeAll(async () => {
  place = await openTestSandbox('over a socket');
  account_id = place.sandbox.access().accountId;
});
afterAll(() => place.close());

describe.each(signIns)('the official SDK with %s', (name, signIn) => {
  let client: Cloudflare;
  let id: string;
  beforeAll(async () => {
    client = sdkClient(place, signIn(place));
    id = (await client.kv.namespaces.create({ account_id, title: `sdk with ${name}` })).id;
  });

  test('the SDK creates, finds, renames, lists and deletes namespaces', async () => {
    const { namespaces } = client.kv;
    const created = await namespaces.create({ account_id, title: `short-lived with ${name}` });
    expect(created.supports_url_encoding).toBe(true);
    expect(await namespaces.get(created.id, { account_id })).toEqual(created);
    const title = `renamed with ${name}`;
    expect(await namespaces.update(created.id, { account_id, title })).toMatchObject({
      id: created.id,
      title,
    });
    const list = await listAll(namespaces.list({ account_id, per_page: 5, order: 'title' }));
    expect(list.map((one) => one.title)).toEqual(expect.arrayContaining([title, `sdk with ${name}`]));
    await namespaces.delete(created.id, { account_id });
    expect(await sdkFailure(namespaces.get(created.id, { account_id }))).toEqual({
      status: 404,
      codes: [10013],
    });
  });

  test('the SDK reports an error for a title in use', async () => {
    const taken = client.kv.namespaces.create({ account_id, title: `sdk with ${name}` });
    expect(await sdkFailure(taken)).toEqual({ status: 400, codes: [10014] });
  });

  test('the SDK pages through namespaces and stops at the empty page', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `page ${name} ${index + 10}`);
    for (const title of titles) await client.kv.namespaces.create({ account_id, title });
    const listed = await listAll(
      client.kv.namespaces.list({ account_id, per_page: 5, order: 'title', direction: 'desc' }),
    );
    const mine = listed.map(({ title }) => title).filter((title) => title.startsWith(`page ${name}`));
    expect(mine).toEqual(titles.toReversed());
  });

  test('the SDK writes and reads text, bytes, metadata and expiry', async () => {
    const { values, metadata } = client.kv.namespaces;
    const at = { account_id, namespace_id: id };
    await values.update('a/b c?d#ü', { ...at, value: 'Grüße', metadata: '{"n":1}', expiration_ttl: 60 });
    const response = await values.get('a/b c?d#ü', at);
    expect(await response.text()).toBe('Grüße');
    expect(response.headers.get('expiration')).toBe(String(Math.floor(place.clock.now / 1000) + 60));
    expect(await metadata.get('a/b c?d#ü', at)).toEqual({ n: 1 });
    const bytes = randomBytes(3_000_000);
    await values.update('bytes', { ...at, value: await toFile(bytes, 'bytes.bin') });
    expect(Buffer.from(await (await values.get('bytes', at)).arrayBuffer()).equals(bytes)).toBe(true);
    await values.update('empty', { ...at, value: '' });
    expect(await (await values.get('empty', at)).text()).toBe('');
    await values.delete('bytes', at);
    expect(await sdkFailure(values.get('bytes', at))).toEqual({ status: 404, codes: [10009] });
  });

  test('the SDK reports why an expiry is rejected', async () => {
    const write = client.kv.namespaces.values.update('k', {
      account_id,
      namespace_id: id,
      value: 'v',
      expiration_ttl: 59,
    });
    expect(await sdkFailure(write)).toEqual({ status: 400, codes: [10034] });
  });

  test.each([
    ['namespaces', () => client.kv.namespaces],
    ['namespaces.keys', () => client.kv.namespaces.keys],
  ])('the SDK writes, reads and deletes in bulk through %s', async (_, api) => {
    const body = [
      { key: 'one', value: '{"n":1}', metadata: { m: 1 } },
      { key: 'two', value: 'Mg==', base64: true },
    ];
    const put = await api().bulkUpdate(id, { account_id, body });
    expect(put).toEqual({ successful_key_count: 2, unsuccessful_keys: [] });
    const keys = ['one', 'two', 'three'];
    const texts = await api().bulkGet(id, { account_id, keys });
    expect(texts).toEqual({ values: { one: '{"n":1}', two: '2', three: null } });
    const parsed = await api().bulkGet(id, { account_id, keys, type: 'json', withMetadata: true });
    expect(parsed).toEqual({
      values: {
        one: { value: { n: 1 }, metadata: { m: 1 } },
        two: { value: 2, metadata: null },
        three: null,
      },
    });
    const removed = await api().bulkDelete(id, { account_id, body: keys });
    expect(removed).toEqual({ successful_key_count: 3, unsuccessful_keys: [] });
    expect(await api().bulkGet(id, { account_id, keys: ['one'] })).toEqual({ values: { one: null } });
  });

  test('the SDK lists keys over several pages', async () => {
    const body = Array.from({ length: 25 }, (_, index) => ({
      key: `list/${index + 10}`,
      value: '',
      metadata: { index },
    }));
    await client.kv.namespaces.bulkUpdate(id, { account_id, body });
    const keys = await listAll(
      client.kv.namespaces.keys.list(id, { account_id, prefix: 'list/', limit: 10 }),
    );
    expect(keys).toEqual(body.map(({ key, metadata }) => ({ name: key, metadata })));
  });

  test('the SDK reads its account, memberships and user', async () => {
    const { accountName, email } = place.sandbox.access();
    expect(await listAll(client.accounts.list())).toMatchObject([{ id: account_id, name: accountName }]);
    expect(await client.accounts.get({ account_id })).toMatchObject({ name: accountName });
    expect(await listAll(client.memberships.list())).toMatchObject([
      { status: 'accepted', account: { id: account_id } },
    ]);
    expect(await client.user.get()).toMatchObject({ email });
  });
});

test('the official SDK verifies a valid token and rejects a wrong token', async () => {
  const { apiToken } = place.sandbox.access();
  const good = sdkClient(place, { apiToken });
  expect(await good.user.tokens.verify()).toMatchObject({ status: 'active' });
  expect(await good.accounts.tokens.verify({ account_id })).toMatchObject({ status: 'active' });
  const wrong = sdkClient(place, { apiToken: 'wrong' });
  expect(await sdkFailure(wrong.user.tokens.verify())).toEqual({ status: 401, codes: [1000] });
  expect(await sdkFailure(listAll(wrong.kv.namespaces.list({ account_id })))).toEqual({
    status: 401,
    codes: [10000],
  });
});

test('the official SDK receives an error for an unknown e-mail and key', async () => {
  const wrong = sdkClient(place, { apiEmail: 'nobody@example.com', apiKey: 'wrong' });
  expect(await sdkFailure(listAll(wrong.accounts.list()))).toEqual({ status: 403, codes: [9103] });
});
