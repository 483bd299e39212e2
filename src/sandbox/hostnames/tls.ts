import { once } from 'node:events';
import { createServer } from 'node:https';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { edgeViewOf, hostnameHandler } from '../edge/hostnames.ts';
import type { Platform } from '../http/exchange.ts';
import { plain } from '../http/forward.ts';
import { type ListenAt, listen } from '../http/listen.ts';
import { interventionOn } from './interventions.ts';
import { certificateOver } from './route.ts';
import { upToDate } from './run.ts';

export interface TlsEdge {
  /** `https://localhost:<port>`. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves the edge over TLS: the certificate is the one issued for the name that the client sends (SNI);
 * without one the handshake fails, and a TLS version below the hostname's least one is cut off. Refuses with a Problem
 * when the port is in use or not allowed.
 */
export async function serveTlsEdge(platform: Platform, place: ListenAt): Promise<TlsEdge> {
  const handle = hostnameHandler(platform);
  const options = {
    SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
      contextFor(platform, name).then(
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
  // A context that is chosen by SNI comes too late to choose the TLS version.
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    if (!isStrictEnough(platform, socket)) socket.destroy();
  });
  const port = await listen(server, place);
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

/** Whether a connection's TLS version suffices for the name that the client asked for. */
function isStrictEnough(platform: Platform, socket: TLSSocket): boolean {
  const found = certificateOver(edgeViewOf(platform), nameOf(socket.servername));
  const least = found?.state.record.ssl?.settings?.min_tls_version ?? '1.0';
  return Number((socket.getProtocol() ?? '').replace(/^TLSv1$/, 'TLSv1.0').slice(4)) >= Number(least);
}

function nameOf(servername: string | false | null): string {
  return (servername || '').toLowerCase();
}

/** The issued certificate, or an older one that the edge has yet; undefined when there is none. */
async function contextFor(platform: Platform, name: string): Promise<SecureContext | undefined> {
  const found = await upToDate(platform, () => certificateOver(edgeViewOf(platform), nameOf(name)));
  const late = interventionOn(platform, nameOf(name));
  const keyed = late?.behind === true ? late.kept : found?.keyed;
  if (keyed === undefined) return undefined;
  const { certificate: cert, privateKey: key } = keyed;
  return createSecureContext({ cert, key });
}
