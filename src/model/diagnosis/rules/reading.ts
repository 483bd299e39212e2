import { BlockList, isIPv6 } from 'node:net';
import { isWithin } from '../../dns/dns.ts';
import { type CustomHostname, dayMilliseconds, isServed } from '../../hostnames/hostname.ts';
import { daysUntilDeletion } from '../../hostnames/list.ts';
import { renewalDays, validDays } from '../../hostnames/state.ts';
import { type AddressFacts, type Fact, type Facts, ifKnown } from '../facts.ts';

/**
 * The destination to which public DNS points. `dangling`: a name in our zone that does not exist. `flattened`: the target's own addresses
 * without a CNAME. `unseen`: as `flattened`, but the platform reports that it finds no CNAME to this zone. `mixed`: our addresses and other
 * addresses. `apex`: the account's own range. `edge`: the platform's edge, through an unknown zone. `nowhere`: no addresses. `broken`: a
 * CNAME chain that does not end. `unclear`: addresses of an unknown owner. `unknown`: DNS did not answer.
 */
export type Routing =
  | 'here'
  | 'dangling'
  | 'flattened'
  | 'unseen'
  | 'mixed'
  | 'apex'
  | 'edge'
  | 'elsewhere'
  | 'nowhere'
  | 'broken'
  | 'unclear'
  | 'unknown';

export const minuteMilliseconds = 60_000;
export const hourMilliseconds = 60 * minuteMilliseconds;

/** Returns the custom hostname whose name is exactly this hostname, if it exists and is known. */
export function exactRecord(facts: Facts): CustomHostname | undefined {
  return ifKnown(facts.record) ?? undefined;
}

/** Determines the routing from the CNAME chain and the addresses. */
export function readRouting(facts: Facts): Routing {
  const { chain } = facts.dns;
  if (chain.end === 'loop' || chain.end === 'too-long') return 'broken';
  if (chain.hops.length > 0 && pointsIntoZone(facts)) return chain.end === 'nothing' ? 'dangling' : 'here';
  if (chain.end === 'unknown') return 'unknown';
  if (chain.end === 'nothing') return chain.hops.length === 0 ? 'nowhere' : 'elsewhere';
  if (chain.hops.length > 0) return ifKnown(facts.zone) === undefined ? 'unclear' : 'elsewhere';
  return routingByAddress(facts);
}

function pointsIntoZone(facts: Facts): boolean {
  const zone = ifKnown(facts.zone)?.name;
  if (zone === undefined) return false;
  const { hops, last } = facts.dns.chain;
  const partial = last.endsWith('.cdn.cloudflare.net') && hops.some((hop) => isWithin(hop.target, zone));
  return isWithin(last, zone) || partial;
}

function routingByAddress(facts: Facts): Routing {
  const { v4, v6 } = facts.dns.addresses;
  const found = addressList(facts.dns.addresses);
  if (found.length === 0) return 'known' in v4 && 'known' in v6 ? 'nowhere' : 'unknown';
  const target = addressList(facts.dns.targetAddresses);
  const shared = found.filter((address) => target.includes(address));
  if (shared.length > 0 && (shared.length === found.length || strayV6(facts).length > 0))
    return platformSeesNoCname(facts) ? 'unseen' : 'flattened';
  const apex = ifKnown(facts.apexRanges) ?? [];
  if (apex.length > 0 && found.every(inRanges(apex))) return 'apex';
  if (foreignAddresses(facts).length > 0) return 'mixed';
  const edge = ifKnown(facts.edgeRanges);
  if (edge === undefined) return target.length === 0 ? 'unclear' : 'elsewhere';
  return found.some(inRanges(edge)) ? 'edge' : 'elsewhere';
}

/**
 * Returns whether the platform reports that the hostname does not point to this zone. This report overrides the addresses, because the
 * platform cannot see an ALIAS record, a CNAME flattened by another provider, or a copied address.
 */
export function platformSeesNoCname(facts: Facts): boolean {
  const record = exactRecord(facts);
  if (record === undefined || record.status === 'active') return false;
  return (record.verification_errors ?? []).some((message) => /does not CNAME/i.test(message));
}

/**
 * Returns the addresses that are not ours, if the hostname also has some of our addresses. Our addresses are the account's own ranges and
 * the addresses of the target.
 */
export function foreignAddresses(facts: Facts): readonly string[] {
  const apex = inRanges(ifKnown(facts.apexRanges) ?? []);
  const target = addressList(facts.dns.targetAddresses);
  const found = addressList(facts.dns.addresses);
  const foreign = found.filter((address) => !apex(address) && !target.includes(address));
  return foreign.length < found.length ? foreign : [];
}

