// Unit tests of small parts of the v4 API. Sources for forms: RFC 7578, and the way in which the official SDK spreads an object over parts
// (`metadata[bindings][][name]`). Envelopes: the provider's API reference ("success", "errors", "result_info").
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../src/model/problem.ts';
import { emptyOk, ok, refused } from '../../src/v4/envelope.ts';
import { MalformedObject, readFormObject } from '../../src/v4/form-object.ts';
import { multipart } from '../../src/v4/multipart.ts';
import { PageGuard } from '../../src/v4/pages.ts';
import { parseEnvelope } from '../../src/v4/parse-envelope.ts';
import { isTooLong, limitedBody } from '../../src/v4/read-answer.ts';
import { MalformedForm, readForm } from '../../src/v4/read-form.ts';
import { findRoute, rightFor } from '../../src/v4/routes.ts';
import { permissionHint, unknownAdvice } from '../../src/v4/scope-hint.ts';
import { type Answer, type Call, closeBody, readBody, readStart } from '../../src/v4/send.ts';
import { steadyBody } from '../../src/v4/steady-body.ts';
import { changesSomething } from '../../src/v4/unknown-outcome.ts';
import {
  asciiJson,
  authorityOnWire,
  brandingField,
  delegationSuffix,
  isS3Endpoint,
  s3Endpoint,
} from '../../src/v4/wire.ts';

const answer: Answer = { status: 403, headers: {}, body: new Uint8Array() };
const callTo = (path: string): Call => ({ method: 'GET', path, headers: {}, repeatable: true });

test('creates a multipart form of text and files', () => {
  const { body, contentType } = multipart(
    [
      { name: 'a"b', content: 'text' },
      { name: 'json', content: '{}', contentType: 'application/json' },
      { name: 'file', content: Buffer.from('x') },
      { name: 'named', content: 'x', fileName: 'n\r\n.js', contentType: 'text/javascript' },
    ],
    'BOUNDARY',
  );
  expect(contentType).toBe('multipart/form-data; boundary=BOUNDARY');
  expect(Buffer.from(body).toString().split('\r\n')).toEqual([
    ...['--BOUNDARY', 'Content-Disposition: form-data; name="a%22b"', '', 'text'],
    '--BOUNDARY',
    ...['Content-Disposition: form-data; name="json"', 'Content-Type: application/json', '', '{}'],
    ...['--BOUNDARY', 'Content-Disposition: form-data; name="file"; filename="blob"'],
    ...['Content-Type: application/octet-stream', '', 'x', '--BOUNDARY'],
    'Content-Disposition: form-data; name="named"; filename="n%0D%0A.js"',
    ...['Content-Type: text/javascript', '', 'x', '--BOUNDARY--', ''],
  ]);
});

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const formOf = (count: number) =>
  multipart(
    Array.from({ length: count }, (_, index) => ({ name: `part ${index}`, content: `${index}` })),
    'BOUNDARY',
  );

test('parses the written parts of a form in order', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const written = [
    { name: 'text', content: 'a\r\n--BOUNDAR' },
    { name: 'json', content: '{}', contentType: 'application/json' },
    { name: 'file', content: bytes, fileName: 'a/b/../c.js', contentType: 'application/javascript+module' },
    { name: 'empty', content: new Uint8Array() },
  ];
  const { body, contentType } = multipart(written, 'BOUNDARY');
  const read = await readForm(contentType, body, body.length);
  expect(
    read.map(({ content, ...part }) => ({ ...part, content: Buffer.from(content).toString('latin1') })),
  ).toEqual([
    // RFC 7578, 4.4: a part without a type is text/plain.
    { name: 'text', fileName: undefined, contentType: 'text/plain', content: 'a\r\n--BOUNDAR' },
    { name: 'json', fileName: undefined, contentType: 'application/json', content: '{}' },
    {
      name: 'file',
      fileName: 'a/b/../c.js',
      contentType: 'application/javascript+module',
      content: Buffer.from(bytes).toString('latin1'),
    },
    { name: 'empty', fileName: 'blob', contentType: 'application/octet-stream', content: '' },
  ]);
  async function* pieces() {
    for (const byte of body) yield Uint8Array.of(byte);
  }
  expect(await readForm(contentType, pieces, body.length)).toEqual(read);
  expect(await readForm(contentType, pieces(), body.length)).toEqual(read);
  await expect(readForm(contentType, body, body.length - 1)).rejects.toThrow(RangeError);
});

