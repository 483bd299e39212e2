import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import { truncate } from '../../model/long-text.ts';
import { loopbackOnly } from '../../model/sandbox/exposure.ts';
import { defaultApiBaseUrl } from '../../profiles/base-url.ts';
import type { KeyedCertificate } from '../../store/hostnames/hostnames.ts';
import { escapeText } from '../../text/escape.ts';
import { formatPem, makeAuthority, signCertificate, toKeyedCertificate } from '../hostnames/signing.ts';
import { sendText } from '../http/forward.ts';
import { listen, stopServer } from '../http/listen.ts';
import type { Served } from '../http/serve.ts';

export interface ProxyOptions {
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  /** Returns the time on this machine's clock, which clients use to check a certificate, in milliseconds since the UNIX epoch. */
  now(): number;
  random(bytes: number): Uint8Array;
  /** Maximum time that closing waits for calls in progress, in milliseconds. */
  readonly drain?: number;
  /** Called once for each blocked host, and once if a client does not trust the certificate. */
  readonly warn: (message: string) => void;
  /** The owner of the API behind the proxy, for messages (default: the sandbox). */
  readonly of?: 'sandbox' | 'guard';
}

type ProxyOwner = NonNullable<ProxyOptions['of']>;

export interface ServedProxy {
  /** `http://127.0.0.1:<port>`, the value for HTTPS_PROXY. */
  readonly url: string;
  /** The host that the proxy represents. */
  readonly host: string;
  /** The certificate of the proxy's authority, in PEM, for clients to trust. */
  readonly authority: string;
  close(): Promise<void>;
}

/**
 * Idle timeout in milliseconds: longer than clients keep idle connections, because a connection must not be closed while the client sends a
 * request.
 */
const keepAlive = 65_000;

/**
 * Serves a proxy on 127.0.0.1 that forwards requests for the platform's own host to the sandbox's API. The certificate of the proxy comes
 * from the proxy's own authority. Refuses all other hosts with 403 and the reason, so that tests cannot reach production. Requires no
 * credentials, because the API itself requires its token. Throws a Problem if the port is in use or not permitted.
 */
export async function serveProxy(api: Pick<Served, 'answerBy'>, options: ProxyOptions): Promise<ServedProxy> {
  const { port: wanted, drain = 3000, of = 'sandbox' } = options;
  const certificate = await makeProxyCertificate(platformHost, options);
  const warn = onceEach(options.warn);
  const server = createServer((request, response) => answer(request, response));
  server.keepAliveTimeout = keepAlive;
  const answer = createAnswerer(api.answerBy(server, [platformHost]), warn, of);
  const sockets = takeConnections(server, terminateTls(server, certificate, warn), warn, of);
  const port = await listen(server, { port: wanted, address: loopbackOnly.address, of: 'proxy' });
  return {
    url: `http://127.0.0.1:${port}`,
    host: platformHost,
    authority: certificate.authority,
    async close() {
      // Closes the connections that have not yet sent an HTTP request, because the HTTP server does not track them.
      const cut = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), drain);
      await stopServer(server, drain);
      clearTimeout(cut);
    },
  };
}

/**
 * Returns a function that reports each message only once, even if a client requests a host a thousand times, and reports up to
 * `maxWarnings` messages.
 */
function onceEach(warn: (message: string) => void): (message: string) => void {
  const reported = new Set<string>();
  return (message) => {
    if (reported.has(message) || reported.size === maxWarnings) return;
    reported.add(message);
    warn(message);
  };
}

const maxWarnings = 100;

/** Terminates TLS for the platform's host, and passes connections to the server. */
function terminateTls(
  server: Server,
  { keyed }: ProxyCertificate,
  warn: (message: string) => void,
): TlsServer {
  const { certificate: cert, privateKey: key } = keyed;
  const tls = createTlsServer({ cert, key, ALPNProtocols: ['http/1.1'] });
  const distrusted = () => server.listening && warn(distrustWarning);
  const asked = new WeakSet<Duplex>();
  server.on('request', ({ socket }: IncomingMessage) => asked.add(socket));
  tls.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy());
    // Some clients reject the certificate only after the handshake, with or without an alert.
    socket.once('close', () => asked.has(socket) || distrusted());
    server.emit('connection', socket);
  });
  tls.on('tlsClientError', (error, socket) => {
    if (isDistrust(error)) distrusted();
    socket.destroy();
  });
  return tls;
}

const distrustWarning =
  'A program rejected the proxy’s certificate. If the program ignores SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE and ' +
  'CURL_CA_BUNDLE, configure it to trust the proxy’s authority.';

