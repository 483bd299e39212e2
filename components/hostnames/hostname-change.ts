import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { ChangedHostname } from '../../src/services/console/hostname-changes.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { MarkedHostname } from '../../src/services/tasks/hostnames.ts';
import { formatHostnameCount } from '../../src/text/hostname.ts';
import type { Change } from '../kit/changes.ts';
import { undoHint } from '../kit/undo-notice.ts';
import type { PaneOutcome } from '../ui/forms/dialog.ts';

/** Returns the change to announce for a hostname's new state. */
export function toChange({ id: zoneId }: Zone, row: HostnameRow): Change {
  return { changed: 'hostname', zoneId, id: row.record.id, row };
}

/** Returns the change to announce for a deleted hostname. */
export function deletedChange({ id: zoneId }: Zone, id: string): Change {
  return { changed: 'hostname', zoneId, id, row: undefined };
}

/** Returns the outcome of a change; if undo has saved the old state, the notice ends with the key for undo. */
export function changed(zone: Zone, { row, canUndo }: ChangedHostname, notice: string): PaneOutcome {
  return { change: toChange(zone, row), notice: `${notice}${undoHint(canUndo)}` };
}

/** Returns the id and name of each marked hostname, which a task needs. */
export function toMarkedHostnames(records: readonly CustomHostname[]): readonly MarkedHostname[] {
  return records.map(({ id, hostname }) => ({ id, hostname }));
}

/** Formats the notice that a task was started on `count` hostnames. */
export function startedNotice(doing: string, count: number): string {
  return `${doing} ${formatHostnameCount(count)}: press 5 to see the task.`;
}
