import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { UndoEntry } from '../../model/undo/entry.ts';
import type { HostnameWishes } from '../hostnames/body.ts';
import { deleteHostname, editHostname, readHostname, refreshHostname } from '../hostnames/hostnames.ts';
import { type HostnameRow, rowOf } from '../hostnames/rows.ts';
import type { Session } from '../session/session.ts';
import { settingsOf } from '../session/settings.ts';
import { stoppable } from '../session/stoppable.ts';
import { deleteHostnameKeeping, editHostnameKeeping, refreshHostnameKeeping } from '../undo/hostnames.ts';

/** A hostname after a change, and whether the journal has its previous settings. */
export interface ChangedHostname {
  readonly row: HostnameRow;
  readonly kept: boolean;
}

interface HostnameAfter {
  readonly record: CustomHostname;
  readonly entry?: UndoEntry | undefined;
}

/** Whether changes save the old state. */
export function keepsUndo({ world }: Session): boolean {
  return settingsOf(world).undo === 'on';
}

/**
 * Changes to an existing hostname. It is read again first, so that its current settings are sent and saved, not those from when
 * it was listed.
 */
export function changesOver(session: Session) {
  const keeps = () => keepsUndo(session);
  const changed = async (zoneId: string, { record, entry }: HostnameAfter) => ({
    row: await rowOf(session, zoneId, record),
    kept: entry !== undefined,
  });
  return {
    /** Restarts validation. */
    async refresh(zoneId: string, { id }: CustomHostname, signal: AbortSignal) {
      const until = stoppable(session, signal);
      const record = await readHostname(until, zoneId, id);
      if (keeps()) return changed(zoneId, await refreshHostnameKeeping(until, zoneId, record));
      return changed(zoneId, { record: await refreshHostname(until, zoneId, record) });
    },
    async edit(zoneId: string, { id }: CustomHostname, wishes: HostnameWishes, signal: AbortSignal) {
      const until = stoppable(session, signal);
      const record = await readHostname(until, zoneId, id);
      if (keeps()) return changed(zoneId, await editHostnameKeeping(until, zoneId, record, wishes));
      return changed(zoneId, { record: await editHostname(until, zoneId, record, wishes) });
    },
    /** Returns whether the journal has its settings. */
    async remove(zoneId: string, shown: CustomHostname, signal: AbortSignal) {
      const until = stoppable(session, signal);
      if (!keeps()) return deleteHostname(until, zoneId, shown).then(() => false);
      const record = await readHostname(until, zoneId, shown.id);
      return (await deleteHostnameKeeping(until, zoneId, record)) !== undefined;
    },
  };
}
