import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../../../model/loopback.ts';
import { Problem } from '../../../model/problem.ts';

/** A running HTTP server for metrics. */
export interface MetricsServer {
  /** URL of the metrics, for example `http://127.0.0.1:9100/metrics`. */
  readonly url: string;
  close(): void;
}

/**
 * Serves the result of `text` at `/metrics` on 127.0.0.1; port 0 selects a free port. Throws if the port is in use. Refuses requests whose
 * Host header is not a loopback name: a web page could send such requests through DNS rebinding.
 */
export async function serveMetrics(port: number, text: () => string): Promise<MetricsServer> {
  const server = createServer((request, answer) => {
    const host = `http://${request.headers.host ?? ''}`;
    const isOurs = URL.canParse(host) && isLoopback(new URL(host).hostname) && request.method === 'GET';
    const found = isOurs && request.url?.split('?')[0] === '/metrics';
    answer.writeHead(found ? 200 : isOurs ? 404 : 403, { 'content-type': 'text/plain; version=0.0.4' });
    answer.end(found ? text() : '');
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem('system', `Cannot serve metrics on port ${port}: ${reason}.`, { cause: error });
  }
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
