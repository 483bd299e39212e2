import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContext,
  type Server as TlsServer,
} from 'node:tls';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import { readClientHello } from '../edge/client-hello.ts';
import { hostnameHandler, readEdgeView } from '../edge/hostnames.ts';
import { serveHttp2 } from '../edge/http2.ts';
import { findUniversalCertificate } from '../edge/universal.ts';
import { type EdgeSettings, readEdgeSettings } from '../edge/zone-settings.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { sendText } from '../http/forward.ts';
import { type ListenOptions, listen } from '../http/listen.ts';
import { findIntervention } from './interventions.ts';
import { findServingHostname, findZoneAbove } from './route.ts';
import { runUpToDate } from './run.ts';

export interface TlsEdge {
  /** `https://localhost:<port>`. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Maximum number of bytes to read to find the server name of a connection. */
const maxHelloBytes = 16 * 1024;

/**
 * Serves the edge over TLS, with the certificate for the name that the client sends (SNI). The handshake fails if there is no certificate,
 * or if the client does not support the minimum TLS version of the hostname or its zone. If the client offers HTTP/2 and the zone allows
 * it, the connection uses HTTP/2. Throws a Problem if the port is in use or not permitted.
 */
export async function serveTlsEdge(platform: Platform, place: ListenOptions): Promise<TlsEdge> {
  const sockets = new Set<Socket>();
  const greet = createGreeter(platform);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    greet(socket);
  });
  const port = await listen(server, place);
  return {
    url: `https://localhost:${port}`,
    port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/**
 * Returns a function that reads the server name of a connection before the handshake, and passes the connection to a server with the right
 * TLS versions. OpenSSL cannot change the versions after the handshake has started.
 */
function createGreeter(platform: Platform): (socket: Socket) => void {
  const serverFor = createTlsServers(platform);
  return (socket) => {
    let begun = Buffer.alloc(0);
    const read = (chunk: Buffer) => {
      begun = Buffer.concat([begun, chunk]);
      const hello = readClientHello(begun);
      if (hello === 'incomplete' && begun.length < maxHelloBytes) return;
      socket.off('data', read);
      socket.pause();
      socket.unshift(begun);
      const name = typeof hello === 'object' ? hello.servername : '';
      serverFor(readSettings(platform, name)).emit('connection', socket);
    };
    socket.on('data', read);
  };
}

function readSettings(platform: Platform, name: string): EdgeSettings {
  const view = readEdgeView(platform);
  const found = findServingHostname(view, name);
  return readEdgeSettings(platform, found?.zoneId ?? findZoneAbove(view, name)?.id, found);
}

/**
 * Returns a function that creates a TLS server for each combination of settings, on first use. These servers do not listen: they receive
 * accepted connections, and pass requests to one common HTTP server.
 */
function createTlsServers(platform: Platform): (settings: EdgeSettings) => TlsServer {
  const handle = hostnameHandler(platform);
  const answering = createHttpServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
    handle({ request, response, host }).then(
      (answered) => answered || sendText(response, 530, 'error code: 1016\n'),
      () => response.destroy(),
    );
  });
  const overHttp2 = serveHttp2(answering);
  const servers = new Map<string, TlsServer>();
  return ({ minTls, maxTls, http2 }) => {
    // Versions before 1.2 require ciphers that OpenSSL no longer offers.
    const minVersion = minTls >= 1.3 ? 'TLSv1.3' : 'TLSv1.2';
    const maxVersion = maxTls >= 1.3 || minTls >= 1.3 ? 'TLSv1.3' : 'TLSv1.2';
    const kind = `${minVersion} ${maxVersion} ${http2}`;
    const known = servers.get(kind);
    if (known !== undefined) return known;
    const ALPNProtocols = http2 ? ['h2', 'http/1.1'] : ['http/1.1'];
    const made = createTlsServer({
      minVersion,
      maxVersion,
      ALPNProtocols,
      SNICallback: createSniCallback(platform),
    });
    made.on('secureConnection', (socket) => {
      if (socket.alpnProtocol === 'h2') overHttp2(socket);
      else answering.emit('connection', socket);
    });
    servers.set(kind, made);
    return made;
  };
}

function createSniCallback(platform: Platform) {
  return (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
    createContext(platform, name).then(
      (context) => done(null, context),
      (error: Error) => done(error),
    );
  };
}

/**
 * Returns the TLS context with the issued certificate, or with the certificate that the edge serves instead; undefined if no certificate is
 * served.
 */
async function createContext(platform: Platform, asked: string): Promise<SecureContext | undefined> {
  const name = asked.toLowerCase();
  const found = await runUpToDate(platform, () => findServingHostname(readEdgeView(platform), name));
  const late = findIntervention(platform, name);
  const keyed =
    late?.behind === true ? late.kept : (found?.keyed ?? (await findUniversalCertificate(platform, name)));
  if (keyed === undefined) return undefined;
  const shown =
    late?.validity === undefined ? keyed : await makeInvalidCertificate(platform, name, late.validity);
  const { certificate: cert, privateKey: key } = shown;
  return createSecureContext({ cert, key });
}

/**
 * Issues a certificate that is expired or not yet valid, both by this machine's clock and by the sandbox's clock, which is never behind
 * this machine's clock.
 */
async function makeInvalidCertificate(
  platform: Platform,
  hostname: string,
  validity: 'expired' | 'not_yet_valid',
): Promise<KeyedCertificate> {
  const { makeCertificate } = await import('./certificates.ts');
  const month = 30 * dayMilliseconds;
  const since =
    validity === 'expired' ? platform.now() - month - dayMilliseconds : clockNow(platform) + dayMilliseconds;
  const wanted = { hostname, wildcard: false, branding: false, authority: 'google', since } as const;
  const made = await makeCertificate(platform.registry().settings, platform.random, {
    ...wanted,
    expiresAt: since + month,
  });
  return made.keyed;
}
