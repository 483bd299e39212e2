import { noSelection } from './conditions.ts';
import type { Shortcut } from './shortcut.ts';

/** Actions on lines that are wider than the screen. */
export type WrapAction = 'wrap' | 'shift-left' | 'shift-right';

/** Shortcuts for long lines in every pane that shows bytes. */
export const wrapShortcuts: ReadonlyArray<Shortcut<WrapAction>> = [
  {
    press: ['W'],
    label: 'wrap',
    helpLabel: 'wrap long lines',
    about: 'Wrap long lines, or show only a part of each',
    does: 'wrap',
    unless: noSelection,
  },
  {
    press: ['>'],
    label: 'right',
    helpLabel: 'shift right',
    about: 'In unwrapped lines: scroll half a screen to the right',
    does: 'shift-right',
    unless: noSelection,
    quiet: true,
  },
  {
    press: ['<'],
    label: 'left',
    helpLabel: 'shift left',
    about: 'In unwrapped lines: scroll half a screen to the left',
    does: 'shift-left',
    unless: noSelection,
    quiet: true,
  },
];
