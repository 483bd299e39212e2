import { appendFileSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { callS3, readRange, s3Path } from '../../../src/services/objects/parts/calls.ts';
import { copyInParts } from '../../../src/services/objects/parts/copy.ts';
import {
  abortUpload,
  beginUpload,
  completeUpload,
  listParts,
  partSizeFor,
  planParts,
} from '../../../src/services/objects/parts/multipart.ts';
import { openDownloadNote, openUploadNote } from '../../../src/services/objects/parts/saved.ts';
import { eachPart } from '../../../src/services/objects/parts/upload.ts';
import { Transfer } from '../../../src/services/objects/transfer.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { type Answer, type Call, openStream, readBody } from '../../../src/v4/send.ts';
import { result, stubPlatform } from '../hostnames/platform.ts';

const address = { bucket: 'b', key: 'k' };
const upload = { address, uploadId: 'the id' };
const GiB = 1024 ** 3;
const MiB = 1024 ** 2;

/** Creates a session whose S3 API returns the test's answers. Records the requests, and the messages to the user. */
function stub(answer: (call: Call) => Partial<Answer> | undefined, more: Partial<Session> = {}) {
  const calls: Call[] = [];
  const notes: string[] = [];
  const session: Session = {
    ...stubPlatform(() => undefined).session,
    note: (note) => notes.push(note),
    async send(call) {
      calls.push(call);
      return { status: 200, headers: {}, body: new Uint8Array(0), ...answer(call) };
    },
    ...more,
  };
  return { session, calls, notes };
}

const xml = (text: string) => ({ body: Buffer.from(text) });
const refusal = (status: number, code: string, message = 'Because.') => ({
  status,
  ...xml(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`),
});

// The error codes in the tables of AWS and of the provider.
test.each([
  [404, 'NoSuchKey', 'not-found', undefined],
  [404, 'NoSuchUpload', 'not-found', undefined],
  [403, 'AccessDenied', 'not-permitted', 'The token needs "Workers R2 Storage: Edit"'],
  [403, 'InvalidAccessKeyId', 'not-signed-in', 'R2_ACCESS_KEY_ID'],
  [403, 'SignatureDoesNotMatch', 'not-signed-in', 'R2_SECRET_ACCESS_KEY'],
  [
    401,
    'Unauthorized',
    'not-signed-in',
    'The access key is derived from the id and the SHA-256 of the token',
  ],
  [503, 'SlowDown', 'rate-limited', undefined],
  [429, 'TooManyRequests', 'rate-limited', undefined],
  [500, 'InternalError', 'unavailable', undefined],
  [503, 'ServiceUnavailable', 'unavailable', undefined],
  [409, 'OperationAborted', 'conflict', undefined],
  [400, 'InvalidPart', 'refused', undefined],
  [499, 'ClientDisconnect', 'refused', undefined],
  [300, 'TemporaryRedirect', 'refused', undefined],
  [200, 'InternalError', 'refused', undefined],
] as const)('reports the S3 error HTTP %i with %s as %s', async (status, s3Code, code, hint) => {
  const { session } = stub(() => ({ ...refusal(status, s3Code), headers: { 'x-amz-request-id': 'r1' } }));
  await expect(callS3(session, { method: 'GET', address })).rejects.toMatchObject({
    code,
    message: `Because (${s3Code}).`,
    status,
    platformCode: undefined,
    requestId: 'r1',
    hint: hint === undefined ? undefined : expect.stringContaining(hint),
  });
});

test('names a bucket that does not exist, and reports an answer from an unrelated server by its status', async () => {
  const missing = callS3(stub(() => refusal(404, 'NoSuchBucket')).session, { method: 'GET', address });
  await expect(missing).rejects.toMatchObject({
    code: 'not-found',
    message: 'The bucket "b" does not exist.',
    remedy: { kind: 'choose-bucket' },
  });
  const proxy = stub(() => ({ status: 502, ...xml('<html><p>Bad gateway') }));
  await expect(callS3(proxy.session, { method: 'PUT', address })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The response to PUT is not from the S3 API (HTTP 502).',
  });
  for (const message of ['', '<Message></Message>']) {
    const wordless = stub(() => ({ status: 400, ...xml(`<Error><Code>Odd</Code>${message}</Error>`) }));
    await expect(callS3(wordless.session, { method: 'GET', address })).rejects.toMatchObject({
      message: 'The S3 API refused the request (Odd).',
    });
  }
  const redirect = stub(() => ({ status: 300 }));
  await expect(callS3(redirect.session, { method: 'GET', address })).rejects.toThrow('(HTTP 300)');
});

test('does not show credentials that an answer repeats', async () => {
  const redact = (text: string) => text.replaceAll('secret', '***');
  const { session } = stub(() => ({ ...refusal(400, 'Asecret', 'The secret'), redact }));
  const asked = callS3(session, { method: 'GET', address });
  await expect(asked).rejects.toMatchObject({ message: 'The *** (A***).' });
});

test('accepts only the allowed error code as success', async () => {
  const { session } = stub((call) => refusal(404, call.method === 'PUT' ? 'NoSuchKey' : 'NoSuchUpload'));
  expect(await callS3(session, { method: 'GET', address }, 'NoSuchUpload')).toBeUndefined();
  await expect(callS3(session, { method: 'PUT', address }, 'NoSuchUpload')).rejects.toThrow('NoSuchKey');
});

test('sends a call with its signature, and does not buffer long answers', async () => {
  const { session, calls } = stub(() => ({ headers: { etag: 'e' } }));
  const key = 'ä/ +&?.bin';
  const call = { method: 'PUT', address: { bucket: 'b', key }, repeatable: false } as const;
  const query = { partNumber: 7, uploadId: 'a+b/=' };
  expect(await callS3(session, { ...call, query })).toEqual({ headers: { etag: 'e' }, document: undefined });
  await callS3(session, { method: 'GET', address });
  expect(calls).toMatchObject([
    { api: 's3', path: '/b/%C3%A4/%20%2B%26%3F.bin?partNumber=7&uploadId=a%2Bb%2F%3D', repeatable: false },
    { api: 's3', path: '/b/k', repeatable: true, wholeAnswer: 4 * MiB },
  ]);
  const long = stub(() => ({ body: Buffer.alloc(4 * MiB + 1, 'x') }));
  await expect(callS3(long.session, { method: 'GET', address })).rejects.toThrow('longer than 4194304 bytes');
});

test.each(['..', '.', 'a/../b', 'a/.', './a'])('does not let a key "%s" name another path', (key) => {
  const refused = {
    message: expect.stringContaining(`"${key}"`),
    hint: 'Store the object under another key.',
  };
  expect(() => s3Path({ bucket: 'b', key })).toThrow(expect.objectContaining(refused));
});

test('reaches keys with dots in their names', () => {
  expect(s3Path({ bucket: 'b', key: '..a/b./...' })).toBe('/b/..a/b./...');
});

const etag = 'a1'.repeat(16);

async function range(answer: Partial<Answer>, asked = etag) {
  const { session, calls } = stub(() => ({ status: 206, ...answer }));
  const read = await readRange(session, address, { start: 2, end: 4 }, asked);
  return { calls, text: Buffer.from(await readBody(read)).toString() };
}

test('requests a range of exactly one object version, without decompression', async () => {
  const headers = { 'content-range': 'bytes 2-4/9', etag: `"${etag.toUpperCase()}"` };
  const { calls, text } = await range({ ...xml('abc'), headers });
  expect(text).toBe('abc');
  const expected = { 'accept-encoding': 'identity', 'if-match': `"${etag}"`, range: 'bytes=2-4' };
  expect(calls).toMatchObject([{ api: 's3', method: 'GET', path: '/b/k', headers: expected }]);
  expect(calls[0]?.repeatable).toBe(true);
  const silent = await range({
    headers: { 'content-range': 'bytes 2-4/*' },
    body: openStream(Buffer.from('x')),
  });
  expect(silent.text).toBe('x');
  expect((await range({ headers }, etag.toUpperCase())).text).toBe('');
});

const other = 'The response for "k" does not contain the requested bytes 2-4.';
const replaced = '"k" was replaced while it was being downloaded.';

test.each<[string, Partial<Answer>, string, string]>([
  ['without its range', {}, 'refused', other],
  ['of a longer range', { headers: { 'content-range': 'bytes 2-40/99' } }, 'refused', other],
  ['of another object', { headers: { 'content-range': 'bytes 2-4/9', etag: '"b"' } }, 'refused', replaced],
  [
    'of the entire object',
    { status: 200, headers: { 'content-range': 'bytes 2-4/9' } },
    'refused',
    'The response to GET is not from the S3 API (HTTP 200).',
  ],
  ['that its etag has changed', refusal(412, 'PreconditionFailed'), 'refused', replaced],
  ['that it was deleted', refusal(404, 'NoSuchKey'), 'refused', replaced],
  [
    'that the bucket was deleted',
    refusal(404, 'NoSuchBucket'),
    'not-found',
    'The bucket "b" does not exist.',
  ],
  ['that it fails', refusal(500, 'InternalError'), 'unavailable', 'Because (InternalError).'],
  ['of a redirect', refusal(300, 'Elsewhere'), 'refused', 'Because (Elsewhere).'],
])('refuses an answer %s for a range', async (_, answer, code, message) => {
  let isClosed = false;
  const body = (async function* () {
    try {
      yield answer.body instanceof Uint8Array ? answer.body : Buffer.from('other bytes');
    } finally {
      isClosed = true;
    }
  })();
  // The generator runs its `finally` block only after it was started.
  const isSuccess = (answer.status ?? 206) < 300;
  if (isSuccess) await body.next();
  const hint =
    message === other ? expect.stringContaining('proxy') : message === replaced ? 'Try again.' : undefined;
  await expect(range({ ...answer, body })).rejects.toMatchObject({ code, message, hint });
  expect(isClosed).toBe(true);
});

test('accepts an object whose content looks like a refusal', async () => {
  await expect(range({ ...refusal(404, 'NoSuchKey'), status: 200 })).rejects.toThrow('(HTTP 200)');
});

// The provider's limits: 10,000 parts, which all have the same length except the last, and objects of up to 5 TiB.
test.each([
  [1, 16 * MiB, 16 * MiB],
  [10_000 * 16 * MiB, 16 * MiB, 16 * MiB],
  [10_000 * 16 * MiB + 1, 16 * MiB, 17 * MiB],
  [5 * 1024 * GiB, 16 * MiB, 525 * MiB],
])('splits an object of %i bytes with parts of at least %i into parts of %i', (size, least, expected) => {
  const partSize = partSizeFor(size, least);
  expect(partSize).toBe(expected);
  const parts = planParts(size, partSize);
  expect(parts.length).toBeLessThanOrEqual(10_000);
  expect(parts.at(-1)).toMatchObject({ number: parts.length, end: size - 1 });
});

test('plans parts that cover the object without a gap', () => {
  expect(planParts(25, 10)).toEqual([
    { number: 1, start: 0, end: 9 },
    { number: 2, start: 10, end: 19 },
    { number: 3, start: 20, end: 24 },
  ]);
});

test('sends metadata of a multipart object as S3 headers', async () => {
  const { session, calls, notes } = stub(() => xml('<X><UploadId>u1</UploadId></X>'));
  const metadata = {
    httpMetadata: { contentType: 'a/b' },
    customMetadata: { Owner: 'ä', plain: 'a ~', 'x.y': '1' },
    storageClass: 'InfrequentAccess',
  };
  expect(await beginUpload(session, address, metadata)).toEqual({ address, uploadId: 'u1' });
  expect(calls).toMatchObject([{ method: 'POST', path: '/b/k?uploads=' }]);
  expect(calls[0]?.headers).toEqual({
    'content-type': 'a/b',
    'x-amz-storage-class': 'STANDARD_IA',
    'x-amz-meta-owner': `=?UTF-8?B?${Buffer.from('ä').toString('base64')}?=`,
    'x-amz-meta-plain': 'a ~',
    'x-amz-meta-x.y': '1',
  });
  expect(notes).toEqual(['Names of custom metadata are stored in lower case: Owner.']);
  await beginUpload(session, address, { customMetadata: { plain: '1' }, storageClass: 'Standard' });
  expect(calls[1]?.headers).toEqual({ 'x-amz-meta-plain': '1' });
  await beginUpload(session, address, {});
  expect([calls[2]?.headers, notes.length]).toEqual([{}, 1]);
});

test('refuses metadata that a header cannot contain before any request', async () => {
  const { session, calls } = stub(() => undefined);
  const begun = beginUpload(session, address, { customMetadata: { good: '1', 'b:d': '2' } });
  await expect(begun).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('"b:d"'),
  });
  expect(calls).toEqual([]);
  await expect(beginUpload(session, address, {})).rejects.toThrow('returned no upload id');
});

const part = (number: number) => `<Part><PartNumber>${number}</PartNumber><ETag>"E${number}"</ETag></Part>`;
const page = (next: string, more: boolean, ...numbers: number[]) =>
  xml(
    `<R>${numbers.map(part).join('')}<IsTruncated>${more}</IsTruncated>` +
      `<NextPartNumberMarker>${next}</NextPartNumberMarker></R>`,
  );

test('reads the list of parts to its end, and stops at a repeated marker', async () => {
  const marker = ({ path }: Call) => /part-number-marker=(\d+)/.exec(path)?.[1];
  const list = stub((call) => (marker(call) === '0' ? page('2', true, 1, 2) : page('3', false, 3)));
  expect(await listParts(list.session, upload)).toEqual(
    new Map([
      [1, 'e1'],
      [2, 'e2'],
      [3, 'e3'],
    ]),
  );
  expect(list.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /b/k?uploadId=the%20id&part-number-marker=0',
    'GET /b/k?uploadId=the%20id&part-number-marker=2',
  ]);
  const circle = stub((call) => {
    if (circle.calls.length > 3) throw new Error('in a circle');
    return page('2', true, Number(marker(call)) + 1);
  });
  expect((await listParts(circle.session, upload))?.size).toBe(2);
  expect(await listParts(stub(() => refusal(404, 'NoSuchUpload')).session, upload)).toBeUndefined();
  await expect(listParts(stub(() => refusal(403, 'AccessDenied')).session, upload)).rejects.toThrow(
    'Because',
  );
});

/** Completes an upload of two parts; the first answer to the completion is lost. */
async function complete(options: { retried: boolean; entry?: object; refused?: string }) {
  let retries = 0;
  const { entry, refused = 'NoSuchUpload', retried } = options;
  const { session, calls } = stub(
    (call) => {
      if (call.api !== 's3')
        return { body: Buffer.from(JSON.stringify(result([{ key: 'k', ...entry }])?.json)) };
      if (retried) retries += 1;
      return refusal(404, refused);
    },
    { retries: () => retries },
  );
  const stored = await completeUpload(session, upload, ['e1', 'e2'], 20).catch(({ message }) => message);
  return { stored, calls };
}

const done = { size: 20, etag: 'abc-2', last_modified: '2026-01-01T00:00:00Z', http_metadata: {} };

test('counts a complete request whose first answer was lost as done if the object exists', async () => {
  const { stored, calls } = await complete({ retried: true, entry: done });
  expect(stored).toEqual({ key: 'k', size: 20, etag: 'abc-2' });
  expect(calls[0]).toMatchObject({ method: 'POST', path: '/b/k?uploadId=the%20id', repeatable: true });
  expect(calls[0]?.headers).toEqual({ 'content-type': 'application/xml' });
  expect(Buffer.from(calls[0]?.body as Uint8Array).toString()).toContain(
    '<Part><PartNumber>1</PartNumber><ETag>&quot;e1&quot;</ETag></Part><Part><PartNumber>2</PartNumber>',
  );
});

test.each([
  ['nothing was sent again', { retried: false, entry: done }],
  ['it was refused for another reason', { retried: true, entry: done, refused: 'InvalidPart' }],
  ['the object has another size', { retried: true, entry: { ...done, size: 21 } }],
  ['the object has other parts', { retried: true, entry: { ...done, etag: 'abc-3' } }],
  ['only another object exists', { retried: true, entry: { ...done, key: 'kk' } }],
])('does not count a refused complete request as done if %s', async (_, options) => {
  expect((await complete(options)).stored).toMatch(/^Because/);
});

test('aborts an upload after Ctrl-C within a time limit', async () => {
  const { session, calls } = stub(() => refusal(404, 'NoSuchUpload'), {});
  await abortUpload({ ...session, world: { ...session.world, interrupted: AbortSignal.abort() } }, upload);
  expect(calls).toMatchObject([{ method: 'DELETE', path: '/b/k?uploadId=the%20id' }]);
  expect(calls[0]?.signal).toMatchObject({ aborted: false });
  const refused = abortUpload(stub(() => refusal(403, 'AccessDenied')).session, upload);
  await expect(refused).rejects.toThrow('Because');
});

const quiet = { progress: () => undefined, warn: () => undefined };
const entry = { key: 'from', size: 640 * MiB, etag: 'e', uploaded: 0, httpMetadata: {}, customMetadata: {} };

/** Copies an object in three parts; `answer` returns the answer to each part. */
async function copy(answer: (call: Call) => Partial<Answer>, interrupted = new AbortController().signal) {
  const { session: open, calls } = stub((call) => {
    if (call.path.endsWith('?uploads=')) return xml('<X><UploadId>u1</UploadId></X>');
    if (call.method === 'PUT') return answer(call);
    return xml('<X><ETag>"whole-3"</ETag></X>');
  });
  const session = { ...open, world: { ...open.world, interrupted } };
  const transfer = new Transfer(session, quiet, 'copying', entry.size);
  const copying = copyInParts(session, { ...address, key: 'a b' }, address, entry, transfer);
  const stored = await copying.catch((error: unknown) => error);
  return { stored, calls, done: transfer.done };
}

test('copies each part with its byte range and object version', async () => {
  const { stored, calls, done } = await copy(() => xml('<X><ETag>"E"</ETag></X>'));
  expect({ stored, done }).toEqual({
    stored: { key: 'k', size: entry.size, etag: 'whole-3' },
    done: entry.size,
  });
  const parts = calls.filter(({ method }) => method === 'PUT');
  expect(parts.map(({ path }) => path)).toEqual([1, 2, 3].map((n) => `/b/k?partNumber=${n}&uploadId=u1`));
  expect(parts.map(({ headers }) => headers)).toEqual(
    ['0-268435455', '268435456-536870911', '536870912-671088639'].map((range) => ({
      'x-amz-copy-source': '/b/a%20b',
      'x-amz-copy-source-if-match': '"e"',
      'x-amz-copy-source-range': `bytes=${range}`,
    })),
  );
  const completed = Buffer.from(calls.at(-1)?.body as Uint8Array).toString();
  expect(completed.match(/&quot;e&quot;/g)).toHaveLength(3);
});

test.each([
  [412, 'PreconditionFailed', '"a b" changed while it was being copied.'],
  [416, 'InvalidRange', '"a b" changed while it was being copied.'],
  [403, 'AccessDenied', 'Because (AccessDenied).'],
])(
  'leaves no parts after a copy that fails with %i, and reports the reason',
  async (status, code, message) => {
    const { stored, calls } = await copy(() => refusal(status, code));
    expect(stored).toMatchObject({
      message,
      hint: message.includes('changed') ? 'Copy the object again.' : expect.anything(),
    });
    expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/b/k?uploadId=u1' });
  },
);

test('stops a copy on Ctrl-C before its next part', async () => {
  const control = new AbortController();
  const { stored, calls } = await copy(() => {
    control.abort();
    return xml('<X><ETag>"E"</ETag></X>');
  }, control.signal);
  expect(stored).toMatchObject({ name: 'AbortError' });
  expect(calls.map(({ method }) => method)).toEqual(['POST', 'PUT', 'DELETE']);
});

test('reports an interrupted copy, even if its parts cannot be removed', async () => {
  const cut = new Error('cut');
  const { stored } = await copy(() => {
    throw cut;
  });
  expect(stored).toBe(cut);
});

test('transfers four parts in parallel; after a failure, completes the running parts and starts no others', async () => {
  let running = 0;
  let maximum = 0;
  let last = 0;
  const each = eachPart(planParts(9, 1), async ({ number }) => {
    running += 1;
    maximum = Math.max(maximum, running);
    last = number;
    // The other parts take longer than the part that fails.
    for (let turn = 0; turn < (number === 2 ? 1 : 5); turn += 1) await setImmediate();
    running -= 1;
    if (number === 2) throw new Error('cut');
  });
  await expect(each).rejects.toThrow('cut');
  expect({ most: maximum, running, last }).toEqual({ most: 4, running: 0, last: 4 });
});

const digits = { metadata: 'm', partSize: 5, uploadId: 'u' };
const file = { name: 'file', size: 9 };

test('resumes an upload from its saved note only if the upload is the same', async () => {
  const { session } = stub(() => undefined);
  const note = await openUploadNote(session, address, file);
  expect(await note.read()).toBeUndefined();
  await note.begin(digits);
  await note.add([2, 'e2', 'm2']);
  await note.add([1, 'e1', 'm1']);
  const saved = {
    ...digits,
    arrived: [
      [2, 'e2', 'm2'],
      [1, 'e1', 'm1'],
    ],
  };
  expect(await (await openUploadNote(session, address, { ...file })).read()).toEqual(saved);
  const where = { kind: 'remote', profile: 'stub', baseUrl: 'https://other.invalid' } as const;
  for (const others of [
    openUploadNote(session, { ...address, bucket: 'c' }, file),
    openUploadNote(session, { ...address, key: 'l' }, file),
    openUploadNote(session, address, { ...file, name: 'other' }),
    openUploadNote(session, address, { ...file, size: 10 }),
    openUploadNote({ ...session, where }, address, file),
    openUploadNote({ ...session, accountId: async () => 'b'.repeat(32) }, address, file),
  ])
    expect(await (await others).read()).toBeUndefined();
  await note.remove();
  expect(await note.read()).toBeUndefined();
  await note.remove();
});

test('resumes a download from its saved note only if the download is the same', async () => {
  const { session } = stub(() => undefined);
  const begun = { file: 'f', folder: '/f', partSize: 5, etag: 'e' };
  await (await openDownloadNote(session, address, '/out')).begin(begun);
  expect(await (await openDownloadNote(session, address, '/out')).read()).toEqual({ ...begun, arrived: [] });
  for (const others of [
    openDownloadNote(session, { ...address, bucket: 'c' }, '/out'),
    openDownloadNote(session, { ...address, key: 'l' }, '/out'),
    openDownloadNote(session, address, '/other'),
  ])
    expect(await (await others).read()).toBeUndefined();
});

test('includes the folder of local data in the key of a note', async () => {
  const { session } = stub(() => undefined);
  const inFolder = (folder: string) =>
    openUploadNote({ ...session, where: { kind: 'local', folder } }, address, file);
  await (await inFolder('/one')).begin(digits);
  expect(await (await inFolder('/one')).read()).toMatchObject(digits);
  expect(await (await inFolder('/two')).read()).toBeUndefined();
});

test('uses the valid lines of a note that a killed process left incomplete', async () => {
  const { session } = stub(() => undefined);
  const note = await openDownloadNote(session, address, '/out');
  const begun = { file: 'f', folder: '/f', partSize: 5, etag: 'e' };
  await note.begin(begun);
  await note.add([1, 'm1']);
  const folder = join(session.world.folders.state, 'downloads');
  const path = join(folder, readdirSync(folder)[0] ?? '');
  for (const line of ['[0,"zero"]', '[2]', '["3","m3"]', '{}', '[4,"m4"]', '[5,"m'])
    appendFileSync(path, `${line}\n`);
  expect(await note.read()).toEqual({
    ...begun,
    arrived: [
      [1, 'm1'],
      [4, 'm4'],
    ],
  });
  for (const head of [
    '{"file":"f","folder":"/f","partSize":0,"etag":"e"}',
    '{"file":"f"}',
    '',
    '{"file',
    '[1,"m1"]',
  ]) {
    writeFileSync(path, `${head}\n[1,"m1"]\n`);
    expect(await note.read()).toBeUndefined();
  }
});

test('removes only notes that have not changed for eight days', async () => {
  const { session } = stub(() => undefined);
  const folder = join(session.world.folders.state, 'uploads');
  mkdirSync(folder, { recursive: true });
  const day = 24 * 60 * 60 * 1000;
  for (const days of [7.9, 8.1]) {
    writeFileSync(join(folder, `${days}`), '');
    const touched = new Date(session.world.now() - days * day);
    utimesSync(join(folder, `${days}`), touched, touched);
  }
  await (await openUploadNote(session, address, file)).begin(digits);
  expect([existsSync(join(folder, '7.9')), existsSync(join(folder, '8.1'))]).toEqual([true, false]);
  expect(readdirSync(folder)).toHaveLength(2);
});