/** Returns whether the hostname is a zone apex, where CNAME records are not allowed (RFC 1034, 3.6.2). */
export function isZoneApex(facts: Facts): boolean {
  return ifKnown(facts.dns.zones)?.[0]?.name === facts.hostname;
}

/** Returns the known addresses of both families. */
export function addressList(addresses: AddressFacts): readonly string[] {
  return [...(ifKnown(addresses.v4) ?? []), ...(ifKnown(addresses.v6) ?? [])];
}

/** Returns the AAAA addresses that point elsewhere although all A records point to the target. */
export function strayV6(facts: Facts): readonly string[] {
  const v4 = ifKnown(facts.dns.addresses.v4) ?? [];
  const targetV4 = ifKnown(facts.dns.targetAddresses.v4) ?? [];
  const targetV6 = ifKnown(facts.dns.targetAddresses.v6) ?? [];
  if (v4.length === 0 || !v4.every((address) => targetV4.includes(address))) return [];
  const edge = inRanges(ifKnown(facts.edgeRanges) ?? []);
  const v6 = ifKnown(facts.dns.addresses.v6) ?? [];
  return v6.filter((address) => !targetV6.includes(address) && !edge(address));
}

/**
 * Returns a function that checks whether an address is in one of the given ranges (such as `192.0.2.0/24`). An unreadable range contains no
 * address.
 */
export function inRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/');
    try {
      list.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4');
    } catch {
      // Ranges in an unknown format are ignored, because this can only make a finding more cautious.
    }
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Returns whether visitors, and authorities that fetch a token, reach our edge. True even if the platform does not accept the hostname. */
export function arrivesAtEdge(facts: Facts): boolean {
  return pointsHere(facts) || readRouting(facts) === 'unseen';
}

/** Returns whether public DNS points to this zone and the platform does not report otherwise. */
export function pointsHere(facts: Facts): boolean {
  return ['here', 'flattened', 'apex'].includes(readRouting(facts));
}

/**
 * Returns whether visitors are served: the hostname is active, its certificate is active or being renewed, and the edge does not present a
 * different certificate. If the hostname has no certificate of its own, the edge must present another certificate that covers the hostname.
 */
export function inService(facts: Facts): boolean {
  const record = exactRecord(facts) ?? ifKnown(facts.wildcardRecord) ?? undefined;
  if (record === undefined || !isServed(record)) return false;
  const { ssl } = record;
  const seen = ifKnown(facts.https)?.certificate;
  const isOver = seen?.covers === true && seen.validTo <= facts.now;
  if (ssl === undefined) return seen?.covers === true && !isOver;
  return !isOver && (ssl.status === 'active' || hasEarlierCertificate(facts, ssl));
}

/**
 * Returns whether the hostname is active and no fact shows a fault: the platform reports no error, the edge presents no other certificate,
 * and the origin exists and is deployed.
 */
export function isServedWithoutFault(facts: Facts): boolean {
  const record = exactRecord(facts) ?? ifKnown(facts.wildcardRecord);
  const isReported = (record?.verification_errors ?? []).length > 0;
  const isOther = ifKnown(facts.https)?.certificate?.covers === false;
  return inService(facts) && !isReported && !isOther && originFault(facts) === undefined;
}

/** Returns whether the edge still presents an earlier certificate while a new certificate is being issued. */
function hasEarlierCertificate(
  facts: Facts,
  { status, expires_on }: NonNullable<CustomHostname['ssl']>,
): boolean {
  const end = Date.parse(expires_on ?? '');
  return (
    end > facts.now &&
    status !== undefined &&
    !/^(?:holding|staging|deleted|pending_deletion|inactive|expired)/.test(status)
  );
}

/**
 * Returns whether DNS definitely does not point to this zone. A CNAME to one of our names that does not resolve counts as pointing here,
 * because we must create that name.
 */
export function pointsElsewhere(facts: Facts): boolean {
  return ['elsewhere', 'nowhere', 'broken', 'mixed'].includes(readRouting(facts));
}

/** Formats the CNAME chain as one line: `shop.acme.com → customers.saas.com → (does not exist)`. */
export function chainLine(facts: Facts): string {
  const { hops, last, end, detail } = facts.dns.chain;
  const names = [hops[0]?.name ?? last, ...hops.map((hop) => hop.target)];
  const ends = {
    name: '',
    nothing: ' (does not exist)',
    loop: ' (a loop)',
    'too-long': ' (more than 16 hops)',
    unknown: ` (${detail ?? 'unknown'})`,
  };
  return `DNS: ${names.join(' → ')}${ends[end]}`;
}

/** Returns one line for each address family with addresses or a failed query. */
export function addressLines(facts: Facts): readonly string[] {
  const { v4, v6 } = facts.dns.addresses;
  return [addressLine('A', v4), addressLine('AAAA', v6)].filter((line) => line !== undefined);
}

