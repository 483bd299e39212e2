import { asProblem } from '../model/problem.ts';
import { readAnswer } from './read-answer.ts';
import { maxAttempts, maxWaitMs, readRetryAfter } from './retry-after.ts';
import { type Answer, type Call, closeBody, type Send } from './send.ts';

/** A retry that is about to start: the failure, the number of the next attempt, and the delay. */
export interface Retry {
  readonly call: Call;
  /** The number of the next attempt: 2 for the first retry. */
  readonly attempt: number;
  readonly waitMilliseconds: number;
  readonly reason: string;
}

export interface RetryOptions {
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Returns a random number in [0, 1), for jitter. */
  jitter(): number;
  onRetry?: ((retry: Retry) => void) | undefined;
  /** Maximum number of attempts, including the first (default: `maxAttempts`). */
  attempts?: number;
  /** Aborted when the session closes. Pending calls are then not retried. */
  closed?: AbortSignal;
}

/**
 * Retries repeatable calls after the statuses 408, 429, 500, 502, 503 and 504, broken connections, truncated responses, and empty responses
 * if an envelope is expected, with up to `attempts` attempts in total. The delay is Retry-After if the response contains it; otherwise 0.5,
 * 1 and 2 seconds, plus up to a quarter as jitter. If the requested delay is longer than `maxWaitMs`, returns the response.
 */
export function withRetries(send: Send, options: RetryOptions): Send {
  const attempts = options.attempts ?? maxAttempts;
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt >= attempts || !call.repeatable;
      const ended = (): boolean => call.signal?.aborted === true || options.closed?.aborted === true;
      const outcome = await attemptOnce(send, call, { last, ended });
      if ('answer' in outcome) return outcome.answer;
      const waitMilliseconds = outcome.wait ?? backOff(attempt, options.jitter());
      options.onRetry?.({ call, attempt: attempt + 1, waitMilliseconds, reason: outcome.reason });
      await options.sleep(waitMilliseconds, endedBy(call, options));
    }
  };
}

type Outcome = { answer: Answer } | { reason: string; wait?: number | undefined };

function endedBy({ signal }: Call, { closed }: RetryOptions): AbortSignal | undefined {
  return signal !== undefined && closed !== undefined
    ? AbortSignal.any([signal, closed])
    : (signal ?? closed);
}

interface Attempt {
  readonly last: boolean;
  /** Returns whether the caller no longer waits for the response. */
  ended(): boolean;
}

async function attemptOnce(send: Send, call: Call, { last, ended }: Attempt): Promise<Outcome> {
  try {
    const answer = await send(call);
    if (last) return { answer };
    const wait = readRetryAfter(answer);
    if (!isTemporary(answer.status) || (wait ?? 0) > maxWaitMs) {
      return withBody({ ...answer, body: await readBeginning(answer, call) }, call);
    }
    // Closes the body without reading it to its end, because the rest may be long. A new connection costs less time than the delay before
    // the next attempt.
    await closeBody(answer);
    const status = `HTTP ${answer.status}`;
    return { reason: wait === undefined ? status : `${status} with Retry-After`, wait };
  } catch (error) {
    const problem = asProblem(error);
    if (last || problem.code !== 'unreachable' || ended()) throw error;
    return { reason: problem.message };
  }
}

/**
 * Returns the response, or the reason for a retry. If an envelope is expected, an empty success response is a reason, because the response
 * must come from a server between this machine and the platform.
 */
function withBody(answer: Answer, call: Call): Outcome {
  const isEmpty = answer.body instanceof Uint8Array && answer.body.length === 0;
  if (!isEmpty || call.envelope !== true || answer.status >= 300) return { answer };
  return { reason: `An empty response (HTTP ${answer.status})` };
}

/**
 * Reads the part of a response body during which a retry is still invisible to the reader: the whole body if it is returned as a whole, or
 * the first bytes of a stream. A later interruption is reported to the reader, because the reader already has data.
 */
async function readBeginning(answer: Answer, call: Call): Promise<Answer['body']> {
  if (answer.body instanceof Uint8Array) return answer.body;
  if (call.wholeAnswer !== undefined) {
    return readAnswer(answer, call, call.wholeAnswer);
  }
  const rest = answer.body[Symbol.asyncIterator]();
  const first = await rest.next();
  return first.done ? new Uint8Array() : joinStream(first.value, rest);
}

/**
 * Returns a stream that begins with a chunk that was already read. This function is not a generator, because closing a generator that has
 * not started does not close the inner iterator.
 */
function joinStream(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  let waiting: Uint8Array | undefined = first;
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const value = waiting;
    waiting = undefined;
    return value === undefined ? rest.next() : { done: false, value };
  };
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    await rest.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

function isTemporary(status: number): boolean {
  return status === 429 || status === 500 || (status >= 502 && status <= 504) || status === 408;
}

function backOff(attempt: number, jitter: number): number {
  return Math.round(500 * 2 ** (attempt - 1) * (1 + jitter / 4));
}
