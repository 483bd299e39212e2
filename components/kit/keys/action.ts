import type { Shortcut } from './shortcut.ts';

/** Something that can be done in a pane, and how: `Here` is what it is done with, `Effect` what the pane makes of it. */
export interface Action<Here, Effect = void> extends Shortcut<string> {
  run(here: Here): Effect;
}
