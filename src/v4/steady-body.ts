import type { Readable } from 'node:stream';
import { Problem } from '../model/problem.ts';
import { formatWait } from './retry-after.ts';

/**
 * Limits for slow responses, with times in milliseconds. 4,096 bytes in 30 seconds is slower than any connection in use. A faster download
 * may take any time, but a response that must be in memory as a whole may take at most a quarter of an hour, and a refusal 30 seconds.
 * Counts only the time for which the reader waits and, for `window`, only the time after the first bytes.
 */
const minSpeed = { window: 30_000, bytes: 4096, whole: 15 * 60_000, refusal: 30_000 };

const maxMs = { refusal: minSpeed.refusal, whole: minSpeed.whole, download: Number.POSITIVE_INFINITY };

export interface SteadyOptions {
  /** Returns the current time in milliseconds since the UNIX epoch. If omitted, only silence is detected. */
  readonly now: (() => number) | undefined;
  /** Maximum number of milliseconds that the reader waits for a byte. */
  readonly silence: number;
  /** The kind of body: a refusal, which is short; a response in memory as a whole; or a download. */
  readonly kind: keyof typeof maxMs;
  /** Converts a failure of the stream to a Problem. */
  toProblem(error: unknown): Problem;
}

/**
 * Yields the chunks of a stream. Throws `unreachable` if the stream is silent or too slow, and `refused` if a response that must be in
 * memory as a whole, or a refusal, does not end. If the reader stops reading, or never starts, the stream is closed.
 */
export function steadyBody(stream: Readable, options: SteadyOptions): AsyncIterable<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  const pace = new Pace(maxMs[options.kind]);
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const begun = options.now?.() ?? 0;
    const silence = setTimeout(() => stream.destroy(silentProblem(options.silence)), options.silence);
    try {
      const chunk = await chunks.next();
      if (chunk.done !== true) pace.take((options.now?.() ?? 0) - begun, chunk.value.length);
      return chunk;
    } catch (error) {
      stream.destroy();
      throw options.toProblem(error);
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
  readonly #maxMs: number;
  #hasBegun = false;
  #total = 0;
  #waited = 0;
  #bytes = 0;

  constructor(limitMs: number) {
    this.#maxMs = limitMs;
  }

  take(waited: number, bytes: number): void {
    this.#total += waited;
    // Until its first bytes arrive, a response counts as silent and not as slow, because a server may send headers early and compute the
    // body afterwards.
    this.#waited += this.#hasBegun ? waited : 0;
    this.#bytes += bytes;
    this.#hasBegun = true;
    if (this.#total > this.#maxMs) throw endlessBodyProblem(this.#maxMs);
    if (this.#waited < minSpeed.window) return;
    if (this.#bytes < minSpeed.bytes) throw tooSlowProblem(`${this.#bytes} bytes in 30 seconds`);
    this.#waited = 0;
    this.#bytes = 0;
  }
}

function silentProblem(milliseconds: number): Problem {
  return tooSlowProblem(`no data for ${milliseconds / 1000} seconds`);
}

function tooSlowProblem(how: string): Problem {
  return new Problem('unreachable', `The response is too slow: ${how}.`, { hint: 'Try again later.' });
}

function endlessBodyProblem(milliseconds: number): Problem {
  const time = formatWait(milliseconds);
  return new Problem('refused', `The response has not ended after ${time}; the rest was not read.`, {
    hint: 'The connection may be very slow, or the platform may be at fault. Smaller batches lead to smaller responses.',
  });
}
