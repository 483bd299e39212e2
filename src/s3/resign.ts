import { createHash } from 'node:crypto';
import {
  BodyReader,
  ChunkSignatures,
  malformedChunks,
  readChunks,
  streamings,
  trailerSignature,
} from './chunks.ts';
import { S3Refusal } from './refusal.ts';
import { sha256 } from './signature.ts';
import { type Claim, signaturesEqual } from './verify.ts';

/** The signature of a request to the platform, from which those of its chunks continue. */
export type NewSignature = ConstructorParameters<typeof ChunkSignatures>[1] & { readonly secret: string };

/**
 * Maximum length of a signed chunk, in bytes. Each chunk is kept in memory until its signature is checked. The chunks of SDKs have up to
 * 1 MiB.
 */
const maxChunkBytes = 16 * 1024 * 1024;

/**
 * Returns the body of a request with a valid signature, for the same request with a new one. The new body has the same length. Throws an
 * `S3Refusal` before its last byte if the body is not the signed one, so that an incomplete request cannot be taken as complete:
 *
 * - SHA-256 in the signature: the last bytes follow once it matches.
 * - signed chunks: each follows once its signature matches, with a new signature; signed trailers too.
 * - unsigned chunks: the format is checked, and the bytes stay unchanged.
 * - UNSIGNED-PAYLOAD: unchanged; the client has not signed it.
 */
export function resignBody(
  body: AsyncIterable<Uint8Array>,
  claim: Claim,
  secret: string,
  renewed: NewSignature,
): AsyncIterable<Uint8Array> {
  const { payload } = claim;
  if (payload === 'UNSIGNED-PAYLOAD') return body;
  if (/^[0-9a-f]{64}$/.test(payload)) return checkHash(body, payload);
  const streaming = streamings[payload];
  if (streaming === 'unsigned') return checkChunks(body);
  if (streaming === 'signed') {
    const isTrailed = payload.endsWith('-TRAILER');
    return resignChunks(
      body,
      new ChunkSignatures(secret, claim),
      new ChunkSignatures(renewed.secret, renewed),
      isTrailed,
    );
  }
  throw new S3Refusal('NotImplemented', `x-amz-content-sha256 ${payload} is not supported.`);
}

async function* checkHash(body: AsyncIterable<Uint8Array>, expected: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held: Uint8Array | undefined;
  for await (const bytes of body) {
    hash.update(bytes);
    if (held !== undefined) yield held;
    held = bytes;
  }
  if (hash.digest('hex') !== expected) throw new S3Refusal('XAmzContentSHA256Mismatch');
  if (held !== undefined) yield held;
}

async function* checkChunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new BodyReader(body);
  for await (const part of readChunks(reader, false)) {
    if (part.kind === 'last' && !(await reader.isAtEnd())) throw malformedChunks();
    yield part.kind === 'data' ? part.bytes : Buffer.from(part.raw, 'latin1');
  }
}

async function* resignChunks(
  body: AsyncIterable<Uint8Array>,
  given: ChunkSignatures,
  renewed: ChunkSignatures,
  isTrailed: boolean,
): AsyncGenerator<Uint8Array> {
  const reader = new BodyReader(body);
  let head = { raw: '', signature: '' };
  let data: Uint8Array[] = [];
  let trailers = '';
  let isSigned = false;
  for await (const part of readChunks(reader, true)) {
    if (part.kind === 'head') {
      if (part.length > maxChunkBytes)
        throw new S3Refusal('EntityTooLarge', `Signed chunks have a maximum of ${maxChunkBytes} bytes.`);
      head = { raw: part.raw, signature: part.signature ?? '' };
      data = [];
    } else if (part.kind === 'data') {
      data.push(part.bytes);
    } else if (part.kind === 'end') {
      const bytes = Buffer.concat(data);
      const hash = sha256(bytes);
      checkSigned(given.signChunk(hash), head.signature);
      yield Buffer.from(replaceSignature(head.raw, head.signature, renewed.signChunk(hash)), 'latin1');
      yield bytes;
      yield Buffer.from(part.raw, 'latin1');
    } else if (part.kind === 'trailer' && part.name === trailerSignature) {
      checkSigned(given.signTrailers(trailers), part.value);
      isSigned = true;
      yield Buffer.from(replaceSignature(part.raw, part.value, renewed.signTrailers(trailers)), 'latin1');
    } else if (part.kind === 'trailer') {
      // A trailer after the signature would not be signed.
      if (isSigned || !isTrailed) throw malformedChunks();
      trailers += `${part.name}:${part.value}\n`;
      yield Buffer.from(part.raw, 'latin1');
    } else {
      if (isTrailed !== isSigned || !(await reader.isAtEnd())) throw malformedChunks();
      yield Buffer.from(part.raw, 'latin1');
    }
  }
}

function checkSigned(expected: string, signature: string): void {
  if (!signaturesEqual(expected, signature)) throw new S3Refusal('SignatureDoesNotMatch');
}

/** Replaces the signature in a line by one of the same length. */
function replaceSignature(line: string, old: string, signature: string): string {
  return line.replace(old, signature);
}
