import { isUtf8 } from 'node:buffer';
import { type Agent, type IncomingMessage, request as openHttp, type ServerResponse } from 'node:http';
import { request as openHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { tlsReason } from '../../files/system-reason.ts';
import type { Auth } from '../../model/target.ts';
import { openAgent } from '../../v4/agent.ts';
import type { RequestPacer } from '../../v4/budget.ts';
import { refused } from '../../v4/envelope.ts';
import { guardCodes } from '../../v4/guard-codes.ts';
import { retryAfterSeconds } from '../../v4/retry-after.ts';
import { type Body, openStream, readBody } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { readSharedStart, type SharedAnswer, type SharedReads } from './shared-reads.ts';

/** The platform behind a guard, and the real credentials, which the guard adds to forwarded requests. */
export interface Upstream {
  /** The base URL, which ends in `/client/v4`, without a trailing slash. */
  readonly apiBaseUrl: string;
  /** Returns the credentials for a request, or undefined while the profile is locked. */
  auth(isRead: boolean): Auth | undefined;
  /** Returns the pacer for the request budget of these credentials. */
  pacer(auth: Auth): RequestPacer;
  readonly reads: SharedReads;
}

/** The platform's answer to a forwarded request, or the guard's refusal of a request that was not sent. */
export interface ForwardOutcome {
  /** HTTP status; undefined if the connection closed before the answer. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The etag of a stored object, if the S3 API answer has one in its headers. */
  readonly etag?: string | undefined;
}

/** Changes the body of an answer. */
export type Rewrite = (body: Buffer) => Buffer;

export interface ForwardOptions {
  readonly rewrite?: Rewrite | undefined;
  /** The body, if it has already been read. */
  readonly body?: Body | undefined;
}

export interface Forwarder {
  /**
   * Forwards a request and streams the answer back. `path` is relative to the base URL. Resolves when the answer has been sent to the
   * client or is lost; never rejects. Does not retry a request that could have reached the platform: that decision belongs to the client.
   */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    options?: ForwardOptions,
  ): Promise<ForwardOutcome>;
  close(): void;
}

/** Headers of a single connection (RFC 9110, 7.6.1), and headers that Node sets itself. */
export const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Request headers that are not forwarded: the client's own credentials, and headers that the guard itself handles. */
export const replacedHeaders = new Set([
  'authorization',
  'cookie',
  'expect',
  'host',
  'x-auth-email',
  'x-auth-key',
  'x-auth-user-service-key',
]);

/** Request headers that are not forwarded if the answer will be rewritten: a rewritten answer must not be compressed. */
const readableHeaders = new Set([...replacedHeaders, 'accept-encoding']);

/** Request headers that do not affect the answer to a read. */
const unsharedHeaders = new Set([...replacedHeaders, 'user-agent']);

/** Idle timeout of a connection to the platform, in milliseconds. */
export const silenceMs = 120_000;

/**
 * Like every other command, opens connections to the platform with verified TLS, the user's certificate authorities, and the proxy from the
 * environment.
 */
export function openForwarder({ apiBaseUrl, ...upstream }: Upstream, env: World['env']): Forwarder {
  const base = new URL(apiBaseUrl);
  const agent = openAgent(base.protocol, base.hostname, env, 256);
  const credentials = (isRead: boolean): Auth => {
    const auth = upstream.auth(isRead);
    if (auth === undefined) throw new LockedError();
    return auth;
  };
  const target = { ...upstream, base, agent, credentials };
  return {
    forward: (request, response, path, options) =>
      forwardRequest(target, { request, response, ...options }, path),
    close: () => agent.destroy(),
  };
}

/** The error for a profile that was locked again before a request was sent. */
class LockedError extends Error {}

interface Target {
  readonly base: URL;
  readonly agent: Agent;
  /** Returns the credentials for a request. Throws while the profile is locked. */
  credentials(isRead: boolean): Auth;
  pacer(auth: Auth): RequestPacer;
  readonly reads: SharedReads;
}

interface Exchange extends ForwardOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Returns header names and values, alternating. */
function formatCredentials(auth: Auth): readonly string[] {
  if ('token' in auth) return ['Authorization', `Bearer ${auth.token}`];
  return ['X-Auth-Email', auth.email, 'X-Auth-Key', auth.apiKey];
}

