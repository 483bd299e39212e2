import { type AttributeDifference, changesFor } from '../../model/hostnames/fleet/differences.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { isProblem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import type { NewHostname } from './body.ts';
import { openZoneMemory } from './first-seen.ts';
import { createHostname, findHostname } from './hostnames.ts';

/**
 * A custom hostname of the zone after the command. `differences` are those from the requested attributes, if the
 * hostname existed before.
 */
export interface EnsuredHostname {
  readonly record: CustomHostname;
  readonly created: boolean;
  readonly differences: readonly AttributeDifference[];
}

export interface EnsureOptions {
  /** Whether to accept an existing hostname instead of refusing. */
  readonly takeExisting: boolean;
}

/**
 * Creates a custom hostname, and records the issuance or its refusal, so that a file processed afterwards stays below the limit
 * as well.
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
