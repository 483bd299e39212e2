import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  guardPolicy,
  lockedPolicy,
  type Policies,
  type PolicyRule,
  type RequestFacts,
} from '../../../src/model/guard/policy.ts';
import { Problem } from '../../../src/model/problem.ts';
import { ChunkSignatures } from '../../../src/s3/chunks.ts';
import { presignedUrl, signatureHeaders, signRequest } from '../../../src/s3/sign.ts';
import { type AccessKey, sha256 } from '../../../src/s3/signature.ts';
import { ownAccessKey } from '../../../src/sandbox/s3/credentials.ts';
import { openS3Door, type S3Door } from '../../../src/services/guard/s3-door.ts';
import { SharedReads } from '../../../src/services/guard/shared-reads.ts';
import { withoutUndo } from '../../../src/services/guard/undo.ts';
import { openS3, type S3Place, s3Failure } from '../../peers/s3-client.ts';
import { testWorld } from '../../support/world.ts';
import { heldByNobody } from './start-guard.ts';

let place: S3Place;
let door: S3Door;
let client: S3Client;
let upstream: AccessKey;
const recorded: [decision: string, facts: RequestFacts, status: number | undefined][] = [];
const refused: string[] = [];
const account = '0123456789abcdef0123456789abcdef';

/** Opens the guard's S3 API in front of the sandbox, with these rules before the built-in policy. */
function openDoor(
  rules: readonly PolicyRule[] = [],
  session: Parameters<typeof openS3Door>[0]['session'] = reaching(),
  held = heldByNobody(testWorld()),
  more: Partial<Parameters<typeof openS3Door>[0]> = {},
) {
  const policies: Policies = { deciding: [{ source: 'user', rules }, guardPolicy] };
  return openS3Door({
    world: { env: {}, now: Date.now, random: randomBytes },
    held,
    undo: withoutUndo,
    reads: new SharedReads(),
    session,
    policies: () => policies,
    recorder: {
      record: async (facts, { decision }) => {
        const row: (typeof recorded)[number] = [decision, facts, undefined];
        recorded.push(row);
        return async ({ status }) => {
          row[2] = status;
        };
      },
    },
    facts: { target: 'production', client: 'sdk' },
    port: 0,
    onRefusal: (message) => refused.push(message),
    ...more,
  });
}

const reaching = () => ({
  s3Access: async () => ({ endpoint: place.served.endpoint, key: upstream }),
  accountId: async () => account,
});

function createClient(
  { endpoint, key }: Pick<S3Door, 'endpoint' | 'key'>,
  more: { forcePathStyle?: boolean } = {},
) {
  const credentials = { accessKeyId: key.id, secretAccessKey: key.secret };
  return new S3Client({ endpoint, region: 'auto', credentials, maxAttempts: 1, ...more });
}

beforeAll(async () => {
  place = await openS3();
  upstream = ownAccessKey(place.place.sandbox.access().apiToken);
  door = await openDoor([{ name: 'old', decision: 'allow', effect: ['destroy'], names: ['old/*'] }]);
  client = createClient(door);
  await send('PUT', '/data', '', { endpoint: place.served.endpoint, key: upstream });
});
afterAll(async () => {
  client.destroy();
  await door.close();
  await place.close();
});
beforeEach(() => {
  recorded.length = 0;
  refused.length = 0;
});

interface SendOptions {
  readonly endpoint?: string;
  readonly key?: AccessKey;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are changed or added after signing. */
  readonly tamper?: Readonly<Record<string, string | undefined>>;
  readonly payload?: string;
  /** The path that is sent instead of the signed path. */
  readonly sentPath?: string;
}

/** Signs and sends a request. Returns the status and body of the answer. */
async function send(method: string, path: string, body: string | Buffer, options: SendOptions = {}) {
  const { endpoint = door.endpoint, key = door.key, headers = {}, tamper = {}, payload } = options;
  const bytes = Buffer.from(body);
  const { host } = new URL(endpoint);
  const signed = signatureHeaders({ host, method, path, headers, body: bytes, payload }, key, Date.now());
  return sendRaw(endpoint, method, options.sentPath ?? path, bytes, { ...headers, ...signed, ...tamper });
}

