import type { Move } from '../lists/cursor.ts';
import { movement, selected, writesSelected, writing } from './conditions.ts';
import type { Shortcut } from './shortcut.ts';

export type UndoAction = Move | 'restore' | 'filter' | 'refresh' | 'copy' | 'back';

export const undoKeymap: ReadonlyArray<Shortcut<UndoAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'put back',
    about: 'Put it back with its metadata and expiry; asks',
    does: 'restore',
    unless: writesSelected,
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
