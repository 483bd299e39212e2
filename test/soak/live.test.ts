import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { TestSandbox } from '../../src/library/sandbox-types.ts';
import { answersOf, type LiveAnswer, type Place } from '../live/answers.ts';
import { cases, namePrefix } from '../live/cases.ts';
import { checkPlace, compareWithSandbox, removeLeftovers } from '../live/check.ts';

const toPlace = ({ apiBaseUrl, apiToken, accountId, zoneId }: TestSandbox): Place => ({
  apiBaseUrl,
  apiToken,
  accountId,
  zoneId,
});

interface Changed {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, which a change may break.
  body: any;
}

/** A change to the answers to one kind of call. The change causes a difference that the check must find. */
interface Change {
  readonly call: RegExp;
  readonly does: string;
  readonly at: string;
  readonly change: (answer: Changed) => void;
}

/** Sets a field of an answer if the answer contains the parent object; undefined removes the field. */
function set(path: string, value: unknown): Change['change'] {
  return (answer) => {
    const fields = path.split('.');
    const last = fields.pop() ?? '';
    const owner = fields.reduce((inner, field) => inner?.[field], answer as Changed['body']);
    if (owner !== null && typeof owner === 'object') owner[last] = value;
  };
}

/** Twenty differences: in statuses, codes, fields, types, order, headers, bytes, and formats of times. */
const rows: readonly (readonly [call: RegExp, does: string, at: string, change: Change['change']])[] = [
  [
    /^GET \/user\/tokens\/verify/,
    'verify the token',
    'body.result.status',
    set('body.result.status', 'disabled'),
  ],
  [/^GET .*no-such-product/, 'call an unknown route', 'status', set('status', 400)],
  [
    /^POST .*kv\/namespaces$/,
    'create a namespace',
    'body.result.supports_url_encoding',
    set('body.result.supports_url_encoding', undefined),
  ],
  [/^PUT .*namespaces\/\w{32}$/, 'rename a namespace', 'body.result', set('body.result', null)],
  [/^GET .*values\/none$/, 'read a missing value', 'body.errors.0.code', set('body.errors.0.code', 7003)],
  [/^GET .*values\/a%2Fb%20c$/, 'read a value', 'body', set('body', 'other')],
  [
    /^GET .*values\/a%2Fb%20c$/,
    'read a value',
    'header.content-type',
    ({ headers }) => headers.set('content-type', 'text/plain'),
  ],
  [/^GET .*\/metadata\/meta$/, 'read metadata', 'body.result.tag', set('body.result.tag', '1')],
  [
    /^GET .*keys\?limit=9/,
    'list keys with a low limit',
    'body.success',
    ({ body }) => set('success', !body.success)(body),
  ],
  [/^GET .*\/keys$/, 'list keys', 'body.result.0.name', ({ body }) => body.result.reverse()],
  [
    /^GET .*\/keys\?prefix/,
    'list keys with a prefix',
    'body.result_info.cursor',
    set('body.result_info.cursor', undefined),
  ],
  [/^DELETE .*values\/none$/, 'delete a missing key', 'status', set('status', 404)],
  [
    /^POST .*bulk\/delete$/,
    'delete in bulk',
    'body.messages.0',
    set('body.messages.0', { code: 1, message: 'deprecated' }),
  ],
  [
    /^POST .*r2\/buckets$/,
    'create a bucket',
    'body.result.creation_date',
    set('body.result.creation_date', '2024-01-01T00:00:00+00:00'),
  ],
  [
    /^GET .*objects\/folder\/a\.txt$/,
    'read an object',
    'header.etag',
    ({ headers }) => headers.delete('etag'),
  ],
  [
    /^GET .*r2\/buckets\/[\w-]+\/objects$/,
    'list objects',
    'body.result.0.size',
    set('body.result.0.size', '4'),
  ],
  [/^PATCH .*dns_records/, 'change a record', 'body.result.comment', set('body.result.comment', null)],
  [/^GET .*dns_records\/\w{32}$/, 'get a record', 'body.result.settings', set('body.result.settings', null)],
  [
    /^GET .*custom_hostnames\/[\w-]+$/,
    'get a hostname',
    'body.result.ssl.status',
    set('body.result.ssl.status', 'issuing'),
  ],
  [/^GET .*\/deployments$/, 'list deployments', 'body.result.extra', set('body.result.extra', true)],
];
const changes: readonly Change[] = rows.map(([call, does, at, change]) => ({ call, does, at, change }));

