import { Problem } from '../../../model/problem.ts';
import { type UndoEntry, undoLimits } from '../../../model/undo/entry.ts';
import { formatSize } from '../../../text/size.ts';
import type { Context } from '../../parsing/command.ts';
import type { FlagValues, Loss } from '../../parsing/declaration.ts';
import type { undoFlags } from '../../parsing/flags.ts';

export type UndoFlags = FlagValues<typeof undoFlags>;

/** A reporter for undo: shows what a change has saved, or that the old state is too large. */
export interface UndoRecorder {
  /**
   * Prints a line about the entry, and returns the answer field with the id of the entry; empty if nothing was saved.
   */
  report(entry: UndoEntry | undefined): { readonly undo?: string };
  /** Warns that the old state is too large to be saved; with --undo, rejects the change. */
  tooLarge(what: string, bytes: number): void;
}

/**
 * Returns a recorder if the command must save the old state of a single change; otherwise returns undefined. Commands with the mode `by
 * default` save it; commands with the mode `on request` save it on a terminal or with --undo. --no-undo and the setting `undo` turn saving
 * off. Rejects --undo if saving is impossible. If the flags or the mode rule out saving, no module is loaded.
 */
export async function openUndoRecorder(
  { world, output, dryRun }: Context,
  flags: UndoFlags,
  mode: NonNullable<Loss['keeps']>,
): Promise<UndoRecorder | undefined> {
  const { undo: asked, 'no-undo': refused } = flags;
  if (asked && refused)
    throw new Problem('usage', '--undo and --no-undo cannot be used together; nothing was sent.');
  const isTerminal = world.stdin.isTTY === true && world.stderr.isTTY === true;
  if (dryRun !== undefined || refused || !(asked || isTerminal || mode === 'by default')) return undefined;
  const { loadSettings } = await import('../../../services/session/settings.ts');
  const isOff = loadSettings(world).undo === 'off';
  if (asked && isOff) {
    throw new Problem('usage', '--undo has no effect while the setting undo is off; nothing was sent.', {
      hint: 'Turn it on: edgectl setting unset undo',
    });
  }
  if (isOff) return undefined;
  if (!asked && !isTerminal && !(await canRecord({ world, output }))) return undefined;
  return {
    report(entry) {
      if (entry === undefined) return {};
      const { id } = entry;
      output.note(`Saved the old value. To restore it: edgectl undo restore ${id}`, {
        undo: id,
      });
      return { undo: id };
    },
    tooLarge(what, bytes) {
      const message = `${what} (${formatSize(bytes)}) is too large for undo, which saves up to ${formatSize(undoLimits.entryBytes)}`;
      if (asked)
        throw new Problem('usage', `${message}; nothing was changed.`, {
          hint: 'Download the old data first, or omit --undo.',
        });
      output.warn(`${message}: the old data was not saved.`);
    },
  };
}

/**
 * Returns whether undo entries can be saved. If not (for example, if the home folder is read-only), prints a warning, and a script without
 * --undo continues without saving.
 */
async function canRecord({ world, output }: Pick<Context, 'world' | 'output'>): Promise<boolean> {
  const { openJournal } = await import('../../../services/undo/journal.ts');
  try {
    await openJournal(world).prepare();
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    output.warn(`${error.message} The change is made without undo.`);
    return false;
  }
}
