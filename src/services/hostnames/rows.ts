import type { Evidence } from '../../model/hostnames/attention.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { HostnameFilter } from '../../model/hostnames/list.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { openZoneMemory, type ZoneMemory } from './first-seen.ts';
import { listHostnames } from './hostnames.ts';
import { openVerdicts, type Verdicts } from './verdicts.ts';

/** A custom hostname, with dates in milliseconds that the platform does not report and that only edgectl knows. */
export interface HostnameRow extends Evidence {
  /** When validation was restarted; undefined after validation has finished. */
  readonly refreshedAt?: number | undefined;
  /** When a refresh moved the hostname out of Moved; undefined after the refresh has succeeded. */
  readonly revivedAt?: number | undefined;
}

/**
 * Yields the custom hostnames of a zone, page by page, and records whether each is in Moved. `tellTotal` is called with the total number.
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
