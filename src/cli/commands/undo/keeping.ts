import { Problem } from '../../../model/problem.ts';
import type { UndoEntry } from '../../../model/undo/entry.ts';
import type { Context } from '../../parsing/command.ts';

/** The wish that a change keeps what it takes away. */
export interface Keeping {
  /** Says in one line that an entry was kept; nothing where none was. */
  said(entry: UndoEntry | undefined): void;
}

/**
 * Whether a single change keeps what it takes away: where a person sits at a terminal, or asks for it. Else undefined, and
 * nothing is loaded for it. Refuses to be asked where undo is off.
 */
export async function keepsFor({ world, output }: Context, asked: boolean): Promise<Keeping | undefined> {
  const isTerminal = world.stdin.isTTY === true && world.stderr.isTTY === true;
  if (!asked && !isTerminal) return undefined;
  const { settingsOf } = await import('../../../services/session/settings.ts');
  const isOff = settingsOf(world).undo === 'off';
  if (asked && isOff) {
    throw new Problem('usage', '--undo keeps nothing: the setting undo is off; nothing was sent.', {
      hint: 'Turn it on: edgectl setting unset undo',
    });
  }
  if (isOff) return undefined;
  return {
    said(entry) {
      if (entry === undefined) return;
      const { id } = entry;
      output.note(`Kept what was there: edgectl undo restore ${id} puts it back.`, { undo: id });
    },
  };
}
