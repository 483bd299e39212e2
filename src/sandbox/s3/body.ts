import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { streamOf } from '../../v4/send.ts';
import type { S3Call } from './call.ts';
import { Seal, type Trailers, unchunked } from './chunks.ts';
import { Crc32c } from './crc32c.ts';
import { S3Refusal } from './refusal.ts';
import type { Verified } from './verify.ts';

/** Most bytes of one request: an object that is put whole, or a part. */
const mostBytes = 5 * 1024 ** 3;

/**
 * The bytes that a client means by its body: chunks taken apart, and all that it says of them checked as they come: length,
 * SHA-256, MD5, checksum, signatures. What is wrong throws an `S3Refusal` at the end, before anything is stored.
 * `verified` is undefined of a request that nobody has signed, in this process.
 */
export function bodyOf(call: S3Call, verified: Verified | undefined): () => AsyncIterable<Uint8Array> {
  const { headers } = call;
  const payload = verified?.payload ?? 'UNSIGNED-PAYLOAD';
  const isChunked = payload.startsWith('STREAMING-');
  const length = isChunked ? headers['x-amz-decoded-content-length'] : headers['content-length'];
  checkLength(length, isChunked);
  const trailers: Trailers = new Map();
  const checks = checksOf(headers, payload, trailers);
  return async function* () {
    const raw = streamOf(call.body);
    const bytes = isChunked ? unchunked(raw, sealOf(payload, verified), trailers) : raw;
    let count = 0;
    for await (const chunk of bytes) {
      count += chunk.length;
      if (count > mostBytes) throw new S3Refusal('EntityTooLarge');
      for (const { meter } of checks) meter.update(chunk);
      yield chunk;
    }
    if (length !== undefined && count !== Number(length)) throw new S3Refusal('IncompleteBody');
    for (const { meter, check } of checks) check(meter);
  };
}

function checkLength(length: string | undefined, isChunked: boolean): void {
  if (length === undefined && isChunked) throw new S3Refusal('MissingContentLength');
  if (length !== undefined && !/^\d{1,15}$/.test(length))
    throw new S3Refusal('InvalidArgument', 'The length of the body is no number.');
  if (Number(length ?? 0) > mostBytes + (isChunked ? 0 : 64 * 1024)) throw new S3Refusal('EntityTooLarge');
}

const streamings: Readonly<Record<string, 'signed' | 'unsigned'>> = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': 'signed',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': 'signed',
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': 'unsigned',
};

function sealOf(payload: string, verified: Verified | undefined): Seal | undefined {
  const streaming = streamings[payload];
  if (streaming === undefined || verified === undefined)
    throw new S3Refusal('NotImplemented', `x-amz-content-sha256 ${payload} is not implemented`);
  return streaming === 'signed' ? new Seal(verified) : undefined;
}

/** Takes bytes and says what they come to. */
interface Meter {
  update(bytes: Uint8Array): unknown;
  digest(encoding: 'hex' | 'base64'): string;
}

interface Check {
  readonly meter: Meter;
  check(meter: Meter): void;
}

const checksums: ReadonlyMap<string, () => Meter> = new Map<string, () => Meter>([
  ['crc32', () => new Crc32()],
  ['crc32c', () => new Crc32c()],
  ['sha1', () => createHash('sha1')],
  ['sha256', () => createHash('sha256')],
]);

function checksOf(headers: S3Call['headers'], payload: string, trailers: Trailers): Check[] {
  const checks: Check[] = [];
  const add = (
    meter: Meter,
    encoding: 'hex' | 'base64',
    wanted: () => string | undefined,
    fault: S3Refusal,
  ) =>
    checks.push({
      meter,
      check: (read) => {
        if (read.digest(encoding) !== wanted()) throw fault;
      },
    });
  if (/^[0-9a-f]{64}$/.test(payload))
    add(createHash('sha256'), 'hex', () => payload, new S3Refusal('XAmzContentSHA256Mismatch'));
  else if (payload !== 'UNSIGNED-PAYLOAD' && streamings[payload] === undefined)
    throw new S3Refusal('InvalidArgument', 'x-amz-content-sha256 is no SHA-256 in hex.');
  const md5 = headers['content-md5'];
  if (md5 !== undefined) {
    if (!/^[A-Za-z0-9+/]{22}==$/.test(md5)) throw new S3Refusal('InvalidDigest');
    add(createHash('md5'), 'base64', () => md5, new S3Refusal('BadDigest'));
  }
  for (const [name, wanted] of wantedChecksums(headers, trailers)) {
    const make = checksums.get(name);
    if (make === undefined)
      throw new S3Refusal('NotImplemented', `x-amz-checksum-${name} is not implemented`);
    const words = `The ${name} you specified did not match the calculated checksum.`;
    add(make(), 'base64', wanted, new S3Refusal('BadDigest', words));
  }
  return checks;
}

/** Facts about checksums, which are none themselves. */
const notChecksums = ['algorithm', 'mode', 'type'];

/** Names of the checksums that a request brings, in its headers or behind its body. */
function wantedChecksums(
  headers: S3Call['headers'],
  trailers: Trailers,
): (readonly [string, () => string | undefined])[] {
  const prefix = 'x-amz-checksum-';
  const named = (name: string) =>
    name.startsWith(prefix) && !notChecksums.includes(name.slice(prefix.length));
  const inHeaders = Object.entries(headers).filter(([name]) => named(name));
  const behind = (headers['x-amz-trailer'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter(named);
  return [
    ...inHeaders.map(([name, value]) => [name.slice(prefix.length), () => value] as const),
    ...behind.map((name) => [name.slice(prefix.length), () => trailers.get(name)] as const),
  ];
}

class Crc32 implements Meter {
  #value = 0;

  update(bytes: Uint8Array): void {
    this.#value = crc32(bytes, this.#value);
  }

  digest(encoding: 'hex' | 'base64'): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#value);
    return bytes.toString(encoding);
  }
}
