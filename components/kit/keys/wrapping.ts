import { selected } from './conditions.ts';
import type { Shortcut } from './shortcut.ts';

/** Actions on lines that are wider than the screen. */
export type WrapAction = 'wrap' | 'shift-left' | 'shift-right';

/** How panes that show bytes display long lines. */
export const wrapping: ReadonlyArray<Shortcut<WrapAction>> = [
  {
    press: ['W'],
    label: 'wrap',
    about: 'Wrap long lines, or show each in one line, of which a part is on the screen',
    does: 'wrap',
    unless: selected,
  },
  {
    press: ['>'],
    label: 'right',
    about: 'In lines that are not wrapped: half a screen to the right',
    does: 'shift-right',
    unless: selected,
    quiet: true,
  },
  {
    press: ['<'],
    label: 'left',
    about: 'In lines that are not wrapped: half a screen to the left',
    does: 'shift-left',
    unless: selected,
    quiet: true,
  },
];
