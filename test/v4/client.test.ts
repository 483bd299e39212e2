import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { isProblem, type Problem } from '../../src/model/problem.ts';
import { callBytes, callResult } from '../../src/v4/client.ts';
import { cursorPages, numberedPages, PageGuard } from '../../src/v4/pages.ts';
import { buildPath } from '../../src/v4/path.ts';
import { isTooLong } from '../../src/v4/read-answer.ts';
import { permissionFor } from '../../src/v4/routes.ts';
import { type Answer, type Call, readBody, type Send } from '../../src/v4/send.ts';

const call: Call = {
  method: 'GET',
  path: '/accounts/a/storage/kv/namespaces',
  headers: {},
  repeatable: true,
};
const any = (result: unknown): unknown => result;

function answering(...answers: readonly Partial<Answer & { json: unknown }>[]): Send & { calls: Call[] } {
  const calls: Call[] = [];
  const send = async (made: Call): Promise<Answer> => {
    const { json, ...answer } = answers[calls.push(made) - 1] ?? {};
    const body = json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json));
    return { status: 200, headers: {}, body, ...answer };
  };
  return Object.assign(send, { calls });
}

async function readProblem(promise: Promise<unknown>): Promise<Problem> {
  const error = await promise.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  );
  if (!isProblem(error)) throw error;
  return error;
}

function refusal(status: number, code: number, message: string, headers = {}) {
  return {
    status,
    headers,
    json: { success: false, result: null, errors: [{ code, message }], messages: [] },
  };
}

