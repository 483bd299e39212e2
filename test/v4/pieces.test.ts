// The small pieces of the v4 API, each alone. Forms: RFC 7578, and the official SDK's way to spread an object over parts
// (`metadata[bindings][][name]`). Envelopes: the provider's API reference ("success", "errors", "result_info").
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { MalformedObject, objectIn } from '../../src/v4/form-object.ts';
import { multipart } from '../../src/v4/multipart.ts';
import { PageGuard } from '../../src/v4/pages.ts';
import { parseEnvelope } from '../../src/v4/parse-envelope.ts';
import { permissionHint, unknownAdvice } from '../../src/v4/scope-hint.ts';
import { type Answer, type Call, closeBody, readBody, readStart } from '../../src/v4/send.ts';
import { changesSomething } from '../../src/v4/unknown-outcome.ts';
import { authorityOnWire, brandingField } from '../../src/v4/wire.ts';

const answer: Answer = { status: 403, headers: {}, body: new Uint8Array() };
const callTo = (path: string): Call => ({ method: 'GET', path, headers: {}, repeatable: true });

test('a form of text and files', () => {
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

const spread = (...parts: [string, string][]) =>
  objectIn(
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
])('the object of a form: %j', (parts, object) => {
  expect(spread(...parts)).toEqual(object);
});

test.each([[['m', '[]']], [['m', 'null']], [['m', '{']], [['m[__proto__][a]', '1']]] as [string, string][][])(
  'an object of a form that is none is refused: %j',
  (part) => {
    expect(() => spread(part as unknown as [string, string])).toThrow(MalformedObject);
  },
);

test.each([
  [
    '/accounts/a1/storage/kv/namespaces/n1/keys',
    'need "Workers KV Storage: Read" for namespace n1 in account a1.',
  ],
  ['/accounts/a1/unknown?x=/zones/z', 'do not reach account a1.'],
  ['/zones/z1/unknown', 'do not reach zone z1.'],
  ['/unknown', 'do not reach it.'],
])('a refusal of %s names what is lacking', (path, words) => {
  expect(permissionHint(callTo(path), answer)).toBe(`The credentials of the session ${words}`);
  expect(permissionHint(callTo(path), { ...answer, source: 'profile acme' })).toContain('of profile acme ');
});

test('an unknown namespace is looked for elsewhere, a path that leads nowhere has wrong ids', () => {
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

test('a list may have empty pages in a row, but not more than its bounds say', () => {
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

test('an envelope tells its errors in order, and of its list only what it says', () => {
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

test('a body is read whole up to its limit, or its start', async () => {
  async function* parts() {
    yield Buffer.from('ab');
    yield Buffer.from('cd');
  }
  for (const body of [parts, () => Buffer.from('abcd')]) {
    expect(Buffer.from(await readBody(body(), 4)).toString()).toBe('abcd');
    await expect(readBody(body(), 3)).rejects.toThrow(RangeError);
    expect(Buffer.from(await readStart(body(), 3)).toString()).toBe('abc');
  }
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

test('which calls change something, and two words of the wire', () => {
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
