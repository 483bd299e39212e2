import type { Fact } from '../../model/diagnosis/facts.ts';
import { hostnameLimits } from '../../model/hostnames/hostname.ts';
import type { IssuanceWindow } from '../../model/hostnames/issuance.ts';
import type { FallbackOrigin, HostnameQuota } from '../../model/zones/zone.ts';
import { gatherFact } from '../diagnosis/fact.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { readFallbackOrigin } from './fallback-origin.ts';
import { openZoneMemory } from './first-seen.ts';
import { readQuota } from './hostnames.ts';

/** Settings and limits that apply to all custom hostnames of a zone. A fact that could not be read contains the reason. */
export interface ZoneOverview {
  readonly fallback: Fact<FallbackOrigin | null>;
  readonly quota: Fact<HostnameQuota>;
  /** Milliseconds by which the platform's clock is ahead of this machine's clock. Users can advance a sandbox's clock. */
  readonly ahead: number;
}

export async function readZoneOverview(session: Session, zoneId: string): Promise<ZoneOverview> {
  const [fallback, quota, clock] = await Promise.all([
    gatherFact(async () => (await readFallbackOrigin(session, zoneId)) ?? null),
    gatherFact(() => readQuota(session, zoneId)),
    platformClock(session),
  ]);
  return { fallback, quota, ahead: clock() - session.world.now() };
}

/**
 * Returns how much of the issuance limit is known to be used: edgectl's own requests in the last minute, and the current block, if any.
 * After a block, the whole limit is available again (specification, Limits).
 */
export async function readIssuanceWindow(session: Session, zoneId: string): Promise<IssuanceWindow> {
  const { issuedSince, blockedUntil } = await openZoneMemory(session, zoneId);
  const now = session.world.now();
  const limit = hostnameLimits.issuances;
  const since = now - 60_000;
  if (blockedUntil === undefined) return { limit, issued: issuedSince(since) };
  if (blockedUntil <= now) return { limit, issued: issuedSince(Math.max(since, blockedUntil)) };
  return { limit, issued: issuedSince(since), blockedUntil };
}
