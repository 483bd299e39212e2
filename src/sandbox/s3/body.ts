import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hmac, scopeText, sha256, signingKey } from '../../s3/signature.ts';
import { streamOf } from '../../v4/send.ts';
import type { S3Call } from './call.ts';
import { S3Refusal } from './refusal.ts';
import { signaturesEqual, type Verified } from './verify.ts';

/** Maximum number of bytes in one request, for an object or a part. */
const maxBytes = 5 * 1024 ** 3;

/**
 * Opens the decoded body of a request. Chunks are decoded, and the length, SHA-256, MD5, checksum and signatures are checked
 * while streaming. A mismatch throws an `S3Refusal` at the end, before anything is stored. `verified` is undefined for unsigned
 * requests in this process.
 */
export function openBody(call: S3Call, verified: Verified | undefined): () => AsyncIterable<Uint8Array> {
  const { headers } = call;
  const payload = verified?.payload ?? 'UNSIGNED-PAYLOAD';
  const isChunked = payload.startsWith('STREAMING-');
  const length = isChunked ? headers['x-amz-decoded-content-length'] : headers['content-length'];
  checkLength(length, isChunked);
  const trailers: Trailers = new Map();
  const checks = createChecks(headers, payload, trailers);
  return async function* () {
    const raw = streamOf(call.body);
    const bytes = isChunked ? decodeChunks(raw, openSeal(payload, verified), trailers) : raw;
    let count = 0;
    for await (const chunk of bytes) {
      count += chunk.length;
      if (count > maxBytes) throw new S3Refusal('EntityTooLarge');
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
    throw new S3Refusal('InvalidArgument', 'The length of the body is not a number.');
  if (Number(length ?? 0) > maxBytes + (isChunked ? 0 : 64 * 1024)) throw new S3Refusal('EntityTooLarge');
}

const streamings: Readonly<Record<string, 'signed' | 'unsigned'>> = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': 'signed',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': 'signed',
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': 'unsigned',
};

function openSeal(payload: string, verified: Verified | undefined): Seal | undefined {
  const streaming = streamings[payload];
  if (streaming === undefined || verified === undefined)
    throw new S3Refusal('NotImplemented', `x-amz-content-sha256 ${payload} is not implemented`);
  return streaming === 'signed' ? new Seal(verified) : undefined;
}

/** Computes a digest of bytes. */
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

function createChecks(headers: S3Call['headers'], payload: string, trailers: Trailers): Check[] {
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
    throw new S3Refusal('InvalidArgument', 'x-amz-content-sha256 is not a SHA-256 in hex.');
  const md5 = headers['content-md5'];
  if (md5 !== undefined) {
    if (!/^[A-Za-z0-9+/]{22}==$/.test(md5)) throw new S3Refusal('InvalidDigest');
    add(createHash('md5'), 'base64', () => md5, new S3Refusal('BadDigest'));
  }
  for (const [name, wanted] of listChecksums(headers, trailers)) {
    const make = checksums.get(name);
    if (make === undefined)
      throw new S3Refusal('NotImplemented', `x-amz-checksum-${name} is not implemented`);
    const words = `The ${name} you specified did not match the calculated checksum.`;
    add(make(), 'base64', wanted, new S3Refusal('BadDigest', words));
  }
  return checks;
}

/** Suffixes of headers about checksums that do not contain one. */
const notChecksums = ['algorithm', 'mode', 'type'];

/** Returns the checksums of a request, in its headers or trailers. */
function listChecksums(
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

/** CRC-32C (Castagnoli, RFC 3720, appendix B.4), byte by byte: Node only has CRC-32, and few clients use this one. */
class Crc32c {
  #value = 0xffffffff;

  update(bytes: Uint8Array): void {
    let value = this.#value;
    for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
    this.#value = value;
  }

  digest(encoding: 'hex' | 'base64'): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE((this.#value ^ 0xffffffff) >>> 0);
    return bytes.toString(encoding);
  }
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** Maximum length of a chunk header line, and of all trailers. */
const maxLineBytes = 4096;

/** Trailers after the last chunk, by lower-case name. */
type Trailers = Map<string, string>;

/**
 * Decodes a chunked body (`aws-chunked`), as sent by SDKs. Signed chunks are checked one by one; each signature includes that of
 * the previous chunk. `trailers` is filled at the end. Throws an `S3Refusal`.
 */
async function* decodeChunks(
  body: AsyncIterable<Uint8Array>,
  seal: Seal | undefined,
  trailers: Trailers,
): AsyncGenerator<Uint8Array> {
  const reader = new Reader(body);
  for (;;) {
    const line = await reader.line();
    const [, size = '', signature] =
      /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line) ?? [];
    if (size === '' || (signature === undefined) !== (seal === undefined)) throw malformedChunks();
    const length = Number.parseInt(size, 16);
    const hash = createHash('sha256');
    for await (const bytes of reader.bytes(length)) {
      if (seal !== undefined) hash.update(bytes);
      yield bytes;
    }
    seal?.check(hash.digest('hex'), signature ?? '');
    if (length === 0) break;
    if ((await reader.line()) !== '') throw malformedChunks();
  }
  await readTrailers(reader, seal, trailers);
}

async function readTrailers(reader: Reader, seal: Seal | undefined, trailers: Trailers): Promise<void> {
  let text = '';
  for (let line = await reader.line(); line !== ''; line = await reader.line()) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    if (name === 'x-amz-trailer-signature') seal?.checkTrailers(text, value);
    else {
      trailers.set(name, value);
      text += `${name}:${value}\n`;
    }
    if (text.length > maxLineBytes) throw malformedChunks();
  }
}

/** Checks the chain of signatures of a body's chunks. */
class Seal {
  readonly #key: Buffer;
  readonly #prefix: string;
  #last: string;

  constructor({ signer, signature, time, day, region }: Verified) {
    this.#key = signingKey(signer.secret, { day, region });
    this.#prefix = `${time}\n${scopeText({ day, region })}`;
    this.#last = signature;
  }

  check(hash: string, signature: string): void {
    this.#compare('AWS4-HMAC-SHA256-PAYLOAD', `${sha256('')}\n${hash}`, signature);
  }

  checkTrailers(text: string, signature: string): void {
    this.#compare('AWS4-HMAC-SHA256-TRAILER', sha256(text), signature);
  }

  #compare(kind: string, hashes: string, signature: string): void {
    const text = `${kind}\n${this.#prefix}\n${this.#last}\n${hashes}`;
    this.#last = hmac(this.#key, text).toString('hex');
    if (!signaturesEqual(this.#last, signature)) throw new S3Refusal('SignatureDoesNotMatch');
  }
}

/** Reads lines and bytes from a stream. */
class Reader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#source = body[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(0x0a);
      if (end !== -1) {
        const line = Buffer.from(this.#rest.subarray(0, end)).toString('latin1');
        this.#rest = this.#rest.subarray(end + 1);
        return line.replace(/\r$/, '');
      }
      if (this.#rest.length > maxLineBytes) throw malformedChunks();
      const more = await this.#more();
      this.#rest = Buffer.concat([this.#rest, more]);
    }
  }

  async *bytes(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#more();
      const taken = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(taken.length);
      left -= taken.length;
      yield taken;
    }
  }

  async #more(): Promise<Uint8Array> {
    const { done, value } = await this.#source.next();
    if (done === true) throw new S3Refusal('IncompleteBody');
    return value;
  }
}

function malformedChunks(): S3Refusal {
  return new S3Refusal('InvalidRequest', 'The chunks of the body are malformed.');
}
