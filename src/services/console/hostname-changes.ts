import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { UndoEntry } from '../../model/undo/entry.ts';
import type { HostnameInput } from '../hostnames/body.ts';
import { deleteHostname, editHostname, readHostname, refreshHostname } from '../hostnames/hostnames.ts';
import { type HostnameRow, toHostnameRow } from '../hostnames/rows.ts';
import type { Session } from '../session/session.ts';
import { loadSettings } from '../session/settings.ts';
import { stoppable } from '../session/stoppable.ts';
import { deleteHostnameWithUndo, editHostnameWithUndo, refreshHostnameWithUndo } from '../undo/hostnames.ts';

/** A hostname after a change, and whether the undo journal contains its previous settings. */
export interface ChangedHostname {
  readonly row: HostnameRow;
  readonly canUndo: boolean;
}

interface HostnameAfter {
  readonly record: CustomHostname;
  readonly entry?: UndoEntry | undefined;
}

/** Returns whether changes save the old state for undo. */
export function isUndoOn({ world }: Session): boolean {
  return loadSettings(world).undo === 'on';
}

/**
 * Returns operations that change an existing hostname. Each operation first rereads the hostname, because the listed settings may be
 * outdated.
 */
export function hostnameChanges(session: Session) {
  const keeps = () => isUndoOn(session);
  const changed = async (zoneId: string, { record, entry }: HostnameAfter) => ({
    row: await toHostnameRow(session, zoneId, record),
    canUndo: entry !== undefined,
  });
  return {
    /** Restarts validation. */
    async refresh(zoneId: string, { id }: CustomHostname, signal: AbortSignal) {
      const until = stoppable(session, signal);
      const record = await readHostname(until, zoneId, id);
      if (keeps()) return changed(zoneId, await refreshHostnameWithUndo(until, zoneId, record));
      return changed(zoneId, { record: await refreshHostname(until, zoneId, record) });
    },
    async edit(zoneId: string, { id }: CustomHostname, changes: HostnameInput, signal: AbortSignal) {
      const until = stoppable(session, signal);
      const record = await readHostname(until, zoneId, id);
      if (keeps()) return changed(zoneId, await editHostnameWithUndo(until, zoneId, record, changes));
      return changed(zoneId, { record: await editHostname(until, zoneId, record, changes) });
    },
    /** Deletes the hostname. Returns whether the undo journal contains the hostname's settings. */
    async remove(zoneId: string, shown: CustomHostname, signal: AbortSignal) {
      const until = stoppable(session, signal);
      if (!keeps()) return deleteHostname(until, zoneId, shown).then(() => false);
      const record = await readHostname(until, zoneId, shown.id);
      return (await deleteHostnameWithUndo(until, zoneId, record)) !== undefined;
    },
  };
}
