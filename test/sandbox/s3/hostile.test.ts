import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  amzTime,
  canonicalPath,
  hmac,
  scopeText,
  sha256,
  signatureOf,
  signingKey,
} from '../../../src/s3/signature.ts';
import { answerS3 } from '../../../src/sandbox/s3/answer.ts';
import { decodedPath, queryOf } from '../../../src/sandbox/s3/call.ts';
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

interface Options {
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer | ((seed: string, time: string) => string);
  readonly payload?: string;
  /** Milliseconds by which the client's clock is off. */
  readonly skew?: number;
  readonly region?: string;
  /** What is changed behind the signature. */
  readonly tamper?: Record<string, string>;
  readonly unsigned?: Record<string, string>;
}

const body = (text: string) => Buffer.from(text);

async function answer(method: string, path: string, options: Options = {}) {
  const { payload = 'UNSIGNED-PAYLOAD', skew = 0, region = 'auto', tamper = {}, unsigned = {} } = options;
  const { id, secret } = ownAccessKey(place.sandbox.access().apiToken);
  const time = amzTime(place.clock.now + skew);
  const scope = { day: time.slice(0, 8), region };
  const own = { host: 'localhost', 'x-amz-content-sha256': payload, 'x-amz-date': time, ...options.headers };
  const headers = Object.entries(own).sort(([one], [other]) => (one < other ? -1 : 1));
  // What no client could sign is sent all the same.
  const isReadable = !path.includes('%zz');
  const signed = isReadable ? canonicalPath(decodedPath(path)) : path;
  const query = isReadable ? queryOf(path) : [];
  const signature = signatureOf({ method, path: signed, query, headers, payload, time }, scope, secret);
  const names = headers.map(([name]) => name).join(';');
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scopeText(scope)}, SignedHeaders=${names}, Signature=${signature}`;
  const bytes = typeof options.body === 'function' ? options.body(signature, time) : options.body;
  return answerS3(
    place.sandbox.platform,
    {
      method,
      path,
      headers: { ...Object.fromEntries(headers), authorization, ...unsigned, ...tamper },
      body: bytes === undefined ? undefined : Buffer.from(bytes),
    },
    (error) => bugs.push(error),
  );
}

/** The status, and the code of a refusal. */
async function said(method: string, path: string, options?: Options): Promise<string> {
  const { status, body: bytes } = await answer(method, path, options);
  const text = Buffer.from(await readBody(bytes)).toString();
  expect(text).not.toMatch(/\bat .*\.[jt]s\b/);
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}

const minute = 60_000;

test.each<[string, string, Options, string]>([
  ['another secret', '/b-1', { tamper: { authorization: sigBy('0') } }, '403 SignatureDoesNotMatch'],
  ['an unknown key', '/b-1', { tamper: { authorization: sigBy('0', 'nobody') } }, '403 InvalidAccessKeyId'],
  ['no authorization', '/b-1', { tamper: { authorization: 'Basic x' } }, '400 InvalidRequest'],
  [
    'half of one',
    '/b-1',
    { tamper: { authorization: 'AWS4-HMAC-SHA256 x' } },
    '400 AuthorizationHeaderMalformed',
  ],
  ['a header of the API that is not signed', '/b-1', { unsigned: { 'x-amz-acl': 'x' } }, '403 AccessDenied'],
  ['a signed header that was changed', '/b-1', { tamper: { host: 'other' } }, '403 SignatureDoesNotMatch'],
  ['a clock that is slow', '/b-1', { skew: -16 * minute }, '403 RequestTimeTooSkewed'],
  ['a clock that is fast', '/b-1', { skew: 16 * minute }, '403 RequestTimeTooSkewed'],
  ['another region', '/b-1', { region: 'mars-1' }, '400 InvalidRegionName'],
  ['a slow clock within bounds', '/b-1', { skew: -14 * minute }, '200'],
  ['a link without a signature', '/b-1?X-Amz-Algorithm=AWS4-HMAC-SHA256', {}, '400 InvalidArgument'],
  [
    'a link of signature version 2',
    '/b-1/k?AWSAccessKeyId=a&Signature=b&Expires=1795386716',
    {},
    '400 InvalidRequest',
  ],
  ['broken encoding', '/b-1/%zz', {}, '400 InvalidURI'],
  ['a path out of the bucket', '/..%2f..%2fetc/passwd', {}, '400 InvalidBucketName'],
  ['a key of dots', '/b-1/..%2f..%2fetc', {}, '404 NoSuchKey'],
  ['no bucket', '//key', {}, '400 InvalidBucketName'],
  ['a resource that is absent', '/b-1?acl', {}, '501 NotImplemented'],
  ['a number that is none', '/b-1?list-type=2&max-keys=-1', {}, '400 InvalidArgument'],
  ['a token of nobody', '/b-1?list-type=2&continuation-token=x', {}, '400 InvalidArgument'],
  [
    'a key of customers',
    '/b-1/k',
    { headers: { 'x-amz-server-side-encryption-customer-key': 'x' } },
    '501 NotImplemented',
  ],
])('a reader with %s gets an answer of S3', async (_, path, options, expected) => {
  expect(await said('GET', path, options)).toBe(expected);
});

function sigBy(digit: string, id = ownAccessKey('').id): string {
  const names = 'host;x-amz-content-sha256;x-amz-date';
  return `AWS4-HMAC-SHA256 Credential=${id}/20261121/auto/s3/aws4_request, SignedHeaders=${names}, Signature=${digit.repeat(64)}`;
}

const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><Delete><Object><Key>&b;</Key></Object></Delete>`;

