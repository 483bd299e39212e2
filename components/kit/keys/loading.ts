import type { Shortcut, Situation } from './shortcut.ts';

/** Actions of a list that is loaded page by page. */
export type LoadAction = 'more' | 'all';

function allLoaded({ complete }: Situation): string | false {
  return complete === true && 'All rows are loaded';
}

const ifMore = { unless: allLoaded, quietIn: ({ complete }: Situation) => complete === true };

/** Shortcuts that load more rows of a list. */
export const loadShortcuts: ReadonlyArray<Shortcut<LoadAction>> = [
  {
    press: ['m'],
    label: 'load more',
    helpLabel: 'load more rows',
    about: 'Load one more page',
    does: 'more',
    ...ifMore,
  },
  {
    press: ['L'],
    label: 'load all',
    helpLabel: 'load all rows',
    about: 'Load all pages, within the request budget; press Esc to stop',
    does: 'all',
    ...ifMore,
  },
];
