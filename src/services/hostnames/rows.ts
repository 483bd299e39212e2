import type { Evidence } from '../../model/hostnames/attention.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { HostnameFilter } from '../../model/hostnames/list.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { openZoneMemory, type ZoneMemory } from './first-seen.ts';
import { listHostnames } from './hostnames.ts';
import { openVerdicts, type Verdicts } from './verdicts.ts';

/** A custom hostname, with times in milliseconds that edgectl has recorded because the platform does not report them. */
export interface HostnameRow extends Evidence {
  /** Time of the last refresh; undefined after the hostname and its certificate have become active. */
  readonly refreshedAt?: number | undefined;
  /** Time of the last refresh from Moved; undefined after the hostname has recovered. */
  readonly revivedAt?: number | undefined;
}

/**
 * Yields the custom hostnames of a zone, page by page, and records whether each hostname is in Moved. Calls `tellTotal` with the number of
 * hostnames that match the platform's filters.
 */
export async function* listHostnameRows(
  session: Session,
  zoneId: string,
  filter: HostnameFilter = {},
  tellTotal?: (total: number) => void,
): AsyncGenerator<HostnameRow[]> {
  const memory = await openZoneMemory(session, zoneId);
  const verdicts = await openVerdicts(session, zoneId);
  const clock = await platformClock(session);
  for await (const page of listHostnames(session, zoneId, filter, tellTotal)) {
    session.world.interrupted.throwIfAborted();
    memory.see(page, clock());
    await memory.save();
    yield page.map((record) => rowWith(record, clock(), memory, verdicts));
  }
}

/** Converts a record that was just read to a row, and records whether the hostname is in Moved. */
export async function toHostnameRow(
  session: Session,
  zoneId: string,
  record: CustomHostname,
): Promise<HostnameRow> {
  const memory = await openZoneMemory(session, zoneId);
  const now = (await platformClock(session))();
  memory.see([record], now);
  await memory.save();
  return rowWith(record, now, memory, await openVerdicts(session, zoneId));
}

function rowWith(
  record: CustomHostname,
  readAt: number,
  memory: ZoneMemory,
  verdicts: Pick<Verdicts, 'find'>,
): HostnameRow {
  const verdict = verdicts.find(record.id);
  return { record, readAt, ...memory.readHistory(record.id), ...(verdict !== undefined && { verdict }) };
}
