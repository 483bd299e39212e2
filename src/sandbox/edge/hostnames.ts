import { isProblem } from '../../model/problem.ts';
import type { StoredHostname } from '../../store/hostnames/hostnames.ts';
import { originsOf } from '../hostnames/origins.ts';
import { type EdgePage, type EdgeView, routeHost } from '../hostnames/route.ts';
import { upToDate } from '../hostnames/run.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { forward, plain } from '../http/forward.ts';
import type { EdgeHandler, EdgeVisit } from './edge.ts';

/** Reads the zones, records and hostnames that the edge routes by. */
export function edgeViewOf(platform: Platform): EdgeView {
  const registry = platform.registry();
  return {
    now: clockNow(platform),
    zones: registry.zones.list(),
    records: registry.dnsRecords.list(),
    named: (hostname) => registry.hostnames.named(hostname),
  };
}

/**
 * Answers for custom hostnames and for the proxied records of zones: with the origin's answer, where a loopback
 * port stands behind it (`PUT /sandbox/origins`), else with a page that names the origin; or with the error page that
 * says why nothing is served. Leaves hosts alone that no zone knows.
 */
export function hostnameHandler(platform: Platform): EdgeHandler {
  return async (visit) => {
    const route = await upToDate(platform, () => routeHost(edgeViewOf(platform), visit.host));
    if (route === undefined) return false;
    if (answerToken(platform, visit)) return true;
    if (route.kind === 'page') showPage(visit, route.page);
    else await visitOrigin(platform, visit, route.origin, route.found);
    return true;
  };
}

/** The edge answers the authority's HTTP challenge itself, whatever the origin would say. */
function answerToken(platform: Platform, { host, request, response }: EdgeVisit): boolean {
  if (request.url?.startsWith('/.well-known/') !== true) return false;
  const url = `http://${host}${request.url}`;
  const records = platform
    .registry()
    .hostnames.named(host)
    .flatMap(({ state }) => state.record.ssl?.validation_records ?? []);
  const body = records.find((record) => record.http_url === url)?.http_body;
  if (body === undefined) return false;
  plain(response, 200, body);
  return true;
}

async function visitOrigin(
  platform: Platform,
  visit: EdgeVisit,
  origin: string,
  found: StoredHostname | undefined,
): Promise<void> {
  const port = originsOf(platform)[origin];
  const { response, request, host } = visit;
  if (port === undefined) {
    const metadata = found?.state.record.custom_metadata;
    const lines = [`The origin ${origin} answers for ${host}.`, `${request.method} ${request.url}`];
    if (metadata !== undefined) lines.push(`Metadata: ${JSON.stringify(metadata)}`);
    request.resume();
    plain(response, 200, `${lines.join('\n')}\n`);
    return;
  }
  try {
    await forward(visit, port);
  } catch (error) {
    if (!isProblem(error) || error.code !== 'unreachable' || response.headersSent) throw error;
    showPage(visit, {
      status: 521,
      title: 'Web server is down',
      reason: `Nobody listens at port ${port}, which stands behind the origin ${origin}.`,
    });
  }
}

/** The page as a browser shows it, or as text for everybody else. */
function showPage({ host, request, response }: EdgeVisit, page: EdgePage): void {
  const { status, code, title, reason } = page;
  const number = code === undefined ? '' : `error code: ${code}`;
  request.resume();
  if (request.headers.accept?.includes('text/html') !== true) {
    plain(response, status, `${[number || title, reason].join('\n')}\n`);
    return;
  }
  const html = [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escaped(`${title} | ${host}`)}</title></head>`,
    `<body><h1>${escaped(title)}</h1>`,
    `${number === '' ? '' : `<p class="cf-error-code">${number}</p>`}<p>${escaped(reason)}</p></body></html>`,
  ];
  response.writeHead(status, { 'content-type': 'text/html;charset=UTF-8' }).end(`${html.join('\n')}\n`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
