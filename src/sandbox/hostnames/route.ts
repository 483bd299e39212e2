import { isWithin, parentName } from '../../model/dns/dns.ts';
import { dayMilliseconds, hasHoldMessage, hostnameLimits } from '../../model/hostnames/hostname.ts';
import type { StoredHostname } from '../../store/hostnames/hostnames.ts';
import type { StoredRecord } from '../../store/zones/dns-records.ts';
import { ownZoneName, type StoredZone } from '../../store/zones/zones.ts';
import { edgeAddresses } from '../dns/names.ts';

/** The route of a request: to an origin of the zone, or to an error page. */
export type EdgeRoute =
  | { readonly kind: 'origin'; readonly origin: string; readonly found?: StoredHostname }
  | { readonly kind: 'page'; readonly page: EdgePage };

/** An error page. `code` is the platform's own error number, if the page shows one. */
export interface EdgePage {
  readonly status: number;
  readonly code?: number;
  readonly title: string;
  readonly reason: string;
}

/** The data on which routing is based. */
export interface EdgeView {
  /** Milliseconds since the UNIX epoch, on the platform's clock. */
  readonly now: number;
  readonly zones: readonly StoredZone[];
  readonly records: readonly StoredRecord[];
  /**
   * Returns the edge address in a customer's DNS record that is not a CNAME; undefined if the name does not resolve to an edge address.
   */
  directAddress(host: string): string | undefined;
  /** Returns the custom hostnames with exactly this name, in any zone. */
  named(hostname: string): readonly StoredHostname[];
}

/**
 * Routes a host as the platform does: first by its own custom hostname, then by the DNS of its zone, and last by a wildcard custom hostname
 * above the host (specification, Errors, 1016). Returns undefined if the host is unknown.
 */
export function routeHost(view: EdgeView, host: string): EdgeRoute | undefined {
  const zone = findZoneAbove(view, host);
  const direct = zone === undefined ? view.directAddress(host) : undefined;
  const exact = preferActive(view.named(host));
  const own = zone && findProxiedRecord(view, zone, host);
  if (own !== undefined && crossesAccounts(view, own) && !(exact !== undefined && isActive(exact)))
    return crossAccountPage(host, own.content);
  if (exact !== undefined && direct !== undefined && direct !== findEdgeAddress(view, exact))
    return restrictedPage(host);
  if (exact !== undefined) return routeHostname(view, exact);
  if (own !== undefined)
    return isProhibited(own) ? prohibitedPage(own.name) : { kind: 'origin', origin: own.name };
  const wildcard = findWildcardAbove(view, host);
  if (wildcard === undefined) return undefined;
  if (direct !== undefined) return unresolvedPage(host, wildcard);
  if (zone !== undefined && zone.id !== wildcard.zoneId)
    return page1016(formatStandaloneReason(host, wildcard, zone));
  return routeHostname(view, wildcard);
}

/** Returns the edge address that is assigned to the zone of a custom hostname. */
function findEdgeAddress({ zones }: EdgeView, { zoneId }: StoredHostname): string {
  const own = zones.find(({ id }) => id === zoneId)?.name === ownZoneName;
  return own ? edgeAddresses.own : edgeAddresses.others;
}

/**
 * Returns whether a proxied CNAME points from a customer's zone to the provider's zone, or from the provider's zone to a customer's zone.
 * The two zones represent two accounts.
 */
function crossesAccounts(view: EdgeView, { type, name, content }: StoredRecord): boolean {
  const there = type === 'CNAME' ? findZoneAbove(view, content) : undefined;
  if (there === undefined) return false;
  return (there.name === ownZoneName) !== (findZoneAbove(view, name)?.name === ownZoneName);
}

/**
 * Returns the custom hostname whose certificate serves a name: the name itself, or a wildcard that no standalone zone overrides.
 */
export function findServingHostname(view: EdgeView, host: string): StoredHostname | undefined {
  const exact = view.named(host).find(isServing);
  if (exact !== undefined) return exact;
  const zone = findZoneAbove(view, host);
  const wildcard = findWildcardAbove(view, host);
  return zone === undefined || zone.id === wildcard?.zoneId ? wildcard : undefined;
}

/**
 * Returns whether the edge serves a hostname's certificate. A certificate is not served if it is held back, or was revoked with the
 * hostname.
 */
function isServing({ keyed, state }: StoredHostname): boolean {
  const status = state.record.ssl?.status ?? '';
  return keyed !== undefined && !/^(?:holding|staging|deleted|pending_deletion)/.test(status);
}

function isActive({ state }: StoredHostname): boolean {
  return state.record.status === 'active' || state.record.status === 'active_redeploying';
}

function preferActive(found: readonly StoredHostname[]): StoredHostname | undefined {
  return found.find(isActive) ?? found[0];
}

/** Returns the zone of the platform that contains a host; if several zones contain the host, the zone with the longest name. */
export function findZoneAbove({ zones }: Pick<EdgeView, 'zones'>, host: string): StoredZone | undefined {
  return zones
    .filter(({ name }) => isWithin(host, name))
    .sort((left, right) => right.name.length - left.name.length)[0];
}

function findProxiedRecord({ records }: EdgeView, zone: StoredZone, host: string): StoredRecord | undefined {
  return records.find(({ zoneId, name, proxied }) => zoneId === zone.id && name === host && proxied);
}

