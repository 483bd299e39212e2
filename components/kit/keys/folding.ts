import { noSelection } from './conditions.ts';
import type { Shortcut } from './shortcut.ts';

/** Actions on a JSON tree. */
export type FoldAction = 'fold' | 'fold-all' | 'unfold-all' | 'copy-path';

/** Shortcuts that fold JSON in every pane that shows bytes. */
export const foldShortcuts: ReadonlyArray<Shortcut<FoldAction>> = [
  {
    press: ['enter'],
    label: 'fold',
    helpLabel: 'fold or unfold',
    labelIn: ({ tree }) => (tree === true ? 'fold' : undefined),
    about: 'In JSON: fold or unfold the object or array on the line',
    does: 'fold',
    unless: noSelection,
    quietIn: ({ tree }) => tree === false,
  },
  {
    press: ['-'],
    label: 'fold all',
    about: 'In JSON: fold all objects and arrays except the outermost',
    does: 'fold-all',
    unless: noSelection,
    quiet: true,
  },
  {
    press: ['+'],
    label: 'unfold all',
    about: 'In JSON: unfold all objects and arrays',
    does: 'unfold-all',
    unless: noSelection,
    quiet: true,
  },
  {
    press: ['P'],
    label: 'copy path',
    helpLabel: 'copy JSON path',
    about: 'In JSON: copy the path of the line, such as $.a[3].b',
    does: 'copy-path',
    unless: noSelection,
    quiet: true,
  },
];
