import { dangerStyles, shortcutDanger } from '../kit/danger.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import { markShortcuts } from '../kit/keys/marks.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { formatPress } from '../kit/keys/presses.ts';
import type { Keymap } from '../kit/keys/shortcut.ts';
import type { Role } from '../kit/theme.ts';

/** Cursor movements, and actions of every list or document, which the palette does not list for other panes. */
export const genericActions: ReadonlySet<string> = new Set([
  ...[...filterShortcuts, ...markShortcuts].map(({ does }) => does),
  ...['up', 'down', 'page-up', 'page-down', 'first', 'last', 'next', 'next-match', 'previous-match'],
  ...['open', 'back', 'out', 'refresh', 'live', 'more', 'all', 'search', 'next-view'],
  ...['wrap', 'shift-left', 'shift-right', 'fold', 'fold-all', 'unfold-all'],
]);

/** An action of a pane: its key (as displayed), its label, and its description (a sentence). */
interface PlaceAction {
  readonly press: string;
  readonly label: string;
  readonly about: string;
  /** The style of the key, which shows the danger of the action. */
  readonly role: Role;
}

/** Maximum number of actions of a place. */
const maxActionsThere = 6;

/** Returns the most important actions that only a pane of this mode has, in the order and with the labels of the help. */
export function actionsThere(mode: Mode, keys: Keymap, undoIsOn: boolean): readonly PlaceAction[] {
  return keys[mode]
    .flatMap((shortcut): PlaceAction[] => {
      const {
        press: [press],
        label,
        helpLabel = label,
        about,
        does,
        quiet,
      } = shortcut;
      if (press === undefined || quiet === true || genericActions.has(does)) return [];
      const danger = shortcutDanger(shortcut, { readOnly: false, selected: true }, undoIsOn);
      const role = danger === undefined ? 'press' : dangerStyles[danger].answer.press;
      return [{ press: formatPress(press), label: helpLabel, about, role }];
    })
    .slice(0, maxActionsThere);
}

/** The item that the actions of a pane act on, with its article. */
const actedOn: Partial<Readonly<Record<Mode, string>>> = {
  keys: 'a key',
  value: 'the key',
  objects: 'an object',
  preview: 'the object',
  hostname: 'the hostname',
  worker: 'the worker',
};

/** Returns the heading above the actions of a place. */
export function actionsHeading(mode: Mode): string {
  return `After Enter, on ${actedOn[mode] ?? 'the view'}`;
}
