import type { Shortcut } from './shortcut.ts';

/** Something that can be done in a pane, and how: `Here` is what it is done with, `ActionResult` what the pane makes of it. */
export interface Action<Here, ActionResult = void> extends Shortcut<string> {
  run(here: Here): ActionResult;
}
