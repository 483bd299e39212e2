import { Readable } from 'node:stream';
import { checkServerIdentity, TLSSocket } from 'node:tls';
import got, { RequestError, type Response } from 'got';
import { tlsReason } from '../files/system-reason.ts';
import { isLoopback, isOwnMachine } from '../model/loopback.ts';
import { isProblem, Problem } from '../model/problem.ts';
import type { Remedy } from '../model/remedy.ts';
import type { Auth } from '../model/target.ts';
import { openAgent } from './agent.ts';
import { barePath } from './read-answer.ts';
import { retryAfterSeconds } from './retry-after.ts';
import type { Answer, Call, Send } from './send.ts';
import { steadyBody } from './steady-body.ts';
import { changesSomething, unknownOutcome } from './unknown-outcome.ts';

/** Credentials that sign each request, including each retry, separately. */
export interface Signing {
  /** Returns the headers that sign a call. */
  sign(call: Call): Record<string, string>;
  /** The secret, which must be removed from output. */
  readonly secret: string;
}

export interface RemoteOptions {
  /** The base URL without a trailing slash. For the v4 API, it ends in `/client/v4`. */
  readonly apiBaseUrl: string;
  readonly auth: Auth | Signing;
  readonly userAgent: string;
  /** The environment, for HTTP_PROXY, HTTPS_PROXY and NO_PROXY in upper or lower case. Requests to this machine do not use a proxy. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Returns the current time in milliseconds since the UNIX epoch. If omitted, slow responses are not detected, and a Retry-After with a
   * date is ignored.
   */
  readonly now?: () => number;
  /** Milliseconds without data after which a connection is closed (default: a minute). */
  readonly silence?: number;
}

/** A `Send` that must be closed, because it keeps connections open. */
export interface RemoteSend {
  readonly send: Send;
  close(): void;
}

const maxSilenceMs = 60_000;

const timeouts = {
  lookup: 10_000,
  connect: 10_000,
  secureConnect: 10_000,
  response: 120_000,
};

/**
 * Opens connections to a platform and sends HTTP requests: with keep-alive and timeouts, with bodies streamed in both directions, and
 * without following redirects, so that credentials are never forwarded. Does not retry (see `withRetries`). Rejects with `unreachable`, or
 * with `interrupted` if the signal was aborted.
 */
export function openRemote(options: RemoteOptions): RemoteSend {
  const { protocol, hostname } = new URL(options.apiBaseUrl);
  const agent = openAgent(protocol, hostname, options.env);
  const send: Send = (call) => {
    const headers = { 'user-agent': options.userAgent, ...authHeaders(options.auth, call) };
    const stream = got.stream(options.apiBaseUrl + call.path, {
      method: call.method,
      headers: { ...call.headers, ...contentLength(call), ...headers },
      ...toStreamBody(call),
      // A caller can request compressed bytes as they are stored, without decompression.
      decompress: call.headers['accept-encoding'] !== 'identity',
      agent: { [protocol === 'https:' ? 'https' : 'http']: agent },
      // Passes Node's own `checkServerIdentity`, because got would otherwise load it even for calls without TLS.
      https: { checkServerIdentity: (name, certificate) => checkServerIdentity(name, certificate) },
      timeout: { ...timeouts, socket: options.silence ?? maxSilenceMs },
      retry: { limit: 0 },
      throwHttpErrors: false,
      followRedirect: false,
      ...(call.signal ? { signal: call.signal } : {}),
    });
    // For a method that allows a body, got waits until the body ends.
    if (call.body === undefined && call.method !== 'GET') stream.end();
    // A paused reader, for example a pager, must not count as a silent server. `steadyBody` distinguishes a paused reader from a silent
    // server.
    stream.once('request', (request) => request.once('response', () => request.setTimeout(0)));
    return toAnswer(stream, call, options);
  };
  return {
    send,
    close: () => agent.destroy(),
  };
}

function authHeaders(auth: Auth | Signing, call: Call): Record<string, string> {
  if ('sign' in auth) return auth.sign(call);
  if ('token' in auth) return { authorization: `Bearer ${auth.token}` };
  return { 'x-auth-email': auth.email, 'x-auth-key': auth.apiKey };
}

/**
 * Converts the body to a stream, because got writes bytes in pieces. If the response starts before got has checked for the end of the
 * pieces, got destroys the request and the response body.
 */
function toStreamBody({ body }: Call): { body?: Readable } {
  if (body === undefined) return {};
  if (!(body instanceof Uint8Array)) return { body: Readable.from(body(), { objectMode: false }) };
  // Shares the memory instead of copying it, because a bulk body can be 24 MB.
  const { buffer, byteOffset, length } = body;
  return { body: Readable.from(Buffer.from(buffer, byteOffset, length), { objectMode: false }) };
}

