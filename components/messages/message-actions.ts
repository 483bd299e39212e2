import { moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';

/** The actions of the messages. */
export const messageActions: ReadonlyArray<Shortcut<string>> = [
  {
    does: 'copy',
    press: ['y'],
    label: 'copy',
    about: 'Copy the message, or the request id on the selected line',
    unless: noSelection,
  },
  {
    does: 'next',
    press: ['tab'],
    label: 'next failure',
    about: 'Go to the next failure',
    unless: noSelection,
  },
  { does: 'back', press: ['esc', 'left', 'h'], label: 'back', about: 'Go back to where you were' },
  ...moveShortcuts,
];
