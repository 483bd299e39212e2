import type { HostnameFilter } from '../../model/hostnames/list.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { type HostnameRow, listHostnameRows } from './rows.ts';

/** Hostnames of a zone that may need someone to act. */
export interface UrgentHostnames {
  readonly rows: readonly HostnameRow[];
  /** Whether these are all hostnames of the zone. */
  readonly isWhole: boolean;
  /** Milliseconds by which the platform's clock is ahead of this machine's. */
  readonly ahead: number;
}

/** Pages of the zone's list to read. */
const wholePages = 4;

/** Statuses of which one page each is requested as well in a larger zone, because the list is sorted by certificate. */
const lostStatuses = ['moved', 'pending', 'blocked'] as const;

/**
 * Reads the hostnames that may need attention, with at most seven requests whatever the size of the zone: four pages, starting
 * with the certificates farthest from active, and for larger zones one page of each status that the certificate does not show.
 * Throws a Problem.
 */
export async function readUrgentHostnames(session: Session, zoneId: string): Promise<UrgentHostnames> {
  const found = new Map<string, HostnameRow>();
  const read = async (filter: HostnameFilter, pages: number): Promise<boolean> => {
    let left = pages;
    for await (const page of listHostnameRows(session, zoneId, filter)) {
      for (const row of page) found.set(row.record.id, row);
      left -= 1;
      if (left === 0) return page.length < pageSize;
    }
    return true;
  };
  const isWhole = await read({ order: 'ssl_status', direction: 'desc' }, wholePages);
  if (!isWhole) for (const status of lostStatuses) await read({ status }, 1);
  const clock = await platformClock(session);
  return { rows: [...found.values()], isWhole, ahead: clock() - session.world.now() };
}

/** Rows in a full page of the platform's list. */
const pageSize = 50;
