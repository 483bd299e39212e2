import { expect, test } from 'vitest';
import { amzTime, canonicalPath, computeSignature, parseAmzTime, sha256 } from '../../src/s3/signature.ts';

// The examples in AWS's documentation: "Signature Calculations for the Authorization Header" and "Using Query Parameters".
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const scope = { day: '20130524', region: 'us-east-1' };
const time = '20130524T000000Z';
const host = ['host', 'examplebucket.s3.amazonaws.com'] as const;

test('signs a request as in the AWS documentation', () => {
  const payload = sha256('');
  const own = [
    ['x-amz-content-sha256', payload],
    ['x-amz-date', time],
  ] as const;
  const get = { method: 'GET', path: '/test.txt', query: [], payload, time };
  const headers = [host, ['range', 'bytes=0-9'] as const, ...own];
  expect(computeSignature({ ...get, headers }, scope, secret)).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  const list = { ...get, path: '/', query: [['prefix', 'J'] as const, ['max-keys', '2'] as const] };
  expect(computeSignature({ ...list, headers: [host, ...own] }, scope, secret)).toBe(
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});

test('signs a link as in the AWS documentation', () => {
  const query = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', '86400'],
    ['X-Amz-SignedHeaders', 'host'],
  ] as const;
  const link = {
    method: 'GET',
    path: '/test.txt',
    query,
    headers: [host],
    payload: 'UNSIGNED-PAYLOAD',
    time,
  };
  expect(computeSignature(link, scope, secret)).toBe(
    'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

test('encodes a path as AWS does, and parses the timestamps that it formats', () => {
  expect(canonicalPath("/b/a b/ä+'()*!~-._")).toBe('/b/a%20b/%C3%A4%2B%27%28%29%2A%21~-._');
  expect(amzTime(Date.UTC(2013, 4, 24))).toBe(time);
  expect(parseAmzTime(time)).toBe(Date.UTC(2013, 4, 24));
  expect(['', '2013-05-24T00:00:00Z', '20131324T000000Z'].map(parseAmzTime)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
