import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePath, parseQuery } from '../../../src/s3/address.ts';
import {
  type AccessKey,
  amzTime,
  canonicalPath,
  computeSignature,
  encoded,
  hmac,
  scopeText,
  sha256,
  signingKey,
} from '../../../src/s3/signature.ts';
import { answerS3 } from '../../../src/sandbox/s3/answer.ts';
import { ownAccessKey } from '../../../src/sandbox/s3/credentials.ts';
import { readBody } from '../../../src/v4/send.ts';
import { openTestSandbox, type TestSandbox } from '../test-sandbox.ts';

let place: TestSandbox;
const bugs: unknown[] = [];
beforeAll(async () => {
  place = await openTestSandbox('in process', { onBug: (error) => bugs.push(error) });
  expect(await said('PUT', '/b-1')).toBe('200');
});
afterAll(() => place.close());

/** The place of the signature: the authorization header, or the query of a presigned link. */
type Form = 'header' | 'link';
const forms: readonly Form[] = ['header', 'link'];

interface Options {
  readonly form?: Form;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer | ((seed: string, time: string) => string);
  readonly payload?: string;
  /** Milliseconds by which the client's clock is off. */
  readonly skew?: number;
  readonly region?: string;
  /** Headers changed or added after signing. */
  readonly tamper?: Record<string, string>;
  /** Seconds for which a link is valid. */
  readonly expires?: number;
  /** Address of the client. */
  readonly from?: string;
  /** The access key that signs the request (default: the sandbox's own key). */
  readonly key?: AccessKey;
}

async function answer(method: string, path: string, options: Options = {}) {
  const { form = 'header', payload = 'UNSIGNED-PAYLOAD', skew = 0, region = 'auto', tamper = {} } = options;
  const { id, secret } = options.key ?? ownAccessKey(place.sandbox.access().apiToken);
  const time = amzTime(place.clock.now + skew);
  const scope = { day: time.slice(0, 8), region };
  const credential = `${id}/${scopeText(scope)}`;
  const inHeader = { 'x-amz-content-sha256': payload, 'x-amz-date': time };
  const own = { host: 'localhost', ...(form === 'header' && inHeader), ...options.headers };
  const headers = Object.entries(own).sort(([one], [other]) => (one < other ? -1 : 1));
  const names = headers.map(([name]) => name).join(';');
  const claim: [string, string][] = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Content-Sha256', payload],
    ['X-Amz-Credential', credential],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', String(options.expires ?? 60)],
    ['X-Amz-SignedHeaders', names],
  ];
  // No client could sign this path, so the test signs it without decoding, and sends it anyway.
  const isReadable = !path.includes('%zz');
  const signed = isReadable ? canonicalPath(decodePath(path)) : path;
  const query = [...(isReadable ? parseQuery(path) : []), ...(form === 'link' ? claim : [])];
  const signature = computeSignature({ method, path: signed, query, headers, payload, time }, scope, secret);
  const link = [...claim, ['X-Amz-Signature', signature]].map(
    ([name, value]) => `${name}=${encoded(value ?? '')}`,
  );
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  const bytes = typeof options.body === 'function' ? options.body(signature, time) : options.body;
  return answerS3(
    place.sandbox.platform,
    {
      method,
      path: form === 'header' ? path : `${path}${path.includes('?') ? '&' : '?'}${link.join('&')}`,
      headers: { ...Object.fromEntries(headers), ...(form === 'header' && { authorization }), ...tamper },
      body: bytes === undefined ? undefined : Buffer.from(bytes),
      ...(options.from !== undefined && { from: options.from }),
    },
    (error) => bugs.push(error),
  );
}

