import type { CustomHostname } from '../model/hostname.ts';
import { isProblem } from '../model/problem.ts';
import { openZoneMemory } from './first-seen.ts';
import type { NewHostname } from './hostname-body.ts';
import { createHostname, findHostname } from './hostnames.ts';
import type { Session } from './session.ts';

export interface EnsureOptions {
  /** Takes a hostname that the zone already has instead of refusing. */
  readonly takeExisting: boolean;
}

/** Creates a custom hostname and notes the issuance, so that a file sent afterwards keeps below the limit as well. */
export async function ensureHostname(
  session: Session,
  zoneId: string,
  wanted: NewHostname,
  { takeExisting }: EnsureOptions,
): Promise<{ readonly record: CustomHostname; readonly created: boolean }> {
  try {
    const record = await createHostname(session, zoneId, wanted);
    const memory = await openZoneMemory(session, zoneId);
    memory.noteIssuance(session.world.now());
    await memory.save();
    return { record, created: true };
  } catch (error) {
    if (!takeExisting || !isProblem(error) || error.platformCode !== 1406) throw error;
    const record = await findHostname(session, zoneId, wanted.hostname);
    if (record === undefined) throw error;
    return { record, created: false };
  }
}