async function forwardRequest(target: Target, exchange: Exchange, path: string): Promise<ForwardOutcome> {
  const { request, response } = exchange;
  try {
    if (canJoin(exchange)) return await forwardShared(target, exchange, path);
    const answer = await sendPaced(target, exchange, path).finally(() => {
      if (!isRead(request)) target.reads.forget();
    });
    if (exchange.rewrite === undefined) await sendDown(answer, exchange);
    else await sendRewritten(answer, exchange, exchange.rewrite);
    return toOutcome(answer);
  } catch (error) {
    request.resume();
    if (response.headersSent) response.destroy();
    else if (error instanceof LockedError) return answerLocked(response);
    else if (!response.destroyed) answerUnreachable(response, target.base.host, error);
    return { status: undefined, requestId: undefined };
  }
}

function toOutcome({ statusCode, headers }: IncomingMessage): ForwardOutcome {
  const requestId = headers['cf-ray'];
  return { status: statusCode, requestId: Array.isArray(requestId) ? requestId[0] : requestId };
}

/** Returns whether a request can share its answer with identical requests from other clients. */
function canJoin({ request, rewrite }: Exchange): boolean {
  return request.method === 'GET' && rewrite === undefined && !hasBody(request);
}

/** Forwards a read, or waits for the answer to an identical read in flight. */
async function forwardShared(target: Target, exchange: Exchange, path: string): Promise<ForwardOutcome> {
  if (exchange.response.destroyed) throw disconnected();
  // The answer also depends on the other headers, such as the headers for conditions, ranges and encodings.
  const key = JSON.stringify([path, ...withoutHeaders(exchange.request, unsharedHeaders)]);
  const joined = target.reads.join(key);
  if (joined !== undefined) {
    const result = await joined;
    if (result === 'abandoned') return forwardShared(target, exchange, path);
    if (result !== 'unshared') return sendSharedDown(result, exchange);
    const answer = await sendPaced(target, exchange, path);
    await sendDown(answer, exchange);
    return toOutcome(answer);
  }
  const leading = target.reads.lead(key);
  try {
    const answer = await sendPaced(target, exchange, path);
    const { start, isWhole } = leading.stopJoining(answer)
      ? await readSharedStart(answer)
      : { start: undefined, isWhole: false };
    if (start !== undefined && isWhole) {
      const shared = { head: answer, body: start };
      leading.share(shared);
      return sendSharedDown(shared, exchange);
    }
    leading.endUnshared();
    await sendDown(answer, exchange, start);
    return toOutcome(answer);
  } catch (error) {
    if (exchange.response.destroyed) leading.abandon();
    else leading.fail(error);
    throw error;
  }
}

/** Sends an answer that has been read completely; sends nothing if the client has disconnected. */
function sendSharedDown({ head, body }: SharedAnswer, { request, response }: Exchange): ForwardOutcome {
  request.resume();
  if (!response.destroyed) {
    response.writeHead(head.statusCode ?? 502, head.statusMessage, withoutHeaders(head, new Set()));
    response.end(body);
  }
  return toOutcome(head);
}

/**
 * Waits for the request budget, then sends the request. A request is not sent, and uses none of the budget, if its client has disconnected
 * or its profile was locked meanwhile.
 */
async function sendPaced(target: Target, exchange: Exchange, path: string): Promise<IncomingMessage> {
  const { request, response } = exchange;
  // A response that is already destroyed emits no further 'close' event.
  if (response.destroyed) throw disconnected();
  const gone = new AbortController();
  const end = () => gone.abort();
  response.once('close', end);
  const auth = target.credentials(isRead(request));
  const { method = '' } = request;
  const settle = await target.pacer(auth).admit({ method, path, signal: gone.signal });
  response.off('close', end);
  try {
    if (response.destroyed) throw disconnected();
    target.credentials(isRead(request));
  } catch (error) {
    settle(undefined);
    throw error;
  }
  const answer = await sendUpstream(target, exchange, path, auth);
  settle({ status: answer.statusCode ?? 502, headers: readLimitHeaders(answer) });
  return answer;
}

function disconnected(): Error {
  return new Error('the client has disconnected');
}

function readLimitHeaders({ headers }: IncomingMessage): Record<string, string> {
  const after = headers['retry-after'];
  const names = ['ratelimit', 'ratelimit-policy'] as const;
  return {
    ...Object.fromEntries(
      names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
    ),
    ...(after !== undefined && { 'retry-after': retryAfterSeconds(after, Date.parse(headers.date ?? '')) }),
  };
}

