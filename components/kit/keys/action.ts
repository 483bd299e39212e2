import type { CliEquivalent } from '../../../src/services/equivalents/cli-equivalent.ts';
import type { Shortcut } from './shortcut.ts';

/** The equivalent commands of a shortcut, for the menu that `Y` opens. */
interface WithEquivalents<Here> {
  equivalents?(here: Here): readonly CliEquivalent[];
}

/**
 * An action of a pane with its function. `Here` is the type of the function's argument, and `ActionResult` is the type of the result that
 * the pane handles.
 */
export interface Action<Here, ActionResult = void> extends Shortcut<string>, WithEquivalents<Here> {
  run(here: Here): ActionResult;
}

/** An action of a pane. Without `run`, the action is built into every list or document. */
export type PaneAction<Here, ActionResult = void> =
  | Action<Here, ActionResult>
  | (Shortcut<string> & WithEquivalents<Here>);

/** Returns a function for each action with `run`, by the action's name. The function passes the result to `take`. */
export function actionHandlers<Here, Result>(
  actions: ReadonlyArray<PaneAction<Here, Result>>,
  here: Here,
  take: (result: Result) => void,
): Readonly<Record<string, () => void>> {
  return Object.fromEntries(
    actions.flatMap((action) => ('run' in action ? [[action.does, () => take(action.run(here))]] : [])),
  );
}

const placements = ['first', undefined, 'last'] as const;

/** Returns the commands equivalent to a pane's actions, in the order of the menu: by placement, then by action. */
export function listEquivalents<Here>(
  actions: ReadonlyArray<PaneAction<Here, unknown>>,
  here: Here,
): readonly CliEquivalent[] {
  const all = actions.flatMap((action) => action.equivalents?.(here) ?? []);
  return placements.flatMap((place) => all.filter((one) => one.place === place));
}
