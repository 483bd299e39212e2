import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as openRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { DnsOutcome } from '../../model/dns/dns.ts';
import { isProblem } from '../../model/problem.ts';
import { findRoute } from '../../model/workers/route.ts';
import { diskName } from '../../store/disk-name.ts';
import type { StoredHostname } from '../../store/hostnames/hostnames.ts';
import { edgeAddresses } from '../dns/names.ts';
import { findEdgeRule, formatLocationHeader, readEdgeRules } from '../hostnames/edge-rules.ts';
import { readInternet } from '../hostnames/internet.ts';
import { readOrigins } from '../hostnames/origins.ts';
import { type EdgePage, type EdgeView, findZoneAbove, routeHost } from '../hostnames/route.ts';
import { runUpToDate } from '../hostnames/run.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { forward, sendText, type Visit } from '../http/forward.ts';
import { findZonePlatform, listAccountPlatforms } from '../session/account-platform.ts';
import { readWorkerDomains } from '../workers/domains.ts';
import { readZoneRoutes } from '../workers/zone-routes.ts';
import type { EdgeHandler, EdgeVisit } from './edge.ts';
import { type EdgeSettings, readEdgeSettings } from './zone-settings.ts';

/** Reads the zones, records and hostnames that the edge routes by. */
export function readEdgeView(platform: Platform): EdgeView {
  const registry = platform.registry();
  return {
    now: clockNow(platform),
    zones: registry.zones.list(),
    records: registry.dnsRecords.list(),
    named: (hostname) => registry.hostnames.named(hostname),
    directAddress: (host) => findDirectAddress(readInternet(platform).dns.answer(host, 'A')),
  };
}

/** Returns the edge address of a name that has address records and no CNAME; a CNAME would already identify the zone. */
function findDirectAddress(outcome: DnsOutcome): string | undefined {
  if (outcome.kind !== 'records' || outcome.aliases.length > 0) return undefined;
  const edge: readonly string[] = Object.values(edgeAddresses);
  const found = outcome.records.flatMap((record) => (record.type === 'A' ? [record.address] : []));
  return found.find((address) => edge.includes(address));
}

/**
 * Answers requests to custom hostnames and to proxied records of zones. If a loopback port is set for the origin (`PUT /sandbox/origins`),
 * the answer is the response from this port; otherwise, the answer is a page that names the origin. If nothing is served, an error page
 * explains the reason. Returns false, without an answer, for a host that no zone contains.
 */
export function hostnameHandler(platform: Platform): EdgeHandler {
  return async (visit) => {
    const route = await runUpToDate(platform, () => routeHost(readEdgeView(platform), visit.host));
    if (route === undefined) return false;
    if (answerByRule(platform, visit)) return true;
    if (answerToken(platform, visit)) return true;
    const found = route.kind === 'page' ? undefined : route.found;
    const zoneId = found?.zoneId ?? findZoneAbove(readEdgeView(platform), visit.host)?.id;
    const settings = readEdgeSettings(platform, zoneId, found);
    if (redirectScheme(visit, settings)) return true;
    if (route.kind === 'page') showPage(visit, route.page);
    else if (!(await answerByWorker(platform, visit, zoneId)))
      await visitOrigin(platform, visit, route.origin, { found, mode: settings.ssl });
    return true;
  };
}

/**
 * Redirects to HTTPS, or to HTTP if TLS is off for the zone, and returns whether it redirected the request. Otherwise, sets
 * Strict-Transport-Security for HTTPS.
 */
function redirectScheme({ host, request, response }: EdgeVisit, settings: EdgeSettings): boolean {
  const isSecure = 'encrypted' in request.socket;
  const scheme = isSecure ? settings.ssl === 'off' && 'http' : settings.alwaysHttps && 'https';
  if (scheme !== false) {
    request.resume();
    response.writeHead(301, { location: `${scheme}://${host}${request.url}` }).end();
    return true;
  }
  if (isSecure && settings.transportSecurity !== undefined)
    response.setHeader('strict-transport-security', settings.transportSecurity);
  return false;
}

/** Answers with an edge rule, which takes precedence over workers and origins. Returns whether a rule applied. */
function answerByRule(platform: Platform, { host, request, response }: EdgeVisit): boolean {
  const path = request.url ?? '/';
  const scheme = 'encrypted' in request.socket ? 'https' : 'http';
  const rule = findEdgeRule(readEdgeRules(platform), host, path, scheme);
  if (rule === undefined) return false;
  const location = formatLocationHeader(rule, path);
  request.resume();
  response
    .writeHead(rule.status, { ...rule.headers, ...(location !== undefined && { location }) })
    .end(rule.body);
  return true;
}

/**
 * Answers with the worker of a route, which runs before the origin, or with the worker of a custom domain, which replaces the origin.
 * Returns whether a worker answered.
 */
async function answerByWorker(
  platform: Platform,
  visit: EdgeVisit,
  zoneId: string | undefined,
): Promise<boolean> {
  const { host, request } = visit;
  const routes = readZoneRoutes(platform).filter((route) => route.zoneId === zoneId);
  const routed = findRoute(routes, host, (request.url ?? '/').replace(/\?.*$/, ''))?.script;
  const zone = zoneId === undefined ? undefined : platform.registry().zones.find(zoneId);
  const script =
    routed === undefined
      ? findDomainWorker(platform, host)
      : toRuntimeName(findZonePlatform(platform, zone ?? {}), routed);
  return script === undefined ? false : ((await platform.edge?.visitWorker?.(script, visit)) ?? false);
}

