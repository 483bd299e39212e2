import { randomBytes } from 'node:crypto';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/http/app.ts';
import { serve } from '../../src/sandbox/http/serve.ts';
import type { Envelope } from '../../src/v4/envelope.ts';
import { type Answer, type Method, readBody, type Send } from '../../src/v4/send.ts';
import { scratchFolder } from '../support/world.ts';

/** The way in which a suite reaches the sandbox: in this process, or over a socket. */
export type Transport = 'in process' | 'over a socket';
export const transports: readonly Transport[] = ['in process', 'over a socket'];

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** Returns the envelope. Throws if the body is not JSON. */
  envelope<T = unknown>(): Envelope<T>;
  /** The first error's code. */
  readonly code: number | undefined;
}

/** The body of a test's request: bytes, a string, or a value to send as JSON. */
export type Payload = Uint8Array | string | { readonly json: unknown };

/** The token of the server itself, for calls over a socket. */
export const serverToken = 'the-token-of-a-lease';

/** A sandbox in a separate folder, with a clock that the test sets. */
export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly folder: string;
  /** The address of the server; empty if the sandbox is in process. */
  readonly apiBaseUrl: string;
  readonly clock: { now: number };
  /** Sends a call with any path below the base URL. Signs in unless `headers` contains credentials. */
  call(method: Method, path: string, body?: Payload, headers?: Record<string, string>): Promise<Reply>;
  /** Sends a call below the namespaces of the sandbox's account. */
  kv(method: Method, path: string, body?: Payload, headers?: Record<string, string>): Promise<Reply>;
  /** Creates a namespace and returns its id. */
  create(title?: string): Promise<string>;
  close(): Promise<void>;
}

export async function openTestSandbox(
  way: Transport,
  options: Partial<SandboxOptions> = {},
): Promise<TestSandbox> {
  const folder = scratchFolder('sandbox');
  const clock = { now: Date.UTC(2026, 10, 21, 10, 0, 0) };
  const sandbox = openSandbox({
    kind: 'sandbox',
    folder,
    persistRoot: folder,
    now: () => clock.now,
    random: randomBytes,
    ...options,
  });
  const served = way === 'over a socket' ? await serve(sandbox, { port: 0, token: serverToken }) : undefined;
  const send = served === undefined ? sandbox.send : createSocketSend(served.port);
  const local = sandbox.kind === 'local';
  const account = local ? 'anyone' : sandbox.access().accountId;
  const signed = local
    ? { authorization: `Bearer ${serverToken}` }
    : { authorization: `Bearer ${sandbox.access().apiToken}` };
  const place: TestSandbox = {
    sandbox,
    folder,
    apiBaseUrl: served?.apiBaseUrl ?? '',
    clock,
    async call(method, path, body, headers = signed) {
      const bytes = body === undefined ? undefined : toBytes(body);
      return toReply(await send({ method, path, headers, body: bytes, repeatable: false }));
    },
    kv: (method, path, body, headers = {}) =>
      place.call(method, `/accounts/${account}/storage/kv/namespaces${path}`, body, {
        ...signed,
        ...headers,
      }),
    async create(title = `namespace ${randomBytes(4).toString('hex')}`) {
      const reply = await place.kv('POST', '', { json: { title } });
      return reply.envelope<{ id: string }>().result?.id ?? reply.text;
    },
    async close() {
      await served?.close();
      sandbox.close();
    },
  };
  return place;
}

function toBytes(body: Payload): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body.json));
}

async function toReply(answer: Answer): Promise<Reply> {
  const bytes = Buffer.from(await readBody(answer.body));
  const envelope = <T>() => JSON.parse(bytes.toString('utf8')) as Envelope<T>;
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    // The text is decoded only on request, because decoding a large value takes longer than reading it.
    get text() {
      return bytes.toString('utf8');
    },
    envelope,
    get code() {
      return envelope().errors[0]?.code;
    },
  };
}

/** Returns a plain HTTP client that sends paths unchanged, because fetch would resolve `..`. */
function createSocketSend(port: number): Send {
  return ({ method, path, headers, body }) =>
    raw(port, { method, path: `/client/v4${path}`, headers: { ...headers } }, body as Uint8Array | undefined);
}

/** Sends one HTTP request to a loopback port and reads the whole body. */
export function raw(
  port: number,
  request_: { method: string; path: string; headers?: OutgoingHttpHeaders },
  body?: Uint8Array,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const length = body === undefined ? {} : { 'content-length': body.length };
  const headers = { ...length, ...request_.headers };
  const sent = request({ host: '127.0.0.1', port, agent: false, ...request_, headers }, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers as Record<string, string>,
        body: Buffer.concat(parts),
      }),
    );
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
