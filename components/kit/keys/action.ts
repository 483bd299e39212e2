import type { Shortcut } from './shortcut.ts';

/** Something that can be done in a pane, and how: `Here` is what it is done with, `ActionResult` what the pane makes of it. */
export interface Action<Here, ActionResult = void> extends Shortcut<string> {
  run(here: Here): ActionResult;
}

/** The functions of a pane's own actions, by their names. Those that every list or text has are not among them. */
export function runsOf<Here, Result>(
  actions: ReadonlyArray<Shortcut<string> | Action<Here, Result>>,
  here: Here,
  take: (result: Result) => void,
): Readonly<Record<string, () => void>> {
  return Object.fromEntries(
    actions.flatMap((action) => ('run' in action ? [[action.does, () => take(action.run(here))]] : [])),
  );
}
