import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { openZoneMemory } from './first-seen.ts';

/** Remembers that validation was restarted: the platform does not tell, and diagnoses count from it. */
export async function noteRefresh(session: Session, zoneId: string, id: string): Promise<void> {
  const memory = await openZoneMemory(session, zoneId);
  memory.noteRefresh(id, (await platformClock(session))());
  await memory.save();
}
