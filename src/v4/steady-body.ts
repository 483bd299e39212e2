import type { Readable } from 'node:stream';
import { Problem } from '../model/problem.ts';
import { waitWords } from './retry-after.ts';

/**
 * How slowly an answer may come. A line of 136 bytes a second is slower than any that is in use, and a download over one
 * that is faster may take as long as it takes; who wants an answer whole waits a quarter of an hour at most. Times are
 * milliseconds, and only those in which the reader waits count, for the window those behind the first bytes.
 */
const slowest = { window: 30_000, bytes: 4096, whole: 15 * 60_000, refusal: 30_000 };

const longest = { refusal: slowest.refusal, whole: slowest.whole, download: Number.POSITIVE_INFINITY };

export interface SteadyOptions {
  /** Milliseconds since the UNIX epoch. If omitted, only silence is detected. */
  readonly now: (() => number) | undefined;
  /** Milliseconds that the reader waits for a byte at most. */
  readonly silence: number;
  /** The kind of body: a refusal, which is short, an answer that is wanted whole and in memory, or a download. */
  readonly kind: keyof typeof longest;
  /** The Problem of a failure of the stream. */
  problemOf(error: unknown): Problem;
}

/**
 * Yields the chunks of a stream. Refuses with `unreachable` one that is silent or comes too slowly, and with `refused`
 * one that is wanted whole, or a refusal, and does not end. A reader that stops, or never begins, closes the stream.
 */
export function steadyBody(stream: Readable, options: SteadyOptions): AsyncIterable<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  const pace = new Pace(longest[options.kind]);
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const begun = options.now?.() ?? 0;
    const silence = setTimeout(() => stream.destroy(silent(options.silence)), options.silence);
    try {
      const chunk = await chunks.next();
      if (chunk.done !== true) pace.take((options.now?.() ?? 0) - begun, chunk.value.length);
      return chunk;
    } catch (error) {
      stream.destroy();
      throw options.problemOf(error);
    } finally {
      clearTimeout(silence);
    }
  };
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    stream.destroy();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

class Pace {
  readonly #longest: number;
  #hasBegun = false;
  #total = 0;
  #waited = 0;
  #bytes = 0;

  constructor(most: number) {
    this.#longest = most;
  }

  take(waited: number, bytes: number): void {
    this.#total += waited;
    // Before its first bytes an answer is silent, not slow: a server may say early that it has one, and make it then.
    this.#waited += this.#hasBegun ? waited : 0;
    this.#bytes += bytes;
    this.#hasBegun = true;
    if (this.#total > this.#longest) throw endless(this.#longest);
    if (this.#waited < slowest.window) return;
    if (this.#bytes < slowest.bytes) throw tooSlow(`${this.#bytes} bytes in 30 seconds`);
    this.#waited = 0;
    this.#bytes = 0;
  }
}

function silent(milliseconds: number): Problem {
  return tooSlow(`nothing came for ${milliseconds / 1000} seconds`);
}

function tooSlow(how: string): Problem {
  return new Problem('unreachable', `The answer comes too slowly: ${how}.`, { hint: 'Try again later.' });
}

function endless(milliseconds: number): Problem {
  const time = waitWords(milliseconds);
  return new Problem('refused', `The answer has not ended after ${time}; it was not read further.`, {
    hint: 'Is the line very slow, or the platform at fault? Smaller batches make smaller answers.',
  });
}
