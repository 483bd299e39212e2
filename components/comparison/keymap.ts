import { movement, selected } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import { type FindAction, finding } from '../kit/keys/finding.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';

export type ComparisonAction = Move | 'compare' | 'next' | 'copy' | 'refresh' | 'back';

export const comparisonKeymap: ReadonlyArray<Shortcut<ComparisonAction>> = [
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to the key', does: 'back' },
  { press: ['='], label: 'compare', about: 'Choose another place to compare with', does: 'compare' },
  { press: ['tab'], label: 'next', about: 'To the next difference', does: 'next', unless: selected },
  { press: ['y'], label: 'copy', about: 'Copy the line', does: 'copy', unless: selected },
  { press: ['r'], label: 'reload', about: 'Read both sides again', does: 'refresh' },
  ...movement,
];

export type DifferencesAction = Move | FindAction | 'open' | 'status' | 'copy' | 'refresh' | 'back';

export const differencesKeymap: ReadonlyArray<Shortcut<DifferencesAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'compare',
    about: 'Show the key as it is on both sides',
    does: 'open',
    unless: selected,
  },
  ...finding,
  {
    press: ['s'],
    label: 'show only',
    about: 'Show only what is here, there, or other, with how many there are',
    does: 'status',
  },
  { press: ['y'], label: 'copy name', about: 'Copy the name of the key', does: 'copy', unless: selected },
  { press: ['r'], label: 'reload', about: 'Compare anew', does: 'refresh' },
  {
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, what is shown only, then back to the namespaces',
    does: 'back',
  },
  ...movement,
];
