import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { HostnameFilter } from '../../model/hostnames/list.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { openZoneMemory } from './first-seen.ts';
import { listHostnames } from './hostnames.ts';

/** A custom hostname, and what edgectl itself knows of it, because the platform does not tell. Milliseconds. */
export interface HostnameRow {
  readonly record: CustomHostname;
  /** When it was first seen in Moved. */
  readonly movedSeenAt?: number | undefined;
  /** When validation was restarted, until that has ended. */
  readonly refreshedAt?: number | undefined;
  /** When that brought it back from Moved, until it has held. */
  readonly revivedAt?: number | undefined;
}

/**
 * Custom hostnames of a zone, page by page; notes of each whether it is in Moved. `tellTotal` is told how many there are in all.
 */
export async function* listHostnameRows(
  session: Session,
  zoneId: string,
  filter: HostnameFilter = {},
  tellTotal?: (total: number) => void,
): AsyncGenerator<HostnameRow[]> {
  const memory = await openZoneMemory(session, zoneId);
  const clock = await platformClock(session);
  for await (const page of listHostnames(session, zoneId, filter, tellTotal)) {
    session.world.interrupted.throwIfAborted();
    memory.see(page, clock());
    await memory.save();
    yield page.map((record) => ({ record, ...memory.historyOf(record.id) }));
  }
}

/** A record that has just been read; notes whether it is in Moved. */
export async function rowOf(session: Session, zoneId: string, record: CustomHostname): Promise<HostnameRow> {
  const memory = await openZoneMemory(session, zoneId);
  memory.see([record], (await platformClock(session))());
  await memory.save();
  return { record, ...memory.historyOf(record.id) };
}
