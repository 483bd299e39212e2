import { createHash } from 'node:crypto';
import { hmac, scopeText, sha256, signingKey } from '../../s3/signature.ts';
import { S3Refusal } from './refusal.ts';
import { same, type Verified } from './verify.ts';

/** The longest line that a chunk begins with, and the longest trailer. */
const longestLine = 4096;

/** Headers behind the last chunk, by lower-case name. */
export type Trailers = Map<string, string>;

/**
 * The bytes in a body of chunks (`aws-chunked`), as SDKs send it. Signed chunks are checked one by one, each by the
 * signature of the one before; `trailers` is filled at the end. Throws an `S3Refusal`.
 */
export async function* unchunked(
  body: AsyncIterable<Uint8Array>,
  seal: Seal | undefined,
  trailers: Trailers,
): AsyncGenerator<Uint8Array> {
  const reader = new Reader(body);
  for (;;) {
    const line = await reader.line();
    const [, size = '', signature] =
      /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line) ?? [];
    if (size === '' || (signature === undefined) !== (seal === undefined)) throw malformed();
    const length = Number.parseInt(size, 16);
    const hash = createHash('sha256');
    for await (const bytes of reader.bytes(length)) {
      if (seal !== undefined) hash.update(bytes);
      yield bytes;
    }
    seal?.check(hash.digest('hex'), signature ?? '');
    if (length === 0) break;
    if ((await reader.line()) !== '') throw malformed();
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
    if (text.length > longestLine) throw malformed();
  }
}

/** The chain of signatures of a body's chunks. */
export class Seal {
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
    if (!same(this.#last, signature)) throw new S3Refusal('SignatureDoesNotMatch');
  }
}

/** Reads lines and runs of bytes from a stream. */
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
      if (this.#rest.length > longestLine) throw malformed();
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

function malformed(): S3Refusal {
  return new S3Refusal('InvalidRequest', 'The chunks of the body are malformed.');
}
