import { createHash } from 'node:crypto';
import { hmac, scopeText, sha256, signingKey } from '../../s3/signature.ts';
import type { StoredChecksum } from '../../store/objects/details.ts';
import { openStream } from '../../v4/send.ts';
import type { S3Call } from './call.ts';
import { createMeter, findChecksumAlgorithm, isDigest, type Meter } from './checksum.ts';
import { S3Refusal } from './refusal.ts';
import { signaturesEqual, type Verified } from './verify.ts';

/** Maximum number of bytes in one request, for an object or a part. */
const maxBytes = 5 * 1024 ** 3;

/** The body of a request. */
export interface OpenBody {
  /** Its decoded bytes. A wrong checksum, length or signature throws at the end. */
  bytes(): AsyncIterable<Uint8Array>;
  /** The checksum of its bytes that the client sent, before or after them. Call it after the last byte. */
  checksum(): StoredChecksum | undefined;
}

/**
 * Opens the decoded body of a request. Chunks are decoded, and the length, SHA-256, MD5, checksum and signatures are checked
 * while streaming. A mismatch throws an `S3Refusal` at the end, before anything is stored. `verified` is undefined for unsigned
 * requests in this process.
 */
export function openBody(call: S3Call, verified: Verified | undefined): OpenBody {
  const { headers } = call;
  const payload = verified?.payload ?? 'UNSIGNED-PAYLOAD';
  const isChunked = payload.startsWith('STREAMING-');
  const length = isChunked ? headers['x-amz-decoded-content-length'] : headers['content-length'];
  // Also refused by the provider (its error 10033): a body whose end is known only when it comes.
  if (length === undefined && headers['transfer-encoding'] !== undefined)
    throw new S3Refusal('MissingContentLength');
  checkLength(length, isChunked);
  const trailers: Trailers = new Map();
  const sent = findChecksum(headers, trailers);
  const checks = createChecks(headers, payload, sent);
  const bytes = async function* () {
    const raw = openStream(call.body);
    const decoded = isChunked ? decodeChunks(raw, openSeal(payload, verified), trailers) : raw;
    let count = 0;
    for await (const chunk of decoded) {
      count += chunk.length;
      if (count > maxBytes) throw new S3Refusal('EntityTooLarge');
      for (const { meter } of checks) meter.update(chunk);
      yield chunk;
    }
    if (length !== undefined && count !== Number(length)) throw new S3Refusal('IncompleteBody');
    for (const { meter, check } of checks) check(meter);
  };
  return {
    bytes,
    checksum: () => sent && { algorithm: sent.algorithm, type: 'FULL_OBJECT', value: sent.value() ?? '' },
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

interface Check {
  readonly meter: Meter;
  check(meter: Meter): void;
}

function createChecks(headers: S3Call['headers'], payload: string, sent: SentChecksum | undefined): Check[] {
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
  if (sent !== undefined) {
    const words = `The ${sent.algorithm} you specified did not match the calculated checksum.`;
    add(createMeter(sent.algorithm), 'base64', sent.value, new S3Refusal('BadDigest', words));
  }
  return checks;
}

/** A checksum in the headers of a request, or in the trailers after its body. */
interface SentChecksum {
  readonly algorithm: StoredChecksum['algorithm'];
  value(): string | undefined;
}

/** Returns the checksum of a request. Refuses several, because one is stored, and one that is not a digest. */
function findChecksum(headers: S3Call['headers'], trailers: Trailers): SentChecksum | undefined {
  const inHeaders = Object.keys(headers);
  const behind = (headers['x-amz-trailer'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const sent = [
    ...inHeaders.map((name) => ({ name, value: () => headers[name] })),
    ...behind.map((name) => ({ name, value: () => trailers.get(name) })),
  ].flatMap(({ name, value }) => {
    const algorithm = findChecksumAlgorithm(name);
    return algorithm === undefined ? [] : [{ algorithm, value }];
  });
  const [first, ...more] = sent;
  if (more.length > 0)
    throw new S3Refusal(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  const value = first?.value();
  if (first !== undefined && value !== undefined && !isDigest(first.algorithm, value))
    throw new S3Refusal('InvalidDigest');
  return first;
}

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
