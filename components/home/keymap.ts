import { movement, selected } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';

export type HomeAction = Move | 'open' | 'refresh';

export const homeKeymap: ReadonlyArray<Shortcut<HomeAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'go there',
    about: 'Go to what the line tells of',
    does: 'open',
    unless: selected,
  },
  { press: ['r'], label: 'reload', about: 'Read everything again', does: 'refresh' },
  ...movement,
];
