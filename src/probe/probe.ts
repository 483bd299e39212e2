import { type IncomingMessage, request } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import {
  checkServerIdentity,
  connect,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { tlsReason } from '../files/system-reason.ts';
import {
  type Fact,
  known,
  type ProbeAnswer,
  type SeenCertificate,
  unknown,
} from '../model/diagnosis/facts.ts';
import { nameFault } from '../model/dns/dns.ts';

/** One request to the edge, for a hostname at an address. */
export interface Probe {
  readonly hostname: string;
  /** IP address of the edge. No other address is contacted: there are no DNS queries, and redirects are not followed. */
  readonly address: string;
  readonly port: number;
  /** Whether to connect over TLS, with the hostname as SNI. */
  readonly secure: boolean;
  /** The path, which starts with a slash. */
  readonly path?: string;
  /** Timeout for the whole probe, in milliseconds (default: 10,000). */
  readonly timeout?: number;
  /** Trusted certificates in PEM, in addition to the system's certificates. */
  readonly authorities?: readonly string[];
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/** Default timeout of a probe, in milliseconds. */
const probeTimeoutMs = 10_000;

const silenceReason = 'no response within';

/** Returns whether a probe failed because the server did not respond before the timeout. */
export function isSilence(answer: Fact<unknown>): boolean {
  return 'unknown' in answer && answer.unknown.includes(silenceReason);
}

/** Maximum number of bytes to read from a page. Error pages contain the error number near the start. */
const bodyLimit = 64 * 1024;

/**
 * Requests a hostname from the edge as a visitor would. Returns the response's status, the platform's error number, and the certificate. An
 * untrusted certificate does not make the request fail. Returns a failure as an unknown fact with its reason.
 */
export async function probeEdge(probe: Probe): Promise<Fact<ProbeAnswer>> {
  const page = await probePage(probe);
  if ('unknown' in page) return page;
  const { body: _body, headers: _headers, ...answer } = page.known;
  return known(answer);
}

/**
 * Number of timer ticks in a timeout. While this process is too busy to read a response, only one tick is counted, so that the probe does
 * not time out.
 */
const timeoutTicks = 20;

/** Probes the edge like `probeEdge`, but also returns the page. */
export async function probePage(probe: Probe): Promise<Fact<ProbedPage>> {
  const fault = nameFault(probe.hostname) ?? addressFault(probe.address);
  if (fault !== undefined) return unknown(fault);
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error('interrupted'));
  const { timeout = probeTimeoutMs } = probe;
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks === timeoutTicks) stop.abort(new Error(`${silenceReason} ${timeout} ms`));
  }, timeout / timeoutTicks);
  probe.signal?.addEventListener('abort', interrupt, { once: true });
  if (probe.signal?.aborted === true) interrupt();
  try {
    return known(await requestPage(probe, stop.signal));
  } catch (error) {
    return unknown(
      `${formatAddress(probe)}: ${formatReason(stop.signal.aborted ? stop.signal.reason : error)}`,
    );
  } finally {
    clearInterval(timer);
    probe.signal?.removeEventListener('abort', interrupt);
    stop.abort();
  }
}

/** A response as a visitor receives it, with its headers and the start of its body. */
export interface ProbedPage extends ProbeAnswer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

async function requestPage(probe: Probe, signal: AbortSignal): Promise<ProbedPage> {
  const { hostname, address, now, secure, path = '/' } = probe;
  const begun = now();
  const socket = secure ? await openTls(probe, signal) : undefined;
  const certificate: SeenCertificate | undefined = socket && seenCertificate(socket, hostname);
  const response = await ask(probe, socket, signal);
  const status = response.statusCode ?? 0;
  const body = await readPage(response);
  const code = pageCode(status, body);
  const { location } = response.headers;
  const server = [response.headers['server']].flat().join(', ');
  return {
    url: `${secure ? 'https' : 'http'}://${hostname}${path}`,
    address,
    status,
    ...(code !== undefined && { pageCode: code }),
    ...(location !== undefined && { location }),
    ...(server !== '' && { server }),
    milliseconds: now() - begun,
    body,
    headers: response.headers,
    ...(certificate !== undefined && { certificate }),
  };
}

function openTls(probe: Probe, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: probe.address,
      port: probe.port,
      servername: probe.hostname,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      ...(probe.authorities !== undefined && { ca: [...probe.authorities] }),
    });
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed during the TLS handshake')));
  });
}

function ask(probe: Probe, socket: TLSSocket | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: probe.address,
      port: probe.port,
      path: probe.path ?? '/',
      headers: { host: probe.hostname, 'user-agent': 'edgectl', accept: '*/*', connection: 'close' },
      setHost: false,
      signal,
      ...(socket === undefined ? { agent: false } : { createConnection: () => socket }),
    });
    call.once('response', resolve);
    call.once('error', reject);
    call.end();
  });
}

async function readPage(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    const bytes = Buffer.from(part);
    parts.push(bytes);
    length += bytes.length;
    if (length >= bodyLimit) break;
  }
  return Buffer.concat(parts).subarray(0, bodyLimit).toString('latin1');
}

function addressFault(address: string): string | undefined {
  return isIP(address) === 0 ? `"${address}" is not an IP address` : undefined;
}

function formatAddress(probe: Probe): string {
  return isIPv6(probe.address) ? `[${probe.address}]:${probe.port}` : `${probe.address}:${probe.port}`;
}

function formatReason(error: unknown): string {
  return error instanceof Error ? (tlsReason(error.message) ?? error.message) : String(error);
}

/** Returns the certificate that the server of a TLS connection presented; undefined if it presented none. */
function seenCertificate(socket: TLSSocket, hostname: string): SeenCertificate | undefined {
  const certificate: PeerCertificate | DetailedPeerCertificate = socket.getPeerCertificate();
  if (certificate.raw === undefined) return undefined;
  const distrust = socket.authorized ? undefined : String(socket.authorizationError ?? 'not verified');
  return {
    subject: commonName(certificate.subject),
    names: namesIn(certificate.subjectaltname ?? ''),
    issuer: commonName(certificate.issuer),
    validFrom: Date.parse(certificate.valid_from),
    validTo: Date.parse(certificate.valid_to),
    serialNumber: certificate.serialNumber,
    covers: checkServerIdentity(hostname, certificate) === undefined,
    ...(distrust !== undefined && { distrust }),
  };
}

function commonName(name: PeerCertificate['subject'] | undefined): string {
  const parts = [name?.CN, name?.O].flat().filter((part) => part !== undefined && part !== '');
  return parts.join(', ');
}

function namesIn(alternatives: string): readonly string[] {
  return alternatives
    .split(', ')
    .filter((entry) => entry.startsWith('DNS:'))
    .map((entry) => entry.slice('DNS:'.length));
}

const patterns: readonly RegExp[] = [
  /\berror(?:\s+code)?\s*:?\s*(1[0-2]\d\d)\b/i,
  /class="[^"]*error-code[^"]*"[^>]*>\s*(?:error\s*)?(1[0-2]\d\d)\s*</i,
];

/** Returns the platform's own error number from one of its error pages (1001, 1014, 1016 …); undefined for other pages. */
export function pageCode(status: number, body: string): number | undefined {
  if (status < 400) return undefined;
  const found = patterns.map((pattern) => pattern.exec(body)?.[1]).find((code) => code !== undefined);
  return found === undefined ? undefined : Number(found);
}
