import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { type DeletedHostname, openZoneMemory } from './first-seen.ts';

/** Remembers that validation was restarted, as the platform does not tell, and diagnoses count from it. */
export async function noteRefresh(
  session: Session,
  zoneId: string,
  before: CustomHostname,
  after: CustomHostname,
): Promise<void> {
  const memory = await openZoneMemory(session, zoneId);
  memory.noteRefresh(before, after, (await platformClock(session))());
  await memory.save();
}

/** Forgets a hostname that was deleted on purpose: no diagnosis offers to create it again with its settings. */
export async function noteDeletion(session: Session, zoneId: string, record: DeletedHostname): Promise<void> {
  const memory = await openZoneMemory(session, zoneId);
  memory.noteDeletion(record);
  await memory.save();
}