test('refuses an invalid form, and omits no part of a valid form', async () => {
  const { body, contentType } = formOf(1000);
  expect(await readForm(contentType, body, 1e6)).toHaveLength(1000);
  const more = formOf(1001);
  await expect(readForm(more.contentType, more.body, 1e6)).rejects.toThrow(
    new MalformedForm('it has more than 1,000 parts'),
  );
  for (const [type, text] of [
    ['multipart/form-data', body],
    ['text/plain', body],
    ['multipart/form-data; boundary=BOUNDARY', body.subarray(0, -10)],
    ['multipart/form-data; boundary=BOUNDARY', new Uint8Array()],
    ['multipart/form-data; boundary=BOUNDARY', undefined],
  ] as const)
    await expect(readForm(type, text, 1e6)).rejects.toBeInstanceOf(MalformedForm);
});

const spread = (...parts: [string, string][]) =>
  readFormObject(
    parts.map(([name, text]) => ({ name, content: Buffer.from(text) })),
    'm',
  );

test.each<[[string, string][], object | undefined]>([
  [[['other', '{}']], undefined],
  [[['m', '{"a":[1]}']], { a: [1] }],
  [
    [
      ['m[a]', '1'],
      ['m[b][c]', '2'],
      ['m[b][d]', '3'],
    ],
    { a: '1', b: { c: '2', d: '3' } },
  ],
  [
    [
      ['m[l][]', '1'],
      ['m[l][]', '2'],
    ],
    { l: ['1', '2'] },
  ],
  [
    [
      ['m[l][][n]', '1'],
      ['m[l][][t]', '2'],
      ['m[l][][n]', '3'],
      ['m[l][][o][p]', '4'],
      ['m[l][][o][q]', '5'],
    ],
    {
      l: [
        { n: '1', t: '2' },
        { n: '3', o: { p: '4', q: '5' } },
      ],
    },
  ],
  [
    [
      ['m[a]', '1'],
      ['m[a][b]', '2'],
    ],
    { a: { b: '2' } },
  ],
])('parses nested field names of a form as an object: %j', (parts, object) => {
  expect(spread(...parts)).toEqual(object);
});

test.each([[['m', '[]']], [['m', 'null']], [['m', '{']], [['m[__proto__][a]', '1']]] as [string, string][][])(
  'refuses an invalid object in a form: %j',
  (part) => {
    const read = () => spread(part as unknown as [string, string]);
    expect(read).toThrow(MalformedObject);
    // The JSON parser's error message is more specific.
    if (part[1] === '{') expect(read).toThrow(/JSON/);
    if (part[1] === '{') expect(read).not.toThrow('it is not a JSON object');
  },
);

test.each([
  [
    '/accounts/a1/storage/kv/namespaces/n1/keys',
    'need "Workers KV Storage: Read" for namespace n1 in account a1.',
  ],
  ['/accounts/a1/unknown?x=/zones/z', 'do not have access to account a1.'],
  ['/zones/z1/unknown', 'do not have access to zone z1.'],
  ['/unknown', 'do not have access to this resource.'],
  ['/user', 'need "User Details: Read".'],
])('names the missing permission or access in a refusal of %s', (path, words) => {
  expect(permissionHint(callTo(path), answer)).toBe(`The credentials of the session ${words}`);
  expect(permissionHint(callTo(path), { ...answer, source: 'profile acme' })).toContain('of profile acme ');
});

