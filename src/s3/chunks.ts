import { S3Refusal } from './refusal.ts';
import { hmac, type Scope, scopeText, sha256, signingKey } from './signature.ts';

// Chunked bodies (`aws-chunked`) of the S3 API, as specified by AWS ("Signature Calculations for the Authorization Header: Transferring
// Payload in Multiple Chunks").

/** The values of `x-amz-content-sha256` for chunked bodies, and whether the chunks are signed. */
export const streamings: Readonly<Record<string, 'signed' | 'unsigned'>> = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': 'signed',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': 'signed',
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': 'unsigned',
};

/** The name of the trailer that signs the other trailers. */
export const trailerSignature = 'x-amz-trailer-signature';

/** A part of a chunked body. Parts are yielded in the order of the body. `raw` is the line as sent, with its line break. */
export type ChunkPart =
  | {
      readonly kind: 'head';
      readonly raw: string;
      readonly length: number;
      readonly signature: string | undefined;
    }
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  /** The end of a chunk. The last chunk is empty, and `raw` at its end is also empty. */
  | { readonly kind: 'end'; readonly raw: string }
  | { readonly kind: 'trailer'; readonly raw: string; readonly name: string; readonly value: string }
  | { readonly kind: 'last'; readonly raw: string };

/** Maximum length in bytes of a chunk's header line, and of all trailers together. */
const maxLineBytes = 4096;

/** Parses a chunked body, whose chunks must be either all signed or all unsigned. Does not check signatures. Throws an `S3Refusal`. */
export async function* readChunks(reader: BodyReader, isSigned: boolean): AsyncGenerator<ChunkPart> {
  for (;;) {
    const raw = await reader.line();
    const [, size = '', signature] =
      /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?\r?\n$/i.exec(raw) ?? [];
    if (size === '' || (signature !== undefined) !== isSigned) throw malformedChunks();
    const length = Number.parseInt(size, 16);
    yield { kind: 'head', raw, length, signature };
    for await (const bytes of reader.bytes(length)) yield { kind: 'data', bytes };
    if (length === 0) {
      yield { kind: 'end', raw: '' };
      break;
    }
    const end = await reader.line();
    if (end.trim() !== '') throw malformedChunks();
    yield { kind: 'end', raw: end };
  }
  let count = 0;
  for (;;) {
    const raw = await reader.line();
    const line = raw.replace(/\r?\n$/, '');
    if (line === '') {
      yield { kind: 'last', raw };
      return;
    }
    count += line.length;
    if (count > maxLineBytes) throw malformedChunks();
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    yield { kind: 'trailer', raw, name, value };
  }
}

/** The signatures of a body's chunks. Each signature includes the previous signature; the first includes the signature of the request. */
export class ChunkSignatures {
  readonly #key: Buffer;
  readonly #prefix: string;
  #last: string;

  constructor(
    secret: string,
    { signature, time, day, region }: Scope & { readonly signature: string; readonly time: string },
  ) {
    this.#key = signingKey(secret, { day, region });
    this.#prefix = `${time}\n${scopeText({ day, region })}`;
    this.#last = signature;
  }

  /** Returns the signature of the next chunk. `hash` is the SHA-256 of its bytes, in hex. */
  signChunk(hash: string): string {
    return this.#sign('AWS4-HMAC-SHA256-PAYLOAD', `${sha256('')}\n${hash}`);
  }

  /** Returns the signature of the trailers. `text` contains a line `name:value` for each trailer. */
  signTrailers(text: string): string {
    return this.#sign('AWS4-HMAC-SHA256-TRAILER', sha256(text));
  }

  #sign(kind: string, hashes: string): string {
    const text = `${kind}\n${this.#prefix}\n${this.#last}\n${hashes}`;
    this.#last = hmac(this.#key, text).toString('hex');
    return this.#last;
  }
}

/** A reader of lines and bytes from a stream. */
export class BodyReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#source = body[Symbol.asyncIterator]();
  }

  /** Returns the next line with its line break. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(0x0a);
      if (end !== -1) {
        const line = Buffer.from(this.#rest.subarray(0, end + 1)).toString('latin1');
        this.#rest = this.#rest.subarray(end + 1);
        return line;
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

  /** Returns whether the stream has no more bytes. */
  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) return true;
      this.#rest = value;
    }
    return false;
  }

  async #more(): Promise<Uint8Array> {
    const { done, value } = await this.#source.next();
    if (done === true) throw new S3Refusal('IncompleteBody');
    return value;
  }
}

export function malformedChunks(): S3Refusal {
  return new S3Refusal('InvalidRequest', 'The chunks of the body are malformed.');
}
