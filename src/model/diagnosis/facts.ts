import type { Alias, AliasChain, CaaRecord } from '../dns/dns.ts';
import type { Verdict } from '../hostnames/attention.ts';
import type { CustomHostname } from '../hostnames/hostname.ts';
import type { WorkerRoute } from '../workers/route.ts';
import type { FallbackOrigin, HeldZone, HostnameQuota, Zone, ZoneDnsRecord } from '../zones/zone.ts';

/** A gathered value, or the reason why it is not known. An unknown is never an empty value. */
export type Fact<T> = { readonly known: T } | { readonly unknown: string };

export function known<T>(value: T): Fact<T> {
  return { known: value };
}

export function unknown<T>(reason: string): Fact<T> {
  return { unknown: reason };
}

/** The value, or undefined when it is not known. For facts whose value may be null ("there is none"). */
export function ifKnown<T>(fact: Fact<T>): T | undefined {
  return 'known' in fact ? fact.known : undefined;
}

/** Why a fact is not known, or undefined. */
export function reasonOf(fact: Fact<unknown>): string | undefined {
  return 'unknown' in fact ? fact.unknown : undefined;
}

/** The addresses of a name, each family separately: some servers fail on one of them. */
export interface AddressFacts {
  readonly v4: Fact<readonly string[]>;
  readonly v6: Fact<readonly string[]>;
}

/** TXT values found at a wrong name. */
export interface MisplacedText {
  readonly name: string;
  readonly texts: readonly string[];
}

/** A zone in DNS: the name with the SOA, and its name servers. */
export interface ZoneApex {
  readonly name: string;
  readonly nameServers: readonly string[];
}

/** Public DNS about one hostname. */
export interface DnsFacts {
  readonly chain: AliasChain;
  readonly addresses: AddressFacts;
  /** Addresses of the name to which customers point. */
  readonly targetAddresses: AddressFacts;
  readonly ownershipTxt: Fact<readonly string[]>;
  /** Ownership values at the usual wrong names. */
  readonly misplacedOwnership: readonly MisplacedText[];
  /** Certificate values at a name that ends with the zone's name twice. */
  readonly misplacedChallenge: readonly MisplacedText[];
  /** A CNAME at the hostname with the zone's name written twice; null when there is none. */
  readonly doubledAlias: Fact<Alias | null>;
  /** TXT at `_acme-challenge`, however it was reached. */
  readonly challengeTxt: Fact<readonly string[]>;
  /** The CNAME target of `_acme-challenge`; null when it is no CNAME. */
  readonly challengeAlias: Fact<string | null>;
  /** TXT at the delegation target itself. */
  readonly delegatedTxt: Fact<readonly string[]>;
  readonly caa: CaaFacts;
  /** The zones above the hostname, the nearest first, without top-level domains. */
  readonly zones: Fact<readonly ZoneApex[]>;
}

/** The certificate that the edge showed. Times are milliseconds since the epoch. */
export interface SeenCertificate {
  readonly subject: string;
  readonly names: readonly string[];
  readonly issuer: string;
  readonly validFrom: number;
  readonly validTo: number;
  readonly serialNumber: string;
  /** Whether one of its names is the hostname's. */
  readonly covers: boolean;
  /** Why a client would not trust it, or undefined. */
  readonly distrust?: string;
}

/** The edge's answer to one request. */
export interface ProbeAnswer {
  readonly url: string;
  readonly address: string;
  readonly status: number;
  /** The platform's own error number on the page, for example 1016. */
  readonly pageCode?: number;
  /** Where a redirect would lead. It is not followed. */
  readonly location?: string;
  readonly server?: string;
  readonly milliseconds: number;
  readonly certificate?: SeenCertificate;
}

/** The answer at the URL of an HTTP validation token, real or made up, fetched as a certificate authority does: redirects are followed. */
export interface TokenAnswer {
  readonly url: string;
  /** Where it was fetched; absent if the gatherer does not report it. */
  readonly address?: string;
  /** URLs to which redirects led, in their order. One of a host that is not served here is named and not asked. */
  readonly redirects: readonly string[];
  /** Whether the last redirect leads back to a URL that was asked before. */
  readonly isCircle?: boolean;
  readonly status: number;
  /** The first 512 bytes. */
  readonly body: string;
  /** Whether the answer says that it is from a cache. */
  readonly cached: boolean;
  /** Whether the platform or a firewall challenges visitors first. */
  readonly challenged: boolean;
  /**
   * At a random URL: whether the request passed the edge, which answers real tokens itself, and reached the origin. Undefined
   * if the platform does not show that.
   */
  readonly reachedOrigin?: boolean;
}

/** The way that redirects send a visitor. */
export interface RedirectTrail {
  /** In their order; the last is where it ends, is not served here, or was asked before. */
  readonly urls: readonly string[];
  /** Whether the last was asked before. */
  readonly isCircle: boolean;
}

