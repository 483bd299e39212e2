// The contract. Section 13 of the design: the journal is written before the change; for bulk requests, only up to the journal's limits.
// Issue 31: data that a guard's client deletes or overwrites can be restored completely. A bulk request is never saved in part.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { answerHeld, listHeld } from '../../../src/services/guard/approvals.ts';
import { savedRoutes } from '../../../src/services/guard/undo.ts';
import { declaredRoutes } from '../../../src/v4/routes.ts';
import { refusing } from '../../support/proxy.ts';
import { newPerson, type Person, type Ran, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { foldersIn } from '../../support/world.ts';
import { type StartedGuard, startGuard } from './start-guard.ts';

let served: Served;
let account: string;
let kv: string;
let namespace: string;
let person: Person;
let guard: StartedGuard;

beforeAll(async () => {
  served = await openServed();
  account = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}`;
  namespace = await served.createNamespace();
  kv = `${account}/storage/kv/namespaces/${namespace}`;
  await platform('POST', `${account}/r2/buckets`, { name: 'assets' });
});
afterAll(() => served.close());

/** Starts a guard that allows deletes, for a new user, and stops the guard at the end of the test. */
async function start(...flags: string[]): Promise<void> {
  person = newPerson(served.person.env);
  const policy = join(person.cwd, 'policy.toml');
  writeFileSync(policy, '[[rule]]\nname = "all"\ndecision = "allow"\n');
  guard = await startGuard(person, ['--policy', policy, '--client', 'a-tool', '--wait', '0', ...flags]);
  onTestFinished(async () => void (await guard.stop()));
}

/** Sends a request directly to the platform. */
async function platform(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(served.proxy.apiBaseUrl + path, {
    method,
    headers: { authorization: `Bearer ${served.person.env['EDGECTL_API_TOKEN']}`, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 400 && answer.status !== 404) throw new Error(text);
  return { status: answer.status, text };
}

const json = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const parse = ({ out, err, code }: Ran) => {
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
};
const entries = async () => parse(await runCommand(person, ['undo', 'list', '--json']));
const restore = (id: string, ...flags: string[]) => runCommand(person, ['undo', 'restore', id, ...flags]);
const value = async (key: string) => (await platform('GET', `${kv}/values/${encodeURIComponent(key)}`)).text;
const exists = async (key: string) =>
  (await platform('GET', `${kv}/values/${encodeURIComponent(key)}`)).status === 200;
const entryOf = async (prefix: string) =>
  JSON.parse((await platform('GET', `${kv}/keys?prefix=${prefix}`)).text).result;

test('every route that undo saves is declared', () => {
  const declared = declaredRoutes.map(({ method, path }) => `${method} ${path}`);
  expect(
    Object.keys(savedRoutes).filter((route) => !route.startsWith('s3:') && !declared.includes(route)),
  ).toEqual([]);
});

test('restores a key that a tool deletes, with metadata and expiry, and names the tool', async () => {
  const expiration = Math.floor(Date.now() / 1000) + 5000;
  const stored = [{ key: 'one/a', value: 'old', metadata: { m: [1] }, expiration }];
  await platform('PUT', `${kv}/bulk`, stored, { 'content-type': 'application/json' });
  const before = await entryOf('one/');
  await start();
  expect((await guard.call('DELETE', `${kv}/values/one%2Fa`)).status).toBe(200);
  expect(await exists('one/a')).toBe(false);
  const [entry, ...more] = await entries();
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    did: 'deleted',
    by: 'script',
    client: 'a-tool',
    thing: { kind: 'value', namespaceId: namespace, key: 'one/a', metadata: { m: [1] } },
    size: 3,
    left: 'nothing',
  });
  expect((await runCommand(person, ['undo', 'list'])).out).toContain(
    'the value of one/a (by a-tool through a guard)',
  );
  expect((await restore(entry.id)).code).toBe(0);
  expect([await value('one/a'), await entryOf('one/')]).toEqual(['old', before]);
  expect(await entries()).toEqual([]);
});

test('restores an overwritten key whose new value was in the body or in a form', async () => {
  await start();
  for (const [key, body] of [
    ['two-raw', 'new'],
    ['two-form', Object.entries({ value: 'new', metadata: '{"a":1}' })],
  ] as const) {
    await platform('PUT', `${kv}/values/${key}`, 'old');
    const form = new FormData();
    if (typeof body !== 'string') for (const [name, text] of body) form.append(name, text);
    const sent = typeof body === 'string' ? body : form;
    expect((await guard.call('PUT', `${kv}/values/${key}`, { body: sent })).status).toBe(200);
    expect(await value(key)).toBe('new');
    const [entry] = await entries();
    expect(entry).toMatchObject({ did: 'replaced', thing: { key } });
    // Nobody has written the key since then, so the hint does not suggest --force.
    expect((await restore(entry.id)).err).not.toContain('--force');
    expect(await value(key)).toBe('old');
  }
});

test('saves nothing for a new key, a missing key, and a request that the platform refuses', async () => {
  await start();
  expect((await guard.call('PUT', `${kv}/values/three`, { body: 'first' })).status).toBe(200);
  expect((await guard.call('DELETE', `${kv}/values/three-missing`)).status).toBeLessThan(500);
  expect((await guard.call('PUT', `${kv}/values/three?expiration_ttl=1`, { body: 'second' })).status).toBe(
    400,
  );
  await expect.poll(entries).toEqual([]);
  expect(await value('three')).toBe('first');
});

test('restores all keys of a bulk delete with their bytes, metadata and expiry, in one entry', async () => {
  const expiration = Math.floor(Date.now() / 1000) + 5000;
  const stored = [
    { key: 'four-a', value: '/w+AAA==', base64: true, metadata: { n: 1 } },
    { key: 'four-b', value: 'text', expiration },
    { key: 'four-c', value: '' },
  ];
  await platform('PUT', `${kv}/bulk`, stored, { 'content-type': 'application/json' });
  const before = await entryOf('four-');
  for (const [method, path, keys] of [
    ['POST', `${kv}/bulk/delete`, ['four-a', 'four-b', 'four-c', 'four-missing']],
    ['DELETE', `${kv}/bulk`, ['four-a', 'four-a', 'four-b', 'four-c']],
  ] as const) {
    await start();
    expect((await guard.call(method, path, json(keys))).status).toBe(200);
    expect(await entryOf('four-')).toEqual([]);
    const [entry, ...more] = await entries();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      did: 'deleted',
      thing: { kind: 'batch', of: 'value', within: namespace, count: 3 },
    });
    const shown = await runCommand(person, ['undo', 'show', entry.id]);
    expect(shown.out).toContain('3 values (four-a, four-b, four-c)');
    expect(parse(await runCommand(person, ['undo', 'show', entry.id, '--value']))).toEqual(stored);
    const restored = await restore(entry.id);
    expect([restored.code, restored.err + restored.out]).toEqual([
      0,
      expect.stringContaining('Restored 3 values (four-a, four-b, four-c).'),
    ]);
    expect(await entryOf('four-')).toEqual(before);
    const bytes = await fetch(`${served.proxy.apiBaseUrl}${kv}/values/four-a`, {
      headers: { authorization: `Bearer ${served.person.env['EDGECTL_API_TOKEN']}` },
    });
    expect(Buffer.from(await bytes.arrayBuffer()).toString('base64')).toBe('/w+AAA==');
    expect(await value('four-b')).toBe('text');
    expect(await entries()).toEqual([]);
  }
});

test('restores keys that a bulk put overwrote, but requires --force if other clients have written them since', async () => {
  const bulk = (text: string) => ['five-a', 'five-b'].map((key) => ({ key, value: `${text} ${key}` }));
  await platform('PUT', `${kv}/bulk`, bulk('old'), { 'content-type': 'application/json' });
  await start();
  const sent = [...bulk('new'), { key: 'five-new', value: 'new' }];
  expect((await guard.call('PUT', `${kv}/bulk`, json(sent))).status).toBe(200);
  const [entry] = await entries();
  expect(entry).toMatchObject({ did: 'replaced', thing: { count: 2 } });
  await platform('PUT', `${kv}/values/five-b`, 'of somebody else');
  const refused = await restore(entry.id);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/1 of them has been written again: five-b/),
  ]);
  expect(await value('five-a')).toBe('new five-a');
  expect((await restore(entry.id, '--force')).code).toBe(0);
  expect([await value('five-a'), await value('five-b'), await value('five-new')]).toEqual([
    'old five-a',
    'old five-b',
    'new',
  ]);
  // The value that the restore replaced is saved for undo as well.
  const [inTurn] = await entries();
  expect(inTurn).toMatchObject({ did: 'restored', thing: { kind: 'batch', count: 2 } });
  expect((await restore(inTurn.id)).code).toBe(0);
  expect([await value('five-a'), await value('five-b')]).toEqual(['new five-a', 'of somebody else']);
});

test('restores all values except values that have expired since', async () => {
  const expiration = Math.floor(Date.now() / 1000) + 100;
  const stored = [
    { key: 'expiry-a', value: 'a', expiration },
    { key: 'expiry-b', value: 'b' },
    { key: 'expiry-c', value: 'c' },
  ];
  await platform('PUT', `${kv}/bulk`, stored, { 'content-type': 'application/json' });
  await start();
  await guard.call('POST', `${kv}/bulk/delete`, json(['expiry-a', 'expiry-b', 'expiry-c']));
  const [entry] = await entries();
  const later = await runCommand(person, ['undo', 'restore', entry.id], {
    now: () => (expiration - 59) * 1000,
  });
  expect([later.code, later.err]).toEqual([
    0,
    expect.stringContaining('is less than a minute away: 1 of 3 values'),
  ]);
  expect((await entryOf('expiry-')).map(({ name }: { name: string }) => name)).toEqual([
    'expiry-b',
    'expiry-c',
  ]);
});

test('a bulk request above the limits is refused with the reason, sent after an approval, and never saved partly', async () => {
  const keys = Array.from({ length: 1001 }, (_, index) => `six-${index}`);
  await platform(
    'PUT',
    `${kv}/bulk`,
    keys.map((key) => ({ key, value: key })),
    { 'content-type': 'application/json' },
  );
  await start();
  const remove = () => guard.call('POST', `${kv}/bulk/delete`, json(keys));
  const overwrite = () => guard.call('PUT', `${kv}/bulk`, json(keys.map((key) => ({ key, value: 'new' }))));
  for (const send of [remove, overwrite]) {
    const refused = await send();
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text).errors[0].message).toMatch(
      /rule "without undo" in the built-in policy requires a person's approval.* Undo can save up to 1,000 values per request, not 1,001\./,
    );
  }
  expect([await exists('six-0'), await exists('six-1000'), await entries()]).toEqual([true, true, []]);
  const world = { folders: foldersIn(person.home) };
  const [held] = await listHeld(world, 'command');
  expect(held).toMatchObject({
    count: 1001,
    lost: expect.stringContaining('Undo cannot restore the old state.'),
  });
  await answerHeld(world, held?.number ?? '', 'approve', { user: 'ann', by: 'command' });
  expect((await remove()).status).toBe(200);
  expect([await exists('six-0'), await entries()]).toEqual([false, []]);
});

test('asks once to approve a delete that needs approval, even if its size is known only later', async () => {
  await start();
  await platform('PUT', `${account}/r2/buckets/assets/objects/large`, 'x'.repeat(26 * 1024 * 1024));
  const path = `${account}/r2/buckets/assets/objects/large`;
  const world = { folders: foldersIn(person.home) };
  await guard.stop();
  guard = await startGuard(person, ['--wait', '0']);
  const approve = async () => {
    const [held] = await listHeld(world, 'command');
    await answerHeld(world, held?.number ?? '', 'approve', { user: 'ann', by: 'command' });
    return held;
  };
  expect((await guard.call('DELETE', path)).text).toContain('rule \\"deletes\\"');
  expect(await approve()).not.toHaveProperty('lost');
  expect((await guard.call('DELETE', path)).text).toContain(
    'Undo can save objects of up to 25 MiB, but the size of \\"large\\" is 26 MiB',
  );
  expect(await approve()).toMatchObject({ rules: ['without undo'] });
  expect((await guard.call('DELETE', path)).status).toBe(200);
  expect(await entries()).toEqual([]);
});

test('a list that other parsers could read differently needs an approval', async () => {
  await platform('PUT', `${kv}/values/seven`, 'old');
  await start();
  for (const body of ['["seven",]', '\ufeff["seven"]', '{"keys":["seven"]}', '[["seven"]]']) {
    const headers = { 'content-type': 'application/json' };
    const answer = await guard.call('POST', `${kv}/bulk/delete`, { body, headers });
    expect([body, answer.status]).toEqual([body, 403]);
  }
  expect(await value('seven')).toBe('old');
  // A parser that ignores case, or that takes the first of two equal properties, writes a different key from the one that JSON.parse reads.
  for (const body of [
    '[{"key":"other","Key":"seven","value":"1"}]',
    '[{"\u212Aey":"seven","key":"other","value":"1"}]',
    '[{"key":"seven","key":"other","value":"1"}]',
    '[{"key":"seven","k\\u0065y":"other","value":"1"}]',
    '[{"name":"seven","value":"1"}]',
  ]) {
    const headers = { 'content-type': 'application/json' };
    const answer = await guard.call('PUT', `${kv}/bulk`, { body, headers });
    expect([body, answer.status]).toEqual([body, 403]);
  }
  expect(await entries()).toEqual([]);
});

test('saves a list that is longer than the bodies whose names rules compare', async () => {
  await platform('PUT', `${kv}/values/long`, 'old');
  await start();
  const sent = [
    { key: 'long', value: 'new' },
    { key: 'filler', value: 'x'.repeat(5 * 1024 * 1024) },
  ];
  expect((await guard.call('PUT', `${kv}/bulk`, json(sent))).status).toBe(200);
  const [entry] = await entries();
  expect(entry).toMatchObject({ did: 'replaced' });
  expect((await restore(entry.id)).code).toBe(0);
  expect(await value('long')).toBe('old');
});

test('saves nothing if a flag or a setting turns off undo', async () => {
  await platform('PUT', `${kv}/values/eight`, 'old');
  await start('--no-undo');
  expect((await guard.call('PUT', `${kv}/values/eight`, { body: 'new' })).status).toBe(200);
  expect(await entries()).toEqual([]);
  await guard.stop();
  expect((await runCommand(person, ['setting', 'set', 'undo', 'off', '--yes'])).code).toBe(0);
  guard = await startGuard(person);
  expect((await guard.call('PUT', `${kv}/values/eight`, { body: 'newer' })).status).toBe(200);
  expect(await entries()).toEqual([]);
});

test('requires approval for a request whose old state cannot be read, or written to disk', async () => {
  await platform('PUT', `${kv}/values/unsaved`, 'old');
  await start();
  // Creates a file where the folder should be.
  writeFileSync(join(foldersIn(person.home).state, 'undo'), '');
  const refused = await guard.call('PUT', `${kv}/values/unsaved`, { body: 'new' });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('cannot be saved for undo')]);
  rmSync(join(foldersIn(person.home).state, 'undo'));
  served.proxy.use(({ method }) => (method === 'GET' ? refusing(403) : undefined));
  const unread = await guard.call('PUT', `${kv}/values/unsaved`, { body: 'new' });
  served.proxy.use(() => undefined);
  expect(unread.status).toBe(403);
  expect(await value('unsaved')).toBe('old');
});

test('a guard that ends with its program completes its undo entries', async () => {
  const object = `${account}/r2/buckets/assets/objects/ending`;
  await platform('PUT', object, 'old');
  person = newPerson(served.person.env);
  const script = `const { CLOUDFLARE_BASE_URL: base, CLOUDFLARE_API_TOKEN: token } = process.env;
    const headers = { authorization: 'Bearer ' + token };
    process.exit((await fetch(base + '${object}', { method: 'PUT', body: 'new', headers })).status === 200 ? 0 : 1);`;
  const run = [process.execPath, '--input-type=module', '-e', script];
  expect((await runCommand(person, ['guard', 'exec', '--', ...run])).code).toBe(0);
  const [entry] = await entries();
  expect(entry).toMatchObject({ client: 'node', did: 'replaced' });
  expect((await restore(entry.id)).code).toBe(0);
  expect((await platform('GET', object)).text).toBe('old');
});

test('restores objects that a tool changes over the v4 API', async () => {
  const objects = `${account}/r2/buckets/assets/objects`;
  const put = (key: string, text: string) =>
    platform('PUT', `${objects}/${key}`, text, { 'content-type': 'text/css', 'cache-control': 'no-cache' });
  await put('nine/a', 'old a');
  await put('nine/b', 'old b');
  await start();
  expect((await guard.call('PUT', `${objects}/nine/a`, { body: 'new a' })).status).toBe(200);
  await expect.poll(async () => (await entries())[0]?.left.mark).toMatch(/^[0-9a-f]{32}$/);
  const [replaced] = await entries();
  expect((await restore(replaced.id)).code).toBe(0);
  expect((await platform('GET', `${objects}/nine/a`)).text).toBe('old a');
  expect((await guard.call('DELETE', objects, json(['nine/a', 'nine/b', 'nine/none']))).status).toBe(200);
  expect((await platform('GET', `${objects}/nine/a`)).status).toBe(404);
  const removed = (await entries()).find(({ did }: { did: string }) => did === 'deleted');
  expect(removed).toMatchObject({ thing: { kind: 'batch', of: 'object', within: 'assets', count: 2 } });
  expect((await restore(removed.id)).code).toBe(0);
  const answer = await fetch(`${served.proxy.apiBaseUrl}${objects}/nine/b`, {
    headers: { authorization: `Bearer ${served.person.env['EDGECTL_API_TOKEN']}` },
  });
  expect([
    await answer.text(),
    answer.headers.get('content-type'),
    answer.headers.get('cache-control'),
  ]).toEqual(['old b', 'text/css', 'no-cache']);
});

test('restores objects that an S3 API client overwrites or deletes', async () => {
  await start();
  const client = new S3Client({ ...guard.s3, region: 'auto', maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  const at = (Key: string) => ({ Bucket: 'assets', Key });
  const put = (key: string, Body: string) =>
    client.send(new PutObjectCommand({ ...at(key), Body, ContentType: 'text/x-old', Metadata: { m: Body } }));
  const read = async (key: string) =>
    (await client.send(new GetObjectCommand(at(key)))).Body?.transformToString();
  for (const key of ['s3/put', 's3/copy', 's3/parts', 's3/one', 's3/many-a', 's3/many-b'])
    await put(key, `old ${key}`);
  expect(await entries()).toEqual([]);
  await put('s3/put', 'new');
  await client.send(new CopyObjectCommand({ ...at('s3/copy'), CopySource: 'assets/s3/put' }));
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at('s3/parts')));
  const part = { ...at('s3/parts'), UploadId };
  const { ETag } = await client.send(new UploadPartCommand({ ...part, PartNumber: 1, Body: 'new' }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await client.send(new CompleteMultipartUploadCommand({ ...part, MultipartUpload }));
  await client.send(new DeleteObjectCommand(at('s3/one')));
  const Objects = ['s3/many-a', 's3/many-b', 's3/none'].map((Key) => ({ Key }));
  await client.send(new DeleteObjectsCommand({ Bucket: 'assets', Delete: { Objects } }));
  await expect
    .poll(async () => (await entries()).map(({ left }: { left: unknown }) => left))
    .not.toContainEqual({ mark: '' });
  const saved = await entries();
  expect(
    saved.map(({ did, thing }: { did: string; thing: { key?: string; count?: number } }) => [
      did,
      thing.key ?? thing.count,
    ]),
  ).toEqual([
    ['deleted', 2],
    ['deleted', 's3/one'],
    ['replaced', 's3/parts'],
    ['replaced', 's3/copy'],
    ['replaced', 's3/put'],
  ]);
  for (const { id } of saved) expect((await restore(id)).err).not.toContain('Error');
  for (const key of ['s3/put', 's3/copy', 's3/parts', 's3/one', 's3/many-a', 's3/many-b']) {
    expect(await read(key)).toBe(`old ${key}`);
    const { ContentType, Metadata } = await client.send(new HeadObjectCommand(at(key)));
    expect([ContentType, Metadata]).toEqual(['text/x-old', { m: `old ${key}` }]);
  }
});

test('restores hostnames, DNS records and the fallback origin', async () => {
  const created = JSON.parse(
    (await platform('POST', '/zones', { name: 'platform.dev', account: { id: account.split('/')[2] } })).text,
  );
  const zone = `/zones/${created.result.id}`;
  const result = async (method: string, path: string, body?: unknown) =>
    JSON.parse((await platform(method, `${zone}${path}`, body)).text).result;
  const record = await result('POST', '/dns_records', {
    type: 'A',
    name: 'origin.platform.dev',
    content: '192.0.2.1',
    proxied: true,
  });
  await result('PUT', '/custom_hostnames/fallback_origin', { origin: 'origin.platform.dev' });
  const settings = {
    hostname: 'shop.customer.dev',
    ssl: { method: 'http', type: 'dv', settings: { min_tls_version: '1.2' } },
  };
  const { id } = await result('POST', '/custom_hostnames', settings);
  await start();
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await guard.call(method, zone + path, body === undefined ? {} : json(body));
    expect([path, answer.status]).toEqual([path, 200]);
  };
  await send('PATCH', `/custom_hostnames/${id}`, {
    ssl: { method: 'http', type: 'dv', settings: { min_tls_version: '1.0' } },
  });
  await expect.poll(async () => (await entries())[0]?.left.mark).toContain('"1.0"');
  expect((await restore((await entries())[0].id)).code).toBe(0);
  expect((await result('GET', `/custom_hostnames/${id}`)).ssl.settings.min_tls_version).toBe('1.2');
  await send('DELETE', `/custom_hostnames/${id}`);
  const hostname = (await entries()).find(({ did }: { did: string }) => did === 'deleted');
  expect(hostname.thing).toMatchObject({ kind: 'hostname', hostname: 'shop.customer.dev' });
  expect((await restore(hostname.id)).code).toBe(0);
  expect((await result('GET', '/custom_hostnames'))[0]).toMatchObject({ hostname: 'shop.customer.dev' });

  await send('DELETE', '/custom_hostnames/fallback_origin');
  // The official SDKs also send the name, and the policy then checks the name instead of the id.
  await send('PATCH', `/dns_records/${record.id}`, {
    type: 'A',
    name: 'origin.platform.dev',
    content: '192.0.2.2',
  });
  await expect.poll(async () => (await entries())[0]?.left.mark).toBe('192.0.2.2');
  for (const { id: entry, did } of await entries())
    if (did !== 'restored') expect((await restore(entry)).code).toBe(0);
  expect(await result('GET', `/dns_records/${record.id}`)).toMatchObject({
    content: '192.0.2.1',
    proxied: true,
  });
  expect((await result('GET', '/custom_hostnames/fallback_origin')).origin).toBe('origin.platform.dev');
});
