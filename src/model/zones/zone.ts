import { isWithin } from '../dns/dns.ts';
import type { ValueOf } from '../shape.ts';
import type { fallbackOrigin, hostnameQuota, zone, zoneDnsRecord } from './zone-shape.ts';

export type Zone = ValueOf<typeof zone>;

export type ZoneDnsRecord = ValueOf<typeof zoneDnsRecord>;

/** Explains why a record cannot have this time to live, in seconds; undefined if it can. */
export function recordTtlFault(ttl: number): string | undefined {
  if (ttl === 1 || (Number.isInteger(ttl) && ttl >= 30 && ttl <= 86_400)) return undefined;
  return 'must be 1 (automatic), or from 30 to 86400 seconds';
}

export type FallbackOrigin = ValueOf<typeof fallbackOrigin>;

export type HostnameQuota = ValueOf<typeof hostnameQuota>;

/** A zone hold. `holdAfter`: the time until which the hold is paused, in milliseconds since the epoch. */
export interface ZoneHold {
  readonly hold: boolean;
  readonly includeSubdomains: boolean;
  readonly holdAfter?: number;
}

/** A zone hold, with the name of its zone. */
export interface HeldZone extends ZoneHold {
  readonly zone: string;
}

/** Returns whether a hold is in force at `now`: either it is on and not paused, or its pause has ended. */
export function holdsNow(hold: ZoneHold, now: number): boolean {
  return hold.holdAfter === undefined ? hold.hold : hold.holdAfter <= now;
}

/**
 * Returns the zone whose hold prevents the verification of this custom hostname, or undefined. With "Also prevent subdomains", a hold
 * covers the zone's name and all names below it; without it, only the zone's name.
 */
export function holdOver(hostname: string, holds: readonly HeldZone[], now: number): string | undefined {
  const reaching = holds.filter(
    (hold) =>
      holdsNow(hold, now) &&
      (hold.zone === hostname || (hold.includeSubdomains && isWithin(hostname, hold.zone))),
  );
  return reaching.sort((left, right) => right.zone.length - left.zone.length)[0]?.zone;
}

/** Returns the name to which new customers should point: the given name or, by default, the zone's fallback origin. */
export function offeredTarget(
  fallback: FallbackOrigin | null | undefined,
  typed?: string,
): string | undefined {
  return typed ?? fallback?.origin;
}