/** Dates of a hostname that edgectl keeps, because the platform does not. Milliseconds since the UNIX epoch. */
export interface HostnameHistory {
  readonly movedSeenAt?: number;
  readonly refreshedAt?: number;
  /** When a refresh brought it back from Moved, until that has held. */
  readonly revivedAt?: number;
  /** Authorities that were seen to refuse or fail since its last certificate. */
  readonly refusedBy?: readonly string[];
  /** When the first of them was seen to refuse. */
  readonly refusedAt?: number;
  /** Its settings when it was seen out of service: to create it again once the platform has deleted it. */
  readonly lost?: {
    readonly hostname: string;
    readonly seenAt: number;
    readonly wildcard?: boolean;
    readonly origin?: string;
  };
}

/** Everything gathered about one hostname; the rules read nothing else. */
export interface Facts {
  readonly hostname: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: Fact<Zone>;
  /** The zone's plan, in the platform's word: some advice takes `enterprise`. */
  readonly plan: Fact<string>;
  /** The record of exactly this hostname; null when there is none. */
  readonly record: Fact<CustomHostname | null>;
  /** A wildcard record that covers it instead; null when there is none. */
  readonly wildcardRecord: Fact<CustomHostname | null>;
  readonly fallback: Fact<FallbackOrigin | null>;
  /**
   * The own zone's record of the origin in use; null when it is missing. Where no fallback origin is set: a record that could
   * become it; null when there is none.
   */
  readonly originRecord: Fact<ZoneDnsRecord | null>;
  /** The worker routes of the own zone. */
  readonly workerRoutes: Fact<readonly WorkerRoute[]>;
  readonly quota: Fact<HostnameQuota>;
  /** The issuance limit as last met: for how many seconds issuance is refused yet. */
  readonly issuance: Fact<{ readonly blockedSeconds: number }>;
  /** The hold of the customer's zone, where it can be read; null when there is none. */
  readonly hold: Fact<HeldZone | null>;
  /** `<uuid>.dcv.<provider>`, the suffix of a delegation target. */
  readonly delegation: Fact<string>;
  /** Address ranges of the platform's edge. */
  readonly edgeRanges: Fact<readonly string[]>;
  /** Address ranges of the account's own, for apex names; empty without that entitlement. */
  readonly apexRanges: Fact<readonly string[]>;
  /** The own zone on the platform to which the hostname's domain belongs; null if it is not one. */
  readonly standaloneZone: Fact<string | null>;
  /** The name to which customers should point, if it is known. */
  readonly target: Fact<string>;
  readonly dns: DnsFacts;
  readonly http: Fact<ProbeAnswer>;
  readonly https: Fact<ProbeAnswer>;
  /** The HTTP token of a pending certificate; otherwise the answer at a random URL next to the next one. */
  readonly token: Fact<TokenAnswer>;
  /** The same where the hostname's own IPv6 addresses lead, which an authority asks first. */
  readonly tokenV6: Fact<TokenAnswer>;
  /** The way of a visitor to the hostname whom a redirect sends on. */
  readonly trail: Fact<RedirectTrail>;
  /** Why nothing is known of an edge that should have been probed: it did not answer in time. */
  readonly edgeSilence?: string;
  readonly history: HostnameHistory;
  /** The result of the diagnosis before this one, where there was one. */
  readonly earlier?: Verdict;
}

/** The answer of one name on the way up. `alias` is the name whose records they really are, behind CNAMEs. */
export type CaaAnswer =
  | {
      readonly owner: string;
      readonly outcome: 'records';
      readonly records: readonly CaaRecord[];
      readonly alias?: string;
    }
  | { readonly owner: string; readonly outcome: 'none' }
  | { readonly owner: string; readonly outcome: 'failed'; readonly detail: string };

/**
 * The CAA answers for a name, from the name itself upwards, ending at the first that has records, at the first that
 * failed, or at the top-level domain (RFC 8659, 3). Only the last can be anything but `none`.
 */
export interface CaaFacts {
  readonly name: string;
  readonly asked: readonly CaaAnswer[];
}

/** Facts about a hostname of which nothing is known yet: for callers who gather some of them and diagnose from those. */
export function noFacts(hostname: string, now: number): Facts {
  const unknown = { unknown: 'not gathered' } as const;
  const addresses = { v4: unknown, v6: unknown };
  return {
    hostname,
    now,
    zone: unknown,
    plan: unknown,
    record: unknown,
    wildcardRecord: unknown,
    fallback: unknown,
    originRecord: unknown,
    workerRoutes: unknown,
    quota: unknown,
    issuance: unknown,
    hold: unknown,
    delegation: unknown,
    edgeRanges: unknown,
    apexRanges: unknown,
    standaloneZone: unknown,
    target: unknown,
    dns: {
      chain: { hops: [], last: hostname, end: 'unknown', why: 'unreachable', detail: 'not gathered' },
      addresses,
      targetAddresses: addresses,
      ownershipTxt: unknown,
      misplacedOwnership: [],
      misplacedChallenge: [],
      doubledAlias: unknown,
      challengeTxt: unknown,
      challengeAlias: unknown,
      delegatedTxt: unknown,
      caa: { name: hostname, asked: [{ owner: hostname, outcome: 'failed', detail: 'not gathered' }] },
      zones: unknown,
    },
    http: unknown,
    https: unknown,
    token: unknown,
    tokenV6: unknown,
    trail: unknown,
    history: {},
  };
}