/** Returns the status and the error code of a response. */
async function said(method: string, path: string, options?: Options): Promise<string> {
  const { status, body: bytes } = await answer(method, path, options);
  const text = Buffer.from(await readBody(bytes)).toString();
  expect(text).not.toMatch(/\bat .*\.[jt]s\b/);
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** Returns each row for both forms of a signature. */
function inBothForms<Row extends readonly unknown[]>(rows: readonly Row[]): (readonly [Form, ...Row])[] {
  return forms.flatMap((form) => rows.map((row) => [form, ...row] as const));
}

const minute = 60_000;

test.each<[string, string, Options, string]>([
  ['another secret', '/b-1', { tamper: { authorization: sigBy('0') } }, '403 SignatureDoesNotMatch'],
  ['an unknown key', '/b-1', { tamper: { authorization: sigBy('0', 'nobody') } }, '403 InvalidAccessKeyId'],
  ['no authorization', '/b-1', { tamper: { authorization: 'Basic x' } }, '400 InvalidRequest'],
  [
    'half an authorization header',
    '/b-1',
    { tamper: { authorization: 'AWS4-HMAC-SHA256 x' } },
    '400 AuthorizationHeaderMalformed',
  ],
  ['a slow clock', '/b-1', { skew: -16 * minute }, '403 RequestTimeTooSkewed'],
  ['a slow clock within the tolerance', '/b-1', { skew: -14 * minute }, '200'],
  ['a link without a signature', '/b-1?X-Amz-Algorithm=AWS4-HMAC-SHA256', {}, '400 InvalidArgument'],
  [
    'a link of signature version 2',
    '/b-1/k?AWSAccessKeyId=a&Signature=b&Expires=1795386716',
    {},
    '400 InvalidRequest',
  ],
])('returns an S3 answer for a header signed with %s', async (_, path, options, expected) => {
  expect(await said('GET', path, options)).toBe(expected);
});

test.each<[string, Options, string]>([
  ['another secret', { key: { id: ownAccessKey('').id, secret: 'x' } }, '403 SignatureDoesNotMatch'],
  ['an unknown key', { key: { id: 'nobody', secret: 'x' } }, '403 InvalidAccessKeyId'],
  ['a header as well', { tamper: { authorization: sigBy('0') } }, '400 InvalidArgument'],
  ['an expired time', { skew: -2 * minute }, '403 ExpiredRequest'],
  ['more than a week', { expires: 604_801 }, '400 InvalidArgument'],
  ['seconds that are not a number', { expires: Number.NaN }, '400 InvalidArgument'],
])('returns an S3 answer for a link signed with %s', async (_, options, expected) => {
  expect(await said('GET', '/b-1', { ...options, form: 'link' })).toBe(expected);
});

// "Any x-amz-* headers that you plan to add to the request are also required for signature calculation": S3 API documentation,
// "Authenticating Requests: Using Query Parameters". The error code HeadersNotSigned is AWS's.
test.each(
  inBothForms([
    ['copies another object', 'PUT', { 'x-amz-copy-source': '/b-1/secret' }],
    ['names an owner', 'PUT', { 'x-amz-acl': 'public-read' }],
    ['adds metadata', 'PUT', { 'x-amz-meta-a': 'b' }],
    ['selects a storage class', 'PUT', { 'x-amz-storage-class': 'STANDARD_IA' }],
    ['adds a session', 'PUT', { 'x-amz-security-token': 'x' }],
    ['declares another body', 'PUT', { 'x-amz-content-sha256': sha256('hello') }],
    ['changes the time', 'PUT', { 'x-amz-date': '20200101T000000Z' }],
    ['is unknown', 'GET', { 'x-amz-anything': 'x' }],
  ] as const),
)(
  'rejects a request signed by %s to which someone adds a header that %s',
  async (form, _, method, tamper) => {
    await said('PUT', '/b-1/secret', { body: 'secret' });
    const before = await said('GET', '/b-1/other');
    const result = await said(method, '/b-1/other', { form, body: 'hello', tamper });
    expect(result).toMatch(/^(?:403 (?:AccessDenied|SignatureDoesNotMatch)|400 Invalid(?:Argument|Token))$/);
    expect(before).toBe('404 NoSuchKey');
    expect(await said('GET', '/b-1/other')).toBe(before);
  },
);

test('accepts a link as signed, including its signed headers', async () => {
  const headers = { 'x-amz-copy-source': '/b-1/secret' };
  expect(await said('PUT', '/b-1/copied', { form: 'link', headers })).toBe('200');
  const changed = { form: 'link', headers, tamper: { 'x-amz-copy-source': '/b-1/k' } } as const;
  expect(await said('PUT', '/b-1/copied', changed)).toBe('403 SignatureDoesNotMatch');
});

test.each(
  inBothForms<readonly [string, string, Options, string]>([
    ['a changed signed header', '/b-1', { tamper: { host: 'other' } }, '403 SignatureDoesNotMatch'],
    ['a fast clock', '/b-1', { skew: 16 * minute }, '403 RequestTimeTooSkewed'],
    ['another region', '/b-1', { region: 'mars-1' }, '400 InvalidRegionName'],
    ['broken encoding', '/b-1/%zz', {}, '400 InvalidURI'],
    ['a path out of the bucket', '/..%2f..%2fetc/passwd', {}, '400 InvalidBucketName'],
    ['a key of dots', '/b-1/..%2f..%2fetc', {}, '404 NoSuchKey'],
    ['no bucket', '//key', {}, '400 InvalidBucketName'],
    ['a missing resource', '/b-1?acl', {}, '501 NotImplemented'],
    ['an invalid number', '/b-1?list-type=2&max-keys=-1', {}, '400 InvalidArgument'],
    ['an unknown token', '/b-1?list-type=2&continuation-token=x', {}, '400 InvalidArgument'],
    [
      "a customer's key",
      '/b-1/k',
      { headers: { 'x-amz-server-side-encryption-customer-key': 'x' } },
      '400 InvalidArgument',
    ],
  ]),
)('returns an S3 answer for a read by %s with %s', async (form, _, path, options, expected) => {
  expect(await said('GET', path, { ...options, form })).toBe(expected);
});

function sigBy(digit: string, id = ownAccessKey('').id): string {
  const names = 'host;x-amz-content-sha256;x-amz-date';
  return `AWS4-HMAC-SHA256 Credential=${id}/20261121/auto/s3/aws4_request, SignedHeaders=${names}, Signature=${digit.repeat(64)}`;
}

const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><Delete><Object><Key>&b;</Key></Object></Delete>`;

test.each(
  inBothForms<readonly [string, string, Options, string]>([
    ['its own entities', '/b-1?delete', { body: bomb }, '400 MalformedXML'],
    ['100,000 nested elements', '/b-1?delete', { body: '<a>'.repeat(100_000) }, '400 MalformedXML'],
    ['no XML', '/b-1?delete', { body: 'x' }, '400 MalformedXML'],
    ['no keys', '/b-1?delete', { body: '<Delete/>' }, '400 MalformedXML'],
    [
      'too many keys',
      '/b-1?delete',
      { body: `<Delete>${'<Object><Key>k</Key></Object>'.repeat(1001)}</Delete>` },
      '400 MalformedXML',
    ],
    ['a limit above the maximum', '/b-1?delete', { body: Buffer.alloc(9 * 1024 * 1024) }, '400 MalformedXML'],
    ['bytes that are not text', '/b-1?delete', { body: Buffer.from([0xff]) }, '400 MalformedXML'],
    [
      'an empty list of parts',
      '/b-1/k?uploadId=none',
      {
        body: '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>',
      },
      '404 NoSuchUpload',
    ],
  ]),
)('rejects a document by %s with %s', async (form, _, path, options, expected) => {
  expect(await said('POST', path, { ...options, form })).toBe(expected);
});

const crc = (text: string) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64');
};

test.each(
  inBothForms<readonly [string, Options, string]>([
    ['another SHA-256', { body: 'hello', payload: sha256('other') }, '400 XAmzContentSHA256Mismatch'],
    [
      'another MD5',
      { body: 'hello', headers: { 'content-md5': createHash('md5').update('x').digest('base64') } },
      '400 BadDigest',
    ],
    ['no MD5', { body: 'hello', headers: { 'content-md5': 'x' } }, '400 InvalidDigest'],
    ['another CRC-32', { body: 'hello', headers: { 'x-amz-checksum-crc32': crc('other') } }, '400 BadDigest'],
    [
      'an unknown checksum',
      { body: 'hello', headers: { 'x-amz-checksum-crc99': 'x' } },
      '501 NotImplemented',
    ],
    [
      'a checksum with the name of a property of every object',
      { body: 'hello', headers: { 'x-amz-checksum-constructor': 'x' } },
      '501 NotImplemented',
    ],
    ['another length', { body: 'hello', headers: { 'content-length': '9' } }, '400 IncompleteBody'],
    ['6 GB', { body: 'hello', headers: { 'content-length': '6000000000' } }, '400 EntityTooLarge'],
    [
      'a length that is not a number',
      { body: 'hello', headers: { 'content-length': '1e3' } },
      '400 InvalidArgument',
    ],
    [
      'too much metadata',
      { body: 'hello', headers: { 'x-amz-meta-a': 'x'.repeat(9000) } },
      '400 MetadataTooLarge',
    ],
    [
      'an unknown class',
      { body: 'hello', headers: { 'x-amz-storage-class': 'GLACIER' } },
      '400 InvalidStorageClass',
    ],
    ['an unknown kind of chunks', { body: 'x', payload: 'STREAMING-X' }, '411 MissingContentLength'],
    ['no chunks', { ...chunked('', 5) }, '400 IncompleteBody'],
    ['half a chunk', { ...chunked('5\r\nhel', 5) }, '400 IncompleteBody'],
    ['an invalid chunk length', { ...chunked('x\r\nhello', 5) }, '400 InvalidRequest'],
    ['a line without an end', { ...chunked('0'.repeat(9000), 5) }, '400 InvalidRequest'],
    ['a missing trailer', { ...chunked('5\r\nhello\r\n0\r\n\r\n', 5) }, '400 BadDigest'],
    [
      'another checksum after it',
      { ...chunked(`5\r\nhello\r\n0\r\nx-amz-checksum-crc32:${crc('other')}\r\n\r\n`, 5) },
      '400 BadDigest',
    ],
  ]),
)('rejects a body by %s with %s, and stores nothing', async (form, _, options, expected) => {
  expect(await said('PUT', '/b-1/refused', { ...options, form })).toBe(expected);
  expect(await said('GET', '/b-1/refused')).toBe('404 NoSuchKey');
});

function chunked(text: string, length: number): Options {
  return {
    body: text,
    payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    headers: { 'x-amz-decoded-content-length': String(length), 'x-amz-trailer': 'x-amz-checksum-crc32' },
  };
}

test('stores chunks that each have a signature, and a signed trailer', async () => {
  const { secret } = ownAccessKey(place.sandbox.access().apiToken);
  const signed = (text: string) => (seed: string, time: string) => {
    const scope = { day: time.slice(0, 8), region: 'auto' };
    const key = signingKey(secret, scope);
    let last = seed;
    const next = (kind: string, hashes: string) => {
      last = hmac(key, `AWS4-HMAC-SHA256-${kind}\n${time}\n${scopeText(scope)}\n${last}\n${hashes}`).toString(
        'hex',
      );
      return last;
    };
    const chunk = (part: string) =>
      `${part.length.toString(16)};chunk-signature=${next('PAYLOAD', `${sha256('')}\n${sha256(part)}`)}\r\n${part}`;
    const trailer = `x-amz-checksum-crc32:${crc('hello')}`;
    const whole = `${chunk('he')}\r\n${chunk('llo')}\r\n${chunk('')}${trailer}\r\n`;
    return `${whole}x-amz-trailer-signature:${next('TRAILER', sha256(`${trailer}\n`))}\r\n\r\n`.replace(
      'llo',
      text,
    );
  };
  const put = (text: string) =>
    said('PUT', '/b-1/chunks', {
      payload: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
      headers: { 'x-amz-decoded-content-length': '5', 'x-amz-trailer': 'x-amz-checksum-crc32' },
      body: signed(text),
    });
  expect(await put('LLO')).toBe('403 SignatureDoesNotMatch');
  expect(await put('llo')).toBe('200');
  const { body: stored } = await answer('GET', '/b-1/chunks');
  expect(Buffer.from(await readBody(stored)).toString()).toBe('hello');
});

/** Returns the access key of a new token with one permission. */
async function keyWith(permission: string, more: object = {}): Promise<AccessKey> {
  const { accountId } = place.sandbox.access();
  const groups = await place.call('GET', `/user/tokens/permission_groups?name=${encoded(permission)}`);
  const [group] = groups.envelope<{ id: string }[]>().result ?? [];
  const resources = { [`com.cloudflare.api.account.${accountId}`]: '*' };
  const policies = [{ effect: 'allow', permission_groups: [{ id: group?.id }], resources }];
  const made = await place.call('POST', '/user/tokens', { json: { name: 'one', policies, ...more } });
  const { id, value } = made.envelope<{ id: string; value: string }>().result ?? { id: '', value: '' };
  return { id, secret: sha256(value) };
}

test.each(forms)(
  'gives the access key of a token with policies, by %s, only the permissions of the token',
  async (form) => {
    const key = await keyWith('Workers R2 Storage Read');
    const as = async (method: string) =>
      (await answer(method, '/b-1/chunks', { form, key, body: 'x' })).status;
    expect([await as('GET'), await as('PUT'), await as('DELETE')]).toEqual([200, 403, 403]);
  },
);

// SDK user/tokens, Condition: request_ip.in and request_ip.not_in are "IP ranges in CIDR notation".
test.each(
  inBothForms([
    [{ in: ['192.0.2.0/24'] }, '192.0.2.7', '200'],
    [{ in: ['192.0.2.0/24'] }, '198.51.100.1', '403 AccessDenied'],
    [{ in: ['192.0.2.0/24'] }, undefined, '403 AccessDenied'],
    [{ not_in: ['2001:db8::/32'] }, '2001:db8::1', '403 AccessDenied'],
    [{ not_in: ['2001:db8::/32'] }, '192.0.2.7', '200'],
    // The client disconnected before its address was read.
    [{ in: ['127.0.0.0/8'] }, '', '403 AccessDenied'],
    [{ not_in: ['2001:db8::/32'] }, '', '403 AccessDenied'],
    [{}, '', '200'],
  ] as const),
)('a token used by %s with request_ip %j from %s gets %s', async (form, request_ip, from, expected) => {
  const key = await keyWith('Workers R2 Storage Write', { condition: { request_ip } });
  const options = { form, key, ...(from !== undefined && { from }) };
  expect(await said('GET', '/b-1/chunks', options)).toBe(expected);
});

test('no request of these tests causes an internal error', () => expect(bugs).toEqual([]));
