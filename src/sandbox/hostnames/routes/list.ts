import { isCertificateStatus, isHostnameStatus } from '../../../model/hostnames/hostname.ts';
import type { LiveHostname } from '../../../model/hostnames/state.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { type Exchange, type Platform, refusal } from '../../http/exchange.ts';
import { isDescending, pageInfo, wholeNumber } from '../../http/paging.ts';
import { zoneOf } from '../../zones/routes.ts';
import { hostnameCodes } from '../codes.ts';
import { asShown } from '../interventions.ts';
import { quotaOf } from '../limits.ts';
import { upToDate } from '../run.ts';
import { hostnameOf } from './find.ts';

export async function listHostnames(exchange: Exchange): Promise<Answer> {
  const { platform, query } = exchange;
  const zone = zoneOf(exchange);
  const page = wholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = wholeNumber(query, 'per_page', 5, 50, 20);
  const filters = filtersOf(query);
  const compare = orderOf(query);
  // A client that reads all of a large zone requests hundreds of pages.
  if (filters.length === 0 && compare === undefined) return plainPage(platform, zone.id, page, perPage);
  const stored = await upToDate(platform, () => platform.registry().hostnames.list(zone.id));
  const found = stored
    .map(({ state }) => state.record)
    .filter((record) => filters.every((filter) => filter(record)));
  if (compare !== undefined) found.sort(compare);
  const shown = found.slice((page - 1) * perPage, page * perPage).map((record) => asShown(platform, record));
  return ok(shown, pageInfo(page, perPage, shown.length, found.length));
}

/** Returns a page of all hostnames in order of creation, without reading other pages. */
async function plainPage(platform: Platform, zoneId: string, page: number, perPage: number): Promise<Answer> {
  return upToDate(platform, () => {
    const { hostnames } = platform.registry();
    const shown = hostnames
      .page(zoneId, (page - 1) * perPage, perPage)
      .map(({ state }) => asShown(platform, state.record));
    return ok(shown, pageInfo(page, perPage, shown.length, hostnames.count(zoneId)));
  });
}

export async function getHostname(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const { state } = await upToDate(platform, () => hostnameOf(exchange));
  return ok(asShown(platform, state.record));
}

export async function getQuota(exchange: Exchange): Promise<Answer> {
  const zone = zoneOf(exchange);
  return ok(await upToDate(exchange.platform, () => quotaOf(exchange.platform, zone.id)));
}

type Filter = (record: LiveHostname) => boolean;

const byName = ['id', 'hostname', 'hostname.exact', 'hostname.contain', 'hostname.startsWith'];

/** Parses the filters of a query. Filters by name are mutually exclusive (codes 1437 and 1438). */
function filtersOf(query: URLSearchParams): readonly Filter[] {
  const used = byName.filter((name) => query.has(name));
  if (used.length > 1) {
    const code = used.includes('id') ? hostnameCodes.filterBesideId : hostnameCodes.filterInvalid;
    throw refusal(400, code, `The filters ${used.join(' and ')} cannot be used together.`);
  }
  return [...query].flatMap(([name, value]) => filterOf(name, value) ?? []);
}

function filterOf(name: string, value: string): Filter | undefined {
  const text = value.toLowerCase();
  switch (name) {
    case 'id':
      return ({ id }) => id === value;
    case 'hostname':
    case 'hostname.exact':
      return ({ hostname }) => hostname === text;
    case 'hostname.contain':
      if (!/^[a-z0-9._*-]+$/.test(text)) throw wrongFilter(name, value);
      return ({ hostname }) => hostname.includes(text);
    case 'hostname.startsWith':
      return ({ hostname }) => hostname.startsWith(text);
    case 'hostname_status':
      if (!isHostnameStatus(value)) throw wrongFilter(name, value);
      return ({ status }) => status === value;
    case 'ssl_status':
      if (!isCertificateStatus(value)) throw wrongFilter(name, value);
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

function wrongFilter(name: string, value: string) {
  return refusal(400, hostnameCodes.filterInvalid, `Invalid ${name} "${value}".`);
}

type Compare = (left: LiveHostname, right: LiveHostname) => number;

/** Parses the order of a list: by whether there is a certificate, or by its status. Undefined for the order of creation. */
function orderOf(query: URLSearchParams): Compare | undefined {
  const order = query.get('order');
  const descends = isDescending(query);
  if (order === null) return descends ? newest : undefined;
  if (order !== 'ssl' && order !== 'ssl_status') throw wrongFilter('order', order);
  const key = ({ ssl }: LiveHostname) => (order === 'ssl' ? String(ssl !== undefined) : (ssl?.status ?? ''));
  const sign = descends ? -1 : 1;
  return (left, right) => sign * (key(left) < key(right) ? -1 : key(left) > key(right) ? 1 : 0);
}

function newest(left: LiveHostname, right: LiveHostname): number {
  return (right.created_at ?? '').localeCompare(left.created_at ?? '');
}