test('suggests looking for an unknown namespace elsewhere, and checking the ids of an unknown path', () => {
  const path = '/accounts/a1/storage/kv/namespaces/n1/keys';
  const advise = (code: number, message: string, at = path) =>
    unknownAdvice(callTo(at), answer, { code, message });
  const elsewhere = { kind: 'look-elsewhere', namespace: 'n1', where: 'account a1', source: 'the session' };
  expect(advise(10013, 'namespace not found')).toEqual({ remedy: elsewhere });
  expect(advise(10009, 'key not found')).toEqual({});
  expect(advise(10013, 'namespace not found', '/accounts/a1')).toEqual({});
  const ids = (asked: string) => ({ remedy: { kind: 'check-ids', asked, source: 'the session' } });
  expect(advise(7003, 'could not route', '/zones/z1/x')).toEqual(ids('zone z1'));
  expect(advise(7000, 'no route', '/x')).toEqual(ids('no account or zone'));
});

test('allows consecutive empty pages in a list, up to its bounds', () => {
  const guard = new PageGuard({ pages: 5, empty: 2 });
  const see = (...items: unknown[]) => guard.see(callTo('/x'), items);
  see(1);
  see();
  see();
  expect(() => see()).toThrow('more than 2 pages in a row are empty');
  const other = new PageGuard({ pages: 2, empty: 2 });
  other.see(callTo('/x'), [1]);
  other.see(callTo('/x'), [2]);
  expect(() => other.see(callTo('/x'), [3])).toThrow('it has more than 2 pages');
});

const parsed = (json: unknown) => parseEnvelope(Buffer.from(JSON.stringify(json)));

test('returns the errors of an envelope in order, and only the facts about the list that the envelope states', () => {
  expect(parsed({ success: false, error: 'no', code: 7 })?.errors).toEqual([{ code: 7, message: 'no' }]);
  expect(parsed({ success: false, error: 'no' })?.errors).toEqual([{ code: 0, message: 'no' }]);
  const errors = [{ code: 1, message: 'a', error_chain: [{ code: 2, message: 'b' }] }, { code: 3 }, 'text'];
  expect(parsed({ success: false, errors, error: 'other' })?.errors).toEqual([
    { code: 1, message: 'a' },
    { code: 2, message: 'b' },
    { code: 3, message: 'no message' },
  ]);
  const info = { cursor: '', is_truncated: false, per_page: '7', total_count: 3, delimited: ['a/', 7] };
  expect(parsed({ success: true, result: [], result_info: info })?.resultInfo).toStrictEqual({
    totalCount: 3,
    delimited: ['a/'],
  });
});

test('reads a body up to its limit, or only its start', async () => {
  async function* parts() {
    yield Buffer.from('ab');
    yield Buffer.from('cd');
  }
  for (const body of [parts, () => Buffer.from('abcd')]) {
    expect(Buffer.from(await readBody(body(), 4)).toString()).toBe('abcd');
    await expect(readBody(body(), 3)).rejects.toThrow(RangeError);
    expect(Buffer.from(await readStart(body(), 3)).toString()).toBe('abc');
  }
  // The client reads only the bytes that it needs.
  let given = 0;
  async function* endless() {
    for (;;) {
      given += 1;
      yield Buffer.from('ab');
    }
  }
  expect(Buffer.from(await readStart(endless(), 4)).toString()).toBe('abab');
  expect(given).toBe(2);
  const stream = Readable.from(['a', 'b']);
  await closeBody({ body: stream });
  expect(stream.destroyed).toBe(true);
  let closed = false;
  async function* open() {
    try {
      yield Buffer.from('a');
    } finally {
      closed = true;
    }
  }
  const body = open();
  await body.next();
  await closeBody({ body });
  expect(closed).toBe(true);
});

test('recognizes calls that change something, and encodes two terms of the provider in a path', () => {
  const calls: Parameters<typeof changesSomething>[0][] = [
    { method: 'GET' },
    { method: 'POST' },
    { method: 'POST', readsOnly: true },
    { method: 'DELETE' },
  ];
  expect(calls.map((call) => changesSomething(call))).toEqual([false, true, false, true]);
  expect([authorityOnWire('default'), authorityOnWire('google')]).toEqual(['', 'google']);
  expect(brandingField('acme')).toBe('acme_branding');
});

