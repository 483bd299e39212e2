import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { HostnameFilter } from '../../model/hostnames/list.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { openZoneMemory } from './first-seen.ts';
import { listHostnames } from './hostnames.ts';

/** A custom hostname, and when edgectl first saw it in Moved (milliseconds): the platform does not tell. */
export interface HostnameRow {
  readonly record: CustomHostname;
  readonly movedSeenAt?: number | undefined;
}

/**
 * Custom hostnames of a zone, page by page; notes of each whether it is in Moved. Ends with the signal. `tellTotal` is
 * told how many there are in all.
 */
export async function* listHostnameRows(
  session: Session,
  zoneId: string,
  filter: HostnameFilter,
  signal?: AbortSignal,
  tellTotal?: (total: number) => void,
): AsyncGenerator<HostnameRow[]> {
  const memory = await openZoneMemory(session, zoneId);
  const clock = await platformClock(session);
  for await (const page of listHostnames(session, zoneId, filter, tellTotal)) {
    signal?.throwIfAborted();
    memory.see(page, clock());
    await memory.save();
    yield page.map((record) => ({ record, movedSeenAt: memory.historyOf(record.id).movedSeenAt }));
  }
}

/** A record that has just been read; notes whether it is in Moved. */
export async function rowOf(session: Session, zoneId: string, record: CustomHostname): Promise<HostnameRow> {
  const memory = await openZoneMemory(session, zoneId);
  memory.see([record], (await platformClock(session))());
  await memory.save();
  return { record, movedSeenAt: memory.historyOf(record.id).movedSeenAt };
}
