import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { loopbackOnly } from '../../model/sandbox/exposure.ts';
import { plain } from '../http/forward.ts';
import { listen, stop } from '../http/listen.ts';
import type { Served } from '../http/serve.ts';
import { makeProxyCertificate, type ProxyCertificate } from './certificate.ts';
import { platformHost, refusalOf, routeOf } from './target.ts';

export interface ProxyOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Milliseconds since the UNIX epoch, by the machine's clock: clients look at a certificate by it. */
  now(): number;
  random(bytes: number): Uint8Array;
  /** How long a close waits for calls under way, in milliseconds. */
  readonly drain?: number;
  /** Told once of each place that nobody is let through to, and once that a client does not take the certificate. */
  readonly warn: (message: string) => void;
}

export interface ServedProxy {
  /** `http://127.0.0.1:<port>`, as HTTPS_PROXY wants it. */
  readonly url: string;
  /** The host that it stands for. */
  readonly host: string;
  /** The certificate of its authority, in PEM: what clients have to trust. */
  readonly authority: string;
  close(): Promise<void>;
}

/** Longer than clients keep an idle connection, so that none is closed under a request. */
const keepAlive = 65_000;

/**
 * Serves a proxy on 127.0.0.1 that leads clients of the platform's own host to the sandbox's API, under a certificate of an
 * authority of its own. Everything else it refuses with 403 and the reason, so that a test reaches no production. It asks for no
 * credentials: who uses it gets no further than to the API, which asks for its token. Refuses with a Problem when the port is
 * in use or not allowed.
 */
export async function serveProxy(api: Pick<Served, 'answerBy'>, options: ProxyOptions): Promise<ServedProxy> {
  const { port: wanted, drain = 3000 } = options;
  const certificate = await makeProxyCertificate(platformHost, options);
  const warn = onceEach(options.warn);
  const server = createServer((request, response) => answer(request, response));
  server.keepAliveTimeout = keepAlive;
  const answer = answerer(api.answerBy(server, [platformHost]), warn);
  const sockets = takeConnections(server, tlsBefore(server, certificate, warn), warn);
  const port = await listen(server, { port: wanted, address: loopbackOnly.address, of: 'proxy' });
  return {
    url: `http://127.0.0.1:${port}`,
    host: platformHost,
    authority: certificate.authority,
    async close() {
      // What has not come so far as to be a connection of HTTP, the server does not know.
      const cut = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), drain);
      await stop(server, drain);
      clearTimeout(cut);
    },
  };
}

/** A client that asks a thousand times for one place is told of once. */
function onceEach(warn: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (told.has(message) || told.size === mostWarnings) return;
    told.add(message);
    warn(message);
  };
}

const mostWarnings = 100;

/** Ends the TLS of the platform's host, and hands what is in it to the server. */
function tlsBefore(server: Server, { keyed }: ProxyCertificate, warn: (message: string) => void): TlsServer {
  const { certificate: cert, privateKey: key } = keyed;
  const tls = createTlsServer({ cert, key, ALPNProtocols: ['http/1.1'] });
  const distrusted = () => server.listening && warn(distrust);
  const asked = new WeakSet<Duplex>();
  server.on('request', ({ socket }: IncomingMessage) => asked.add(socket));
  tls.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy());
    // Some say after the handshake why they go, some say nothing.
    socket.once('close', () => asked.has(socket) || distrusted());
    server.emit('connection', socket);
  });
  tls.on('tlsClientError', (error, socket) => {
    if (isDistrust(error)) distrusted();
    socket.destroy();
  });
  return tls;
}

const distrust =
  'A program left the proxy at its certificate, as those do that do not trust it. Where it reads none of SSL_CERT_FILE, ' +
  'NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE, it has to be told of the authority in its own way.';

/** Whether a client has ended a handshake at our certificate: unknown_ca, bad_certificate, certificate_unknown, or without a word. */
function isDistrust(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return /^ECONNRESET$|ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/.test(code);
}

/** Takes connections to the platform's host, refuses others. Gives those that are open. */
function takeConnections(server: Server, tls: TlsServer, warn: (message: string) => void): Set<Duplex> {
  const sockets = new Set<Duplex>();
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Servers of HTTP leave a side open that the other one has closed; here nobody would close it.
    socket.allowHalfOpen = false;
    const refusal = refusalOf(request.url ?? '');
    if (refusal !== undefined) {
      warn(refusal);
      // Most clients show the reason and not the body.
      socket.end(`HTTP/1.1 403 ${refusal}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    tls.emit('connection', socket);
  });
  return sockets;
}

/** Answers what came through TLS, and what some clients (axios) ask of a proxy by the whole URL in the place of CONNECT. */
function answerer(answer: RequestListener, warn: (message: string) => void): RequestListener {
  return (request, response) => {
    if (!('encrypted' in request.socket)) {
      const route = routeOf(request.url ?? '');
      if ('refusal' in route) {
        warn(route.refusal);
        request.resume();
        return plain(response, 403, `${route.refusal}\n`);
      }
      request.url = route.path;
      request.headers.host = platformHost;
    }
    answer(request, response);
  };
}
