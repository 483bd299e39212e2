import { noSelection } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';

export type PaletteAction = Move | 'take' | 'close';

export const paletteKeymap: ReadonlyArray<Shortcut<PaletteAction>> = [
  {
    press: ['enter'],
    label: 'go',
    about: 'Run the action, or go to the place',
    does: 'take',
    unless: noSelection,
  },
  {
    press: ['esc'],
    label: 'close',
    about: 'Close the palette',
    does: 'close',
  },
  { press: ['up', 'shift+tab'], label: 'up', about: 'Go up one line', does: 'up', quiet: true },
  { press: ['down', 'tab'], label: 'down', about: 'Go down one line', does: 'down', quiet: true },
  { press: ['pageup'], label: 'page up', about: 'Go up one page', does: 'page-up', quiet: true },
  { press: ['pagedown'], label: 'page down', about: 'Go down one page', does: 'page-down', quiet: true },
];