async function sendRaw(
  endpoint: string,
  method: string,
  path: string,
  bytes: Buffer,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(endpoint);
  const given = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const sent = request({
    hostname,
    port,
    method,
    path,
    headers: { 'content-length': String(bytes.length), ...given },
  });
  sent.on('error', () => undefined);
  const answered = once(sent, 'response');
  sent.end(bytes);
  const [answer] = await answered;
  let text = '';
  for await (const part of answer) text += part;
  return { status: answer.statusCode, text };
}

/** Reads an object from the sandbox directly, not through the guard; returns undefined if the object does not exist. */
async function stored(key: string): Promise<string | undefined> {
  const { status, text } = await send('GET', `/data/${key}`, '', {
    endpoint: place.served.endpoint,
    key: upstream,
  });
  return status === 200 ? text : undefined;
}

const names = () =>
  recorded.map(([decision, { route, bucket, name, count }, status]) => [
    decision,
    route,
    bucket,
    name,
    count,
    status,
  ]);

test('the official client reads, writes, copies and lists through the guard, and each write is recorded', async () => {
  const body = randomBytes(300_000);
  await client.send(
    new PutObjectCommand({ Bucket: 'data', Key: 'a ä+b/ü?.bin', Body: body, Metadata: { note: 'x  y' } }),
  );
  const got = await client.send(new GetObjectCommand({ Bucket: 'data', Key: 'a ä+b/ü?.bin' }));
  expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(body)).toBe(true);
  expect(got.Metadata).toEqual({ note: 'x  y' });
  const source = `/data/${encodeURIComponent('a ä+b/ü?.bin')}`;
  await client.send(new CopyObjectCommand({ Bucket: 'data', Key: 'copy', CopySource: source }));
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: 'data', Prefix: 'a ä' }));
  expect(Contents?.map(({ Key, Size }) => [Key, Size])).toEqual([['a ä+b/ü?.bin', 300_000]]);
  expect(names().filter(([, route]) => !String(route).match(/Get|List/))).toEqual([
    ['allow', 's3:PutObject', 'data', 'a ä+b/ü?.bin', 1, 200],
    ['allow', 's3:CopyObject', 'data', 'copy', 1, 200],
  ]);
});

test('streams in chunks that end with a checksum, and uploads in parts, arrive unchanged', async () => {
  const body = randomBytes(700_000);
  async function* stream() {
    for (let at = 0; at < body.length; at += 70_000) yield body.subarray(at, at + 70_000);
  }
  const { Readable } = await import('node:stream');
  const put = new PutObjectCommand({
    Bucket: 'data',
    Key: 'streamed',
    Body: Readable.from(stream()),
    ContentLength: body.length,
    ChecksumAlgorithm: 'CRC32',
  });
  await client.send(put);
  const head = await client.send(
    new HeadObjectCommand({ Bucket: 'data', Key: 'streamed', ChecksumMode: 'ENABLED' }),
  );
  expect([head.ContentLength, head.ETag]).toEqual([
    700_000,
    `"${createHash('md5').update(body).digest('hex')}"`,
  ]);
  expect(head.ChecksumCRC32).toBeDefined();
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: 'data', Key: 'parts' }));
  const first = randomBytes(5 * 1024 * 1024);
  const parts = [];
  for (const [index, part] of [first, body].entries()) {
    const PartNumber = index + 1;
    const { ETag } = await client.send(
      new UploadPartCommand({ Bucket: 'data', Key: 'parts', UploadId, PartNumber, Body: part }),
    );
    parts.push({ ETag, PartNumber });
  }
  await client.send(
    new CompleteMultipartUploadCommand({
      Bucket: 'data',
      Key: 'parts',
      UploadId,
      MultipartUpload: { Parts: parts },
    }),
  );
  const whole = await client.send(new HeadObjectCommand({ Bucket: 'data', Key: 'parts' }));
  expect(whole.ContentLength).toBe(first.length + body.length);
});

