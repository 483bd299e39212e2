import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isProblem } from '../../model/problem.ts';
import { type Exposure, loopbackOnly } from '../../model/sandbox/exposure.ts';
import { refused } from '../../v4/envelope.ts';
import { type Answer, type Call, closeBody, type Method, type Send } from '../../v4/send.ts';
import { splitEndpoint } from '../s3/account.ts';
import { answerProof, proofPath } from '../session/lease-proof.ts';
import { findToken, findTooWideReason } from '../session/tokens.ts';
import { ConnectionCut } from '../traffic/effect.ts';
import { openTraffic } from '../traffic/traffic.ts';
import { openTails } from '../workers/tails/tails.ts';
import { isTailUpgrade, serveTails } from '../workers/tails/upgrade.ts';
import type { Sandbox } from './app.ts';
import { secretsEqual } from './auth.ts';
import { codes } from './codes.ts';
import type { Platform } from './exchange.ts';
import { listen, stopServer } from './listen.ts';
import { clientAddress, foreignRequestReason } from './loopback.ts';
import { toStoreFault } from './store-fault.ts';

export interface ServeOptions {
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  /** The server's own secret, which gives access to everything; edgectl reads it from the server's lease. */
  readonly token: string;
  /** Whether to refuse requests that the platform only tolerates. */
  readonly strict?: boolean | undefined;
  /** Maximum wait for calls in progress on close, in milliseconds. */
  readonly drain?: number;
  /** Called for each request. */
  readonly onRequest?: (() => void) | undefined;
  /** The machines that may reach the server (default: only this machine). */
  readonly exposure?: Exposure | undefined;
}

export interface Served {
  /** `http://127.0.0.1:<port>/client/v4`. */
  readonly apiBaseUrl: string;
  readonly port: number;
  readonly token: string;
  /** Returns a listener for requests that another server accepts for one of these hosts. */
  answerBy(server: Server, hosts: readonly string[]): RequestListener;
  /** Stops listening, waits for calls in progress, then closes the remaining connections. */
  close(): Promise<void>;
}

const basePath = '/client/v4';
/** Maximum length in bytes of a request body: the largest object upload (300 MiB) with some overhead. */
const bodyLimit = 301 * 1024 * 1024;
/**
 * Idle timeout in milliseconds: longer than clients keep idle connections, because a connection must not be closed while the client sends a
 * request.
 */
const keepAlive = 65_000;
const methods: readonly string[] = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] satisfies readonly Method[];

/**
 * Serves a sandbox over HTTP, by default only on 127.0.0.1. Every request requires the server's token or credentials of the
 * sandbox (local data has none). Requests to other host names or from pages of other sites are refused (DNS rebinding). Throws a
 * Problem if the port is in use or not permitted.
 */
export async function serve(sandbox: Sandbox, options: ServeOptions): Promise<Served> {
  const exposure = options.exposure ?? loopbackOnly;
  const answerBy: Served['answerBy'] = (taking, hosts) => (request, response) => {
    const service = { server: taking, sandbox, token: options.token, hosts };
    options.onRequest?.();
    respond(service, request, response).catch(() => response.destroy());
  };
  const server = createServer({ shouldUpgradeCallback: isTailUpgrade });
  server.on('request', answerBy(server, exposure.hosts));
  server.keepAliveTimeout = keepAlive;
  const port = await listen(server, { port: options.port, address: exposure.address, of: 'api' });
  const { platform } = sandbox;
  // Local data is served only for a worker in development, without simulated faults or tails.
  if (sandbox.kind === 'sandbox') {
    platform.traffic = openTraffic({
      now: platform.now,
      findRoute: sandbox.findRoute,
      toS3Path: (path) => splitEndpoint(platform, { path, headers: {} }).path,
      strict: options.strict ? { tooWide: (call) => findTokenFault(platform, call) } : undefined,
    });
    platform.tails = openTails({
      baseUrl: `ws://127.0.0.1:${port}`,
      now: platform.now,
      random: platform.random,
      onChange: () => platform.edge?.tailsChanged?.(),
    });
    serveTails(server, platform, exposure.hosts);
  }
  return {
    apiBaseUrl: `http://127.0.0.1:${port}${basePath}`,
    port,
    token: options.token,
    answerBy,
    async close() {
      platform.tails?.close();
      platform.tails = undefined;
      await stopServer(server, options.drain ?? 3000);
    },
  };
}

function findTokenFault(platform: Platform, { headers }: Call): string | undefined {
  const value = /^Bearer +(\S+)/i.exec(headers['authorization'] ?? '')?.[1];
  const token = value === undefined ? undefined : findToken(platform, value);
  return token && findTooWideReason(token);
}

/** A server, its sandbox, and its token. */
interface Service {
  readonly server: Server;
  readonly sandbox: Sandbox;
  readonly token: string;
  /** Accepted host names in addition to the loopback names. */
  readonly hosts: readonly string[];
}

async function respond(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  // The signal is aborted only if the response is incomplete, because creating an abort error with a stack takes a twentieth of the time of
  // a request.
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const answer =
    answerWithoutRouting(service, request) ??
    (await answerPage(service, request)) ??
    (await answerRequest(service, request, gone.signal));
  // A closing server waits for its connections, so no connection may be kept alive.
  if (!service.server.listening) response.shouldKeepAlive = false;
  await writeAnswer(request, response, answer);
}

