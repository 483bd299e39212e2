import type { Shortcut } from './shortcut.ts';

/** Actions of a list that comes page by page. */
export type LoadAction = 'more' | 'all';

/** How such a list is read on. */
export const loading: ReadonlyArray<Shortcut<LoadAction>> = [
  { press: ['m'], label: 'more', about: 'Load one more page', does: 'more' },
  {
    press: ['L'],
    label: 'load all',
    about: 'Load all there is, within the budget of requests; Esc stops that',
    does: 'all',
  },
];