test('deletes are refused with the rule that applied, even deletes of many objects and of unknown kinds', async () => {
  await client.send(new PutObjectCommand({ Bucket: 'data', Key: 'stays', Body: 'x' }));
  const failure = s3Failure(client.send(new DeleteObjectCommand({ Bucket: 'data', Key: 'stays' })));
  expect(await failure).toBe('403 AccessDenied');
  const many = (...keys: string[]) =>
    new DeleteObjectsCommand({ Bucket: 'data', Delete: { Objects: keys.map((Key) => ({ Key })) } });
  expect(await s3Failure(client.send(many('old/1', 'stays')))).toBe('403 AccessDenied');
  await client.send(new PutObjectCommand({ Bucket: 'data', Key: 'old/1', Body: 'x' }));
  await client.send(many('old/1', 'old/2'));
  expect(await stored('old/1')).toBeUndefined();
  expect((await send('PUT', '/data?policy=', '{}')).status).toBe(403);
  expect((await send('DELETE', '/data', '')).text).toContain(
    'Guard: rule &quot;deletes&quot; in the built-in policy requires',
  );
  expect(await stored('stays')).toBe('x');
  expect(names().filter(([, route]) => route !== 's3:PutObject')).toEqual([
    ['ask', 's3:DeleteObject', 'data', 'stays', 1, undefined],
    ['ask', 's3:DeleteObjects', 'data', undefined, 2, undefined],
    ['allow', 's3:DeleteObjects', 'data', undefined, 2, 200],
    ['ask', undefined, 'data', undefined, 1, undefined],
    ['ask', 's3:DeleteBucket', 'data', undefined, 1, undefined],
  ]);
  const bulk = recorded.filter(([, { route }]) => route === 's3:DeleteObjects');
  expect(bulk.map(([, { listed }]) => listed)).toEqual([
    { name: ['old/1', 'stays'] },
    { name: ['old/1', 'old/2'] },
  ]);
  expect(refused[0]).toContain('Refused DELETE s3:/data/stays');
});

test('rules about buckets also protect the source of a copy', async () => {
  const own = await openDoor([{ name: 'secret', decision: 'deny', bucket: ['secret'] }]);
  const strict = createClient(own);
  await send('PUT', '/secret', '', { endpoint: place.served.endpoint, key: upstream });
  await send('PUT', '/secret/a', 'x', { endpoint: place.served.endpoint, key: upstream });
  for (const CopySource of ['secret/a', '/secret/a', '/%73ecret/a'])
    expect(
      await s3Failure(strict.send(new CopyObjectCommand({ Bucket: 'data', Key: 'leak', CopySource }))),
    ).toBe('403 AccessDenied');
  for (const CopySource of [
    'data/../secret/a',
    'data%2F..%2Fsecret/a',
    'data/%2e%2e/secret/a',
    'data/..\\secret/a',
  ])
    expect(
      await s3Failure(strict.send(new CopyObjectCommand({ Bucket: 'data', Key: 'leak', CopySource }))),
    ).toBe('400 InvalidArgument');
  expect(await stored('leak')).toBeUndefined();
  strict.destroy();
  await own.close();
});

test.each([
  ['cl\u00e9/x', 'must be percent-encoded'],
  ['arn:aws:s3:::secret/a', 'not an object in a bucket'],
  ['SECRET/a', 'not an object in a bucket'],
])('refuses a copy from the source %s, which a server could read differently', async (source, why) => {
  const { status, text } = await send('PUT', '/data/leak', '', { headers: { 'x-amz-copy-source': source } });
  expect([status, text]).toEqual([400, expect.stringContaining(why)]);
});

test('a rule about the name of the source also applies if a server decodes "+" as a space', async () => {
  const own = await openDoor([{ name: 'secret', decision: 'deny', names: ['my secret*'] }]);
  const { endpoint, key } = own;
  const headers = { 'x-amz-copy-source': 'data/my+secret1' };
  expect((await send('PUT', '/data/leak', '', { endpoint, key, headers })).status).toBe(403);
  await own.close();
});

