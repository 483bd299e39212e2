import type { Alias, AliasChain, CaaRecord } from '../dns/dns.ts';
import type { Verdict } from '../hostnames/attention.ts';
import type { CustomHostname } from '../hostnames/hostname.ts';
import type { WorkerRoute } from '../workers/route.ts';
import type { FallbackOrigin, HeldZone, HostnameQuota, Zone, ZoneDnsRecord } from '../zones/zone.ts';

/** A gathered value, or the reason why it is unknown. Unknown never means empty. */
export type Fact<T> = { readonly known: T } | { readonly unknown: string };

export function known<T>(value: T): Fact<T> {
  return { known: value };
}

export function unknown<T>(reason: string): Fact<T> {
  return { unknown: reason };
}

/** Returns the value, or undefined if the fact is unknown. A known value of null means "known to be none". */
export function ifKnown<T>(fact: Fact<T>): T | undefined {
  return 'known' in fact ? fact.known : undefined;
}

/** Returns the reason why a fact is unknown; undefined if it is known. */
export function unknownReason(fact: Fact<unknown>): string | undefined {
  return 'unknown' in fact ? fact.unknown : undefined;
}

/** A name's addresses. IPv4 and IPv6 are separate, because some servers fail for only one of them. */
export interface AddressFacts {
  readonly v4: Fact<readonly string[]>;
  readonly v6: Fact<readonly string[]>;
}

/** TXT values found at a name where they have no effect. */
export interface MisplacedText {
  readonly name: string;
  readonly texts: readonly string[];
}

/** A zone in DNS: the name of its SOA record, and its name servers. */
export interface ZoneApex {
  readonly name: string;
  readonly nameServers: readonly string[];
}

/** The public DNS records of a hostname and of the names that concern it. */
export interface DnsFacts {
  readonly chain: AliasChain;
  readonly addresses: AddressFacts;
  /** Addresses of the name to which customers must point. */
  readonly targetAddresses: AddressFacts;
  readonly ownershipTxt: Fact<readonly string[]>;
  /** Ownership tokens at names where customers often set them by mistake. */
  readonly misplacedOwnership: readonly MisplacedText[];
  /** Validation tokens of the certificate at a name that wrongly repeats the zone's name at its end. */
  readonly misplacedChallenge: readonly MisplacedText[];
  /** A CNAME at the hostname with the zone's name repeated at the end; null if there is none. */
  readonly doubledAlias: Fact<Alias | null>;
  /** TXT values at `_acme-challenge`, found directly or through aliases. */
  readonly challengeTxt: Fact<readonly string[]>;
  /** The CNAME target of `_acme-challenge`; null if it is not a CNAME. */
  readonly challengeAlias: Fact<string | null>;
  /** TXT values at the delegation target itself. */
  readonly delegatedTxt: Fact<readonly string[]>;
  readonly caa: CaaFacts;
  /** The zones above the hostname, nearest first, without top-level domains. */
  readonly zones: Fact<readonly ZoneApex[]>;
}

/** The certificate that the edge presented. Times are milliseconds since the epoch. */
export interface SeenCertificate {
  readonly subject: string;
  readonly names: readonly string[];
  readonly issuer: string;
  readonly validFrom: number;
  readonly validTo: number;
  readonly serialNumber: string;
  /** Whether one of the certificate's names matches the hostname. */
  readonly covers: boolean;
  /** The reason why a client would not trust the certificate; undefined if a client would trust it. */
  readonly distrust?: string;
}

/** The edge's response to one request. */
export interface ProbeAnswer {
  readonly url: string;
  readonly address: string;
  readonly status: number;
  /** The platform's own error number on the page, for example 1016. */
  readonly pageCode?: number;
  /** The target of a redirect, which is not followed. */
  readonly location?: string;
  readonly server?: string;
  readonly milliseconds: number;
  readonly certificate?: SeenCertificate;
}

/**
 * The response at the URL of an HTTP validation token, real or random. Redirects are followed, because certificate authorities follow them.
 */
export interface TokenAnswer {
  readonly url: string;
  /** The address from which the response was fetched; absent if not recorded. */
  readonly address?: string;
  /** URLs of the redirects, in order. A URL on a host that is not served here is included but not fetched. */
  readonly redirects: readonly string[];
  /** Whether the last redirect points back to an already fetched URL. */
  readonly isCircle?: boolean;
  readonly status: number;
  /** The first 512 bytes of the body. */
  readonly body: string;
  /** Whether the response states that it came from a cache. */
  readonly cached: boolean;
  /** Whether the platform or a firewall challenges visitors first. */
  readonly challenged: boolean;
  /**
   * For a random URL: whether the request reached the origin. The edge answers requests for real tokens itself, but forwards requests for a
   * random URL. Undefined if this is unknown.
   */
  readonly reachedOrigin?: boolean;
}

