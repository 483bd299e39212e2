import { isMadeAt, type UndoEntry } from '../../model/undo/entry.ts';
import type { Session } from '../session/session.ts';
import { settingsOf } from '../session/settings.ts';
import { stoppable } from '../session/stoppable.ts';
import { factsOf } from '../undo/facts.ts';
import { openJournal } from '../undo/journal.ts';
import { placeOf } from '../undo/keep.ts';
import { type Restored, restore } from '../undo/restore.ts';
import type { RestoreOptions } from '../undo/values.ts';

/** An entry of the journal, and whether it can be put back in this session. */
export interface UndoRow {
  readonly entry: UndoEntry;
  readonly isHere: boolean;
}

/** The undo journal for panes: `src/services/undo` over one session. All but `isOn` refuse with a Problem. */
export interface UndoService {
  /** Whether single changes keep what they take away, and whether the short question about them is wanted. */
  readonly keeps: boolean;
  readonly asks: boolean;
  /** The newest first, and sentences about files that are no entries. */
  list(
    signal: AbortSignal,
  ): Promise<{ readonly rows: readonly UndoRow[]; readonly skipped: readonly string[] }>;
  restore(entry: UndoEntry, options: RestoreOptions, signal: AbortSignal): Promise<Restored>;
  /** An entry as names and texts: `factsOf`. */
  facts(entry: UndoEntry): Promise<ReturnType<typeof factsOf>>;
  forget(entry: UndoEntry): Promise<void>;
  /** Forgets all entries, those of other places too; gives how many. */
  forgetAll(): Promise<number>;
}

/** The real service over a session. */
export function undoOver(session: Session): UndoService {
  const { world } = session;
  return {
    get keeps() {
      return settingsOf(world).undo === 'on';
    },
    get asks() {
      const { undo, confirm } = settingsOf(world);
      return undo === 'off' || confirm === 'all';
    },
    async list(signal) {
      const place = await placeOf(stoppable(session, signal));
      const { entries, skipped } = await openJournal(world).list();
      return { rows: entries.map((entry) => ({ entry, isHere: isMadeAt(entry, place) })), skipped };
    },
    restore: (entry, options, signal) => restore(stoppable(session, signal), entry, options),
    facts: async (entry) => factsOf(entry, await openJournal(world).read(entry)),
    forget: (entry) => openJournal(world).remove(entry),
    forgetAll: () => openJournal(world).purge(),
  };
}
