import { inRanges } from '../../model/diagnosis/rules/reading.ts';
import { type DnsOutcome, isWithin } from '../../model/dns/dns.ts';
import type { Observation } from '../../model/hostnames/observation.ts';
import type { HostnameState } from '../../model/hostnames/state.ts';
import { challengeName, delegationTarget, ownershipName } from '../../model/hostnames/tokens.ts';
import { type HeldZone, holdOver } from '../../model/zones/zone.ts';
import type { StoredRecord } from '../../store/zones/dns-records.ts';
import { ownZoneName, type StoredZone } from '../../store/zones/zones.ts';
import { edgeAddresses } from '../dns/names.ts';
import type { DnsZones } from '../dns/zones.ts';
import { type EdgeRule, isIntercepted } from './edge-rules.ts';
import type { Intervention } from './interventions.ts';

/** The simulated internet around a sandbox's custom hostnames. */
export interface Internet {
  readonly zones: readonly StoredZone[];
  readonly records: readonly StoredRecord[];
  readonly dns: DnsZones;
  /** Bodies that customers' own web servers return, by URL. */
  readonly pages: Readonly<Record<string, string>>;
  /** Rules by which other servers, or the edge itself, answer requests before routing. */
  readonly rules: readonly EdgeRule[];
  readonly interventions: readonly Intervention[];
  /** Ports of other servers, by address. */
  readonly servers: Readonly<Record<string, number>>;
  /** Ids of zones that are not active. */
  readonly inactive: readonly string[];
  /** The account's own address ranges. */
  readonly prefixes: readonly string[];
  /**
   * Returns the number of DNS answers so far that were derived from custom hostnames. Such answers can change while the DNS entries stay
   * the same.
   */
  readonly askedOfHostnames: () => number;
}

/** The observed hostname. `rival` is true if another zone validated the same hostname later. */
export interface Subject {
  readonly zone: StoredZone;
  readonly hostname: string;
  readonly record?: HostnameState['record'];
  /** `<uuid>.dcv.<provider>` of the zone. */
  readonly delegation: string;
  readonly rival: boolean;
}

/**
 * Returns a function that observes a hostname as the platform would at a given time. DNS is read once; only holds and the fallback origin
 * depend on the time.
 */
export function observe(internet: Internet, subject: Subject): (moment: number) => Observation {
  const { zones, records } = internet;
  const { zone, hostname, rival } = subject;
  const base = hostname.replace(/^\*\./, '');
  const found = readFound(internet, subject, base);
  const holds: readonly HeldZone[] = zones.map(({ name, hold }) => ({ ...hold, zone: name }));
  return (moment) => {
    const heldBy = holdOver(base, holds, moment);
    const fallback = readFallbackStatus(zone, records, moment) ?? 'missing';
    return { ...found, rival, fallback, ...(heldBy !== undefined && { heldBy }) };
  };
}

type Found = Omit<Observation, 'heldBy' | 'fallback' | 'rival'>;

/**
 * A cache of observations, because all hostnames are observed before and after each change to the simulated internet, and most observations
 * are unchanged.
 */
const known = new WeakMap<Internet, Map<string, Found>>();

/** Maximum number of cached hostnames, about a kilobyte each. */
const maxCached = 20_000;

function readFound(internet: Internet, subject: Subject, base: string): Found {
  const { ownership, validation } = findTokenUrls(subject);
  const key = JSON.stringify([subject.zone.id, subject.hostname, ownership, validation]);
  const cache = known.get(internet) ?? new Map<string, Found>();
  known.set(internet, cache);
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const asked = internet.askedOfHostnames();
  const found = observeInternet(internet, subject, base);
  if (internet.askedOfHostnames() === asked && cache.size < maxCached) cache.set(key, found);
  return found;
}

/** Returns the URLs that the platform requests to find the tokens of a hostname. */
function findTokenUrls({ record }: Subject): {
  readonly [of in 'ownership' | 'validation']: string | undefined;
} {
  const validation = record?.ssl?.validation_records?.find((one) => one.http_url !== undefined);
  return { ownership: record?.ownership_verification_http?.http_url, validation: validation?.http_url };
}

