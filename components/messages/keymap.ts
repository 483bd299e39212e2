import { movement, selected } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';

export type MessagesAction = Move | 'copy' | 'next' | 'back';

export const messagesKeymap: ReadonlyArray<Shortcut<MessagesAction>> = [
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to where you were', does: 'back' },
  {
    press: ['y'],
    label: 'copy',
    about: 'Copy the message, or on its line the id of the request',
    does: 'copy',
    unless: selected,
  },
  { press: ['tab'], label: 'next failure', about: 'To the next failure', does: 'next', unless: selected },
  ...movement,
];