/** Sends the request and resolves when the answer starts. */
function sendUpstream(
  target: Target,
  { request, response, rewrite, body }: Exchange,
  path: string,
  auth: Auth,
): Promise<IncomingMessage> {
  const { base, agent } = target;
  const headers = [
    ...withoutHeaders(request, rewrite === undefined ? replacedHeaders : readableHeaders),
    'Host',
    base.host,
    ...formatCredentials(auth),
    ...('transfer-encoding' in request.headers ? ['Transfer-Encoding', 'chunked'] : []),
  ];
  const open = base.protocol === 'https:' ? openHttps : openHttp;
  const attempt = (isRetry: boolean): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = open({
        agent,
        protocol: base.protocol,
        hostname: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port,
        method: request.method,
        path: base.pathname + path,
        headers,
        timeout: silenceMs,
      });
      const isBodyless = !hasBody(request);
      sent.once('response', resolve);
      sent.once('timeout', () => sent.destroy(new Error('no data in time')));
      sent.on('error', (error) => {
        // The platform may close an idle connection just when it is reused. Only reads are repeated.
        const isStale = sent.reusedSocket && isBodyless && isRead(request) && !isRetry && isReset(error);
        if (isStale && !response.destroyed) attempt(true).then(resolve, reject);
        else reject(error);
      });
      response.once('close', () => sent.destroy());
      if (isBodyless) sent.end();
      // A failure is reported as an error of `sent`, unless the answer has already started.
      else pipeline(body === undefined ? request : openStream(body), sent).catch(() => undefined);
    });
  return attempt(false);
}

/** Decodes a header as UTF-8 if it is valid UTF-8: Node returns the bytes as Latin-1. */
export function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/** Returns the program name that a client sent. */
export function readAgent({ headers }: IncomingMessage): string | undefined {
  const agent = headers['user-agent'];
  return agent === undefined ? undefined : decodeHeader(agent);
}

/**
 * Returns an error message if a header that allows only one value occurs more than once; otherwise undefined. Node keeps the first value of
 * such a header, but the guard would forward all values, and the platform could use a different one.
 */
export function findRepeatedHeader({ headersDistinct }: IncomingMessage): string | undefined {
  const found = Object.entries(headersDistinct).find(
    ([name, values = []]) => values.length > 1 && singleHeaders.has(name),
  );
  return found === undefined ? undefined : `The header ${found[0]} must be sent only once.`;
}

/** Request headers for which Node keeps only the first of several values (Node's documentation of `message.headers`). */
const singleHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'user-agent',
]);

/** Returns whether a request has a body, or may have one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Streams an answer to the client. `start` is the part of the answer that was already read. */
export async function sendDown(
  answer: IncomingMessage,
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  start?: Buffer,
): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutHeaders(answer, new Set()));
  response.flushHeaders();
  if (start !== undefined) response.write(start);
  await pipeline(answer, response);
  request.resume();
}

/** Maximum length of an answer that is rewritten, in bytes. */
const maxRewrittenBytes = 1024 * 1024;

async function sendRewritten(
  answer: IncomingMessage,
  { request, response }: Exchange,
  rewrite: Rewrite,
): Promise<void> {
  const body = rewrite(Buffer.from(await readBody(answer, maxRewrittenBytes)));
  const headers = withoutHeaders(answer, new Set(['content-length']));
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, [
    ...headers,
    'Content-Length',
    String(body.length),
  ]);
  response.end(body);
  request.resume();
}

/** Returns header names and values, alternating, without connection headers and without the headers in `removed`. */
function withoutHeaders({ rawHeaders, headers }: IncomingMessage, removed: ReadonlySet<string>): string[] {
  const named = (headers.connection ?? '').toLowerCase().split(/[\s,]+/);
  return rawHeaders.filter((_, index) => {
    const name = (rawHeaders[index - (index % 2)] ?? '').toLowerCase();
    return !connectionHeaders.has(name) && !removed.has(name) && !named.includes(name);
  });
}

/** Refuses a request that was not sent. */
function answerLocked(response: ServerResponse): ForwardOutcome {
  const message = 'Guard: not sent: the profile was locked again while the request waited.';
  const { status, headers, body } = refused(403, guardCodes.refused, message);
  if (!response.destroyed) response.writeHead(status, headers).end(body);
  return { status, requestId: undefined };
}

function answerUnreachable(response: ServerResponse, host: string, error: unknown): void {
  const message = `Guard: ${describeUnreachable(host, error)}`;
  const { status, headers, body } = refused(502, guardCodes.unreachable, message);
  response.writeHead(status, headers).end(body);
}

/** Returns the message about a platform that cannot be reached. The message does not mention the guard. */
export function describeUnreachable(host: string, error: unknown): string {
  const reason = error instanceof Error ? (tlsReason(error.message) ?? error.message) : String(error);
  return `cannot reach ${host}: ${reason}`;
}
