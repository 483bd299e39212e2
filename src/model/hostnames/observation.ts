import type { CaaFacts } from '../diagnosis/facts.ts';
import { type CustomHostname, isServed } from './hostname.ts';

/** The platform's view of the DNS, edge and zone of one hostname, at one check. */
export interface Observation {
  /** The destination of the hostname's DNS. `unknown`: the lookup failed, which proves nothing. */
  readonly routing: 'here' | 'elsewhere' | 'nowhere' | 'unknown';
  /**
   * Whether the hostname resolves to the platform's own edge, but not through this zone. In that case, tokens do not activate the hostname.
   */
  readonly proxied: boolean;
  readonly ownershipTxt: readonly string[];
  /** The body at the ownership token's URL, if its status is 200. */
  readonly ownershipHttp?: string;
  readonly dcvTxt: readonly string[];
  /** The body at the HTTP validation URL, if its status is 200. */
  readonly dcvHttp?: string;
  /** Whether an authority cannot reach the edge at the HTTP validation URL: another server answers, or there is no address. */
  readonly barred?: boolean;
  /**
   * Whether all addresses of the hostname are this zone's addresses at the edge. In that case, visitors arrive although no CNAME is
   * visible.
   */
  readonly reached?: boolean;
  /** Whether the platform's abuse desk has blocked the hostname. */
  readonly flagged?: boolean;
  /** Whether the authority does not answer orders. */
  readonly silent?: boolean;
  /**
   * Seconds that the platform takes to delete the hostname. During that time, the hostname can still be read, with the status `deleted`.
   */
  readonly lingers?: number;
  /** Whether an uploaded certificate stays in the staging environment. */
  readonly staged?: boolean;
  /** Whether the zone is not active. In that case, an uploaded certificate waits. */
  readonly isZoneInactive?: boolean;
  /** Whether `_acme-challenge` is delegated to the platform. */
  readonly delegated: boolean;
  /** The zone whose hold applies to the hostname's name. */
  readonly heldBy?: string;
  readonly caa: CaaFacts;
  /** The status of the fallback origin; `missing` if none is set. The status is not read if the hostname has its own origin. */
  readonly fallback: string;
  /** Whether another zone has validated the same hostname after this zone did. */
  readonly rival: boolean;
}

/** The result of one check of a hostname. */
export type HostnameVerdict =
  | 'flagged'
  | 'lost'
  | 'gone-away'
  | 'held'
  | 'undecided'
  | 'unready'
  | 'proved'
  | 'unproved';

/**
 * Returns the result of a check. A DNS change takes precedence over a hold, because a DNS change has an effect in any status
 * (specification, States and transitions). A hold takes precedence over any proof.
 */
export function hostnameVerdict(
  record: CustomHostname,
  everPointedHere: boolean,
  seen: Observation,
): HostnameVerdict {
  if (seen.flagged === true) return 'flagged';
  if (seen.rival && isServed(record)) return 'lost';
  if (everPointedHere && (seen.routing === 'elsewhere' || seen.routing === 'nowhere')) return 'gone-away';
  if (holdReaches(record, seen)) return 'held';
  if (fallbackFault(record, seen) !== undefined) return 'unready';
  if (seen.routing === 'here') return 'proved';
  if (tokenFound(record, seen) && !seen.proxied) return 'proved';
  return seen.routing === 'unknown' ? 'undecided' : 'unproved';
}

/**
 * Returns whether a hold applies to this hostname. A hold blocks creation and activation (API reference, Zone Holds), so it does not affect
 * active hostnames. A hostname stays active even if CAA prevents its renewal.
 */
export function holdReaches(record: CustomHostname, seen: Observation): boolean {
  if (seen.heldBy === undefined || isServed(record)) return false;
  return !(record.status === 'caa_error' && record.ssl?.expires_on !== undefined);
}

/** Returns the strings of `verification_errors` after a check. */
export function verificationErrors(
  record: CustomHostname,
  seen: Observation,
  verdict: HostnameVerdict,
): readonly string[] {
  const fallback = fallbackFault(record, seen);
  switch (verdict) {
    case 'held':
      return [
        `The hostname is associated with a held zone (${seen.heldBy}). ` +
          'Please contact the owner of this domain to have the hold removed.',
      ];
    case 'unready':
      return [...(seen.routing === 'here' ? [] : [noAlias]), ...(fallback === undefined ? [] : [fallback])];
    case 'unproved':
      return [seen.proxied && tokenFound(record, seen) ? proxiedElsewhere : noAlias];
    case 'gone-away':
      return [noAlias];
    case 'lost':
      return ['The hostname was validated later by another zone.'];
    case 'undecided':
      return ['DNS lookup of the custom hostname failed.'];
    case 'proved':
    case 'flagged':
      return [];
  }
}

const noAlias = 'custom hostname does not CNAME to this zone.';

const proxiedElsewhere =
  'The hostname is using Cloudflare and cannot be activated with an TXT or HTTP validation token. ' +
  'To activate the custom hostname, the DNS target needs to point to the SaaS zone.';

function fallbackFault(record: CustomHostname, seen: Observation): string | undefined {
  if (record.custom_origin_server !== undefined || seen.fallback === 'active') return undefined;
  if (seen.fallback === 'missing') return 'zone does not have a fallback origin set.';
  return `Fallback origin is in a status of \`${seen.fallback}\`.`;
}

function tokenFound(record: CustomHostname, seen: Observation): boolean {
  const txt = record.ownership_verification?.value;
  const http = record.ownership_verification_http?.http_body;
  return (
    (txt !== undefined && seen.ownershipTxt.includes(txt)) ||
    (http !== undefined && seen.ownershipHttp === http)
  );
}

/** Returns the method by which control for a certificate is currently proved; undefined if control is not proved. */
export function certificateProof(record: CustomHostname, seen: Observation): 'http' | 'txt' | undefined {
  if (holdReaches(record, seen)) return undefined;
  const certificate = record.ssl;
  const records = certificate?.validation_records ?? [];
  const wildcard = certificate?.wildcard === true;
  const body = records.find((one) => one.http_body !== undefined)?.http_body;
  const served = (seen.routing === 'here' || seen.reached === true) && seen.barred !== true;
  if (!wildcard && (served || (body !== undefined && body === seen.dcvHttp))) return 'http';
  if (certificate?.method !== 'txt') return undefined;
  if (seen.delegated) return 'txt';
  const values = records.flatMap((one) => (one.txt_value === undefined ? [] : [one.txt_value]));
  return values.length > 0 && values.every((value) => seen.dcvTxt.includes(value)) ? 'txt' : undefined;
}
