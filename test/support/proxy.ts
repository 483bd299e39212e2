import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that passes through the proxy. */
export interface Passing {
  /** The number of the request, starting at 1 for the first request of the proxy. */
  readonly number: number;
  readonly method: string;
  /** Path and query, as the client sent it. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A response of the platform, or a response that the proxy sends instead. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/**
 * The reaction of the proxy to a request. The proxy forwards the request (default); answers instead of the platform; drops the connection
 * before the platform receives the request (`cut`), after the platform has answered (`cut-after`), or after a number of bytes of the
 * response body; or changes the response.
 */
export type Fault =
  | undefined
  | 'cut'
  | 'cut-after'
  | { readonly cutBehind: number }
  | { readonly answer: ProxyAnswer }
  | { readonly change: (response: ProxyAnswer) => ProxyAnswer };

export interface FaultProxy {
  /** The base URL to use instead of the platform's: `http://127.0.0.1:<port>/client/v4`. */
  readonly apiBaseUrl: string;
  readonly port: number;
  /** All requests so far. */
  readonly passed: readonly Passing[];
  /** Sets the function that decides about each later request; the function can be asynchronous. */
  use(decide: (passing: Passing) => Fault | Promise<Fault>): void;
  close(): Promise<void>;
}

/** Opens a loopback proxy that simulates network and platform faults, in front of a served sandbox. */
export async function openProxy(apiBaseUrl: string): Promise<FaultProxy> {
  const upstream = new URL(apiBaseUrl);
  const passed: Passing[] = [];
  let decide: (passing: Passing) => Fault | Promise<Fault> = () => undefined;
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => incoming.socket.destroy());
  });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const { method = '', url: path = '', headers } = incoming;
    const passing: Passing = { number: passed.length + 1, method, path, headers, body };
    passed.push(passing);
    const fault = await decide(passing);
    if (fault === 'cut') incoming.socket.destroy();
    else if (typeof fault === 'object' && 'answer' in fault) reply(response, fault.answer);
    else {
      const answer = await forward(upstream, passing);
      if (fault === 'cut-after') incoming.socket.destroy();
      else if (fault !== undefined && 'cutBehind' in fault) replyInPart(response, answer, fault.cutBehind);
      else reply(response, fault === undefined ? answer : fault.change(answer));
    }
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    apiBaseUrl: `http://127.0.0.1:${port}${upstream.pathname}`,
    port,
    passed,
    use(next) {
      decide = next;
    },
    async close() {
      const closed = new Promise((settle) => server.close(settle));
      server.closeAllConnections();
      await closed;
    },
  };
}

function forward(upstream: URL, { method, path, headers, body }: Passing): Promise<ProxyAnswer> {
  return new Promise((settle, reject) => {
    const outgoing = request(
      {
        host: upstream.hostname,
        port: upstream.port,
        method,
        path,
        headers: { ...headers, host: upstream.host },
      },
      (incoming) => {
        incoming.toArray().then((chunks) => {
          const { 'transfer-encoding': _, ...rest } = incoming.headers;
          settle({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
            body: Buffer.concat(chunks),
          });
        }, reject);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function reply(response: ServerResponse, { status, headers, body }: ProxyAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function replyInPart(response: ServerResponse, { status, headers, body }: ProxyAnswer, bytes: number): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).flushHeaders();
  const cut = (): unknown => response.socket?.destroySoon();
  if (bytes === 0) cut();
  else response.write(Buffer.from(body).subarray(0, bytes), cut);
}

/** Returns a platform response that temporarily rejects a request. */
export function refusing(
  status: number,
  headers: Record<string, string> = {},
): { readonly answer: ProxyAnswer } {
  const errors = [{ code: 10_000 + status, message: 'not now' }];
  return {
    answer: {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ success: false, errors, messages: [], result: null }),
    },
  };
}
