import type { HostnameFilter } from '../../model/hostnames/list.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { type HostnameRow, listHostnameRows } from './rows.ts';

/** Hostnames of a zone that may need attention. */
export interface UrgentHostnames {
  readonly rows: readonly HostnameRow[];
  /** Whether the list contains all hostnames of the zone. */
  readonly isWhole: boolean;
  /** Milliseconds by which the platform's clock is ahead of this machine's clock. */
  readonly ahead: number;
}

/** Maximum number of pages to read from the zone's unfiltered list. */
const wholePages = 4;

/** Hostname statuses to request separately in a larger zone, one page each, because the list is sorted by certificate status. */
const lostStatuses = ['moved', 'pending', 'blocked'] as const;

/**
 * Reads the hostnames that may need attention, with at most seven list requests. Reads up to four pages, sorted so that certificates that
 * are farthest from active come first. For larger zones, also reads one page for each status in `lostStatuses`, because the certificate
 * status does not show the hostname status.
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

/** Number of rows in a full page of the platform's list. */
const pageSize = 50;