test.each<[string, string, Options, string]>([
  ['entities of its own', '/b-1?delete', { body: bomb }, '400 MalformedXML'],
  ['100,000 elements in each other', '/b-1?delete', { body: '<a>'.repeat(100_000) }, '400 MalformedXML'],
  ['no XML', '/b-1?delete', { body: 'x' }, '400 MalformedXML'],
  ['no keys', '/b-1?delete', { body: '<Delete/>' }, '400 MalformedXML'],
  [
    'too many keys',
    '/b-1?delete',
    { body: `<Delete>${'<Object><Key>k</Key></Object>'.repeat(1001)}</Delete>` },
    '400 MalformedXML',
  ],
  ['more than any list', '/b-1?delete', { body: Buffer.alloc(9 * 1024 * 1024) }, '400 MalformedXML'],
  ['bytes that are no text', '/b-1?delete', { body: Buffer.from([0xff]) }, '400 MalformedXML'],
  [
    'parts of nothing',
    '/b-1/k?uploadId=none',
    {
      body: '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>',
    },
    '404 NoSuchUpload',
  ],
])('a document with %s is refused', async (_, path, options, expected) => {
  expect(await said('POST', path, options)).toBe(expected);
});

const crc = (text: string) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64');
};

test.each<[string, Options, string]>([
  ['another SHA-256', { body: 'hello', payload: sha256('other') }, '400 XAmzContentSHA256Mismatch'],
  [
    'another MD5',
    { body: 'hello', headers: { 'content-md5': createHash('md5').update('x').digest('base64') } },
    '400 BadDigest',
  ],
  ['no MD5', { body: 'hello', headers: { 'content-md5': 'x' } }, '400 InvalidDigest'],
  ['another CRC-32', { body: 'hello', headers: { 'x-amz-checksum-crc32': crc('other') } }, '400 BadDigest'],
  ['an unknown checksum', { body: 'hello', headers: { 'x-amz-checksum-crc99': 'x' } }, '501 NotImplemented'],
  [
    'a checksum by the name of what every object has',
    { body: 'hello', headers: { 'x-amz-checksum-constructor': 'x' } },
    '501 NotImplemented',
  ],
  ['another length', { body: 'hello', headers: { 'content-length': '9' } }, '400 IncompleteBody'],
  ['6 GB', { body: 'hello', headers: { 'content-length': '6000000000' } }, '400 EntityTooLarge'],
  ['no number as length', { body: 'hello', headers: { 'content-length': '1e3' } }, '400 InvalidArgument'],
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
  ['a kind of chunks that nobody knows', { body: 'x', payload: 'STREAMING-X' }, '411 MissingContentLength'],
  ['nothing in the place of chunks', { ...chunked('', 5) }, '400 IncompleteBody'],
  ['half a chunk', { ...chunked('5\r\nhel', 5) }, '400 IncompleteBody'],
  ['a length of chunks that is none', { ...chunked('x\r\nhello', 5) }, '400 InvalidRequest'],
  ['a line without an end', { ...chunked('0'.repeat(9000), 5) }, '400 InvalidRequest'],
  ['a trailer that is missing', { ...chunked('5\r\nhello\r\n0\r\n\r\n', 5) }, '400 BadDigest'],
  [
    'another checksum behind it',
    { ...chunked(`5\r\nhello\r\n0\r\nx-amz-checksum-crc32:${crc('other')}\r\n\r\n`, 5) },
    '400 BadDigest',
  ],
])('a body with %s is refused, and nothing is stored', async (_, options, expected) => {
  expect(await said('PUT', '/b-1/refused', options)).toBe(expected);
  expect(await said('GET', '/b-1/refused')).toBe('404 NoSuchKey');
});

function chunked(text: string, length: number): Options {
  return {
    body: text,
    payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    headers: { 'x-amz-decoded-content-length': String(length), 'x-amz-trailer': 'x-amz-checksum-crc32' },
  };
}

test('chunks are stored where each has its own signature, and its trailer too', async () => {
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

test('a token with policies has an access key of its own, good for what it may do', async () => {
  const { accountId } = place.sandbox.access();
  const groups = await place.call('GET', '/user/tokens/permission_groups?name=Workers+R2+Storage+Read');
  const [group] = groups.envelope<{ id: string }[]>().result ?? [];
  const resources = { [`com.cloudflare.api.account.${accountId}`]: '*' };
  const policies = [{ effect: 'allow', permission_groups: [{ id: group?.id }], resources }];
  const made = await place.call('POST', '/user/tokens', { json: { name: 'reader', policies } });
  const { id, value } = made.envelope<{ id: string; value: string }>().result ?? { id: '', value: '' };
  const as = async (method: string) => {
    const time = amzTime(place.clock.now);
    const scope = { day: time.slice(0, 8), region: 'auto' };
    const headers = { host: 'x', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'x-amz-date': time };
    const request = {
      method,
      path: '/b-1/chunks',
      query: [],
      headers: Object.entries(headers),
      payload: 'UNSIGNED-PAYLOAD',
      time,
    };
    const signature = signatureOf(request, scope, sha256(value));
    const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scopeText(scope)}, SignedHeaders=${Object.keys(headers).join(';')}, Signature=${signature}`;
    const call = { method, path: '/b-1/chunks', headers: { ...headers, authorization }, body: body('x') };
    return (await answerS3(place.sandbox.platform, call)).status;
  };
  expect([await as('GET'), await as('PUT'), await as('DELETE')]).toEqual([200, 403, 403]);
});

test('none of it was a fault of the sandbox', () => expect(bugs).toEqual([]));
