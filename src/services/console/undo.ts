import { isMadeAt, type UndoEntry } from '../../model/undo/entry.ts';
import type { Session } from '../session/session.ts';
import { loadSettings } from '../session/settings.ts';
import { stoppable } from '../session/stoppable.ts';
import { readPlace } from '../undo/change-with-undo.ts';
import { listFacts } from '../undo/facts.ts';
import { openJournal } from '../undo/journal.ts';
import { restore } from '../undo/restore.ts';
import type { RestoreOptions } from '../undo/values.ts';

/** An undo entry, and whether this session can restore it. */
export interface UndoRow {
  readonly entry: UndoEntry;
  readonly isHere: boolean;
}

export type UndoService = ReturnType<typeof undoService>;

/** Returns the operations on the undo journal that panes use, bound to one session. The operations throw a Problem on failure. */
export function undoService(session: Session) {
  const { world } = session;
  return {
    /** Whether single changes save the old state for undo. */
    get keeps() {
      return loadSettings(world).undo === 'on';
    },
    /** Whether the console asks for confirmation before it deletes something that undo can restore. */
    get asks() {
      const { undo, confirm } = loadSettings(world);
      return undo === 'off' || confirm === 'all';
    },
    /** Returns the entries, newest first, and a sentence about each skipped file. */
    async list(signal: AbortSignal) {
      const place = await readPlace(stoppable(session, signal));
      const { entries, skipped } = await openJournal(world).list();
      return { rows: entries.map((entry) => ({ entry, isHere: isMadeAt(entry, place) })), skipped };
    },
    restore: (entry: UndoEntry, options: RestoreOptions, signal: AbortSignal) =>
      restore(stoppable(session, signal), entry, options),
    /** Returns the facts of an entry, as names and values. */
    facts: async (entry: UndoEntry) => listFacts(entry, await openJournal(world).read(entry)),
    forget: (entry: UndoEntry) => openJournal(world).remove(entry),
    /** Deletes all entries, including entries of other accounts and platforms. */
    forgetAll: () => openJournal(world).purge(),
  };
}
