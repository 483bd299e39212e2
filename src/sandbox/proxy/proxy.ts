import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import { beginningOf } from '../../model/long-text.ts';
import { loopbackOnly } from '../../model/sandbox/exposure.ts';
import { defaultApiBaseUrl } from '../../profiles/base-url.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import { escapeText } from '../../text/escape.ts';
import { keyedOf, makeAuthority, pemOf, signFor } from '../hostnames/signing.ts';
import { plain } from '../http/forward.ts';
import { listen, stop } from '../http/listen.ts';
import type { Served } from '../http/serve.ts';

export interface ProxyOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Milliseconds since the UNIX epoch, by the machine's clock: clients check a certificate by it. */
  now(): number;
  random(bytes: number): Uint8Array;
  /** How long a close waits for calls under way, in milliseconds. */
  readonly drain?: number;
  /** Called once for each blocked host, and once if a client does not trust the certificate. */
  readonly warn: (message: string) => void;
}

export interface ServedProxy {
  /** `http://127.0.0.1:<port>`, as HTTPS_PROXY wants it. */
  readonly url: string;
  /** The host that it represents. */
  readonly host: string;
  /** The certificate of its authority, in PEM: what clients have to trust. */
  readonly authority: string;
  close(): Promise<void>;
}

/** Longer than clients keep an idle connection, so that none is closed under a request. */
const keepAlive = 65_000;

/**
 * Serves a proxy on 127.0.0.1 that forwards clients of the platform's own host to the sandbox's API, under a certificate of its
 * own authority. It refuses everything else with 403 and the reason, so that a test reaches no production. It needs no
 * credentials: its users only reach the API, which requires its token. Refuses with a Problem if the port is in use or not
 * allowed.
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

/** A client that asks a thousand times for one host is reported once. */
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
  'NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE, it needs the authority in its own way.';

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

/** Answers requests over TLS, and those of clients (axios) that send a proxy the whole URL instead of CONNECT. */
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

/** Served by a proxy for a host that it represents. */
interface ProxyCertificate {
  /** The certificate of its authority, in PEM: what clients have to trust. */
  readonly authority: string;
  readonly keyed: KeyedCertificate;
}

/** Not longer than clients take a certificate of a server to be good for. */
const days = 397;

/**
 * Makes a certificate for one host, by a new authority. The authority's key is dropped here, so that no one ever has another
 * certificate of it: trusting it means trusting this host and this process.
 */
async function makeProxyCertificate(
  host: string,
  { now, random }: { now(): number; random(bytes: number): Uint8Array },
): Promise<ProxyCertificate> {
  const validity = { from: now() - dayMilliseconds, until: now() + days * dayMilliseconds };
  const authority = await makeAuthority(random, 'proxy', validity);
  const signed = await signFor(authority, random, { commonName: host, names: [host], validity });
  return { authority: pemOf(authority.certificate), keyed: await keyedOf(signed, authority.certificate) };
}

/** The default host of the platform's clients. */
const platformHost = new URL(defaultApiBaseUrl).hostname;

/** Why nobody is let through to a place, given as CONNECT names it (`host:port`); undefined for the platform's API. */
export function refusalOf(target: string): string | undefined {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/s.exec(target) ?? [];
  if (isPlatform(host)) return port === '443' ? undefined : usualOnly;
  return `${only} and nowhere else, not to ${shown(target)}. ${advice}`;
}

/** Where a request that names its whole URL to a proxy leads: to a path of the API, or nowhere, and why. */
export function routeOf(url: string): { readonly path: string } | { readonly refusal: string } {
  const parsed = URL.parse(url);
  if (parsed === null || url.startsWith('/'))
    return { refusal: 'This is the proxy of a sandbox: HTTPS_PROXY names it to a program.' };
  if (!isPlatform(parsed.hostname))
    return { refusal: `${only} and nowhere else, not to ${shown(parsed.host)}. ${advice}` };
  if (parsed.protocol !== 'https:' || parsed.port !== '') return { refusal: usualOnly };
  return { path: parsed.pathname + parsed.search };
}

const only = `The proxy of the sandbox leads to ${platformHost}`;
/** The platform itself is never put into NO_PROXY: that would reach production. */
const usualOnly = `${platformHost} answers over https, at its usual port, and not otherwise.`;
const advice = 'To let a program go there, name it in NO_PROXY.';

function isPlatform(host: string): boolean {
  return host.toLowerCase().replace(/\.$/, '') === platformHost;
}

/** The place of a target as it can be shown: without credentials, on a line, and not long. */
function shown(target: string): string {
  return escapeText(beginningOf(target.slice(target.lastIndexOf('@') + 1), 200));
}