test.each<[object | string, object | undefined]>([
  ['', undefined],
  ['{', undefined],
  ['null', undefined],
  ['[]', undefined],
  ['"success"', undefined],
  [{}, undefined],
  [{ id: 7 }, undefined],
  [{ success: 'true' }, undefined],
  [{ id: 'x' }, { success: true, result: { id: 'x' }, errors: [], fault: undefined }],
  [
    { success: true, result: 7 },
    { success: true, result: 7, errors: [], resultInfo: {}, fault: undefined },
  ],
  [
    { errors: [{ code: 7, message: 'no' }] },
    { success: false, errors: [{ code: 7, message: 'no' }], result: undefined },
  ],
  [
    { code: '7', error: 'no' },
    { success: false, errors: [{ code: 0, message: 'no' }] },
  ],
  [{ success: false, errors: [{ code: Number.NaN }] }, { errors: [{ code: 0, message: 'no message' }] }],
  [
    { success: true, result_info: null },
    { fault: undefined, resultInfo: {} },
  ],
  [{ success: true, result_info: [] }, { fault: 'its result_info is not an object' }],
  [{ success: true, result_info: 'x' }, { fault: 'its result_info is not an object' }],
  [{ success: true, result_info: { cursor: 7 } }, { fault: 'its cursor is not a string' }],
  [
    { success: true, result_info: { cursor: null } },
    { fault: undefined, resultInfo: {} },
  ],
  [
    {
      success: true,
      result_info: {
        cursor: 'c',
        is_truncated: true,
        per_page: 20,
        total_pages: 3,
        total_count: 50,
        delimited: [],
      },
    },
    {
      fault: undefined,
      resultInfo: { cursor: 'c', truncated: true, perPage: 20, totalPages: 3, totalCount: 50, delimited: [] },
    },
  ],
  [
    { success: true, result_info: { is_truncated: 'true', per_page: null, delimited: 'a/' } },
    { resultInfo: {} },
  ],
])('parses the envelope of %j', (json, envelope) => {
  const found = parseEnvelope(Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)));
  if (envelope === undefined) expect(found).toBeUndefined();
  else {
    expect(found).toMatchObject(envelope);
    if ('resultInfo' in envelope) expect(found?.resultInfo).toStrictEqual(envelope.resultInfo);
  }
});

test('accepts an envelope that is nested a thousand levels deep, in objects and in lists', () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown) => {
    let value: unknown = 0;
    for (let level = 0; level < levels; level += 1) value = wrap(value);
    return value;
  };
  for (const wrap of [(inner: unknown) => ({ a: 1, inner }), (inner: unknown) => [inner]]) {
    // The envelope itself counts as one level.
    expect(parsed({ success: true, result: nested(999, wrap) })?.fault).toBeUndefined();
    expect(parsed({ success: true, result: nested(1000, wrap) })?.fault).toContain('more than 1,000 levels');
  }
  expect(parsed({ id: 'x', more: nested(1000, (inner) => [inner]) })?.fault).toContain('1,000 levels');
});

test('reports the first twenty of many errors', () => {
  const errors = Array.from({ length: 30 }, (_, code) => ({ code, message: 'm' }));
  expect(parsed({ success: false, errors })?.errors.map(({ code }) => code)).toEqual(
    Array.from({ length: 20 }, (_, code) => code),
  );
});

test('parses our own envelopes', async () => {
  const read = async ({ status, headers, body }: Answer) => [
    status,
    headers['content-type'],
    JSON.parse(Buffer.from(await readBody(body)).toString()),
  ];
  const type = 'application/json';
  const plain = { errors: [], messages: [] };
  expect(await read(ok([1]))).toEqual([200, type, { success: true, result: [1], ...plain }]);
  expect(await read(ok([1], { page: 1 }))).toEqual([
    200,
    type,
    { success: true, result: [1], ...plain, result_info: { page: 1 } },
  ]);
  expect(await read(emptyOk())).toEqual([200, type, { success: true, ...plain }]);
  const chain = [{ code: 8, message: 'why' }];
  expect(await read(refused(404, 7, 'no'))).toEqual([
    404,
    type,
    { success: false, result: null, errors: [{ code: 7, message: 'no' }], messages: [] },
  ]);
  expect((await read(refused(400, 7, 'no', chain)))[2].errors).toEqual([
    { code: 7, message: 'no', error_chain: chain },
  ]);
});

