import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newPerson, runCommand } from '../../support/run-command.ts';

/** The platform's answers: one answer to every write, and another to every read. */
let answers: { write: unknown; read: unknown };
let base: string;
const server = createServer(async (request, response) => {
  for await (const _ of request) void _;
  const isRead = request.method === 'GET' && !request.url?.includes('/sandbox/');
  const isList = isRead && /\/(objects\?|keys|secrets)/.test(request.url ?? '');
  const result = isList ? [] : isRead ? answers.read : answers.write;
  response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
});

beforeEach(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

function run(argv: readonly string[]) {
  const person = newPerson({
    EDGECTL_API_BASE_URL: base,
    EDGECTL_API_TOKEN: 'token',
    EDGECTL_ACCOUNT_ID: 'a'.repeat(32),
    EDGECTL_ZONE_ID: 'b'.repeat(32),
  });
  writeFileSync(join(person.cwd, 'value'), 'text');
  return runCommand(person, [...argv, '--yes'], { stdin: 'text' });
}

const id = 'c'.repeat(32);
const other = 'd'.repeat(32);
const hostname = { id, hostname: 'shop.acme.com', ssl: { method: 'http', type: 'dv' } };
const namespace = ['--namespace-id', id];

const wrong: readonly (readonly [string, unknown, unknown, string])[] = [
  ['kv namespace create one', { id, title: 'two' }, [], 'title "two" instead of "worker-one"'],
  [`kv namespace rename one ${namespace.join(' ')}`, { id, title: 'two' }, { id, title: 'x' }, 'title "two"'],
  [`kv namespace delete ${namespace.join(' ')}`, { id: other }, { id, title: 'x' }, `id "${other}"`],
  ['objstore bucket create one', { name: 'two' }, {}, 'name "two" instead of "one"'],
  ['objstore bucket delete one', { name: 'two' }, { name: 'one' }, 'name "two"'],
  ['objstore object put one/key --path value', { key: 'other' }, {}, 'key "other" instead of "key"'],
  ['objstore object put one/key --path value', { key: 'key', size: '3' }, {}, 'size 3 instead of 4'],
  ['objstore object put one/key --path value', { etag: 'F'.repeat(32) }, {}, 'stored different bytes'],
  ['objstore object delete one/key', { key: 'other' }, {}, 'key "other"'],
  ['secret put ONE --name worker', { name: 'TWO' }, [], 'name "TWO" instead of "ONE"'],
  ['hostname create shop.acme.com', { ...hostname, hostname: 'x.com' }, [], 'hostname "x.com"'],
  [
    'hostname create shop.acme.com',
    { ...hostname, ssl: { method: 'txt' } },
    [],
    'method "txt" instead of "http"',
  ],
  [
    `hostname edit ${id} --min-tls 1.2`,
    { ...hostname, ssl: { settings: { min_tls_version: '1.0' } } },
    hostname,
    'min_tls_version "1.0"',
  ],
  [
    `hostname edit ${id} --origin o.acme.com`,
    { ...hostname, custom_origin_server: 'p.acme.com' },
    hostname,
    'custom_origin_server',
  ],
  [`hostname refresh ${id}`, { ...hostname, id: other }, hostname, `id "${other}"`],
  [`hostname delete ${id}`, { id: other }, hostname, `id "${other}"`],
  ['hostname fallback-origin set o.acme.com', {}, {}, 'responded with no origin'],
  ['hostname fallback-origin set o.acme.com', { origin: 'p.acme.com' }, {}, 'origin "p.acme.com"'],
  ['zone hold set', { hold: false, include_subdomains: 'false' }, { hold: false }, 'responded with no hold'],
  ['zone hold set', {}, { hold: false }, 'unknown format'],
  [
    'zone hold set --include-subdomains',
    { hold: true, include_subdomains: 'false' },
    { hold: true },
    'does not include subdomains',
  ],
  ['zone hold release', { hold: true }, { hold: true }, 'responded with a hold'],
  [
    'zone hold release --subdomains-only',
    { hold: true, include_subdomains: 'true' },
    {},
    'includes subdomains',
  ],
];

test.each(wrong)(
  'does not count %s as success if the platform returns %j',
  async (line, write, read, words) => {
    answers = { write, read };
    const { code, out, err } = await run(line.split(' '));
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(words) });
    expect(out.replace(/^(Creating|Deleting) .*\n/, '')).toBe('');
  },
);

