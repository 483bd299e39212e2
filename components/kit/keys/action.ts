import type { CliEquivalent } from '../../../src/services/equivalents/cli-equivalent.ts';
import type { Shortcut } from './shortcut.ts';

/** The commands that do the same as a shortcut, for the menu of `Y`. */
interface WithEquivalents<Here> {
  equivalents?(here: Here): readonly CliEquivalent[];
}

/** Something that can be done in a pane, and how: `Here` is what it is done with, `ActionResult` what the pane makes of it. */
export interface Action<Here, ActionResult = void> extends Shortcut<string>, WithEquivalents<Here> {
  run(here: Here): ActionResult;
}

/** An action of a pane; without `run` it is one that every list or text has. */
export type PaneAction<Here, ActionResult = void> =
  | Action<Here, ActionResult>
  | (Shortcut<string> & WithEquivalents<Here>);

/** The functions of a pane's own actions, by their names. Those that every list or text has are not among them. */
export function runsOf<Here, Result>(
  actions: ReadonlyArray<PaneAction<Here, Result>>,
  here: Here,
  take: (result: Result) => void,
): Readonly<Record<string, () => void>> {
  return Object.fromEntries(
    actions.flatMap((action) => ('run' in action ? [[action.does, () => take(action.run(here))]] : [])),
  );
}

const places = ['first', undefined, 'last'] as const;

/** The commands that do what a pane's actions do here, in the order of the actions but for those with a place. */
export function equivalentsOf<Here>(
  actions: ReadonlyArray<PaneAction<Here, unknown>>,
  here: Here,
): readonly CliEquivalent[] {
  const all = actions.flatMap((action) => action.equivalents?.(here) ?? []);
  return places.flatMap((place) => all.filter((one) => one.place === place));
}