function addressLine(type: string, fact: Fact<readonly string[]>): string | undefined {
  if ('unknown' in fact) return `${type}: unknown (${fact.unknown})`;
  return fact.known.length === 0 ? undefined : `${type}: ${fact.known.join(', ')}`;
}

/** Returns the milliseconds since validation began, at the last known refresh or at creation. */
export function timeSinceValidation(facts: Facts): number | undefined {
  const created = Date.parse(exactRecord(facts)?.created_at ?? '');
  const begun = Math.max(Number.isNaN(created) ? 0 : created, facts.history.refreshedAt ?? 0);
  return begun === 0 ? undefined : facts.now - begun;
}

/** Returns the time at which the certificate was first ordered or its renewal began, regardless of later restarts; undefined if unknown. */
export function orderedAt(facts: Facts): number | undefined {
  const created = Date.parse(exactRecord(facts)?.created_at ?? '');
  const left = timeToExpiry(facts);
  const renewed = left === undefined ? undefined : facts.now + left - renewalDays * dayMilliseconds;
  if (renewed !== undefined && renewed <= facts.now) return renewed;
  return Number.isNaN(created) ? undefined : created;
}

/** Returns the milliseconds since the current certificate order began. A renewal begins 30 days before the previous certificate expires. */
export function timeSinceOrder(facts: Facts): number | undefined {
  const sinceValidation = timeSinceValidation(facts);
  const left = timeToExpiry(facts);
  const sinceRenewal = left === undefined ? -1 : renewalDays * dayMilliseconds - left;
  return sinceRenewal < 0 ? sinceValidation : Math.min(sinceRenewal, sinceValidation ?? sinceRenewal);
}

/**
 * Returns the minimum number of milliseconds since the newest certificate was issued; undefined if the hostname record does not show it.
 */
export function timeSinceIssue(facts: Facts): number | undefined {
  const left = timeToExpiry(facts);
  const valid = left === undefined ? undefined : validDays * dayMilliseconds - left;
  const known = [valid, timeSinceValidation(facts)].flatMap((time) => ((time ?? -1) < 0 ? [] : [time ?? 0]));
  return known.length === 0 ? undefined : Math.min(...known);
}

/**
 * Returns the maximum number of days until the platform deletes a hostname in Moved. The platform does not report when a hostname entered
 * Moved, so the count begins when edgectl first saw the hostname in Moved.
 */
export function daysLeftInMoved(facts: Facts): number {
  return daysUntilDeletion(facts.history.movedSeenAt ?? facts.now, facts.now);
}

/** Formats a count with its unit: "1 day", "7 days". */
export function formatUnits(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns the name to which customers must point, or a description if the name is unknown. */
export function targetName(facts: Facts): string {
  return ifKnown(facts.target) ?? `the target in ${ifKnown(facts.zone)?.name ?? 'our zone'}`;
}

/** Returns the name of the hostname's custom origin, or of the fallback origin. */
export function originName(facts: Facts): string | undefined {
  return exactRecord(facts)?.custom_origin_server ?? ifKnown(facts.fallback)?.origin;
}

/** Returns the milliseconds until the certificate expires; undefined if unknown. */
export function timeToExpiry(facts: Facts): number | undefined {
  const end = Date.parse(exactRecord(facts)?.ssl?.expires_on ?? '');
  return Number.isNaN(end) ? undefined : end - facts.now;
}

/**
 * Returns whether our certificate for the hostname has expired according to the record. If the record does not report the certificate as
 * active, also checks the certificate at the edge.
 */
export function hasExpired(facts: Facts): boolean {
  const { status = '' } = exactRecord(facts)?.ssl ?? {};
  if (status === 'expired' || (timeToExpiry(facts) ?? 1) <= 0) return true;
  const seen = ifKnown(facts.https)?.certificate;
  return status !== 'active' && seen?.covers === true && seen.validTo <= facts.now;
}

/** Returns the platform's error numbers on the pages that the edge returned. */
export function pageCodes(facts: Facts): readonly number[] {
  return [ifKnown(facts.http)?.pageCode, ifKnown(facts.https)?.pageCode].filter((code) => code !== undefined);
}

/** Returns the reason why the fallback or custom origin cannot handle requests; undefined if it can. */
export function originFault(facts: Facts): string | undefined {
  const record = exactRecord(facts);
  const fallback = ifKnown(facts.fallback);
  if (record?.custom_origin_server === undefined) {
    if (fallback === null) return 'no fallback origin is set';
    if (fallback?.status !== undefined && fallback.status !== 'active') {
      return `the fallback origin ${fallback.origin} is ${fallback.status}`;
    }
  }
  if (ifKnown(facts.originRecord) !== null) return undefined;
  return `the zone has no DNS record for the origin ${originName(facts) ?? ''}`.trimEnd();
}
