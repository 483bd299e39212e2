import type { Action } from '../../kit/keys/action.ts';
import type { Shortcut } from '../../kit/keys/shortcut.ts';

/** The functions of a pane's own actions, by their names. Those that every list or text has are not among them. */
export function runsOf<Here, ActionResult>(
  actions: ReadonlyArray<Shortcut<string> | Action<Here, ActionResult>>,
  here: Here,
  take: (effect: ActionResult) => void,
): Readonly<Record<string, () => void>> {
  return Object.fromEntries(
    actions.flatMap((action) => ('run' in action ? [[action.does, () => take(action.run(here))]] : [])),
  );
}
