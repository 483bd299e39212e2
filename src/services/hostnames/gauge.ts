import { type CustomHostname, hostnameLimits } from '../../model/hostnames/hostname.ts';
import type { IssuanceWindow } from '../../model/hostnames/issuance.ts';
import { isProblem } from '../../model/problem.ts';
import type { Send } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import type { NewHostname } from './body.ts';
import { ensureHostname } from './create.ts';
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

/** Creates a custom hostname, and notes for the gauge what became of it. Refuses as `createHostname` does. */
export async function createGauged(
  session: Session,
  zoneId: string,
  wanted: NewHostname,
): Promise<CustomHostname> {
  let retryAfter = '';
  const send: Send = async (call) => {
    const answer = await session.send(call);
    retryAfter = answer.headers['retry-after'] ?? '';
    return answer;
  };
  try {
    return (await ensureHostname({ ...session, send }, zoneId, wanted, { takeExisting: false })).record;
  } catch (error) {
    if (isProblem(error) && error.code === 'rate-limited') await noteBlock(session, zoneId, retryAfter);
    throw error;
  }
}

async function noteBlock(session: Session, zoneId: string, retryAfter: string): Promise<void> {
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : hostnameLimits.issuanceBlock;
  const memory = await openZoneMemory(session, zoneId);
  memory.noteBlock(session.world.now() + seconds * 1000);
  await memory.save();
}