function observeInternet(
  { dns, pages, rules, interventions, servers, inactive, prefixes }: Internet,
  subject: Subject,
  base: string,
): Found {
  const { zone, hostname, delegation } = subject;
  const followed = findRouting(dns, hostname, zone.name);
  const routing = followed === 'elsewhere' && isInOwnRanges(dns, hostname, prefixes) ? 'here' : followed;
  const challenge = dns.answer(challengeName(base), 'TXT');
  const target = delegationTarget(base, delegation);
  const page = (url: string | undefined) =>
    url === undefined || routing === 'nowhere' ? undefined : pages[url];
  const [ownEdge, foreignEdge] =
    zone.name === ownZoneName
      ? [edgeAddresses.own, edgeAddresses.others]
      : [edgeAddresses.others, edgeAddresses.own];
  const { ownership, validation: url } = findTokenUrls(subject);
  const ownershipHttp = page(ownership);
  const dcvHttp = page(url);
  const others = interventions.find((one) => one.hostname === hostname);
  const addresses = listAddresses(dns.answer(hostname, 'A'));
  // Authorities connect over IPv6 first, and over IPv4 if no server answers.
  const v6 = listAddresses(dns.answer(base, 'AAAA'));
  const isElsewhereFirst = v6.some((address) => address in servers);
  const isNowhere = listAddresses(dns.answer(base, 'A')).length + v6.length === 0;
  return {
    routing,
    proxied: routing !== 'here' && addresses.includes(foreignEdge),
    ownershipTxt: listTexts(dns.answer(ownershipName(base), 'TXT')),
    dcvTxt: listTexts(challenge),
    // A TXT record at the name of the challenge hides the delegation from queries for TXT.
    delegated: challenge.aliases[0]?.target === target,
    caa: dns.caa(base),
    // A newly ordered certificate has no token yet, but the URL of its token will start with this base.
    ...((isNowhere ||
      isElsewhereFirst ||
      isIntercepted(rules, url ?? `http://${base}/.well-known/acme-challenge/`)) && {
      barred: true,
    }),
    ...(addresses.length > 0 && addresses.every((address) => address === ownEdge) && { reached: true }),
    ...(others?.flagged === true && { flagged: true }),
    ...(others?.silent === true && { silent: true }),
    ...(others?.lingers !== undefined && { lingers: others.lingers }),
    ...(others?.staged === true && { staged: true }),
    ...(inactive.includes(zone.id) && { isZoneInactive: true }),
    ...(ownershipHttp !== undefined && { ownershipHttp }),
    ...(dcvHttp !== undefined && { dcvHttp }),
  };
}

function findRouting(dns: DnsZones, hostname: string, zone: string): Observation['routing'] {
  const { last, hops, end } = dns.follow(hostname, zone);
  if (end === 'circle') return 'elsewhere';
  if (isWithin(last, zone) && end === 'name') return 'here';
  if (end === 'failed') return 'unknown';
  return end === 'nothing' && hops === 0 ? 'nowhere' : 'elsewhere';
}

/** Returns whether all addresses of a name are in the account's own ranges (apex proxying). */
function isInOwnRanges(dns: DnsZones, hostname: string, prefixes: readonly string[]): boolean {
  if (prefixes.length === 0) return false;
  const found = [...listAddresses(dns.answer(hostname, 'A')), ...listAddresses(dns.answer(hostname, 'AAAA'))];
  return found.length > 0 && found.every(inRanges(prefixes));
}

function listTexts(outcome: DnsOutcome): readonly string[] {
  if (outcome.kind !== 'records') return [];
  return outcome.records.flatMap((record) => (record.type === 'TXT' ? [record.text] : []));
}

function listAddresses(outcome: DnsOutcome): readonly string[] {
  if (outcome.kind !== 'records') return [];
  return outcome.records.flatMap((record) =>
    record.type === 'A' || record.type === 'AAAA' ? [record.address] : [],
  );
}

/**
 * Returns the status of a zone's fallback origin; undefined if no fallback origin is set. The fallback origin becomes active three seconds
 * after it was set, unless the deployment failed or the origin's record is not proxied.
 */
export function readFallbackStatus(
  { id, fallback }: Pick<StoredZone, 'id' | 'fallback'>,
  records: readonly StoredRecord[],
  moment: number,
): string | undefined {
  if (fallback === undefined) return undefined;
  if (fallback.failed === true) return 'deployment_timed_out';
  const age = moment - fallback.updatedAt;
  if (age < 1000) return 'initializing';
  const own = records.filter(({ zoneId, name }) => zoneId === id && name === fallback.origin);
  const bare = own.length > 0 && own.every(({ proxied }) => !proxied);
  return age < 3000 || bare ? 'pending_deployment' : 'active';
}
