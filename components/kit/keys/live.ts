import type { Shortcut } from './shortcut.ts';

/** What keeps a pane up to date with the platform. */
export type LiveAction = 'live';

/** How every pane with platform data is kept up to date. */
export const live: ReadonlyArray<Shortcut<LiveAction>> = [
  {
    press: ['F'],
    label: 'live',
    about: 'Reload every few seconds while visible, and mark changes; press again to pause',
    does: 'live',
    quiet: true,
  },
];

/** The same where one thing fills the screen: there it is among the first that a reader looks for. */
export const liveText: ReadonlyArray<Shortcut<LiveAction>> = live.map((row) => ({ ...row, quiet: false }));
