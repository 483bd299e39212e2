import { movement, selected, waits, writesSelected, writing } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import type { Shortcut, Situation } from '../kit/keys/shortcut.ts';

export type UndoAction = Move | 'restore' | 'remove' | 'remove-done' | 'filter' | 'refresh' | 'copy' | 'back';

/** The journal is the reader's own: a read-only session forgets as well. */
function forgets(situation: Situation): string | false {
  return selected(situation) || waits(situation);
}

export const undoKeymap: ReadonlyArray<Shortcut<UndoAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'put back',
    about: 'Put it back with its metadata and expiry; asks',
    does: 'restore',
    unless: writesSelected,
  },
  {
    press: ['d'],
    label: 'forget',
    about: 'Forget it: it cannot be put back any more; asks',
    does: 'remove',
    unless: forgets,
  },
  {
    press: ['D'],
    label: 'forget all',
    about: 'Forget all that is kept, of other profiles too; asks',
    does: 'remove-done',
    unless: forgets,
  },
  { press: ['/'], label: 'filter', about: 'Show only names that contain a text', does: 'filter' },
  { press: ['r'], label: 'reload', about: 'List again, with the selection kept', does: 'refresh' },
  { press: ['y'], label: 'copy id', about: 'Copy its id, for edgectl undo', does: 'copy', unless: selected },
  {
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, then back to where you were',
    does: 'back',
    unless: writing,
  },
  ...movement,
];
