import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox, transports } from '../test-sandbox.ts';

describe.each(transports)('every answer %s', (way) => {
  let place: TestSandbox;
  let fault: Error | undefined;
  const bugs: unknown[] = [];
  const now = () => Date.UTC(2026, 10, 21);
  const info = {
    get inside() {
      if (fault !== undefined) throw fault;
      return 'whole';
    },
  };
  beforeAll(async () => {
    place = await openTestSandbox(way, { now, info, onBug: (error) => bugs.push(error) });
  });
  afterAll(() => place.close());

  test('every answer has a different cf-ray', async () => {
    const rays = [
      await place.call('GET', '/user'),
      await place.call('GET', '/nowhere'),
      await place.kv('GET', ''),
    ];
    const texts = rays.map(({ headers }) => headers['cf-ray']);
    expect(new Set(texts).size).toBe(3);
    for (const text of texts) expect(text).toMatch(/^[0-9a-f]{16}-[A-Z]{3}$/);
  });

  test.each(['/', '/nowhere', '/accounts/', '/accounts//storage', '/user/x', '/zones/%00'])(
    'the unknown path %s gets 404 with 7003 and 7000',
    async (path) => {
      const reply = await place.call('GET', path);
      expect(reply.status).toBe(404);
      expect(reply.envelope().errors.map(({ code }) => code)).toEqual([7003, 7000]);
    },
  );

  test('accepts a list of zones with a trailing slash, as ddclient requests it', async () => {
    expect((await place.call('GET', '/zones/?name=saas.sandbox')).status).toBe(200);
    expect((await place.call('POST', '/zones/', { json: {} })).status).toBe(404);
  });

  test('does not treat a path of a namespace with a trailing slash as a namespace', async () => {
    const id = await place.create();
    expect((await place.kv('DELETE', `/${id}/`)).status).toBe(404);
    expect((await place.kv('GET', `/${id}`)).status).toBe(200);
  });

  test('rejects a wrong method with 405 and the allowed methods', async () => {
    const reply = await place.kv('PATCH', '');
    expect([reply.status, reply.code, reply.headers['allow']]).toEqual([405, 10405, 'GET, POST']);
    expect(reply.text).toContain('the sandbox supports only GET, POST here');
  });

  test('an error of the sandbox itself returns 500 and reveals no internals', async () => {
    fault = new TypeError('secret inside');
    const reply = await place.call('GET', '/sandbox/info');
    expect([reply.status, reply.code]).toEqual([500, 10001]);
    expect(reply.text).not.toContain('secret');
    expect(bugs).toEqual([fault]);
    fault = undefined;
    expect((await place.call('GET', '/sandbox/info')).status).toBe(200);
  });
});

describe('local data', () => {
  let place: TestSandbox;
  beforeAll(async () => {
    place = await openTestSandbox('in process', { kind: 'local' });
  });
  afterAll(() => place.close());

  test('accepts writes to any namespace of any account without credentials', async () => {
    await place.call('PUT', '/accounts/a/storage/kv/namespaces/MY_KV/values/k', 'v', {});
    const other = await place.call('GET', '/accounts/b/storage/kv/namespaces/MY_KV/values/k', undefined, {});
    expect(other.text).toBe('v');
  });

  test('lists the namespaces with data, under their ids', async () => {
    expect((await place.kv('GET', '')).envelope().result).toMatchObject([{ id: 'MY_KV', title: 'MY_KV' }]);
    const unseen = await place.kv('GET', '/unseen');
    expect(unseen.envelope().result).toMatchObject({ id: 'unseen', title: 'unseen' });
    expect((await place.kv('GET', '/unseen/keys')).envelope().result).toEqual([]);
  });

  test('lists namespaces of a configuration by their titles, with and without data', async () => {
    await using stack = new AsyncDisposableStack();
    const known = async () => [
      { id: 'a1', title: 'SESSIONS' },
      { id: 'b2', title: 'FLAGS' },
    ];
    const other = await openTestSandbox('in process', { kind: 'local', known });
    stack.defer(() => other.close());
    await other.kv('PUT', '/a1/values/k', 'v');
    await other.kv('PUT', '/unknown/values/k', 'v');
    const listed = (await other.kv('GET', '?order=title')).envelope<{ title: string }[]>().result;
    expect(listed?.map(({ title }) => title)).toEqual(['FLAGS', 'SESSIONS', 'unknown']);
  });

  test('allows smaller pages of keys than the provider', async () => {
    await place.kv('PUT', '/MY_KV/values/l', 'v');
    const page = (await place.kv('GET', '/MY_KV/keys?limit=1')).envelope<{ name: string }[]>();
    expect(page.result).toEqual([{ name: 'k' }]);
    expect(page.result_info?.cursor).not.toBe('');
  });

  test('does not create or rename namespaces, but deletes their data', async () => {
    expect((await place.kv('POST', '', { json: { title: 'x' } })).status).toBe(400);
    expect((await place.kv('PUT', '/MY_KV', { json: { title: 'x' } })).status).toBe(400);
    expect((await place.kv('DELETE', '/MY_KV')).status).toBe(200);
    expect((await place.kv('GET', '/MY_KV/values/k')).status).toBe(404);
  });
});

