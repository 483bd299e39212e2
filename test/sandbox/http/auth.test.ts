import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestSandbox, type TestSandbox, transports } from '../test-sandbox.ts';

describe.each(transports)('authentication %s', (way) => {
  let place: TestSandbox;
  beforeAll(async () => {
    place = await openTestSandbox(way);
  });
  afterAll(() => place.close());

  const get = (path: string, headers: Record<string, string>) => place.call('GET', path, undefined, headers);
  const namespaces = () => `/accounts/${place.sandbox.access().accountId}/storage/kv/namespaces`;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const pair = (email: string, key: string) => ({ 'x-auth-email': email, 'x-auth-key': key });

  test('a token, or an e-mail and a key, give access to the account', async () => {
    const { apiToken, email, apiKey } = place.sandbox.access();
    expect((await get(namespaces(), bearer(apiToken))).status).toBe(200);
    expect((await get(namespaces(), pair(email, apiKey))).status).toBe(200);
    expect((await get(namespaces(), pair(email.toUpperCase(), apiKey))).status).toBe(200);
  });

  test('missing credentials are rejected with 9106', async () => {
    const reply = await get(namespaces(), {});
    expect([reply.status, reply.code]).toEqual([400, 9106]);
  });

  test.each([
    ['Bearer', 6111],
    ['Bearer two words', 6111],
    ['Basic dXNlcjpwYXNz', 6111],
    ['token', 6111],
  ])('the header Authorization: %s is malformed (6003)', async (authorization, cause) => {
    const reply = await get(namespaces(), { authorization });
    expect(reply.status).toBe(400);
    expect(reply.envelope().errors).toMatchObject([{ code: 6003, error_chain: [{ code: cause }] }]);
  });

  test('malformed e-mails and keys have their own codes', async () => {
    const { email, apiKey } = place.sandbox.access();
    for (const [headers, cause] of [
      [pair('nobody', apiKey), 6102],
      [pair(email, 'not a key'), 6103],
      [{ 'x-auth-email': email }, 6103],
      [{ 'x-auth-key': apiKey }, 6102],
    ] as const) {
      const reply = await get(namespaces(), headers);
      expect(reply.envelope().errors).toMatchObject([{ code: 6003, error_chain: [{ code: cause }] }]);
    }
  });

  test('a wrong token is rejected with the code of each route', async () => {
    const wrong = bearer('wrong');
    const { accountId } = place.sandbox.access();
    for (const [path, status, code] of [
      [namespaces(), 401, 10000],
      ['/user', 403, 9109],
      ['/accounts', 403, 9109],
      ['/memberships', 403, 9109],
      ['/user/tokens/verify', 401, 1000],
      [`/accounts/${accountId}/tokens/verify`, 401, 1000],
    ] as const) {
      const reply = await get(path, wrong);
      expect([path, reply.status, reply.code]).toEqual([path, status, code]);
    }
  });

  test('a wrong e-mail or key is rejected with 9103', async () => {
    const { email, apiKey } = place.sandbox.access();
    for (const headers of [pair('other@example.com', apiKey), pair(email, `${apiKey}0`)]) {
      const reply = await get(namespaces(), headers);
      expect([reply.status, reply.code]).toEqual([403, 9103]);
    }
  });

  test('the id of another account is rejected with 10000, and reading the account itself with 9109', async () => {
    const signed = bearer(place.sandbox.access().apiToken);
    const other = 'f'.repeat(32);
    const kv = await get(`/accounts/${other}/storage/kv/namespaces`, signed);
    expect([kv.status, kv.code]).toEqual([403, 10000]);
    const account = await get(`/accounts/${other}`, signed);
    expect([account.status, account.code]).toEqual([403, 9109]);
  });

  test('writes nothing before authentication', async () => {
    const id = await place.create();
    const stranger = await place.call('PUT', `${namespaces()}/${id}/values/k`, 'x', bearer('wrong'));
    expect(stranger.status).toBe(401);
    expect((await place.kv('GET', `/${id}/values/k`)).status).toBe(404);
  });

  // On a full disk, the sandbox frees the reserve for reads and deletes, and rejects changes. A caller without credentials must not cause
  // either effect.
  test('disk space is checked for the caller’s effect only after authentication', async () => {
    const id = await place.create();
    const { platform } = place.sandbox;
    const enter = platform.enter ?? (() => undefined);
    const effects: string[] = [];
    platform.enter = (effect) => {
      effects.push(effect);
      enter(effect);
    };
    onTestFinished(() => {
      platform.enter = enter;
    });
    const path = `${namespaces()}/${id}/values/k`;
    await place.call('DELETE', path, undefined, bearer('wrong'));
    await place.call('PUT', path, 'x', bearer('wrong'));
    await place.call('GET', path, undefined, bearer('wrong'));
    expect(effects).toEqual([]);
    await place.call('DELETE', path);
    await place.call('GET', path);
    expect(effects).toEqual(['destroy', 'read']);
  });

  test('any authenticated caller can read account, memberships, user and token', async () => {
    const { accountId, accountName, email } = place.sandbox.access();
    const account = { id: accountId, name: accountName, type: 'standard' };
    const accounts = (await place.call('GET', '/accounts')).envelope();
    expect(accounts).toMatchObject({ result: [account], result_info: { total_count: 1, total_pages: 1 } });
    expect((await place.call('GET', '/accounts?page=2')).envelope().result).toEqual([]);
    expect((await place.call('GET', `/accounts/${accountId}`)).envelope().result).toMatchObject(account);
    const memberships = (await place.call('GET', '/memberships')).envelope().result;
    expect(memberships).toMatchObject([{ status: 'accepted', account }]);
    expect((await place.call('GET', '/user')).envelope().result).toMatchObject({ email });
    for (const path of ['/user/tokens/verify', `/accounts/${accountId}/tokens/verify`]) {
      expect((await place.call('GET', path)).envelope().result).toMatchObject({ status: 'active' });
    }
  });

  test('a key cannot verify a token', async () => {
    const { email, apiKey } = place.sandbox.access();
    const reply = await get('/user/tokens/verify', pair(email, apiKey));
    expect([reply.status, reply.code]).toEqual([401, 1000]);
  });
});

test('a reopened sandbox has the same credentials and account', async () => {
  await using stack = new AsyncDisposableStack();
  const place = await openTestSandbox('in process');
  stack.defer(() => place.close());
  const before = place.sandbox.access();
  place.sandbox.close();
  expect(place.sandbox.access()).toEqual(before);
});
