import { Readable } from 'node:stream';

/**
 * The only interface between edgectl and a platform. Production, a running sandbox, the sandbox in this process and a test's stub are each
 * a `Send`, and callers cannot distinguish them.
 */
export type Send = (call: Call) => Promise<Answer>;

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** One request. This type replaces the global `Request`, whose first use takes a third of Node's startup time. */
export interface Call {
  /** The API to which the path belongs, such as the S3 API for buckets (default: the v4 API). */
  readonly api?: 's3';
  readonly method: Method;
  /** The path relative to the base URL, with percent-encoded segments and the query: `/accounts/x/storage?prefix=a`. */
  readonly path: string;
  /** The headers, with lower-case names. The Send adds the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body | undefined;
  /** Whether the call can be repeated safely. Other calls are not retried. */
  readonly repeatable: boolean;
  /** Whether a POST changes nothing (for example `bulk/get`), so that a read-only session allows it. */
  readonly readsOnly?: boolean;
  /**
   * The maximum length in bytes of a response that must be in memory as a whole. Such a response is read as part of the attempt, so that a
   * truncated response can be retried.
   */
  readonly wholeAnswer?: number;
  /** Whether the response is the provider's envelope. If it is, an empty success response is invalid and is retried. */
  readonly envelope?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The address of the client, for a call that a server received. */
  readonly from?: string | undefined;
}

/** The body: bytes, or a function. The function opens a new stream of the same bytes for each attempt. */
export type Body = Uint8Array | (() => AsyncIterable<Uint8Array>);

/** One response. The body is read at most once. */
export interface Answer {
  /** The source of the credentials in words, for example "profile acme". The session sets this field for messages about refusals. */
  readonly source?: string;
  readonly status: number;
  /** The headers, with lower-case names. Several values of the same header are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Removes edgectl's credentials from strings about the response. Set by the `Send` that adds the credentials. */
  readonly redact?: (text: string) => string;
}

/** Returns the whole body. Throws a RangeError when the body exceeds `limit` bytes. */
export async function readBody(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  if (body instanceof Uint8Array) {
    if (body.length > limit) throw new RangeError(`longer than ${limit} bytes`);
    return body;
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > limit) throw new RangeError(`longer than ${limit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Returns the first `length` bytes of a body, and does not read the rest. */
export async function readStart(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  length: number,
): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body.subarray(0, length);
  const parts: Uint8Array[] = [];
  let read = 0;
  for await (const part of body) {
    parts.push(part);
    read += part.length;
    if (read >= length) break;
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** Closes a body that was not read to its end, including its file or connection. */
export async function closeBody({ body }: Pick<Answer, 'body'>): Promise<void> {
  if (body instanceof Uint8Array) return;
  if (body instanceof Readable) body.destroy();
  else await body[Symbol.asyncIterator]().return?.();
}

/** Returns a call's body as a stream. */
export async function* openStream(body: Body | undefined): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (body instanceof Uint8Array) yield body;
  else yield* body();
}
