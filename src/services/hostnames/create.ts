import { type AttributeDifference, changesFor } from '../../model/hostnames/fleet/differences.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { isProblem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import type { NewHostname } from './body.ts';
import { openZoneMemory } from './first-seen.ts';
import { createHostname, findHostname } from './hostnames.ts';

/**
 * A custom hostname that was created, or that already existed. For an existing hostname, `differences` lists the attributes that differ
 * from the requested attributes.
 */
export interface EnsuredHostname {
  readonly record: CustomHostname;
  readonly created: boolean;
  readonly differences: readonly AttributeDifference[];
}

export interface EnsureOptions {
  /** Whether to accept an existing hostname instead of failing. */
  readonly takeExisting: boolean;
}

/**
 * Creates a custom hostname, or returns the existing hostname if `takeExisting` is set. Records the time of the certificate order, or of
 * the end of a block on issuance, so that later commands stay below the issuance limit.
 */
export async function ensureHostname(
  session: Session,
  zoneId: string,
  wanted: NewHostname,
  { takeExisting }: EnsureOptions,
): Promise<EnsuredHostname> {
  const { now } = session.world;
  const memory = await openZoneMemory(session, zoneId);
  try {
    const onBlock = (seconds: number): void => memory.noteBlock(now() + seconds * 1000);
    const record = await createHostname(session, zoneId, wanted, onBlock);
    memory.noteIssuance(now());
    return { record, created: true, differences: [] };
  } catch (error) {
    if (!takeExisting || !isProblem(error) || error.platformCode !== 1406) throw error;
    const record = await findHostname(session, zoneId, wanted.hostname);
    if (record === undefined) throw error;
    return { record, created: false, differences: changesFor(record, wanted).differences };
  } finally {
    await memory.save();
  }
}