/**
 * Returns whether a client rejected the proxy's certificate: with the alert unknown_ca, bad_certificate or certificate_unknown, or without
 * an alert.
 */
function isDistrust(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return /^ECONNRESET$|ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/.test(code);
}

/** Accepts connections to the platform's host, and refuses all other connections. Returns the open connections. */
function takeConnections(
  server: Server,
  tls: TlsServer,
  warn: (message: string) => void,
  of: ProxyOwner,
): Set<Duplex> {
  const sockets = new Set<Duplex>();
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // HTTP servers keep half-closed sockets open, and nothing else would close them.
    socket.allowHalfOpen = false;
    const refusal = findConnectRefusal(request.url ?? '', of);
    if (refusal !== undefined) {
      warn(refusal);
      // Most clients show the reason phrase and not the body.
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

/** Answers requests over TLS, and requests from clients (axios) that send the whole URL to a proxy instead of using CONNECT. */
function createAnswerer(
  answer: RequestListener,
  warn: (message: string) => void,
  of: ProxyOwner,
): RequestListener {
  return (request, response) => {
    if (!('encrypted' in request.socket)) {
      const route = routeProxyRequest(request.url ?? '', of);
      if ('refusal' in route) {
        warn(route.refusal);
        request.resume();
        return sendText(response, 403, `${route.refusal}\n`);
      }
      request.url = route.path;
      request.headers.host = platformHost;
    }
    answer(request, response);
  };
}

/** The certificate of a proxy for the host that the proxy represents. */
interface ProxyCertificate {
  /** The certificate of the proxy's authority, in PEM, for clients to trust. */
  readonly authority: string;
  readonly keyed: KeyedCertificate;
}

/** Maximum validity in days that clients accept for server certificates. */
const validDays = 397;

/**
 * Creates a new authority and a certificate that the authority issues for one host. The authority's key is discarded, so the authority can
 * never issue another certificate. A client that trusts the authority therefore trusts only this host and this process.
 */
async function makeProxyCertificate(
  host: string,
  { now, random }: { now(): number; random(bytes: number): Uint8Array },
): Promise<ProxyCertificate> {
  const validity = { from: now() - dayMilliseconds, until: now() + validDays * dayMilliseconds };
  const authority = await makeAuthority(random, 'proxy', validity);
  const signed = await signCertificate(authority, random, { commonName: host, names: [host], validity });
  return {
    authority: formatPem(authority.certificate),
    keyed: await toKeyedCertificate(signed, authority.certificate),
  };
}

/** The default host of the platform's API. */
const platformHost = new URL(defaultApiBaseUrl).hostname;

/** Explains why a CONNECT target (`host:port`) is refused; undefined for the platform's API. */
export function findConnectRefusal(target: string, of: ProxyOwner = 'sandbox'): string | undefined {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/s.exec(target) ?? [];
  if (isPlatform(host)) return port === '443' ? undefined : onlyPortMessage(of);
  return `${onlyHostMessage(of)}, not for ${formatTarget(target)}. ${advice}`;
}

/** Routes a request with a whole URL: to a path of the API, or to a refusal. */
export function routeProxyRequest(
  url: string,
  of: ProxyOwner = 'sandbox',
): { readonly path: string } | { readonly refusal: string } {
  const parsed = URL.parse(url);
  if (parsed === null || url.startsWith('/'))
    return { refusal: `This is the proxy of a ${of}. To use it, set HTTPS_PROXY to its address.` };
  if (!isPlatform(parsed.hostname))
    return { refusal: `${onlyHostMessage(of)}, not for ${formatTarget(parsed.host)}. ${advice}` };
  if (parsed.protocol !== 'https:' || parsed.port !== '') return { refusal: onlyPortMessage(of) };
  return { path: parsed.pathname + parsed.search };
}

const onlyHostMessage = (of: ProxyOwner) =>
  `The proxy of the ${of} only accepts requests for ${platformHost}`;
/**
 * Returns the message for a host other than the platform's. The message does not mention NO_PROXY: if the user added the platform's host to
 * NO_PROXY, requests would reach production.
 */
const onlyPortMessage = (of: ProxyOwner) =>
  `The proxy of the ${of} only accepts https requests to ${platformHost} at the default port.`;
const advice = 'To let a program connect to this host directly, add the host to NO_PROXY.';

function isPlatform(host: string): boolean {
  return host.toLowerCase().replace(/\.$/, '') === platformHost;
}

/** Formats a target for messages: without credentials, on one line, and shortened. */
function formatTarget(target: string): string {
  return escapeText(truncate(target.slice(target.lastIndexOf('@') + 1), 200));
}