/** Returns the length of a body of bytes. got does not know the length of a stream, and would use chunked encoding without this header. */
function contentLength({ body }: Call): Record<string, string> {
  return body instanceof Uint8Array ? { 'content-length': String(body.length) } : {};
}

type GotStream = ReturnType<typeof got.stream>;

function toAnswer(stream: GotStream, call: Call, options: RemoteOptions): Promise<Answer> {
  const { now, silence = maxSilenceMs } = options;
  const toProblem = (error: unknown): Problem => {
    const isLost = changesSomething(call) && !call.repeatable && wasSent(stream);
    return connectionProblem(error, call, options, isLost);
  };
  return new Promise((resolve, reject) => {
    stream.once('response', (response: Response) => {
      const whole = call.wholeAnswer === undefined ? 'download' : 'whole';
      const kind = response.statusCode >= 400 ? 'refusal' : whole;
      resolve({
        status: response.statusCode,
        headers: toHeaders(response, now),
        body: steadyBody(stream, { now, silence, kind, toProblem }),
      });
    });
    stream.once('error', (error) => reject(toProblem(error)));
  });
}

/** Returns the response's headers. Retry-After is converted to seconds, whether it is a number or a date. */
function toHeaders({ headers }: Response, now: RemoteOptions['now']): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = Array.isArray(value) ? value.join(', ') : value;
    const isDate = name === 'retry-after' && now !== undefined;
    return [[name, isDate ? retryAfterSeconds(text, now()) : text] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns whether the connection was established, so that the platform may have received the call. */
function wasSent({ socket, timings }: GotStream): boolean {
  return socket instanceof TLSSocket ? socket.authorized : timings?.connect !== undefined;
}

/**
 * Returns the Problem of a broken connection. If `isLost` is set, the call was sent, and must not be repeated before its outcome is
 * checked.
 */
function connectionProblem(
  error: unknown,
  call: Call,
  { apiBaseUrl: baseUrl, env }: RemoteOptions,
  isLost: boolean,
): Problem {
  if (call.signal?.aborted) return new Problem('interrupted', 'Interrupted.', { cause: error });
  // A failure to read the request body is not a connection failure.
  const known = error instanceof RequestError ? error.cause : error;
  if (isProblem(known)) return isLost ? withHint(known, unknownOutcome) : known;
  const host = new URL(baseUrl).host;
  const reason = error instanceof RequestError ? formatReason(error) : String(error);
  if (isLost) {
    const message = `${call.method} ${barePath(call)} was sent to ${host}, but no complete response arrived: ${reason}.`;
    return new Problem('unreachable', message, {
      cause: error,
      hint: unknownOutcome,
      retryable: false,
    });
  }
  const by = findRefusingProxy(error, baseUrl, env);
  return new Problem('unreachable', `Cannot reach ${host}: ${reason}${by}.`, {
    cause: error,
    remedy: connectionAdvice(error, baseUrl),
  });
}

/**
 * Returns a phrase that names the proxy that refused the connection, without the proxy's credentials; an empty string if no proxy refused
 * it.
 */
function findRefusingProxy(error: unknown, baseUrl: string, env: RemoteOptions['env']): string {
  const { protocol, hostname } = new URL(baseUrl);
  if (!(error instanceof RequestError) || error.code !== 'ECONNREFUSED' || isOwnMachine(hostname)) return '';
  const name = `${protocol.slice(0, -1)}_proxy`;
  const variable = [name, name.toUpperCase()].find((one) => env[one]);
  const proxy = URL.parse(env[variable ?? ''] ?? '');
  if (proxy === null) return '';
  const port = proxy.port || (proxy.protocol === 'https:' ? '443' : '80');
  return error.message.endsWith(`:${port}`) ? ` by the proxy ${proxy.host} (${variable})` : '';
}

function withHint(problem: Problem, hint: string): Problem {
  return new Problem(problem.code, problem.message, { cause: problem, hint });
}

function formatReason(error: RequestError): string {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name could not be resolved';
    case 'ETIMEDOUT':
      return `no response in time (${error.message})`;
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return 'the connection was closed';
    case 'ERR_HTTP_CONTENT_LENGTH_MISMATCH':
      return `the connection was closed (${error.message.replace(/^.*: /, '')})`;
    default:
      return tlsReason(error.message) ?? error.message.replace(/\.$/, '');
  }
}

function connectionAdvice(error: unknown, baseUrl: string): Remedy {
  const refused = error instanceof RequestError && error.code === 'ECONNREFUSED';
  if (refused && isLoopback(new URL(baseUrl).hostname)) return { kind: 'look-at-sandbox' };
  return { kind: 'check-network' };
}
