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

/** The signature of a request to the platform, on which the signatures of its chunks are based. */
export type NewSignature = ConstructorParameters<typeof ChunkSignatures>[1] & { readonly secret: string };

/**
 * Maximum length of a signed chunk, in bytes. Each chunk is kept in memory until its signature has been checked. SDKs use chunks of up to 1
 * MiB.
 */
const maxChunkBytes = 16 * 1024 * 1024;

/**
 * Converts the body of a validly signed request to the body of the same request with a new signature. The new body has the same length. If
 * the body is not the signed body, throws an `S3Refusal` before the last byte, so that the platform cannot mistake an incomplete request
 * for a complete one. The check depends on the signature:
 * - SHA-256 in the signature: the last bytes are returned after the SHA-256 matches.
 * - Signed chunks: each chunk is returned after its signature matches, with a new signature. Signed trailers are handled in the same way.
 * - Unsigned chunks: the format is checked, and the bytes are unchanged.
 * - UNSIGNED-PAYLOAD: the body is unchanged, because the client did not sign it.
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
        throw new S3Refusal('EntityTooLarge', `A signed chunk can be at most ${maxChunkBytes} bytes long.`);
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
      // A trailer after the trailers' signature would not be signed.
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

/** Replaces the signature in a line with a signature of the same length. */
function replaceSignature(line: string, old: string, signature: string): string {
  return line.replace(old, signature);
}
