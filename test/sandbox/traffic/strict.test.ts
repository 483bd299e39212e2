import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openClient } from './client.ts';

let client: Awaited<ReturnType<typeof openClient>>;

beforeEach(async () => {
  client = await openClient(true);
  onTestFinished(client.close);
});

const put = async (key: string) =>
  (await client.ask(`${client.keys}/values/${key}`, { method: 'PUT', body: 'x' })).status;
const bulk = async (keys: readonly string[]) => {
  const body = JSON.stringify(keys.map((key) => ({ key, value: 'x' })));
  return client.ask(`${client.keys}/bulk`, { method: 'PUT', body });
};

test('allows one write per second for a key, by single and bulk calls together', async () => {
  expect([await put('a'), await put('b'), await put('a')]).toEqual([200, 200, 429]);
  const refused = await bulk(['c', 'b']);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  const [last] = (await client.log('?status=429')).slice(-1);
  expect(last?.rule).toBe('strict: the key "b" was written twice within a second');
  client.clock.now += 1000;
  expect([await put('a'), (await bulk(['b', 'c'])).status]).toEqual([200, 200]);
});

test('rejects a bulk call whose keys are not strings, without an internal error', async () => {
  const body = JSON.stringify([{ key: { toString: {} }, value: 'x' }]);
  const ask = async () => (await client.ask(`${client.keys}/bulk`, { method: 'PUT', body })).status;
  expect(await ask()).toBe(400);
  client.clock.now += 1000;
  await client.fault({ match: 'PUT /**/bulk', unsuccessfulKeys: 1 });
  expect(await ask()).toBeLessThan(500);
});

test('changes nothing for rejected requests', async () => {
  const path = client.keys.split('/').slice(0, -1).join('/');
  const body = JSON.stringify({ title: 'other', titel: 'other' });
  const answer = await client.json(path, { method: 'POST', body });
  expect(answer.errors).toEqual([{ code: 10_012, message: 'invalid request: the field titel is unknown' }]);
  expect((await client.json(path)).result).toHaveLength(1);
});

test('rejects an unknown form part, and only reports it if not strict', async () => {
  const tolerant = await openClient();
  onTestFinished(tolerant.close);
  // The provider's API reference lists value, metadata, expiration and expiration_ttl.
  const form = (names: readonly string[]) => {
    const data = new FormData();
    for (const name of names) data.set(name, name === 'metadata' ? '{}' : 'bytes \u0000');
    return { method: 'PUT', body: data };
  };
  const known = await client.ask(`${client.keys}/values/k`, form(['value', 'metadata']));
  expect(known.status).toBe(200);
  const wrong = form(['value', 'meta', 'expirationTtl']);
  const refused = await client.json(`${client.keys}/values/l`, wrong);
  expect(refused.errors[0].message).toBe('invalid request: the form part meta is unknown');
  expect(
    (await tolerant.ask(`${tolerant.keys}/values/l`, form(['value', 'meta', 'expirationTtl']))).status,
  ).toBe(200);
  const [last] = (await tolerant.log('?method=PUT')).slice(-1);
  expect(last?.notes).toEqual(['the form part meta is unknown', 'the form part expirationTtl is unknown']);
});

test('rejects unknown fields of an upload’s metadata, and only reports them if not strict', async () => {
  const tolerant = await openClient();
  onTestFinished(tolerant.close);
  const script = (of: typeof client) => of.keys.replace(/\/storage\/.*/, '/workers/scripts/shop');
  // This metadata is an example from the provider's documents ("Multipart upload metadata"), with two misspelt names.
  const metadata = {
    main_module: 'index.js',
    compatability_date: '2026-11-01',
    bindings: [{ type: 'plain_text', name: 'WORD', text: 'a', value: 'b' }],
  };
  const wrong = [
    'the field metadata.compatability_date is unknown',
    'the field metadata.bindings.value is unknown',
  ];
  const code = new File(['export default {}'], 'index.js', { type: 'application/javascript+module' });
  const whole = () => {
    const form = new FormData();
    form.set('metadata', JSON.stringify(metadata));
    form.set('index.js', code);
    return form;
  };
  // The official SDK sends each value as a separate part.
  const spread = () => {
    const form = new FormData();
    form.set('metadata[main_module]', 'index.js');
    form.set('metadata[compatability_date]', '2026-11-01');
    for (const [name, value] of Object.entries(metadata.bindings[0] ?? {}))
      form.set(`metadata[bindings][][${name}]`, value);
    form.set('index.js', code);
    return form;
  };
  for (const form of [whole, spread]) {
    const refused = await client.json(script(client), { method: 'PUT', body: form() });
    expect(refused.errors[0].message).toBe(`invalid request: ${wrong[0]}`);
    expect((await tolerant.ask(script(tolerant), { method: 'PUT', body: form() })).status).toBe(200);
    expect((await tolerant.log('?method=PUT')).at(-1)?.notes).toEqual(wrong);
  }
});

test('checks a form without a length for unknown parts', async () => {
  const { headers, body } = new Request('http://sandbox.invalid', {
    method: 'PUT',
    body: (() => {
      const form = new FormData();
      form.set('value', 'bytes');
      form.set('meta', '{}');
      return form;
    })(),
  });
  const sent = await client.chunked(`${client.keys}/values/k`, headers.get('content-type') ?? '', body);
  expect(await sent.text()).toContain('invalid request: the form part meta is unknown');
});

test('returns the requested page size in a numbered list; a list with a cursor may be shorter', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `key-${at}`);
  await bulk(names);
  const { result, result_info: info } = await client.json(`${client.keys}/keys?limit=1000`);
  expect([result.length, info.cursor === '']).toEqual([10, false]);
  const path = client.keys.split('/').slice(0, -1).join('/');
  expect((await client.json(`${path}?per_page=50`)).result_info.per_page).toBe(50);
});

test('rejects an unknown field of a secret without showing the secret', async () => {
  const path = `/accounts/${client.keys.split('/')[2]}/workers/scripts/shop/secrets-bulk`;
  const ask = (secret: object) =>
    client.json(path, {
      method: 'PATCH',
      body: JSON.stringify({ secrets: { KEY: { text: 'hush', ...secret } } }),
    });
  const refused = await ask({ colour: 'red' });
  const message = 'invalid request: the field secrets.*.colour is unknown';
  expect(refused.errors).toEqual([{ code: 10_012, message }]);
  expect((await ask({ type: 'secret_text' })).errors[0].code).not.toBe(10_012);
});
