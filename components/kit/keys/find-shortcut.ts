import type { Mode } from './modes.ts';
import type { Press } from './presses.ts';
import type { Keymap, Shortcut } from './shortcut.ts';

/** Modes in which characters are text. Only their own rows and those of `always` count there. */
const textModes: ReadonlySet<Mode> = new Set<Mode>([
  'filter',
  'prefix',
  'contains',
  'search',
  'form',
  'choice',
  'help',
  'palette',
]);

/** Modes of dialogs, which only their own presses leave, and modes that are not places. */
const closedModes: ReadonlySet<Mode> = new Set<Mode>([
  'confirm',
  'menu',
  'problem',
  'nouns',
  'moving',
  'global',
  'always',
]);

/** Finds the shortcut of a press in a mode, or undefined. */
export function findShortcut<M extends Mode, K extends Keymap>(
  mode: M,
  press: Press,
  keys: K,
): K[M][number] | undefined {
  return keys[mode].find((shortcut) => shortcut.press.includes(press));
}

/** Whether the rows of `global` count in a mode as well. */
export function hasGlobalShortcuts(mode: Mode): boolean {
  return !textModes.has(mode) && !closedModes.has(mode);
}

/** Whether the rows of `moving` and `nouns` count in a mode as well: a problem takes no digit, and leaves the way to the areas. */
export function hasNounShortcuts(mode: Mode): boolean {
  return hasGlobalShortcuts(mode) || mode === 'problem';
}

/** All rows that count in a mode, its own first. */
export function shortcutsOf(mode: Mode, keys: Keymap): ReadonlyArray<Shortcut<string>> {
  return [
    ...keys[mode],
    ...(hasNounShortcuts(mode) ? [...keys.moving, ...keys.nouns] : []),
    ...(hasGlobalShortcuts(mode) ? keys.global : []),
  ];
}