test.each(['cf-create-bucket-if-missing', 'cf_create_bucket_if_missing'])(
  'refuses the header %s, with which a write creates its bucket',
  async (name) => {
    const { status, text } = await send('PUT', '/created/k', 'x', { headers: { [name]: 'true' } });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toMatch(/create the bucket first|must be spelled cf-create-bucket-if-missing/);
    expect(
      (await send('GET', '/created/k', '', { endpoint: place.served.endpoint, key: upstream })).status,
    ).toBe(404);
  },
);

test('refuses the header for the jurisdiction, which the S3 API takes from the endpoint', async () => {
  const headers = { 'cf-r2-jurisdiction': 'eu' };
  const { status, text } = await send('DELETE', '/data/k', '', { headers });
  expect([status, text]).toEqual([400, expect.stringContaining('part of the endpoint')]);
});

test.each([
  ['<?xml version="1.0" encoding = "utf-7"?>', {}],
  ['<?xml version="1.0" encoding="utf-16"?>', {}],
  ['', { 'content-type': 'application/xml; charset=utf-7' }],
  ['', { 'content-encoding': 'gzip' }],
])('refuses a list of keys that a server could decode differently: %s %j', async (declaration, headers) => {
  const body = `${declaration}<Delete><Object><Key>+AHAAcgBvAGQ-/encoding</Key></Object></Delete>`;
  const { status, text } = await send('POST', '/data?delete', body, { headers });
  expect([status, text]).toEqual([400, expect.stringContaining('MalformedXML')]);
});

test('an approval covers a copy only from its source, and a bucket only in its jurisdiction', async () => {
  const held = heldByNobody(testWorld());
  const routes = ['s3:CopyObject', 's3:PutObject', 's3:DeleteObject'];
  const own = await openDoor([{ name: 'asks', decision: 'ask', route: routes }], reaching(), held);
  const { endpoint, key } = own;
  await send('PUT', '/data/a', 'A', { endpoint: place.served.endpoint, key: upstream });
  await send('PUT', '/data/b', 'B', { endpoint: place.served.endpoint, key: upstream });
  const attempt = async (method: string, path: string, headers: Record<string, string> = {}) =>
    (await send(method, path, '', { endpoint, key, headers })).status;
  const copy = (source: string, to: string, more: Record<string, string> = {}) =>
    attempt('PUT', `/data/${to}`, { 'x-amz-copy-source': source, ...more });
  const approve = async (given: 'approve' | 'approve-same') => {
    const last = held.list().at(-1);
    expect(await held.answer(last?.number ?? '', given, { user: 'ann', by: 'command' })).toBeUndefined();
    return last;
  };
  expect(await copy('/data/a', 'copied')).toBe(403);
  expect(await approve('approve')).toMatchObject({ path: 's3:/data/copied', source: '/data/a' });
  expect(await copy('/data/b', 'copied')).toBe(403);
  expect(await copy('/data/a', 'copied', { 'x-amz-copy-source-if-match': '"1"' })).toBe(403);
  expect(await copy('/data/a', 'copied', { 'x-amz-metadata-directive': 'REPLACE' })).toBe(403);
  expect(await attempt('PUT', '/data/copied')).toBe(403);
  expect([await copy('/data/a', 'copied'), await stored('copied')]).toEqual([200, 'A']);
  expect(await copy('/data/a', 'copied')).toBe(403);
  await approve('approve-same');
  expect([await copy('/data/b', 'other'), await copy('/data/a', 'other')]).toEqual([403, 200]);

  expect(await attempt('DELETE', `/${account}.eu/data/copied`)).toBe(403);
  expect(await approve('approve')).toMatchObject({ path: 's3:/data/copied', jurisdiction: 'eu' });
  expect(await attempt('DELETE', '/data/copied')).toBe(403);
  await approve('approve-same');
  expect(await attempt('DELETE', `/${account}.us/data/other`)).toBe(403);
  expect(await attempt('DELETE', '/data/other')).toBe(204);
  await own.close();
});

