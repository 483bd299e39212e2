import { movement, selected } from '../../kit/keys/conditions.ts';
import type { Move } from '../../kit/keys/cursor.ts';
import type { Shortcut } from '../../kit/keys/shortcut.ts';

export type InstructionsAction = Move | 'instructions' | 'copy' | 'next' | 'refresh' | 'back';

export const instructionsKeymap: ReadonlyArray<Shortcut<InstructionsAction>> = [
  {
    press: ['I'],
    label: 'hand over',
    about: 'Copy or save all of it, as the customer is to read it',
    does: 'instructions',
    unless: selected,
  },
  {
    press: ['y'],
    label: 'copy',
    about: 'Copy the value, or the link by which the provider enters the records itself',
    does: 'copy',
    unless: selected,
  },
  {
    press: ['tab'],
    label: 'next record',
    about: 'To the next record, or the link',
    does: 'next',
    unless: selected,
  },
  { press: ['r'], label: 'reload', about: 'Ask DNS and the platform again', does: 'refresh' },
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to the hostname', does: 'back' },
  ...movement,
];
