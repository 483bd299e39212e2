import { type NounName, nouns } from '../kit/nouns.ts';
import { writing } from '../kit/keys/conditions.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';

/** Actions that lead from any view to another, or keep the way to it. */
export type MovingAction = 'go-back' | 'go-forward' | 'palette' | 'bookmark' | 'copy-link';

export const movingKeymap: ReadonlyArray<Shortcut<MovingAction>> = [
  {
    press: [':'],
    label: 'go to',
    about: 'Find any action or place by a few letters, and go there',
    does: 'palette',
    unless: writing,
  },
  {
    press: ['['],
    label: 'view before',
    about: 'To the view that was on the screen before',
    does: 'go-back',
    unless: writing,
    quiet: true,
  },
  {
    press: [']'],
    label: 'view after',
    about: 'Forward again, after [',
    does: 'go-forward',
    unless: writing,
    quiet: true,
  },
  {
    press: ['b'],
    label: 'bookmark',
    about: 'Keep this view among the bookmarks, or no longer',
    does: 'bookmark',
    quiet: true,
  },
  {
    press: ['@'],
    label: 'copy link',
    about: 'Copy the link of this view: edgectl console LINK opens it',
    does: 'copy-link',
    quiet: true,
  },
];

/** The digits of the areas. */
export const nounsKeymap: ReadonlyArray<Shortcut<NounName>> = nouns.map(({ name, press, label }) => ({
  press: [press],
  label: label.toLowerCase(),
  about: `Go to the ${label.toLowerCase()}`,
  does: name,
  unless: writing,
  quiet: true,
}));
