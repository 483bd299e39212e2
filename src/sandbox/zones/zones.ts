import { plainName } from '../../model/dns/dns.ts';
import { wireTime } from '../../model/hostnames/state.ts';
import { isObject } from '../../model/json-object.ts';
import { zonePlans } from '../../model/zones/plan.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { edgeAddresses } from '../dns/names.ts';
import { hostnameCodes } from '../hostnames/codes.ts';
import { changeInternet } from '../hostnames/run.ts';
import { clockNow } from '../http/clock.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, type Platform, param, readJson, refusal, toText } from '../http/exchange.ts';
import { pageInfo, readWholeNumber } from '../http/paging.ts';
import { removeBucketDomainsInZone } from '../objects/settings/bucket-settings.ts';
import { findAccountPlatform, findZoneAccount, findZonePlatform } from '../session/account-platform.ts';
import { removeWorkerDomainsInZone } from '../workers/domains.ts';
import { deleteZoneRoutesInZone } from '../workers/zone-routes.ts';
import { formatPlan } from './plan-shape.ts';
import { readZoneStates } from './states.ts';
import {
  developmentSecondsLeft,
  isPlanAtLeast,
  readZoneChanges,
  readZonePlan,
  updateZoneChanges,
} from './zone-changes.ts';

const bodyLimit = 1024 * 1024;
/** A pattern of valid zone names. */
export const zoneNamePattern = /^(?=.{3,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Returns the zone in the path. Refuses a zone outside the account with 403. */
export function requireZone(exchange: Exchange): StoredZone {
  const zone = exchange.platform.registry().zones.find(param(exchange, 'zone'));
  if (zone === undefined) {
    throw refusal(403, codes.unauthorized, 'Unauthorized to access requested resource');
  }
  return zone;
}

export function listZones({ platform, query, token }: Exchange): Answer {
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(query, 'per_page', 1, 100, 20);
  const isNamed = parseNameFilter(query.get('name'));
  const status = query.get('status');
  const [account, accountName] = [query.get('account.id'), parseNameFilter(query.get('account.name'))];
  const found = platform
    .registry()
    .zones.list()
    .filter(({ name }) => isNamed(name))
    .filter((zone) => status === null || status === readStatus(platform, zone))
    .filter((zone) => {
      const { id, name } = findZoneAccount(platform, zone);
      const isMeant = (account === null || id === account) && accountName(name);
      return isMeant && token?.reaches({ account: id, zone: zone.id }) !== false;
    });
  const shown = found.slice((page - 1) * perPage, page * perPage);
  return ok(
    shown.map((zone) => formatZone(platform, zone)),
    pageInfo(page, perPage, shown.length, found.length),
  );
}

/**
 * Parses a name filter: `name=saas.sandbox`, or with an operator: `contains:saas`, `starts_with:`, `ends_with:`, `equal:`,
 * `not_equal:`.
 */
function parseNameFilter(text: string | null): (name: string) => boolean {
  if (text === null || text === '') return () => true;
  const [, way = 'equal', wanted = ''] = /^(?:(\w+):)?(.*)$/.exec(plainName(text)) ?? [];
  const compare: Record<string, (name: string) => boolean> = {
    equal: (name) => name === wanted,
    not_equal: (name) => name !== wanted,
    contains: (name) => name.includes(wanted),
    starts_with: (name) => name.startsWith(wanted),
    ends_with: (name) => name.endsWith(wanted),
    starts_with_case_sensitive: (name) => name.startsWith(wanted),
    ends_with_case_sensitive: (name) => name.endsWith(wanted),
    contains_case_sensitive: (name) => name.includes(wanted),
  };
  const found = compare[way];
  if (found !== undefined) return found;
  throw refusal(400, codes.requestInvalid, `invalid name '${text}': unknown filter ${way}`);
}

function readStatus(platform: Platform, { id }: StoredZone): string {
  return readZoneStates(platform)[id] ?? 'active';
}

export function getZone(exchange: Exchange): Answer {
  return ok(formatZone(exchange.platform, requireZone(exchange)));
}

/** Creates a zone in the account. The zone can also represent a customer's own zone, for holds and standalone zones. */
export async function createZone(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const body = await readJson(exchange, 'the zone', bodyLimit);
  const given = isObject(body) ? body['name'] : undefined;
  const name = typeof given === 'string' ? plainName(given) : '';
  if (!zoneNamePattern.test(name)) {
    throw refusal(400, hostnameCodes.zoneNameInvalid, `${name || 'The name'} is not a registered domain`);
  }
  const account = requireOwner(exchange, body);
  const now = clockNow(platform);
  const zone = await changeInternet(platform, () => platform.registry().zones.create(name, now, account));
  if (zone === undefined) throw refusal(400, hostnameCodes.zoneTaken, `${name} already exists`);
  return ok(formatZone(platform, zone));
}

/** Returns the account of a new zone. Refuses an account in which the caller is not allowed to create zones. */
function requireOwner({ platform, token }: Exchange, body: unknown): Pick<StoredZone, 'account'> {
  const given = isObject(body) && isObject(body['account']) ? body['account']['id'] : undefined;
  const own = platform.registry().account().id;
  const id = given === undefined ? own : toText(given);
  const isThere = findAccountPlatform(platform, id) !== undefined;
  if (!isThere || token?.allows('Zone', 'Write', { account: id, zone: '*' }) === false)
    throw refusal(403, codes.unauthorized, 'Unauthorized to access requested resource');
  return id === own ? {} : { account: id };
}

const pausedSetting = 'paused_zones';

function readPausedZones(platform: Platform): readonly string[] {
  return (platform.registry().settings.read(pausedSetting) ?? []) as readonly string[];
}

/** The fields of a zone that can be changed. The platform changes one field per request. */
const changes: Readonly<Record<string, (platform: Platform, zone: StoredZone, value: unknown) => void>> = {
  paused(platform, { id }, value) {
    if (typeof value !== 'boolean') throw invalidZone('paused must be true or false');
    platform.registry().settings.change(pausedSetting, (before) => {
      const rest = ((before ?? []) as readonly string[]).filter((one) => one !== id);
      return value ? [...rest, id] : rest;
    });
  },
  type(_platform, _zone, value) {
    if (value !== 'full') throw invalidZone('the sandbox only supports full zones');
  },
  vanity_name_servers(platform, { id }, value) {
    if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
      throw invalidZone('vanity_name_servers must be a list of names');
    if (!isPlanAtLeast(readZonePlan(platform, id), 'business'))
      throw invalidZone('vanity_name_servers require the business plan');
    updateZoneChanges(platform, id, (before) => ({ ...before, vanityServers: value }));
  },
  plan(platform, { id }, value) {
    const wanted = isObject(value) ? value['id'] : undefined;
    const plan = zonePlans.find((one) => one === wanted);
    if (plan === undefined) throw invalidZone(`plan must be {"id"} with one of ${zonePlans.join(', ')}`);
    updateZoneChanges(platform, id, (before) => ({ ...before, plan }));
  },
};

function invalidZone(why: string) {
  return refusal(400, codes.requestInvalid, `invalid zone: ${why}`);
}

/** Changes a zone. Refuses, instead of ignoring, a change to a field that the sandbox does not support. */
export async function changeZone(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const body = await readJson(exchange, 'the zone', bodyLimit);
  const [first, second] = isObject(body) ? Object.entries(body) : [];
  if (first === undefined) throw invalidZone(`set one of ${Object.keys(changes).join(', ')}`);
  if (second !== undefined) throw invalidZone('only one field can be changed at a time');
  const [name, value] = first;
  const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
  if (change === undefined) throw invalidZone(`the sandbox does not support changing ${name}`);
  change(platform, zone, value);
  return ok(formatZone(platform, zone));
}

export async function removeZone(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const registry = platform.registry();
  if (zone.id === registry.zoneId()) {
    throw refusal(400, hostnameCodes.zoneNeeded, "The sandbox's own zone cannot be deleted.");
  }
  await changeInternet(platform, () => {
    registry.hostnames.removeZone(zone.id);
    registry.dnsRecords.removeZone(zone.id);
    registry.zones.remove(zone.id);
  });
  updateZoneChanges(platform, zone.id, () => undefined);
  const seen = findZonePlatform(platform, zone);
  removeWorkerDomainsInZone(seen, zone.id);
  removeBucketDomainsInZone(seen, zone.id);
  deleteZoneRoutesInZone(platform, zone.id);
  return ok({ id: zone.id });
}

/** Returns the UUID in delegation targets: `<hostname>.<uuid>.dcv.<provider>`. */
export function getDelegation(exchange: Exchange): Answer {
  return ok({ uuid: requireZone(exchange).delegation });
}

/** Lists the address ranges of the edge. */
export function listAddresses(): Answer {
  return ok({
    etag: 'sandbox',
    ipv4_cidrs: Object.values(edgeAddresses).map((address) => `${address}/32`),
    ipv6_cidrs: [],
  });
}

const pageRuleQuota = { free: 3, pro: 20, business: 50, enterprise: 125 } as const;

function formatZone(platform: Platform, zone: StoredZone) {
  const { id, name } = findZoneAccount(platform, zone);
  const changed = readZoneChanges(platform, zone.id);
  const plan = readZonePlan(platform, zone.id);
  const created = wireTime(zone.createdAt);
  return {
    id: zone.id,
    name: zone.name,
    status: readStatus(platform, zone),
    paused: readPausedZones(platform).includes(zone.id),
    type: 'full',
    development_mode: developmentSecondsLeft(changed.settings?.['development_mode'], clockNow(platform)),
    name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    created_on: created,
    modified_on: created,
    activated_on: created,
    ...(changed.vanityServers !== undefined && { vanity_name_servers: changed.vanityServers }),
    meta: {
      step: 2,
      custom_certificate_quota: plan === 'enterprise' ? 1 : 0,
      page_rule_quota: pageRuleQuota[plan],
      phishing_detected: false,
    },
    account: { id, name },
    owner: { id: null, type: 'user', email: null },
    tenant: {},
    plan: formatPlan(plan, plan),
    permissions: ['#zone:read', '#zone:edit', '#dns_records:edit', '#ssl:edit'],
  };
}