test('accepts a body of the maximum length, and refuses a body with one more byte', async () => {
  async function* parts() {
    yield Buffer.from('ab');
    yield Buffer.from('cd');
  }
  const call = callTo('/x?cursor=secret');
  expect(Buffer.concat(await collected(limitedBody(parts(), call, 4))).toString()).toBe('abcd');
  const given: string[] = [];
  const reading = async () => {
    for await (const chunk of limitedBody(parts(), call, 3)) given.push(chunk.toString());
  };
  await expect(reading()).rejects.toThrow(
    'The response to GET /x is longer than 3 bytes; the rest was not read.',
  );
  expect(given).toHaveLength(1);
  const words = async (limit: number) => {
    async function* long() {
      yield Buffer.alloc(limit + 1);
    }
    return collected(limitedBody(long(), call, limit));
  };
  await expect(words(1024 * 1024 - 1)).rejects.toThrow('longer than 1048575 bytes');
  await expect(words(1024 * 1024)).rejects.toThrow('longer than 1 MiB');
  await expect(words(2 * 1024 * 1024 - 1)).rejects.toThrow('longer than 1 MiB');
});

describe('a body', () => {
  /** Returns a stream of chunks, each of which arrives after the reader has waited for the given number of seconds. */
  function coming(kind: 'refusal' | 'whole' | 'download', ...chunks: readonly (readonly [number, number])[]) {
    let now = 0;
    const left = [...chunks];
    const stream = new Readable({
      highWaterMark: 0,
      read() {
        const [seconds, length] = left.shift() ?? [0, -1];
        now += seconds * 1000;
        this.push(length < 0 ? null : Buffer.alloc(length));
      },
    });
    const problemOf = (error: unknown) =>
      error instanceof Problem ? error : new Problem('unreachable', String(error));
    const body = steadyBody(stream, { now: () => now, silence: 60_000, kind, toProblem: problemOf });
    return { stream, body };
  }
  const times = (count: number, chunk: readonly [number, number]) =>
    Array.from({ length: count }, () => chunk);
  const slow = /^The response is too slow: 4095 bytes in 30 seconds\.$/;

  test.each([
    [
      'fast',
      'download',
      [
        [0, 1],
        [29, 4096],
      ],
      undefined,
    ],
    [
      'just fast enough',
      'download',
      [
        [0, 1],
        [15, 4000],
        [15, 95],
      ],
      undefined,
    ],
    [
      'too slow by a byte',
      'download',
      [
        [0, 1],
        [15, 4000],
        [15, 94],
      ],
      slow,
    ],
    [
      'slow for less than the window',
      'download',
      [
        [0, 1],
        [29.999, 1],
      ],
      undefined,
    ],
    [
      'too slow in a later window',
      'download',
      [
        [0, 5000],
        [30, 1],
        [30, 4095],
      ],
      slow,
    ],
    [
      'late to start',
      'download',
      [
        [59, 1],
        [29, 1],
      ],
      undefined,
    ],
    ['a long download', 'download', times(1000, [10, 4096]), undefined],
    ['a complete answer of 15 minutes', 'whole', times(90, [10, 4096]), undefined],
    [
      'a longer complete answer',
      'whole',
      times(91, [10, 4096]),
      /^The response has not ended after 15 minutes;/,
    ],
    ['a refusal of half a minute', 'refusal', times(3, [10, 4096]), undefined],
    ['a longer refusal', 'refusal', times(4, [10, 4096]), /^The response has not ended after 30 seconds;/],
    ['a late refusal', 'refusal', [[31, 10]], /30 seconds/],
  ] as const)('is accepted, or refused with the reason, if it is %s (%s)', async (_, kind, chunks, fault) => {
    const { stream, body } = coming(kind, ...chunks);
    const reading = collected(body);
    if (fault === undefined) expect(await reading).toHaveLength(chunks.length);
    else {
      await expect(reading).rejects.toMatchObject({
        code: fault === slow ? 'unreachable' : 'refused',
        message: expect.stringMatching(fault),
      });
    }
    expect(stream.destroyed).toBe(true);
  });

  test('is closed if its reader stops or never starts', async () => {
    for (const reads of [0, 1]) {
      const { stream, body } = coming('download', [0, 1], [0, 1], [0, 1]);
      const chunks = body[Symbol.asyncIterator]();
      for (let count = 0; count < reads; count += 1) expect((await chunks.next()).value).toHaveLength(1);
      expect(stream.destroyed).toBe(false);
      expect(await chunks.return?.()).toEqual({ done: true, value: undefined });
      expect(stream.destroyed).toBe(true);
    }
  });

  test('fails with the reason of its connection; without a clock, only silence is detected', async () => {
    const failing = new Readable({ read() {} });
    const body = steadyBody(failing, {
      now: undefined,
      silence: 60_000,
      kind: 'refusal',
      toProblem: (error) => new Problem('unreachable', `told: ${error}`),
    });
    failing.push('a');
    const chunks = body[Symbol.asyncIterator]();
    expect((await chunks.next()).done).toBe(false);
    failing.destroy(new Error('cut'));
    await expect(chunks.next()).rejects.toThrow('told: Error: cut');
  });

  test('is refused if it is silent', async () => {
    const stream = new Readable({ read() {} });
    const problemOf = (error: unknown) => error as Problem;
    const body = steadyBody(stream, { now: undefined, silence: 5, kind: 'download', toProblem: problemOf });
    await expect(collected(body)).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The response is too slow: no data for 0.005 seconds.',
    });
    expect(stream.destroyed).toBe(true);
  });
});