/** The redirects that a visitor follows. */
export interface RedirectTrail {
  /** The URLs in order. The last URL is the final page, or is not served here, or was already requested. */
  readonly urls: readonly string[];
  /** Whether the last URL was already requested. */
  readonly isCircle: boolean;
}

/** Data about a hostname that edgectl saves because the platform does not. Dates are in milliseconds since the UNIX epoch. */
export interface HostnameHistory {
  readonly movedSeenAt?: number;
  readonly refreshedAt?: number;
  /** When a refresh moved the hostname out of Moved. Deleted once the new state has proved stable. */
  readonly revivedAt?: number;
  /** Authorities that are known to have refused or failed since the last certificate was issued. */
  readonly refusedBy?: readonly string[];
  /** When edgectl first noticed one of these refusals. */
  readonly refusedAt?: number;
  /**
   * The hostname's last seen settings, which are saved only once the hostname has been seen in a status other than active. The settings are
   * used to create the hostname again after the platform has deleted the hostname.
   */
  readonly lost?: {
    readonly hostname: string;
    readonly seenAt: number;
    readonly wildcard?: boolean;
    readonly origin?: string;
  };
}

/** All facts about one hostname; the rules read nothing else. */
export interface Facts {
  readonly hostname: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: Fact<Zone>;
  /** The zone's plan, in the platform's own terms. Some advice depends on the plan `enterprise`. */
  readonly plan: Fact<string>;
  /** The custom hostname with exactly this name; null if there is none. */
  readonly record: Fact<CustomHostname | null>;
  /** The wildcard custom hostname that covers the hostname instead; null if there is none. */
  readonly wildcardRecord: Fact<CustomHostname | null>;
  readonly fallback: Fact<FallbackOrigin | null>;
  /**
   * Our zone's DNS record for the current origin; null if it is missing. If no fallback origin is set, a record that could become the
   * fallback origin; null if there is none.
   */
  readonly originRecord: Fact<ZoneDnsRecord | null>;
  /** The worker routes of our zone. */
  readonly workerRoutes: Fact<readonly WorkerRoute[]>;
  readonly quota: Fact<HostnameQuota>;
  /** The remaining seconds until certificates can be issued again, according to the last refusal. */
  readonly issuance: Fact<{ readonly blockedSeconds: number }>;
  /** The hold on the customer's zone, if it can be read; null if there is none. */
  readonly hold: Fact<HeldZone | null>;
  /** `<uuid>.dcv.<provider>`, the suffix of a delegation target. */
  readonly delegation: Fact<string>;
  /** Address ranges of the platform's edge. */
  readonly edgeRanges: Fact<readonly string[]>;
  /** The account's own address ranges, for zone apexes; empty if the account is not entitled to any. */
  readonly apexRanges: Fact<readonly string[]>;
  /** Our own zone on the platform that contains the hostname's domain; null if there is none. */
  readonly standaloneZone: Fact<string | null>;
  /** The name to which customers should point, if it is known. */
  readonly target: Fact<string>;
  readonly dns: DnsFacts;
  readonly http: Fact<ProbeAnswer>;
  readonly https: Fact<ProbeAnswer>;
  /**
   * The response at the HTTP token of a pending certificate. If no certificate is pending, the response at a random URL in the same folder,
   * where the next token will be.
   */
  readonly token: Fact<TokenAnswer>;
  /** The response from the hostname's own IPv6 addresses, which an authority tries first. */
  readonly tokenV6: Fact<TokenAnswer>;
  /** The redirects that a visitor to the hostname receives. */
  readonly trail: Fact<RedirectTrail>;
  /** A message that the edge did not answer a requested probe in time, so that the probe's result is unknown. */
  readonly edgeSilence?: string;
  readonly history: HostnameHistory;
  /** The result of the previous diagnosis, if there was one. */
  readonly earlier?: Verdict;
}

/** The CAA answer at the name or one of its parents. `alias` is the name that has the records, if it was reached through CNAMEs. */
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
 * The CAA answers for a name and its parents, up to the first name with records, the first failed query, or the
 * top-level domain (RFC 8659, 3). Only the last answer can differ from `none`.
 */
export interface CaaFacts {
  readonly name: string;
  readonly asked: readonly CaaAnswer[];
}

/** Returns facts that are all unknown, for callers that gather only some facts. */
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
