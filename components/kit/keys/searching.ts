import { noSelection } from './conditions.ts';
import type { Shortcut } from './shortcut.ts';

/** Actions that search a document. */
export type SearchAction = 'search' | 'next-match' | 'previous-match';

/** Shortcuts that search in every pane that shows bytes. */
export const searchShortcuts: ReadonlyArray<Shortcut<SearchAction>> = [
  {
    press: ['/'],
    label: 'search',
    helpLabel: 'search the text',
    about:
      'Highlight matches: text, /regex/, !not (whole lines), ~fuzzy; an empty search clears the highlights',
    does: 'search',
    unless: noSelection,
  },
  {
    press: ['n'],
    label: 'next match',
    labelIn: ({ searched }) => (searched === true ? 'next match' : undefined),
    about: 'Go to the next match',
    does: 'next-match',
    unless: noSelection,
    quietIn: ({ searched }) => searched !== true,
  },
  {
    press: ['N'],
    label: 'previous match',
    shortLabel: 'previous',
    about: 'Go to the previous match',
    does: 'previous-match',
    unless: noSelection,
    quiet: true,
  },
];