test('presigned links work only at the guard, and only for what they sign', async () => {
  const link = presignedUrl(
    door.endpoint,
    { method: 'PUT', bucket: 'data', key: 'linked', seconds: 60 },
    door.key,
    Date.now(),
  );
  expect((await fetch(link, { method: 'PUT', body: 'by link' })).status).toBe(200);
  expect(await stored('linked')).toBe('by link');
  expect((await fetch(link, { method: 'DELETE' })).status).toBe(403);
  expect((await fetch(link.replace('linked', 'other'), { method: 'PUT', body: 'x' })).status).toBe(403);
  expect(
    (await fetch(link, { method: 'PUT', body: 'x', headers: { 'x-amz-copy-source': '/data/stays' } })).status,
  ).toBe(403);
  const old = presignedUrl(
    door.endpoint,
    { method: 'GET', bucket: 'data', key: 'linked', seconds: 60 },
    door.key,
    Date.now() - 61_000,
  );
  expect((await fetch(old)).status).toBe(403);
  expect(
    (await fetch(link.replace(door.endpoint, place.served.endpoint), { method: 'PUT', body: 'x' })).status,
  ).toBe(403);
  expect(await stored('linked')).toBe('by link');
});

test('only the key of the guard can sign, and no web page can use the guard', async () => {
  const put = async (options: SendOptions) => (await send('PUT', '/data/forged', 'x', options)).status;
  expect(await put({ key: upstream })).toBe(403);
  expect(await put({ key: { ...door.key, secret: upstream.secret } })).toBe(403);
  expect(await put({ tamper: { authorization: undefined } })).toBe(403);
  expect(await put({ tamper: { 'x-amz-security-token': 'x' } })).toBe(400);
  expect(await put({ tamper: { 'x-amz-meta-unsigned': 'x' } })).toBe(403);
  expect(await put({ tamper: { host: 'attacker.example' } })).toBe(403);
  expect(await put({ tamper: { origin: 'https://attacker.example' } })).toBe(403);
  expect(await stored('forged')).toBeUndefined();
});

test('the platform stores no object whose body differs from the signed body', async () => {
  const wrong = await send('PUT', '/data/wrong', 'tampered', { payload: sha256('signed') });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('XAmzContentSHA256Mismatch')]);
  expect((await send('PUT', '/data/wrong', '', { payload: sha256('signed') })).status).toBe(400);
  const large = Buffer.alloc(3_000_000, 'x');
  expect((await send('PUT', '/data/wrong', large, { payload: sha256('signed') })).status).toBe(400);
  expect(await stored('wrong')).toBeUndefined();
  expect((await send('PUT', '/data/unsigned', large, { payload: 'UNSIGNED-PAYLOAD' })).status).toBe(200);
  expect((await stored('unsigned'))?.length).toBe(3_000_000);
});

interface Chunked {
  readonly trailer?: string;
  /** Changes the body after it was signed. */
  readonly spoil?: (body: string) => string;
  readonly payload?: string;
}

/** Sends two signed chunks, in the format that AWS documents, with an optional signed trailer. */
async function sendChunks(key: string, { trailer, spoil = (body) => body, payload }: Chunked = {}) {
  const { host } = new URL(door.endpoint);
  const chunks = ['a'.repeat(70_000), 'b'.repeat(10), ''];
  const own = {
    'content-encoding': 'aws-chunked',
    'x-amz-decoded-content-length': '70010',
    ...(trailer !== undefined && { 'x-amz-trailer': trailer.split(':')[0] ?? '' }),
  };
  const kind = payload ?? `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer === undefined ? '' : '-TRAILER'}`;
  const path = `/data/${key}`;
  const signed = signRequest(
    { host, method: 'PUT', path, headers: own, payload: kind },
    door.key,
    Date.now(),
  );
  const chain = new ChunkSignatures(door.key.secret, signed);
  const body = chunks.map((chunk) => {
    const end = chunk === '' ? '' : '\r\n';
    return `${chunk.length.toString(16)};chunk-signature=${chain.signChunk(sha256(chunk))}\r\n${chunk}${end}`;
  });
  if (trailer !== undefined)
    body.push(`${trailer}\r\nx-amz-trailer-signature:${chain.signTrailers(`${trailer}\n`)}\r\n`);
  const bytes = Buffer.from(spoil(`${body.join('')}\r\n`));
  return (await sendRaw(door.endpoint, 'PUT', path, bytes, { ...own, ...signed.headers })).status;
}