test('encodes terms and addresses of the provider', () => {
  expect(asciiJson({ a: 'é😀\u007f "' })).toBe('{"a":"\\u00e9\\ud83d\\ude00\\u007f \\""}');
  expect(JSON.parse(asciiJson({ a: 'é😀\u007f "' }))).toEqual({ a: 'é😀\u007f "' });
  expect(delegationSuffix('u', 'acme')).toBe('u.dcv.acme.com');
  const account = 'https://a1.r2.cloudflarestorage.com';
  expect([s3Endpoint('api.cloudflare.com', 'a1'), s3Endpoint('other.example', 'a1')]).toEqual([
    account,
    undefined,
  ]);
  expect(
    [account, 'https://a1.eu.r2.cloudflarestorage.com', 'https://a1.fedramp.r2.cloudflarestorage.com'].map(
      (one) => isS3Endpoint(one, account),
    ),
  ).toEqual([true, true, true]);
  expect(isS3Endpoint('https://a1.evil.r2.cloudflarestorage.com', account)).toBe(false);
});

test('accepts a key of one or more segments for a value', () => {
  const values = '/accounts/a/storage/kv/namespaces/n/values';
  const found = (path: string) => findRoute({ method: 'GET', path })?.path.split('/').at(-1);
  expect([found(`${values}/a`), found(`${values}/a/b/c`), found(values)]).toEqual([
    '*key',
    '*key',
    undefined,
  ]);
});

test('treats only an answer that was refused for its length as too long', () => {
  const cause = new RangeError('longer');
  expect(isTooLong(new Problem('refused', 'm', { cause }))).toBe(true);
  expect([new Problem('refused', 'm'), new Error('m', { cause }), cause].some(isTooLong)).toBe(false);
});

test('finds a route by its method and its complete path', () => {
  const found = (method: Call['method'], path: string) => findRoute({ method, path })?.path;
  const keys = '/accounts/a/storage/kv/namespaces/n/keys';
  const declared = '/accounts/:account/storage/kv/namespaces/:namespace/keys';
  expect(
    [found('GET', keys), found('GET', `${keys}?limit=5`)].map((path) => path?.replaceAll(/:\w+/g, ':')),
  ).toEqual(Array(2).fill(declared.replaceAll(/:\w+/g, ':')));
  expect([found('DELETE', keys), found('GET', `${keys}/x`), found('GET', '/accounts')]).toEqual([
    undefined,
    undefined,
    expect.anything(),
  ]);
  expect([rightFor('read'), rightFor('change'), rightFor('destroy')]).toEqual(['Read', 'Write', 'Write']);
});
