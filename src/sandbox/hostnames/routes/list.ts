import { isCertificateStatus, isHostnameStatus } from '../../../model/hostnames/hostname.ts';
import type { LiveHostname } from '../../../model/hostnames/state.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { type Exchange, type Platform, refusal } from '../../http/exchange.ts';
import { isDescending, pageInfo, readWholeNumber } from '../../http/paging.ts';
import { requireZone } from '../../zones/zones.ts';
import { hostnameCodes } from '../codes.ts';
import { applyShownStatus } from '../interventions.ts';
import { readHostnameQuota } from '../limits.ts';
import { runUpToDate } from '../run.ts';
import { requireHostname } from './find.ts';

export async function listHostnames(exchange: Exchange): Promise<Answer> {
  const { platform, query } = exchange;
  const zone = requireZone(exchange);
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(query, 'per_page', 5, 50, 20);
  const filters = parseFilters(query);
  const compare = parseOrder(query);
  // Reads only the requested page, because a client that lists a large zone requests hundreds of pages.
  if (filters.length === 0 && compare === undefined) return readPage(platform, zone.id, page, perPage);
  const stored = await runUpToDate(platform, () => platform.registry().hostnames.list(zone.id));
  const found = stored
    .map(({ state }) => state.record)
    .filter((record) => filters.every((filter) => filter(record)));
  if (compare !== undefined) found.sort(compare);
  const shown = found
    .slice((page - 1) * perPage, page * perPage)
    .map((record) => applyShownStatus(platform, record));
  return ok(shown, pageInfo(page, perPage, shown.length, found.length));
}

/** Returns a page of all hostnames in order of creation, without reading other pages. */
async function readPage(platform: Platform, zoneId: string, page: number, perPage: number): Promise<Answer> {
  return runUpToDate(platform, () => {
    const { hostnames } = platform.registry();
    const shown = hostnames
      .page(zoneId, (page - 1) * perPage, perPage)
      .map(({ state }) => applyShownStatus(platform, state.record));
    return ok(shown, pageInfo(page, perPage, shown.length, hostnames.count(zoneId)));
  });
}

export async function getHostname(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const { state } = await runUpToDate(platform, () => requireHostname(exchange));
  return ok(applyShownStatus(platform, state.record));
}

export async function getQuota(exchange: Exchange): Promise<Answer> {
  const zone = requireZone(exchange);
  return ok(await runUpToDate(exchange.platform, () => readHostnameQuota(exchange.platform, zone.id)));
}

type Filter = (record: LiveHostname) => boolean;

const byName = ['id', 'hostname', 'hostname.exact', 'hostname.contain', 'hostname.startsWith'];

/** Parses the filters of a query. Filters by name are mutually exclusive (codes 1437 and 1438). */
function parseFilters(query: URLSearchParams): readonly Filter[] {
  const used = byName.filter((name) => query.has(name));
  if (used.length > 1) {
    const code = used.includes('id') ? hostnameCodes.filterBesideId : hostnameCodes.filterInvalid;
    throw refusal(400, code, `The filters ${used.join(' and ')} cannot be used together.`);
  }
  return [...query].flatMap(([name, value]) => parseFilter(name, value) ?? []);
}

function parseFilter(name: string, value: string): Filter | undefined {
  const text = value.toLowerCase();
  switch (name) {
    case 'id':
      return ({ id }) => id === value;
    case 'hostname':
    case 'hostname.exact':
      return ({ hostname }) => hostname === text;
    case 'hostname.contain':
      if (!/^[a-z0-9._*-]+$/.test(text)) throw invalidFilter(name, value);
      return ({ hostname }) => hostname.includes(text);
    case 'hostname.startsWith':
      return ({ hostname }) => hostname.startsWith(text);
    case 'hostname_status':
      if (!isHostnameStatus(value)) throw invalidFilter(name, value);
      return ({ status }) => status === value;
    case 'ssl_status':
      if (!isCertificateStatus(value)) throw invalidFilter(name, value);
      return ({ ssl }) => ssl?.status === value;
    case 'certificate_authority':
      return ({ ssl }) => ssl?.certificate_authority === value;
    case 'custom_origin_server':
      return ({ custom_origin_server: origin }) => origin === text;
    case 'wildcard':
      return ({ ssl }) => String(ssl?.wildcard === true) === text;
    case 'ssl':
      return ({ ssl }) => (ssl !== undefined) === (value === '1' || text === 'true');
    default:
      return undefined;
  }
}

function invalidFilter(name: string, value: string) {
  return refusal(400, hostnameCodes.filterInvalid, `Invalid ${name} "${value}".`);
}

type Compare = (left: LiveHostname, right: LiveHostname) => number;

/**
 * Parses the order of a list: by whether a certificate exists, or by the certificate status. Returns undefined for the order of creation.
 */
function parseOrder(query: URLSearchParams): Compare | undefined {
  const order = query.get('order');
  const descends = isDescending(query);
  if (order === null) return descends ? compareNewest : undefined;
  if (order !== 'ssl' && order !== 'ssl_status') throw invalidFilter('order', order);
  const key = ({ ssl }: LiveHostname) => (order === 'ssl' ? String(ssl !== undefined) : (ssl?.status ?? ''));
  const sign = descends ? -1 : 1;
  return (left, right) => sign * (key(left) < key(right) ? -1 : key(left) > key(right) ? 1 : 0);
}

function compareNewest(left: LiveHostname, right: LiveHostname): number {
  return (right.created_at ?? '').localeCompare(left.created_at ?? '');
}