function findWildcardAbove(view: EdgeView, host: string): StoredHostname | undefined {
  for (let above = parentName(host); above !== undefined; above = parentName(above)) {
    const managed = view.named(above).filter(({ state }) => state.record.ssl?.wildcard === true);
    const found = preferActive([...managed, ...view.named(`*.${above}`)]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function routeHostname(view: EdgeView, found: StoredHostname): EdgeRoute {
  const { record } = found.state;
  const zone = view.zones.find(({ id }) => id === found.zoneId);
  if (zone?.name === record.hostname) {
    return errorPage(403, 'Forbidden', 'A custom hostname cannot be the zone itself.');
  }
  const stopped = findErrorPage(found, view.now);
  if (stopped !== undefined) return stopped;
  const origin = record.custom_origin_server ?? zone?.fallback?.origin;
  if (origin === undefined) return page1016('The zone has no fallback origin.');
  if (record.custom_origin_server === undefined && zone?.fallback?.failed === true)
    return page1016(`The fallback origin ${origin} could not be deployed.`);
  if (record.custom_origin_server === undefined && isFresh(zone, view.now))
    return unknownHostPage(record.hostname);
  const behind = view.records.find(
    ({ zoneId, name, type }) => zoneId === found.zoneId && name === origin && /^(?:A|AAAA|CNAME)$/.test(type),
  );
  if (behind !== undefined && isProhibited(behind)) return prohibitedPage(origin);
  if (behind !== undefined) return { kind: 'origin', origin, found };
  const which = record.custom_origin_server === undefined ? 'fallback' : 'custom';
  return page1016(`The ${which} origin ${origin} has no DNS record in its zone.`);
}

/** Returns the error page of a hostname that is not served, or undefined. */
function findErrorPage(found: StoredHostname, now: number): EdgeRoute | undefined {
  const { record, track } = found.state;
  switch (record.status) {
    case 'active':
    case 'active_redeploying':
      break;
    case 'blocked': {
      const reason = record.verification_errors[0] ?? 'The hostname is blocked.';
      return errorPage(403, 'Hostname blocked', hasHoldMessage(record) ? reason : `Blocked: ${reason}`);
    }
    case 'caa_error': {
      // The current certificate, which the new order should have replaced, is served until it expires.
      if (readExpiry(found) > now) break;
      const reason = (record.ssl?.validation_errors ?? []).map(({ message }) => message).join(' ');
      return errorPage(526, 'No certificate', `No certificate could be issued: ${reason}`);
    }
    case 'moved': {
      const end = (track.movedAt ?? 0) + hostnameLimits.movedDays * dayMilliseconds;
      const until = `The hostname will be deleted on ${new Date(end).toISOString()}.`;
      return page1016(`The hostname has moved away and its ownership is not validated. ${until}`);
    }
    default:
      return page1016(
        ['The ownership of the hostname is not validated.', ...record.verification_errors].join(' '),
      );
  }
  if (record.ssl?.status !== 'expired' && (readExpiry(found) === 0 || readExpiry(found) > now))
    return undefined;
  return errorPage(
    526,
    'Certificate expired',
    `The certificate expired on ${record.ssl?.expires_on ?? 'an unknown date'}.`,
  );
}

/** Returns when the installed certificate expires, in milliseconds; 0 without a certificate. */
function readExpiry({ state }: StoredHostname): number {
  return state.certificate?.expiresAt ?? 0;
}

function formatStandaloneReason(host: string, wildcard: StoredHostname, zone: StoredZone): string {
  return (
    `The wildcard custom hostname ${wildcard.state.record.hostname} does not reach ${host}, because the domain of ${host} is the ` +
    `standalone zone ${zone.name}, which takes precedence even without a DNS record. Add ${host} as a separate custom hostname.`
  );
}

/** Returns whether the fallback origin was set less than a second ago, and has not reached the edge yet. */
function isFresh(zone: StoredZone | undefined, now: number): boolean {
  return zone?.fallback !== undefined && now - zone.fallback.updatedAt < 1000;
}

function isProhibited({ type, content }: StoredRecord): boolean {
  const own: readonly string[] = Object.values(edgeAddresses);
  return type === 'A' && own.includes(content);
}

function prohibitedPage(name: string): EdgeRoute {
  const reason = `The DNS record for ${name} contains one of the platform's own addresses.`;
  return numberedPage(403, 1000, 'DNS points to prohibited IP', reason);
}

function crossAccountPage(host: string, target: string): EdgeRoute {
  const reason = `${host} points to ${target} in a zone of another account, where ${host} is not an active custom hostname.`;
  return numberedPage(409, 1014, 'CNAME cross-user banned', reason);
}

function restrictedPage(host: string): EdgeRoute {
  const reason = `${host} points to an edge address that is not assigned to its zone; its DNS record must be a CNAME.`;
  return numberedPage(409, 1034, 'Edge IP restricted', reason);
}

function unresolvedPage(host: string, wildcard: StoredHostname): EdgeRoute {
  const { hostname } = wildcard.state.record;
  const reason = `${host} has an address record; the wildcard custom hostname ${hostname} serves only names that have a CNAME.`;
  return numberedPage(409, 1001, 'DNS resolution error', reason);
}

function unknownHostPage(host: string): EdgeRoute {
  return numberedPage(
    409,
    1023,
    'Could not find host',
    `The configuration of ${host} has not reached the edge yet.`,
  );
}

function numberedPage(status: number, code: number, title: string, reason: string): EdgeRoute {
  return { kind: 'page', page: { status, code, title, reason } };
}

function page1016(reason: string): EdgeRoute {
  return { kind: 'page', page: { status: 530, code: 1016, title: 'Origin DNS error', reason } };
}

function errorPage(status: number, title: string, reason: string): EdgeRoute {
  return { kind: 'page', page: { status, title, reason } };
}
