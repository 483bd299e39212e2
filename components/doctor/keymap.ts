import { movement, selected } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';

export type DoctorAction = Move | 'refresh' | 'copy' | 'next' | 'back';

export const doctorKeymap: ReadonlyArray<Shortcut<DoctorAction>> = [
  { press: ['y'], label: 'copy', about: 'Copy what the marked line says', does: 'copy', unless: selected },
  {
    press: ['tab'],
    label: 'next fault',
    about: 'To the next that is wrong, or that is warned of',
    does: 'next',
    unless: selected,
  },
  { press: ['r'], label: 'reload', about: 'Look at everything anew', does: 'refresh' },
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to where you were', does: 'back' },
  ...movement,
];
