import type { Shortcut } from './shortcut.ts';

/** Actions that find something in a list. */
export type FindAction = 'filter' | 'sort' | 'reverse';

/** How something is found in every list. */
export const finding: ReadonlyArray<Shortcut<FindAction>> = [
  {
    press: ['/'],
    label: 'filter',
    about: 'Show only what has a text, /regex/, !not, ~fuzzy; a capital letter makes it exact',
    does: 'filter',
  },
  {
    press: ['o'],
    label: 'sort',
    about: 'Sort what is loaded by the next column; behind the last one it is as it was listed',
    does: 'sort',
    quiet: true,
  },
  { press: ['O'], label: 'reverse', about: 'Turn the order over', does: 'reverse', quiet: true },
];