const md5 = '1cb251ec0d568de6a929b520c4aed8d1';
const idn = { ...hostname, hostname: 'kafé.acme.com' };

/** Answers that the provider may return instead of the requested values: nothing, nulls, strings for numbers, another form of a name. */
const right: readonly (readonly [string, unknown, unknown])[] = [
  [`kv key put key text ${namespace.join(' ')}`, null, {}],
  [`kv key delete key ${namespace.join(' ')}`, {}, {}],
  [`kv namespace delete ${namespace.join(' ')}`, null, { id, title: 'x' }],
  [`kv namespace rename one ${namespace.join(' ')}`, {}, { id, title: 'x' }],
  ['objstore bucket create one', { name: 'one', creation_date: '2026-01-01T00:00:00Z' }, {}],
  ['objstore object put one/key --path value', {}, {}],
  ['objstore object put one/key --path value', { key: 'key', size: null, etag: null }, {}],
  ['objstore object put one/key --path value', { key: 'key', size: '4', etag: `"${md5}"` }, {}],
  ['objstore object put one/e\u0301 --path value', { key: '\u00e9' }, {}],
  ['objstore object delete one/key', null, {}],
  ['secret put ONE --name worker', null, []],
  ['hostname create kafé.acme.com', { ...hostname, hostname: 'xn--kaf-dma.acme.com.' }, []],
  ['hostname create kafé.acme.com', idn, []],
  [`hostname edit ${id} --origin O.acme.com`, { ...hostname, custom_origin_server: 'o.acme.com.' }, hostname],
  [`hostname edit ${id} --metadata {"a":"b"}`, { ...idn, ssl: null }, { ...idn, ssl: null }],
  ['hostname fallback-origin set o.acme.com', { origin: 'O.acme.com' }, {}],
  ['zone hold set --include-subdomains', { hold: true }, { hold: false }],
  ['zone hold set --include-subdomains', { hold: true, include_subdomains: null }, { hold: true }],
  ['zone hold set --include-subdomains', { hold: true, include_subdomains: 'true' }, { hold: false }],
  ['zone hold release', { hold: false, include_subdomains: null }, { hold: true }],
  ['zone hold release --subdomains-only', { hold: true }, { hold: true }],
];

test.each(right)('counts %s as success if the platform returns %j', async (line, write, read) => {
  answers = { write, read };
  expect(await run(line.split(' '))).toMatchObject({ code: 0 });
});

const noHold = 'has an unknown format: "hold" is missing.';
const noFallback = 'has an unknown format: "origin" is missing.';

const unread: readonly (readonly [string, unknown, string])[] = [
  ['zone hold get', {}, noHold],
  ['zone hold get', [], noHold],
  ['zone hold get', { id }, noHold],
  ['zone hold get', { hold: null }, '"hold" is not true or false.'],
  ['zone hold get', null, 'the result is not an object.'],
  ['zone hold set', {}, noHold],
  ['zone hold release', {}, noHold],
  ['hostname fallback-origin get', [], noFallback],
  ['hostname fallback-origin get', { id, status: 'active' }, noFallback],
  ['hostname fallback-origin get', { origin: 7 }, '"origin" is not'],
  ['hostname quota', {}, '"allocated" is missing.'],
];

test.each(unread)('fails for %s if the platform returns %j', async (line, answer, words) => {
  answers = { write: answer, read: answer };
  const { code, out, err } = await run(line.split(' '));
  expect({ code, err, out }).toMatchObject({ code: 1, err: expect.stringContaining(words), out: '' });
});

test.each([
  ['zone hold get', { hold: false }, 0, 'not held'],
  ['zone hold get', { hold: false, hold_after: null, include_subdomains: null }, 0, 'not held'],
  ['hostname fallback-origin get', {}, 3, 'has no fallback origin'],
  ['hostname fallback-origin get', null, 3, 'has no fallback origin'],
  ['hostname fallback-origin get', { origin: '', status: 'active' }, 3, 'has no fallback origin'],
])('reports that nothing is set for %s if the platform returns %j', async (line, read, code, words) => {
  answers = { write: null, read };
  const ran = await run(line.split(' '));
  expect({ ...ran, said: ran.out + ran.err }).toMatchObject({ code, said: expect.stringContaining(words) });
});
