import { hostnameLimits } from '../../model/hostnames/hostname.ts';
import type { IssuanceWindow } from '../../model/hostnames/issuance.ts';
import type { Session } from '../session/session.ts';
import { openZoneMemory } from './first-seen.ts';

/**
 * How much of the issuance limit is used, as far as edgectl knows: what it has asked for itself in the last minute, and
 * the last refusal that it met. After a block the window is empty (specification, Limits).
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