describe('the envelope', () => {
  test.each([
    ['1', ' 1 second. '],
    ['7', ' 7 seconds. '],
    ['300', ' 5 minutes. '],
    ['86400', ' 24 hours. '],
  ])('reports the required wait for a 429 with Retry-After %s', async (seconds, words) => {
    const headers = { 'retry-after': seconds };
    const found = await readProblem(callResult(answering(refusal(429, 10429, 'said', headers)), call, any));
    expect(found.hint).toContain(`to wait${words}`);
  });

  test('determines success by itself, regardless of the status', async () => {
    const ok = answering({
      status: 201,
      json: { success: true, result: { id: 'x' }, errors: [], messages: [] },
    });
    expect((await callResult(ok, call, any)).result).toEqual({ id: 'x' });
    const no = answering({
      status: 200,
      json: { success: false, result: null, errors: [{ code: 7, message: 'no' }] },
    });
    expect((await readProblem(callResult(no, call, any))).message).toBe('no.');
  });

  test.each([
    [401, 10000, 'not-signed-in'],
    [400, 9106, 'not-signed-in'],
    [400, 6003, 'not-signed-in'],
    [403, 10000, 'not-permitted'],
    [404, 10009, 'not-found'],
    [429, 10429, 'rate-limited'],
    [400, 10014, 'refused'],
    [409, 10004, 'conflict'],
    [500, 10001, 'unavailable'],
  ])('maps HTTP %i with code %i to the error %s', async (status, code, problem) => {
    const found = await readProblem(callResult(answering(refusal(status, code, 'said')), call, any));
    expect(found).toMatchObject({ code: problem, platformCode: code, status });
  });

  test('names the permission that the token lacks for a 403', async () => {
    const create: Call = { ...call, method: 'POST' };
    const found = await readProblem(
      callResult(answering(refusal(403, 10000, 'Authentication error')), create, any),
    );
    expect(found.hint).toContain('Workers KV Storage: Edit');
    expect(permissionFor({ ...create, path: `${create.path}/x/bulk/get` })).toBe('Workers KV Storage: Read');
    expect(permissionFor({ ...call, path: '/sandbox/info' })).toBeUndefined();
  });

  // A base URL without /client/v4 is refused before any request (test/profiles/base-url.test.ts), so the hint does not mention
  // it.
  test.each([
    [
      200,
      'The response is not from the platform: check the host in the base URL, and any proxy between edgectl and the platform.',
    ],
    [
      404,
      'The response is not from the platform: check the host in the base URL, and any proxy between edgectl and the platform.',
    ],
    [502, 'The platform or a proxy reports a temporary error. Try again later.'],
  ])(
    'gives a hint about the host for a page with HTTP %i, not about the end of the URL',
    async (status, hint) => {
      const page: Send = async () => ({ status, headers: {}, body: Buffer.from('<html>hello</html>') });
      const found = await readProblem(callResult(page, call, any));
      expect(found.message).toMatch(
        /^The response is not from the v4 API \(GET \S+ -> \d+\): "<html>hello<\/html>"\.$/,
      );
      expect(found.hint).toBe(hint);
    },
  );

  test('reports the request id and every error of a chain', async () => {
    const errors = [
      { code: 6003, message: 'Invalid request headers', error_chain: [{ code: 6111, message: 'format' }] },
    ];
    const send = answering({ status: 400, headers: { 'cf-ray': 'ray-1' }, json: { success: false, errors } });
    const found = await readProblem(callResult(send, call, any));
    expect(found.requestId).toBe('ray-1');
    expect(found.message).toBe('Invalid request headers; format (6111).');
  });

  test('refuses an answer that is not an envelope, and quotes its start', async () => {
    const page = { status: 502, body: Buffer.from('<html>\n  bad \u001b[31mgateway') };
    const found = await readProblem(callResult(answering(page), call, any));
    expect(found.message).toContain('not from the v4 API (GET /accounts/a/storage/kv/namespaces -> 502)');
    // The message is unchanged, because the code that shows a message escapes it once.
    expect(found.message).toContain('"<html> bad \u001b[31mgateway"');
  });

  test.each([302, 301, 307])(
    'does not treat a redirect (%i) as a success, even if it is empty',
    async (status) => {
      const answer = { status, headers: { location: 'https://elsewhere.invalid/' } };
      for (const refused of [callResult(answering(answer), call, any), callBytes(answering(answer), call)]) {
        const found = await readProblem(refused);
        expect(found).toMatchObject({ code: 'refused', status });
        expect(found.message).toContain('redirect to https://elsewhere.invalid/');
      }
    },
  );

  test('distinguishes a bad token from a missing permission by the message of error 9109', async () => {
    const bad = await readProblem(
      callResult(answering(refusal(403, 9109, 'Invalid access token')), call, any),
    );
    expect(bad.code).toBe('not-signed-in');
    const missing = refusal(403, 9109, 'Unauthorized to access requested resource');
    expect((await readProblem(callResult(answering(missing), call, any))).code).toBe('not-permitted');
  });

  test('accepts a bare id after a delete', async () => {
    expect((await callResult(answering({ json: { id: 'x' } }), call, any)).result).toEqual({ id: 'x' });
  });

  // No route that edgectl calls is documented to answer with an empty 204.
  test.each([200, 201, 202, 204, 205, 404])('does not accept an empty answer (HTTP %i)', async (status) => {
    const put: Call = { ...call, method: 'PUT' };
    const found = await readProblem(callResult(answering({ status }), put, any));
    expect(found).toMatchObject({ code: 'refused', status });
    expect(found.message).toContain(
      `PUT /accounts/a/storage/kv/namespaces returned an empty response (HTTP ${status})`,
    );
    expect(found.hint).toContain('The outcome is unknown');
  });

  test.each([
    [401, 'not-signed-in'],
    [403, 'not-permitted'],
    [429, 'rate-limited'],
    [503, 'unavailable'],
  ])('reports an empty refusal (HTTP %i) with the error for its status', async (status, code) => {
    expect((await readProblem(callResult(answering({ status }), call, any))).code).toBe(code);
  });

  test('accepts zero bytes as a value, and does not treat a 404 page as a missing value', async () => {
    expect((await callBytes(answering({}), call)).body).toEqual(new Uint8Array());
    const page = { status: 404, body: Buffer.from('<html>Not Found') };
    expect((await readProblem(callBytes(answering(page), call))).code).toBe('refused');
  });

  test('refuses an answer that is too long, and stops reading', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield Buffer.alloc(1024 * 1024, ' ');
      }
    }
    const found = await readProblem(callResult(answering({ body: endless() }), call, any));
    expect(found).toMatchObject({ code: 'refused', message: expect.stringContaining('longer than 64 MiB') });
    expect(isTooLong(found)).toBe(true);
    expect(given).toBe(65);
    const whole = { ...call, wholeAnswer: 10 };
    const value = await readProblem(callBytes(answering({ body: endless() }), whole));
    expect(value.message).toContain('longer than 10 bytes');
    const stream = await callBytes(answering({ body: endless() }), call, 2 ** 20);
    expect(isTooLong(await readProblem(readBody(stream.body)))).toBe(true);
  });

  test('reads only the start of an endless refusal, and reports its status', async () => {
    async function* endless() {
      const piece = Buffer.from('<html>'.repeat(10_000));
      for (;;) yield piece;
    }
    const found = await readProblem(callResult(answering({ status: 500, body: endless() }), call, any));
    expect(found).toMatchObject({ code: 'unavailable', status: 500, retryable: true });
  });

  test('reports only the first causes of half a million', async () => {
    const depth = 500_000;
    const body = `{"success":false,"errors":${'[{"code":1,"message":"m","error_chain":'.repeat(depth)}[]${'}]'.repeat(depth)}}`;
    const found = await readProblem(
      callResult(answering({ status: 400, body: Buffer.from(body) }), call, any),
    );
    expect(found.message.split(';')).toHaveLength(20);
  });

  test('refuses a result that is nested too deeply', async () => {
    const nested = (levels: number) =>
      Buffer.from(`{"success":true,"result":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    const found = await readProblem(callResult(answering({ body: nested(100_000) }), call, any));
    expect(found).toMatchObject({ code: 'refused', message: expect.stringContaining('1,000 levels') });
    const { result } = await callResult(answering({ body: nested(900) }), call, any);
    expect(JSON.stringify(result)).toHaveLength(1800);
  });

  test("shortens a server's long message, and reports how much was cut", async () => {
    const long = 'x'.repeat(10_000_000);
    const said = await readProblem(callResult(answering(refusal(400, 7, long)), call, any));
    expect(said.message).toMatch(/^x{1000}… \(9,999,000 more characters\)\.$/);
    const shape = await readProblem(
      callResult(answering({ json: { success: true, result: long } }), call, (result) =>
        v.parse(v.number(), result),
      ),
    );
    expect(shape.message.length).toBeLessThan(1300);
  });

  test('refuses a result of an unknown shape', async () => {
    const send = answering({ json: { success: true, result: 5, errors: [] } });
    const check = (): never => {
      throw new Error('Expected an array');
    };
    expect((await readProblem(callResult(send, call, check))).message).toContain(
      'unknown format: Expected an array',
    );
  });

  test('returns bytes unchanged, and reads a refusal in an answer of bytes', async () => {
    const value = await callBytes(answering({ body: Buffer.from([0, 255]) }), call);
    expect(value.body).toEqual(Buffer.from([0, 255]));
    const found = await readProblem(callBytes(answering(refusal(404, 10009, 'key not found')), call));
    expect(found.code).toBe('not-found');
  });
});

describe('retry information in a refusal', () => {
  const html = Buffer.from('<html>');
  // A call that creates something may have been executed, unless the platform did not accept it (503) or rejected it as invalid (4xx).
  test.each([
    [500, false, false],
    [502, false, false],
    [503, false, true],
    [500, true, true],
    [429, false, true],
  ])(
    'allows a retry after a refusal with HTTP %i (repeatable call: %s): %s',
    async (status, repeatable, retryable) => {
      const made: Call = { ...call, method: 'POST', repeatable };
      for (const answer of [refusal(status, 7, 'said'), { status, body: html }, { status }])
        expect(await readProblem(callResult(answering(answer), made, any))).toMatchObject({
          status,
          retryable,
        });
    },
  );

  test.each([
    [undefined, undefined],
    ['0', 0],
    ['7', 7],
    ['301', 301],
  ])('allows a retry after a refusal with Retry-After %s after %s seconds', async (value, seconds) => {
    const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value };
    const found = await readProblem(callResult(answering(refusal(503, 7, 'said', headers)), call, any));
    expect(found.retryAfter).toBe(seconds);
    const isLong = seconds === 301;
    const wait =
      ' The platform asks clients to wait 6 minutes (Retry-After), but edgectl does not wait that long.';
    expect(found.message).toBe(`said.${isLong ? wait : ''}`);
  });

  test.each([
    [200, 'refused'],
    [404, 'refused'],
    [429, 'rate-limited'],
    [499, 'refused'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('reports a page with HTTP %i as %s', async (status, code) => {
    const answer = { status, headers: { 'cf-ray': 'ray-1' }, body: html };
    for (const refused of [
      callResult(answering(answer), call, any),
      status < 400 ? undefined : callBytes(answering(answer), call),
    ])
      if (refused !== undefined)
        expect(await readProblem(refused)).toMatchObject({
          code,
          status,
          requestId: 'ray-1',
          hint: expect.stringContaining(
            status === 429 || status >= 500 ? 'Try again later' : 'check the host in the base URL',
          ),
        });
  });

  test('reports an empty answer with its status and its call', async () => {
    const found = await readProblem(
      callResult(answering({ status: 500 }), { ...call, path: '/x?cursor=c' }, any),
    );
    expect(found.message).toBe('GET /x returned HTTP 500.');
    const missing = await readProblem(callResult(answering({ status: 404 }), call, any));
    expect(missing).toMatchObject({ code: 'refused', hint: expect.stringContaining('A proxy between') });
  });
});

test.each([
  [401, 7, 'said', 'not-signed-in'],
  [400, 1000, 'said', 'not-signed-in'],
  [400, 1001, 'said', 'not-signed-in'],
  [400, 6111, 'said', 'not-signed-in'],
  [400, 10001, 'said', 'not-signed-in'],
  [404, 10001, 'said', 'not-found'],
  [400, 9103, 'said', 'not-signed-in'],
  [403, 9103, 'said', 'not-signed-in'],
  [400, 7, 'Invalid access token', 'not-signed-in'],
  [400, 9109, 'said', 'not-permitted'],
  [404, 7003, 'said', 'refused'],
  [400, 7000, 'said', 'refused'],
  [499, 7, 'said', 'refused'],
])('maps HTTP %i with code %i and the message "%s" to the error %s', async (status, code, words, problem) => {
  expect((await readProblem(callResult(answering(refusal(status, code, words)), call, any))).code).toBe(
    problem,
  );
});

test("names an unknown route, unless the platform's message names it", async () => {
  const said = async (words: string) =>
    (await readProblem(callResult(answering(refusal(404, 7003, words)), { ...call, path: '/a/b?c=d' }, any)))
      .message;
  expect(await said('No route.')).toBe('The platform has no route for GET /a/b: No route.');
  expect(await said('Could not route to /a/b, perhaps')).toBe('Could not route to /a/b, perhaps.');
});

test('explains what to check if the platform refuses the token, and gives no hint for other missing resources', async () => {
  const hint = async (status: number) =>
    (await readProblem(callResult(answering(refusal(status, 7, 'said')), call, any))).hint;
  expect(await hint(401)).toContain('does not accept the token');
  expect(await hint(403)).toContain('Workers KV Storage: Read');
  expect(await hint(404)).toBeUndefined();
  expect(await hint(429)).toBe(
    'The platform asks clients to wait. Its limit is 1,200 requests in 5 minutes.',
  );
});

test("removes our credentials from a server's message, and shows the first 100 characters of a page", async () => {
  const redact = (text: string) => text.replaceAll('hidden', '***');
  const headers = { location: 'https://elsewhere.invalid/hidden' };
  for (const answer of [
    refusal(400, 7, 'no hidden'),
    { status: 502, body: Buffer.from('<html>hidden') },
    { status: 302, headers },
    { json: { success: true, result: 5 } },
  ]) {
    const check = (): never => {
      throw new Error('of hidden');
    };
    const { message } = await readProblem(callResult(answering({ ...answer, redact }), call, check));
    expect(message).toContain('***');
    expect(message).not.toContain('hidden');
  }
  const page = { status: 200, body: Buffer.from(`${'x'.repeat(5000)}`) };
  expect((await readProblem(callResult(answering(page), call, any))).message).toMatch(/: "x{100}"\.$/);
  const nowhere = await readProblem(callResult(answering({ status: 302 }), { ...call, path: '/x?y' }, any));
  expect(nowhere.message).toBe('GET /x returned a redirect (HTTP 302).');
});

test('requests an answer as an envelope, up to its length limit', async () => {
  const send = answering({ json: { success: true, result: 1 } }, { json: { success: true, result: 1 } }, {});
  await callResult(send, call, any);
  await callResult(send, { ...call, wholeAnswer: 7000 }, any);
  await callBytes(send, call);
  expect(send.calls.map(({ envelope, wholeAnswer }) => [envelope, wholeAnswer])).toEqual([
    [true, 64 * 1024 * 1024],
    [true, 7000],
    [undefined, undefined],
  ]);
});

async function collected<T>(pages: AsyncIterable<T[]>): Promise<T[][]> {
  const all: T[][] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe('pages', () => {
  const page = (result: unknown[], info: object) => ({ json: { success: true, result, result_info: info } });
  const list = (result: unknown): unknown[] => result as unknown[];

  test('follow a cursor over an empty page, until the cursor is empty', async () => {
    const send = answering(page([1], { cursor: 'a' }), page([], { cursor: 'b' }), page([2], { cursor: '' }));
    const at = (cursor: string | undefined): Call => ({ ...call, path: `/keys?${cursor ?? 'first'}` });
    expect(await collected(cursorPages(send, at, list, list))).toEqual([[1], [], [2]]);
    expect(send.calls.map((made) => made.path)).toEqual(['/keys?first', '/keys?a', '/keys?b']);
  });

  test('are requested only when they are needed', async () => {
    const send = answering(page([1], { cursor: 'a' }), page([2], { cursor: 'b' }));
    const pages = cursorPages(send, () => call, list, list);
    await pages.next();
    expect(send.calls).toHaveLength(1);
  });

  type Seen = readonly (readonly [readonly unknown[], object])[];
  const cursors = (seen: Seen) => {
    const send = answering(...seen.map(([result, info]) => page([...result], info)));
    return collected(cursorPages(send, () => call, list, list));
  };

  const round: readonly (readonly [string, Seen, string])[] = [
    [
      'a cursor that points to itself',
      [
        [[1], { cursor: 'a' }],
        [[2], { cursor: 'a' }],
      ],
      'a cursor was repeated',
    ],
    [
      'cursors that alternate',
      [
        [[1], { cursor: 'a' }],
        [[2], { cursor: 'b' }],
        [[3], { cursor: 'a' }],
      ],
      'a cursor was repeated',
    ],
    [
      'a page that is repeated under another cursor',
      [
        [[1, 2], { cursor: 'a' }],
        [[3], { cursor: 'b' }],
        [[1, 2], { cursor: 'c' }],
      ],
      'a page was repeated',
    ],
    ['more items without a cursor', [[[1], { is_truncated: true }]], 'reports more items, but no cursor'],
    ['a cursor that is not a string', [[[1], { cursor: 5 }]], 'its cursor is not a string'],
  ];
  test.each(round)('are refused with %s', async (_, pages, words) => {
    const found = await readProblem(cursors(pages));
    expect(found).toMatchObject({ code: 'refused', message: expect.stringContaining(words) });
  });

  test.each([
    ['more than 3 pages', (page: number) => [page]],
    ['more than 2 pages in a row are empty', () => []],
  ])('end: %s', (words, itemsAt) => {
    const guard = new PageGuard({ pages: 3, empty: 2 });
    const pages = (count: number) => {
      for (let page = 1; page <= count; page += 1) guard.see(call, itemsAt(page));
    };
    expect(() => pages(4)).toThrow(words);
  });

  test.each([
    ['total_pages', [page([1], { total_pages: 2 }), page([2], { total_pages: 2 })]],
    ['total_count', [page([1], { total_count: 2 }), page([2], { total_count: 2 })]],
    ['a page shorter than per_page', [page([1, 2], { per_page: 2 }), page([3], { per_page: 2 })]],
    ['a page shorter than the first', [page([1, 2], {}), page([3], {})]],
    ['an empty page', [page([1], {}), page([2], {}), page([], {})]],
    ['a first page that is short', [page([1, 2], { per_page: 100 })]],
    ['a short page with totals of zero', [page([1, 2], { total_pages: 0 }), page([3], {})]],
    ['a short page with the count of one page', [page([1, 2], { total_count: 1 }), page([3], {})]],
    [
      'a total of pages that decreases during the reading',
      [page([1], { total_pages: 2 }), page([], { total_pages: 1 })],
    ],
    [
      'a count that decreases during the reading',
      [page([1], { total_count: 2 }), page([], { total_count: 1 })],
    ],
    ['a total of zero', [page([], { total_count: 0, total_pages: 0, per_page: 20 })]],
  ])('end in a numbered list by %s', async (_, answers) => {
    const send = answering(...answers);
    const totals: number[] = [];
    const pages = numberedPages(
      send,
      () => call,
      list,
      (total) => void totals.push(total),
    );
    const items = (await collected(pages)).flat();
    expect(items).toEqual([1, 2, 3].slice(0, items.length));
    expect(send.calls).toHaveLength(answers.length);
    const said = JSON.stringify(answers).match(/total_count\D+(\d+)/g) ?? [];
    expect(totals).toHaveLength(said.length);
  });

  test.each([
    ['ignore the page number', [page([1, 2], {}), page([1, 2], {})], 'a page was repeated'],
    ['announce a billion pages', [page([1], { total_pages: 1e9 })], 'it has more than 100,000 pages'],
    [
      'announce a trillion items',
      [page([1], { total_count: 1e12, per_page: 100 })],
      'it has more than 100,000 pages',
    ],
    [
      'end before their total',
      [page([1], { total_count: 3 }), page([], { total_count: 3 })],
      'page 2 is empty',
    ],
  ])('are refused in a numbered list that %s', async (_, answers, words) => {
    const found = await readProblem(collected(numberedPages(answering(...answers), () => call, list)));
    expect(found).toMatchObject({ code: 'refused', message: expect.stringContaining(words) });
  });
});

describe('paths', () => {
  test('encode each segment separately', () => {
    expect(buildPath(['values', 'a/../b?c#d%2e\\'], { prefix: 'x&y', none: undefined })).toBe(
      '/values/a%2F..%2Fb%3Fc%23d%252e%5C?prefix=x%26y',
    );
  });

  test.each(['', '.', '..', '\ud800'])('are refused: %j', (segment) => {
    expect(() => buildPath(['values', segment])).toThrow();
  });
});
