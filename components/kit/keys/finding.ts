import type { Shortcut } from './shortcut.ts';

/** Actions that find something in a list. */
export type FindAction = 'filter' | 'sort' | 'reverse' | 'columns';

/** Shortcuts that filter and sort every list. */
export const filterShortcuts: ReadonlyArray<Shortcut<FindAction>> = [
  {
    press: ['/'],
    label: 'filter',
    helpLabel: 'filter the rows',
    about:
      'Show only matches: part of the name, /regex/, !not, ~fuzzy; a capital letter makes the filter case-sensitive',
    does: 'filter',
    quietIn: ({ empty }) => empty === true,
  },
  {
    press: ['o'],
    label: 'sort',
    helpLabel: 'sort by a column',
    about: 'Sort the loaded rows by the next column; after the last column, restore the original order',
    does: 'sort',
    quiet: true,
  },
  {
    press: ['O'],
    label: 'reverse',
    helpLabel: 'reverse the order',
    about: 'Reverse the sort order',
    does: 'reverse',
    quiet: true,
  },
  {
    press: ['#'],
    label: 'columns',
    helpLabel: 'choose columns',
    about: 'Choose the columns of the list, their order and their widths',
    does: 'columns',
    quiet: true,
  },
];