/** Opens a server that forwards requests to a sandbox, and changes the answers. */
async function openStub(
  sandbox: TestSandbox,
  all: readonly Change[],
): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? '').replace('/client/v4', '');
    const headers = new Headers(Object.entries(request.headers) as [string, string][]);
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(name);
    const { method = 'GET' } = request;
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    const real = await fetch(sandbox.apiBaseUrl + path, { method, headers, body });
    const text = await real.text();
    const isJson = real.headers.get('content-type')?.includes('json') === true;
    const answer: Changed = {
      status: real.status,
      headers: new Headers(real.headers),
      body: isJson ? JSON.parse(text) : text,
    };
    for (const { call, change } of all) if (call.test(`${method} ${path}`)) change(answer);
    for (const [name, value] of answer.headers)
      if (name !== 'content-length') response.setHeader(name, value);
    response.statusCode = answer.status;
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/client/v4` };
}

test('finds no differences from a second sandbox that represents the account, and leaves nothing in it', async () => {
  await using account = await startSandbox();
  const before = await account.snapshot();
  const { answers, differences, left } = await checkPlace(toPlace(account), () => startSandbox());
  expect([differences, left]).toEqual([[], []]);
  expect(answers.length).toBe(cases.account.length + cases.zone.length);
  const { namespaces, buckets, workers, hostnames, zones } = await account.snapshot();
  expect({ namespaces, buckets, workers, hostnames, zones }).toEqual({
    namespaces: before.namespaces,
    buckets: before.buckets,
    workers: before.workers,
    hostnames: before.hostnames,
    zones: before.zones,
  });
});

test('finds exactly twenty known differences of a platform that has these differences', async () => {
  await using account = await startSandbox();
  const stub = await openStub(account, changes);
  const place = { ...toPlace(account), apiBaseUrl: stub.url };
  const { differences } = await checkPlace(place, () => startSandbox());
  expect(changes.length).toBe(20);
  const found = differences.map(({ does, at }) => `${does}: ${at}`);
  const missed = changes.filter(({ does, at }) => !found.some((one) => one === `${does}: ${at}`));
  expect(missed.map(({ does, at }) => `${does}: ${at}`)).toEqual([]);
  // A change can also affect other cases that make the same call; all other cases must not differ.
  const others = differences.filter(({ does }) => !changes.some((change) => changeAffects(change, does)));
  expect(others).toEqual([]);
});

/** Returns true if a case makes a call whose answer is changed. */
function changeAffects({ call }: Change, does: string): boolean {
  const one = [...cases.account, ...cases.zone].find((other) => other.does === does);
  const path = one?.path
    .replace(/\{(?:namespace|record|account|zone)\}/g, 'f'.repeat(32))
    .replace(/\{\w+\}/g, 'some-name');
  return call.test(`${one?.method} ${path}`);
}

test('records no ids, names, tokens or times of the account, and compares a recording like the account', async () => {
  await using account = await startSandbox();
  const place = toPlace(account);
  const answers: readonly LiveAnswer[] = await answersOf(
    place,
    [...cases.account, ...cases.zone],
    `${namePrefix}-0a1b2c3d`,
  );
  await removeLeftovers(place);
  const text = JSON.stringify(answers);
  for (const secret of [
    place.apiToken,
    place.accountId,
    place.zoneId ?? '',
    account.email,
    '0a1b2c3d',
    '2026-',
  ]) {
    expect(text.includes(secret), secret).toBe(false);
  }
  expect(/[0-9a-f]{32}/.exec(text)?.[0]).toBeUndefined();
  expect(await compareWithSandbox(JSON.parse(text), () => startSandbox())).toEqual([]);
});

test('deletes the leftovers of a killed check, and nothing else', async () => {
  await using account = await startSandbox();
  const place = toPlace(account);
  await account.load({
    namespaces: [{ title: `${namePrefix}-1` }, { title: 'mine' }],
    buckets: [{ name: `${namePrefix}-1`, objects: [{ key: 'a/b', body: 'x' }] }, { name: 'mine' }],
  });
  expect(await removeLeftovers(place)).toEqual([]);
  const { namespaces = [], buckets = [] } = await account.snapshot();
  expect(namespaces.map(({ title }) => title)).toEqual(['mine']);
  expect(buckets.map(({ name }) => name)).toEqual(['mine']);
});

test.for(globSync('test/live/*.json'))('the sandbox answers %s like the account', async (file) => {
  const answers: readonly LiveAnswer[] = JSON.parse(readFileSync(file, 'utf8'));
  expect(await compareWithSandbox(answers, () => startSandbox())).toEqual([]);
});
