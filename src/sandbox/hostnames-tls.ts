import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';
import { Problem } from '../model/problem.ts';
import { edgeViewOf, hostnameHandler } from './edge-hostnames.ts';
import type { Platform } from './exchange.ts';
import { plain } from './forward.ts';
import { certificateOver } from './hostnames-route.ts';
import { upToDate } from './hostnames-run.ts';

export interface TlsEdge {
  /** `https://localhost:<port>`. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves the edge over TLS on 127.0.0.1: the certificate is the one issued for the name that the client sends (SNI);
 * without one the handshake fails. Refuses with a Problem when the port is in use or not allowed.
 */
export async function serveTlsEdge(platform: Platform, wanted: number): Promise<TlsEdge> {
  const handle = hostnameHandler(platform);
  const options = {
    SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
      contextFor(platform, name.toLowerCase()).then(
        (context) => done(null, context),
        (error: Error) => done(error),
      );
    },
  };
  const server = createServer(options, (request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
    handle({ request, response, host }).then(
      (answered) => answered || plain(response, 530, 'error code: 1016\n'),
      () => response.destroy(),
    );
  });
  const ready = once(server, 'listening');
  server.listen({ host: '127.0.0.1', port: wanted });
  try {
    await ready;
  } catch (error) {
    const hint = 'Choose another with --edge-tls-port N, or any free one with --edge-tls-port 0.';
    throw new Problem('refused', `Port ${wanted} cannot be used for the edge.`, { hint, cause: error });
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const versions: Readonly<Record<string, SecureVersion>> = {
  '1.0': 'TLSv1',
  '1.1': 'TLSv1.1',
  '1.2': 'TLSv1.2',
  '1.3': 'TLSv1.3',
};

/** The issued certificate with the hostname's own TLS settings; undefined when there is none. */
async function contextFor(platform: Platform, name: string): Promise<SecureContext | undefined> {
  const found = await upToDate(platform, () => certificateOver(edgeViewOf(platform), name));
  if (found?.keyed === undefined) return undefined;
  const minVersion = versions[found.state.record.ssl?.settings?.min_tls_version ?? '1.2'];
  const { certificate: cert, privateKey: key } = found.keyed;
  return createSecureContext({ cert, key, ...(minVersion !== undefined && { minVersion }) });
}
