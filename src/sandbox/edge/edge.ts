import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { asProblem } from '../../model/problem.ts';
import { loopbackOnly } from '../../model/sandbox/exposure.ts';
import { sendText, type Visit } from '../http/forward.ts';
import { listen, stopServer } from '../http/listen.ts';

/** A request to the edge. `host` is the Host header in lower case, without a port. */
export interface EdgeVisit extends Visit {
  readonly host: string;
}

/** Answers a request if the handler serves the request's host. Returns whether the request was answered. */
export type EdgeHandler = (visit: EdgeVisit) => Promise<boolean>;

export interface EdgeOptions {
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  /** The addresses to listen on, as in `Exposure` (default: 127.0.0.1). */
  readonly address?: string | undefined;
  /** Handlers, tried in order; the first handler that serves the host answers. */
  readonly handlers: readonly EdgeHandler[];
}

export interface Edge {
  /** `http://localhost:<port>`; in the address of a worker, the worker's name precedes `localhost`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, waits for requests in progress, then closes the remaining connections. */
  close(): Promise<void>;
}

const drainMs = 3000;

/**
 * Serves the edge over HTTP, by default only on 127.0.0.1. Requests are routed by their Host header. An unknown host results in
 * error 1016 (specification, Errors). Throws a Problem if the port is in use or not permitted.
 */
export async function serveEdge({
  port: wanted,
  address = loopbackOnly.address,
  handlers,
}: EdgeOptions): Promise<Edge> {
  const server = createServer((request, response) => {
    answer({ request, response, host: readHost(request) }, handlers).catch((error: unknown) =>
      answerFailure(response, error),
    );
  });
  const port = await listen(server, { port: wanted, address, of: 'api' });
  return { url: `http://localhost:${port}`, port, close: () => stopServer(server, drainMs) };
}

async function answer(visit: EdgeVisit, handlers: readonly EdgeHandler[]): Promise<void> {
  for (const handler of handlers) {
    if (await handler(visit)) return;
  }
  sendText(visit.response, 530, 'error code: 1016\n');
}

function readHost({ headers }: IncomingMessage): string {
  return (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
}

function answerFailure(response: ServerResponse, error: unknown): void {
  const { code, message } = asProblem(error);
  if (response.headersSent) response.destroy();
  else sendText(response, code === 'unreachable' ? 502 : 500, `${message}\n`);
}
