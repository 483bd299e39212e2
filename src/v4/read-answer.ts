import { isProblem, Problem } from '../model/problem.ts';
import { type Answer, type Call, readBody, readStart } from './send.ts';

/** Maximum number of bytes to read from a refusal. Refusals are short, and the status is enough to report a longer refusal. */
const refusalLimit = 32 * 1024 * 1024;

/**
 * Reads a response's body into memory. For an error, reads at most the first 32 MiB. Any other body is refused when it exceeds `limit`
 * bytes, and the rest is not read.
 */
export async function readAnswer(answer: Answer, call: Call, limit: number): Promise<Uint8Array> {
  if (answer.status >= 400) return readStart(answer.body, refusalLimit);
  try {
    return await readBody(answer.body, limit);
  } catch (error) {
    throw error instanceof RangeError ? tooLong(call, limit, error) : error;
  }
}

/** Yields a body as it arrives, and refuses it when it exceeds `limit` bytes. */
export async function* limitedBody(
  body: AsyncIterable<Uint8Array>,
  call: Call,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw tooLong(call, limit, new RangeError(`longer than ${limit} bytes`));
    yield chunk;
  }
}

/** Returns whether a response was refused because it is too long. */
export function isTooLong(error: unknown): boolean {
  return isProblem(error) && error.cause instanceof RangeError;
}

function tooLong(call: Call, limit: number, cause: RangeError): Problem {
  const size = limit >= 1024 * 1024 ? `${Math.floor(limit / 1024 / 1024)} MiB` : `${limit} bytes`;
  const message = `The response to ${call.method} ${barePath(call)} is longer than ${size}; the rest was not read.`;
  return new Problem('refused', message, {
    cause,
    hint: 'The platform never sends such long responses. Check the base URL, and any proxy between edgectl and the platform.',
  });
}

/** Returns the path without its query, because queries contain cursors that are of no use to a reader. */
export function barePath(call: Call): string {
  return call.path.split('?', 1)[0] ?? call.path;
}