test('signed chunks and trailers are verified and re-signed', async () => {
  const crc = 'x-amz-checksum-crc32:';
  const { crc32 } = await import('node:zlib');
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32('a'.repeat(70_000) + 'b'.repeat(10)));
  expect(await sendChunks('chunks')).toBe(200);
  expect((await stored('chunks'))?.length).toBe(70_010);
  expect(await sendChunks('trailed', { trailer: crc + sum.toString('base64') })).toBe(200);
  const spoils: Record<string, Chunked> = {
    'a byte': { spoil: (body) => body.replace('bbbbbbbbbb', 'bbbbbbbbbc') },
    'a signature': {
      spoil: (body) =>
        body.replace(/signature=./, (text) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`),
    },
    'a chunk that is missing': { spoil: (body) => body.replace(/\r\na;chunk[^\r]*\r\nb{10}/, '') },
    'the end': { spoil: (body) => body.slice(0, body.indexOf('\r\n0;chunk') + 2) },
    'bytes after the end': { spoil: (body) => `${body}5\r\nextra\r\n` },
    'a trailer that is not signed': {
      trailer: crc + sum.toString('base64'),
      spoil: (body) => body.replace(/x-amz-trailer-signature:.*\r\n/, ''),
    },
    'a trailer after the signature': {
      trailer: crc + sum.toString('base64'),
      spoil: (body) => `${body.slice(0, -2)}x-amz-meta-a:b\r\n\r\n`,
    },
    'another trailer': {
      trailer: `${crc}AAAAAA==`,
      spoil: (body) => body.replace('AAAAAA==', sum.toString('base64')),
    },
    'an unknown kind': { payload: 'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD' },
  };
  for (const [name, chunked] of Object.entries(spoils)) {
    const status = await sendChunks('spoilt', chunked).catch(() => 'closed');
    expect([name, status === 'closed' || Number(status) >= 400]).toEqual([name, true]);
  }
  expect(await stored('spoilt')).toBeUndefined();
});

test('refuses paths, queries and documents that a server could read differently', async () => {
  await client.send(new PutObjectCommand({ Bucket: 'data', Key: 'hidden', Body: 'x' }));
  const status = async (method: string, path: string, body = '', options: SendOptions = {}) =>
    (await send(method, path, body, options)).status;
  const document = (inner: string, before = '') => `${before}<Delete>${inner}</Delete>`;
  const old = '<Object><Key>old/1</Key></Object>';
  expect({
    'parent folder': await status('PUT', '/data/a%2F..%2F..%2Fother', 'x'),
    'empty segment': await status('DELETE', '/data//hidden'),
    override: await status('POST', '/data/hidden', '', { tamper: { 'x-http-method-override': 'DELETE' } }),
    'parameter twice': await status('PUT', '/data/a?uploadId=1&uploadId=2', 'x'),
    'copy by query': await status('PUT', '/data/a?x-amz-copy-source=%2Fdata%2Fhidden'),
    'method by query': await status('POST', '/data/hidden?_method=DELETE'),
    comment: await status('POST', '/data?delete=', document(`<!-- <Object> -->${old}`)),
    cdata: await status('POST', '/data?delete=', document('<Object><Key><![CDATA[hidden]]></Key></Object>')),
    doctype: await status('POST', '/data?delete=', document(old, '<!DOCTYPE a [<!ENTITY b "hidden">]>')),
    'two keys': await status(
      'POST',
      '/data?delete=',
      document('<Object><Key>old/1</Key><Key>hidden</Key></Object>'),
    ),
    'other elements': await status('POST', '/data?delete=', document(`${old}<Prefix>hidden</Prefix>`)),
    'key with a prefix': await status(
      'POST',
      '/data?delete=',
      document('<Object><x:Key>hidden</x:Key></Object>'),
    ),
    'body of another signature': await status('POST', '/data?delete=', document(old), {
      payload: sha256(''),
    }),
    'an account as bucket': await status('GET', `/${'f'.repeat(32)}/data/hidden`),
    'form upload': (await sendRaw(door.endpoint, 'POST', '/data', Buffer.from('x'), {})).status,
    preflight: (await sendRaw(door.endpoint, 'OPTIONS', '/data', Buffer.from(''), {})).status,
  }).toEqual({
    'parent folder': 400,
    'empty segment': 400,
    override: 400,
    'parameter twice': 400,
    'copy by query': 400,
    'method by query': 400,
    comment: 400,
    cdata: 400,
    doctype: 400,
    'two keys': 400,
    'other elements': 400,
    'key with a prefix': 403,
    'body of another signature': 400,
    'an account as bucket': 400,
    'form upload': 403,
    preflight: 403,
  });
  expect(await stored('hidden')).toBe('x');
});

test('accepts the bucket in the host, and a jurisdiction in the path', async () => {
  const { port } = new URL(door.endpoint);
  const host = `data.localhost:${port}`;
  const signed = signatureHeaders(
    { host, method: 'PUT', path: '/in-host', headers: {}, body: Buffer.from('x') },
    door.key,
    Date.now(),
  );
  const answer = await sendRaw(door.endpoint, 'PUT', '/in-host', Buffer.from('x'), { ...signed, host });
  expect([answer.status, await stored('in-host')]).toEqual([200, 'x']);
  const asked: (string | undefined)[] = [];
  const own = await openDoor([], {
    ...reaching(),
    s3Access: async (jurisdiction) => {
      asked.push(jurisdiction);
      return reaching().s3Access();
    },
  });
  const inEu = await send('GET', `/${account}.eu/data/in-host`, '', { endpoint: own.endpoint, key: own.key });
  expect([inEu.text, asked]).toEqual(['x', ['eu']]);
  await own.close();
});

test('a client that waits for "100 Continue" does not send a body that will be refused', async () => {
  const { hostname, port, host } = new URL(door.endpoint);
  const attempt = async (path: string, payload: string) => {
    const headers = signatureHeaders(
      { host, method: 'PUT', path, headers: {}, payload },
      door.key,
      Date.now(),
    );
    const sent = request({
      hostname,
      port,
      method: 'PUT',
      path,
      headers: { ...headers, 'content-length': 4, expect: '100-continue' },
    });
    let isContinued = false;
    sent.on('continue', () => {
      isContinued = true;
      sent.end('body');
    });
    sent.flushHeaders();
    const [answer] = await once(sent, 'response');
    answer.resume();
    sent.destroy();
    return [isContinued, answer.statusCode];
  };
  expect(await attempt('/data/continued', sha256('body'))).toEqual([true, 200]);
  expect(await attempt('/data?policy=', sha256('body'))).toEqual([false, 403]);
});

test('refuses a session without S3 credentials with the names of the missing credentials', async () => {
  const own = await openDoor([], {
    s3Access: async () => {
      throw new Problem('not-signed-in', 'No key can be derived.', { hint: 'Use an API token.' });
    },
    accountId: async () => account,
  });
  const { status, text } = await send('GET', '/data/a', '', { endpoint: own.endpoint, key: own.key });
  expect([status, text]).toEqual([
    403,
    expect.stringContaining(
      'Guard: this session has no S3 credentials: No key can be derived. Use an API token.',
    ),
  ]);
  await own.close();
});

test('does not send a delete after an approval if the profile was locked during the wait, and asks for no passphrase', async () => {
  const world = { ...testWorld(), sleep: () => new Promise<void>(() => undefined) };
  const held = heldByNobody(world, 20_000);
  held.hasTerminal = true;
  const open: Policies = { deciding: [guardPolicy] };
  let policies = open;
  let lookups = 0;
  const session = {
    ...reaching(),
    async s3Access() {
      lookups += 1;
      return reaching().s3Access();
    },
  };
  const own = await openDoor([], session, held, { policies: () => policies });
  const deleted = s3Failure(
    createClient(own).send(new DeleteObjectCommand({ Bucket: 'assets', Key: 'stays' })),
  );
  await expect.poll(() => held.list()).toHaveLength(1);
  policies = { ...open, tightening: [lockedPolicy('profile acme is locked', true)] };
  await held.answer('100-1', 'approve', { user: 'ann', by: 'terminal' });
  expect(await deleted).toBe('403 AccessDenied');
  expect(lookups).toBe(0);
  await own.close();
});
