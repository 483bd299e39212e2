import type { Shortcut } from './shortcut.ts';

/** The action that keeps a pane up to date with the platform. */
export type LiveAction = 'live';

/** Shortcuts that keep a pane with platform data up to date. */
export const liveShortcuts: ReadonlyArray<Shortcut<LiveAction>> = [
  {
    press: ['F'],
    label: 'live',
    about: 'Reload every few seconds while visible, and mark changes; press again to pause',
    does: 'live',
    quiet: true,
  },
];

/** The same for a pane that shows one thing: there the footer shows it too. */
export const liveViewShortcuts: ReadonlyArray<Shortcut<LiveAction>> = liveShortcuts.map((row) => ({
  ...row,
  quiet: false,
}));
