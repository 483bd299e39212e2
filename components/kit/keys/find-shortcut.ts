import type { Mode } from './modes.ts';
import type { Press } from './presses.ts';
import type { Keymap, Shortcut } from './shortcut.ts';

/** Modes in which characters are typed text. In these modes, only the mode's own shortcuts and the shortcuts of `always` apply. */
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

/** Modes of dialogs, in which only the mode's own shortcuts apply, and the modes that hold shared shortcuts. */
const dialogModes: ReadonlySet<Mode> = new Set<Mode>([
  'confirm',
  'approval',
  'menu',
  'problem',
  'nouns',
  'moving',
  'global',
  'always',
]);

/** Returns the mode's own shortcut for a press; undefined if the mode has no shortcut for this press. */
export function findShortcut<M extends Mode, K extends Keymap>(
  mode: M,
  press: Press,
  keys: K,
): K[M][number] | undefined {
  return keys[mode].find((shortcut) => shortcut.press.includes(press));
}

/** Returns whether the shortcuts of `global` also apply in a mode. */
export function hasGlobalShortcuts(mode: Mode): boolean {
  return !textModes.has(mode) && !dialogModes.has(mode);
}

/**
 * Returns whether the shortcuts of `moving` and `nouns` also apply in a mode. They apply on the screen of a problem, so that the user can
 * leave it.
 */
export function hasNounShortcuts(mode: Mode): boolean {
  return hasGlobalShortcuts(mode) || mode === 'problem';
}

/** Returns all shortcuts that apply in a mode, the mode's own first. */
export function listShortcuts(mode: Mode, keys: Keymap): ReadonlyArray<Shortcut<string>> {
  return [
    ...keys[mode],
    ...(hasNounShortcuts(mode) ? [...keys.moving, ...keys.nouns] : []),
    ...(hasGlobalShortcuts(mode) ? keys.global : []),
  ];
}
