import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Passing, ProxyAnswer } from '../../support/proxy.ts';

/** A request, and its correct answer. */
export interface Exchange {
  readonly passing: Passing;
  readonly right: ProxyAnswer;
  readonly response: ServerResponse;
}

/** A function that responds with anything except the correct answer. */
export type Misbehave = (exchange: Exchange) => unknown;

/** Returns the method and path of a request, without the query: `GET /client/v4/user`. */
export function placeOf({ method, path }: Passing): string {
  return `${method} ${path.split('?', 1)[0]}`;
}

/**
 * The behavior of the server. The server answers correctly, but `misbehave` replaces the answers to the request at `place` (method and
 * path), or all answers if `place` is not set.
 */
export interface Conduct {
  readonly rightAnswer: (passing: Passing) => ProxyAnswer | Promise<ProxyAnswer>;
  readonly misbehave?: Misbehave;
  readonly place?: string | undefined;
}

export interface FaultyServer {
  readonly apiBaseUrl: string;
  readonly port: number;
  /** Requests since the behavior was last set. */
  readonly passed: readonly Passing[];
  /** Returns the number of requests whose answers are not complete. */
  held(): number;
  /** Sets the behavior for later requests, and closes open connections. */
  conduct(next: Conduct): void;
  close(): Promise<void>;
}

/** Starts a server on loopback, whose answers the test controls. */
export async function openFaultyServer(): Promise<FaultyServer> {
  const passed: Passing[] = [];
  let conduct: Conduct | undefined;
  let held = 0;
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    const passing: Passing = { number: passed.length + 1, method, path, headers, body };
    passed.push(passing);
    held += 1;
    response.once('close', () => {
      held -= 1;
    });
    const now = conduct;
    if (now === undefined) throw new Error('the behavior of the server was not set');
    const right = await now.rightAnswer(passing);
    const isHere = now.place === undefined || now.place === placeOf(passing);
    if (now.misbehave === undefined || !isHere) reply(response, right);
    else await now.misbehave({ passing, right, response });
  };
  const server = createServer((incoming, response) => {
    // A client that disconnects does not cause an error of the server.
    response.on('error', () => undefined);
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    apiBaseUrl: `http://127.0.0.1:${port}/client/v4`,
    port,
    passed,
    held: () => held,
    conduct(next) {
      server.closeAllConnections();
      passed.length = 0;
      conduct = next;
    },
    async close() {
      const closed = new Promise((settle) => server.close(settle));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends an answer with a Content-Length. */
export function reply(response: ServerResponse, { status, headers, body }: ProxyAnswer): void {
  const isEmpty = status === 204 || status === 304;
  response.writeHead(status, { ...headers, ...(!isEmpty && { 'content-length': Buffer.byteLength(body) }) });
  response.end(isEmpty ? undefined : body);
}