/** Returns the worker of any account whose custom domain is this host. */
function findDomainWorker(platform: Platform, host: string): string | undefined {
  for (const seen of listAccountPlatforms(platform)) {
    const service = readWorkerDomains(seen).find(({ hostname }) => hostname === host)?.service;
    if (service !== undefined) return toRuntimeName(seen, service);
  }
  return undefined;
}

/** Returns the name under which the worker of an account runs. */
function toRuntimeName(seen: Platform, worker: string): string {
  return seen.root === undefined ? worker : diskName(seen.registry().account().id, worker);
}

/** Answers the authority's HTTP challenge at the edge, regardless of the origin. */
function answerToken(platform: Platform, { host, request, response }: EdgeVisit): boolean {
  if (request.url?.startsWith('/.well-known/') !== true) return false;
  const url = `http://${host}${request.url}`;
  const records = platform
    .registry()
    .hostnames.named(host)
    .flatMap(({ state }) => state.record.ssl?.validation_records ?? []);
  const body = records.find((record) => record.http_url === url)?.http_body;
  if (body === undefined) return false;
  sendText(response, 200, body);
  return true;
}

async function visitOrigin(
  platform: Platform,
  visit: EdgeVisit,
  origin: string,
  { found, mode }: { readonly found: StoredHostname | undefined; readonly mode: string | undefined },
): Promise<void> {
  const server = readOrigins(platform)[origin];
  const { port } = server ?? {};
  const { response, request, host } = visit;
  if (server?.fault !== undefined) return showFault(visit, origin, server.fault);
  // Responses from rules, redirects and workers bypass the cache and lack this header (Cloudflare cache responses).
  response.setHeader('cf-cache-status', 'DYNAMIC');
  if (port === undefined) {
    const metadata = found?.state.record.custom_metadata;
    const lines = [`The origin ${origin} serves ${host}.`, `${request.method} ${request.url}`];
    if (metadata !== undefined) lines.push(`Metadata: ${JSON.stringify(metadata)}`);
    request.resume();
    sendText(response, 200, `${lines.join('\n')}\n`);
    return;
  }
  const tlsMode = server?.tls ?? mode;
  if (tlsMode === 'full' || tlsMode === 'strict') {
    const record = found?.state.record;
    const servername = record?.custom_origin_sni ?? record?.custom_origin_server ?? host;
    const authority = server?.authority;
    const fault = await forwardOverTls(visit, { port, servername, strict: tlsMode === 'strict', authority });
    if (fault !== undefined) showFault(visit, origin, fault);
    return;
  }
  try {
    await forward(visit, port);
  } catch (error) {
    if (!isProblem(error) || error.code !== 'unreachable' || response.headersSent) throw error;
    showFault(visit, `${origin} at port ${port}`, 521);
  }
}

const faultTitles: Readonly<Record<number, string>> = {
  520: 'Web server returns an unknown error',
  521: 'Web server is down',
  522: 'Connection timed out',
  523: 'Origin is unreachable',
  524: 'A timeout occurred',
  525: 'SSL handshake failed',
  526: 'Invalid SSL certificate',
};

function showFault(visit: EdgeVisit, origin: string, status: number): void {
  visit.response.removeHeader('cf-cache-status');
  const title = faultTitles[status] ?? 'Error';
  showPage(visit, { status, title, reason: `The origin ${origin}: ${title.toLowerCase()}.` });
}

/** Sends the page as HTML to browsers, and as text to other clients. */
function showPage({ host, request, response }: EdgeVisit, page: EdgePage): void {
  const { status, code, title, reason } = page;
  const number = code === undefined ? '' : `error code: ${code}`;
  request.resume();
  if (request.headers.accept?.includes('text/html') !== true) {
    sendText(response, status, `${[number || title, reason].join('\n')}\n`);
    return;
  }
  const html = [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(`${title} | ${host}`)}</title></head>`,
    `<body><h1>${escapeHtml(title)}</h1>`,
    `${number === '' ? '' : `<p class="cf-error-code">${number}</p>`}<p>${escapeHtml(reason)}</p></body></html>`,
  ];
  response.writeHead(status, { 'content-type': 'text/html;charset=UTF-8' }).end(`${html.join('\n')}\n`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The options for a TLS connection to an origin. */
interface TlsOrigin {
  readonly port: number;
  /** The name to send (SNI), which the certificate must match with `strict`. */
  readonly servername: string;
  readonly strict: boolean;
  readonly authority?: string | undefined;
}

/** Error codes for a certificate that does not match the name, is not trusted, or is not currently valid. */
const certificateFaults = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/**
 * Forwards a request to a port over TLS, and the response to the client. If no response arrives, returns the status of the error page: 521
 * for a refused connection, 525 for a failed handshake, 526 for an untrusted certificate, or 520 for an invalid response.
 */
async function forwardOverTls(
  { request, response }: Visit,
  { port, servername, strict, authority }: TlsOrigin,
): Promise<number | undefined> {
  let connected = false;
  const sent = openRequest({
    host: '127.0.0.1',
    port,
    servername,
    agent: false,
    rejectUnauthorized: strict,
    method: request.method,
    path: request.url,
    headers: { ...request.headers, connection: 'close' },
    ...(authority !== undefined && { ca: authority }),
  });
  sent.once('socket', (socket) => socket.once('secureConnect', () => (connected = true)));
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  request.pipe(sent);
  try {
    const [answer] = await answered;
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
    return undefined;
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return undefined;
    }
    return toErrorStatus(error, connected);
  }
}

function toErrorStatus(error: unknown, connected: boolean): number {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 521;
  if (certificateFaults.test(code)) return 526;
  return connected ? 520 : 525;
}
