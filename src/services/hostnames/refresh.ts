import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { openZoneMemory } from './first-seen.ts';

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