describe('unusable data on disk', () => {
  test.each(transports)('unusable data on disk is reported %s', async (way) => {
    await using stack = new AsyncDisposableStack();
    const place = await openTestSandbox(way, { kind: 'local' });
    stack.defer(() => place.close());
    await writeFile(join(place.folder, 'v3'), 'a file where a folder should be');
    const write = place.kv('PUT', '/ns/values/k', 'v');
    if (way === 'in process')
      await expect(write).rejects.toMatchObject({ name: 'Problem', code: 'store-invalid' });
    else expect(await write).toMatchObject({ status: 507, text: expect.stringContaining('v3') });
  });
});

describe('sandbox-only routes', () => {
  test('the info route reports how the sandbox was opened, to authenticated callers', async () => {
    await using stack = new AsyncDisposableStack();
    const place = await openTestSandbox('in process', { info: { version: '1.2.3', pid: 42 } });
    stack.defer(() => place.close());
    expect((await place.call('GET', '/sandbox/info', undefined, {})).status).toBe(400);
    const reply = await place.call('GET', '/sandbox/info');
    expect(reply.envelope().result).toMatchObject({ kind: 'sandbox', version: '1.2.3', pid: 42 });
  });

  test('the reset route deletes namespaces and data, keeps the credentials, and requires them', async () => {
    await using stack = new AsyncDisposableStack();
    const place = await openTestSandbox('in process');
    stack.defer(() => place.close());
    const id = await place.create('one');
    await place.kv('PUT', `/${id}/values/k`, 'v');
    expect((await place.call('POST', '/sandbox/reset', undefined, {})).status).toBe(400);
    expect((await place.call('POST', '/sandbox/reset')).envelope().result).toEqual({
      removed_namespaces: 1,
      removed_buckets: 0,
      removed_workers: 0,
      removed_hostnames: 0,
    });
    expect((await place.kv('GET', '')).envelope().result).toEqual([]);
    expect(place.sandbox.access().accountId).toMatch(/^[0-9a-f]{32}$/);
  });
});

test('a local read and write load no web types, no HTTP server and no form parser', async () => {
  await using stack = new AsyncDisposableStack();
  const place = await openTestSandbox('in process', { kind: 'local' });
  stack.defer(() => place.close());
  const script = join(place.folder, 'script.mjs');
  await writeFile(
    script,
    `import { openSandbox } from ${JSON.stringify(new URL('../../../src/sandbox/http/app.ts', import.meta.url).href)};
     const folder = ${JSON.stringify(place.folder)};
     const options = { kind: 'local', folder, persistRoot: folder, now: () => Date.now(), random: (n) => new Uint8Array(n) };
     const sandbox = openSandbox(options);
     const path = '/accounts/a/storage/kv/namespaces/ns/values/k';
     await sandbox.send({ method: 'PUT', path, headers: {}, body: Buffer.from('v'), repeatable: true });
     const answer = await sandbox.send({ method: 'GET', path, headers: {}, repeatable: true });
     sandbox.close();
     console.log(JSON.stringify({ text: Buffer.from(answer.body).toString(), loaded: process.moduleLoadList }));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', script]);
  const { text, loaded } = JSON.parse(stdout);
  expect(text).toBe('v');
  const heavy = /undici|internal\/deps\/fetch|NativeModule (_http_server|http|http2|internal\/webstreams)/;
  expect(loaded.filter((name: string) => heavy.test(name))).toEqual([]);
});

test('returns empty lists for unsupported products, and refers to the list of supported routes for other paths', async () => {
  const place = await openTestSandbox('in process');
  const account = `/accounts/${place.sandbox.access().accountId}`;
  for (const path of ['/d1/database', '/queues', '/pages/projects?per_page=100', '/workflows']) {
    const reply = await place.call('GET', account + path);
    expect(reply.envelope()).toMatchObject({ success: true, result: [], result_info: { total_count: 0 } });
  }
  const strange = await place.call('GET', `${account}/images/v1`);
  expect(strange.text).toContain('docs/api.md lists the routes of the sandbox');
  await place.close();
});