/** Returns the page for a browser; undefined for requests to the API. */
async function answerPage(
  { sandbox }: Service,
  { method, url }: IncomingMessage,
): Promise<Answer | undefined> {
  if (sandbox.kind !== 'sandbox' || url !== '/' || (method !== 'GET' && method !== 'HEAD')) return undefined;
  return (await import('../page/page.ts')).formatPageAnswer();
}

/** Answers requests that need no route: refused requests, and requests to prove the identity of the server. */
function answerWithoutRouting(
  { sandbox, token, hosts }: Service,
  request: IncomingMessage,
): Answer | undefined {
  const { headers, url } = request;
  const reason = foreignRequestReason(headers, hosts);
  if (reason !== undefined) return refused(403, codes.unauthorized, reason);
  if (url === basePath + proofPath) {
    const proof = answerProof(headers, token);
    if (proof === undefined)
      return refused(403, codes.unauthorized, 'This request requires the lease token.');
    return { status: 204, headers: proof, body: nothing };
  }
  if (sandbox.kind === 'sandbox' || isBearer(headers.authorization, token)) return undefined;
  const words = 'Local data requires --local, or the token in lease.json in its folder.';
  return refused(401, codes.authenticationError, words);
}

function isBearer(authorization: string | undefined, token: string): boolean {
  const shown = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return shown !== undefined && secretsEqual(shown, token);
}

async function answerRequest(
  { sandbox, token }: Service,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<Answer> {
  if (request.method === 'OPTIONS') return { status: 204, headers: { allow }, body: nothing };
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
  if (!isMethod(method))
    return withAllow(refused(405, codes.methodNotAllowed, `${method} method not allowed`));
  const path = pathBelowBase(request.url ?? '');
  if (path === undefined) return refused(404, codes.noRoute, 'No route for that URI');
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) {
    return refused(413, codes.bodyTooLong, `request body is longer than ${bodyLimit} bytes`);
  }
  try {
    const send: Send = async (call) => {
      try {
        return await sandbox.send(withOwnCredentials(sandbox, token, call));
      } catch (error) {
        return toProblemAnswer(error);
      }
    };
    const call = toCall(request, method, path, signal);
    const { traffic } = sandbox.platform;
    return await (traffic === undefined ? send(call) : traffic.answer(call, send));
  } catch (error) {
    if (error instanceof ConnectionCut) throw error;
    return refused(500, codes.internalError, 'internal error');
  }
}

/** Answers a call that failed because of unusable data. Rethrows other errors. */
function toProblemAnswer(error: unknown): Answer {
  if (!isProblem(error)) throw error;
  const { status, message } = toStoreFault(error);
  const answer = refused(status, codes.internalError, message);
  return status === 507 ? { ...answer, headers: { ...answer.headers, ...noRetry } } : answer;
}

/** Replaces the server's token with the sandbox's own credentials. */
function withOwnCredentials(sandbox: Sandbox, token: string, call: Call): Call {
  if (sandbox.kind === 'local' || !isBearer(call.headers['authorization'], token)) return call;
  return { ...call, headers: { ...call.headers, authorization: `Bearer ${sandbox.access().apiToken}` } };
}

/** A header that prevents retries by the official SDKs, which retry after every status of 500 or more. */
const noRetry = { 'x-should-retry': 'false' };

const nothing = new Uint8Array(0);

const allow = ['HEAD', 'OPTIONS', ...methods].join(', ');

function withAllow(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, allow } };
}

function isMethod(method: string): method is Method {
  return methods.includes(method);
}

function pathBelowBase(url: string): string | undefined {
  return url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : undefined;
}

function toCall(request: IncomingMessage, method: Method, path: string, signal: AbortSignal): Call {
  return {
    method,
    path,
    headers: readHeaders(request),
    body: bodyReader(request),
    repeatable: false,
    signal,
    from: clientAddress(request),
  };
}

/** Returns the headers of a request. Several values of one name are joined. */
export function readHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

/** Returns a function that opens the body of a request, which can be read once; undefined if there is no body. */
export function bodyReader(request: IncomingMessage): (() => AsyncIterable<Uint8Array>) | undefined {
  const { headers } = request;
  const isThere = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  // The stream stays open if its reader stops early, because the response uses the same connection.
  return isThere ? () => request.iterator({ destroyOnReturn: false }) : undefined;
}

/** Writes an answer, and reads the rest of the request body, so that the connection can be reused. */
export async function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  if (response.destroyed) return closeBody(answer);
  await write(request, response, answer);
  if (!request.destroyed) request.resume();
}

/**
 * Maximum length in bytes of a body that is joined with the headers for one write. Encoding the body as latin1 keeps its bytes unchanged.
 * Gain: 8 % of the processor time for reading a key. Bench: npm run bench -- sandbox.
 */
const maxJoinedBytes = 16 * 1024;

async function write(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers, body } = answer;
  const isEmpty = status === 204 || status === 304;
  const length = body instanceof Uint8Array && !isEmpty ? { 'content-length': body.length } : {};
  // A response to HEAD may contain the length of the body that it omits.
  response.writeHead(status, { ...length, ...headers });
  if (request.method === 'HEAD' || isEmpty) {
    response.end();
    await closeBody(answer);
  } else if (body instanceof Uint8Array) {
    if (body.length > maxJoinedBytes) response.end(body);
    else response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
  } else await pipeline(body, response);
}
