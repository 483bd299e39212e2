import { createHash } from 'node:crypto';
import { BodyReader, ChunkSignatures, readChunks, streamings, trailerSignature } from '../../s3/chunks.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { signaturesEqual } from '../../s3/verify.ts';
import type { StoredChecksum } from '../../store/objects/details.ts';
import { openStream } from '../../v4/send.ts';
import type { S3Call } from './call.ts';
import { createMeter, findChecksumAlgorithm, isDigest, type Meter } from './checksum.ts';
import type { Verified } from './verify.ts';

/** Maximum number of bytes in one request, for an object or a part. */
const maxBytes = 5 * 1024 ** 3;

/** The body of a request. */
export interface OpenBody {
  /** Yields the decoded bytes of the body. Throws, at the last byte or earlier, if a checksum, the length or a signature is wrong. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Returns the checksum that the client sent before or after the bytes. Call this after the last byte. */
  checksum(): StoredChecksum | undefined;
}

/**
 * Opens the decoded body of a request. Chunks are decoded, and the length, SHA-256, MD5, checksum and signatures are checked while
 * streaming. A mismatch throws an `S3Refusal` before the body ends, so nothing is stored. `verified` is undefined for unsigned requests
 * from this process.
 */
export function openBody(call: S3Call, verified: Verified | undefined): OpenBody {
  const { headers } = call;
  const payload = verified?.payload ?? 'UNSIGNED-PAYLOAD';
  const isChunked = payload.startsWith('STREAMING-');
  const length = isChunked ? headers['x-amz-decoded-content-length'] : headers['content-length'];
  // The provider also refuses a body whose length is not known in advance (error 10033).
  if (length === undefined && headers['transfer-encoding'] !== undefined)
    throw new S3Refusal('MissingContentLength');
  checkLength(length, isChunked);
  const trailers: Trailers = new Map();
  const sent = findChecksum(headers, trailers);
  const checks = createChecks(headers, payload, sent);
  const bytes = async function* () {
    const raw = openStream(call.body);
    const decoded = isChunked ? decodeChunks(raw, openSignatures(payload, verified), trailers) : raw;
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

function openSignatures(payload: string, verified: Verified | undefined): ChunkSignatures | undefined {
  const streaming = streamings[payload];
  if (streaming === undefined || verified === undefined)
    throw new S3Refusal('NotImplemented', `x-amz-content-sha256 ${payload} is not implemented`);
  return streaming === 'signed' ? new ChunkSignatures(verified.signer.secret, verified) : undefined;
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

/**
 * Returns the checksum of a request. Refuses more than one checksum, because only one can be stored. Refuses a checksum that is not a
 * digest.
 */
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

/** Trailers after the last chunk, by lower-case name. */
type Trailers = Map<string, string>;

/**
 * Decodes a chunked body (`aws-chunked`), as sent by SDKs. Signed chunks are checked one by one. `trailers` is filled at the end.
 * Throws an `S3Refusal`.
 */
async function* decodeChunks(
  body: AsyncIterable<Uint8Array>,
  signatures: ChunkSignatures | undefined,
  trailers: Trailers,
): AsyncGenerator<Uint8Array> {
  let claimed = '';
  let hash = createHash('sha256');
  let signed = '';
  for await (const part of readChunks(new BodyReader(body), signatures !== undefined)) {
    if (part.kind === 'head') {
      claimed = part.signature ?? '';
      hash = createHash('sha256');
    } else if (part.kind === 'data') {
      if (signatures !== undefined) hash.update(part.bytes);
      yield part.bytes;
    } else if (part.kind === 'end') {
      checkEqual(signatures?.signChunk(hash.digest('hex')), claimed);
    } else if (part.kind === 'trailer' && part.name === trailerSignature) {
      checkEqual(signatures?.signTrailers(signed), part.value);
    } else if (part.kind === 'trailer') {
      trailers.set(part.name, part.value);
      signed += `${part.name}:${part.value}\n`;
    }
  }
}

function checkEqual(expected: string | undefined, given: string): void {
  if (expected !== undefined && !signaturesEqual(expected, given))
    throw new S3Refusal('SignatureDoesNotMatch');
}
