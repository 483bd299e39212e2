import { useConsole } from '../console/use-console.ts';
import type { Mode } from '../keymap/actions.ts';
import { hasNounShortcuts, shortcutsOf } from '../keymap/find-shortcut.ts';
import { type Keymap, keymap } from '../keymap/keymap.ts';
import { showPress } from '../keymap/presses.ts';
import type { Situation } from '../keymap/shortcut.ts';
import { Line, type Part } from './Line.tsx';

interface FooterProps {
  readonly mode: Mode;
  readonly situation: Situation;
}

/** The shortcuts, those that are refused now without colour. */
export function Footer({ mode, situation }: FooterProps) {
  const { screen, keys } = useConsole();
  const { columns } = screen;
  // The keys of a question are part of it; those of a pane would be heard with every pane.
  if (screen.isSpoken === true && hasNounShortcuts(mode)) return null;
  return <Line parts={footerParts(mode, situation, columns, keys)} />;
}

const gap = 2;

/**
 * Shortcuts, the first of the keymap first, as many as fit; help and quit keep their room. What cannot be done now has no
 * colour, and only the room that the others leave.
 */
export function footerParts(
  mode: Mode,
  situation: Situation,
  columns: number,
  keys: Keymap = keymap,
): Part[] {
  const hints = footerHints(mode, situation, keys);
  const kept = hints.filter((hint) => hint.always);
  let room = columns - kept.reduce((sum, hint) => sum + widthOf(hint), 0) + gap;
  const fitting = new Set(kept);
  for (const hint of hints.toSorted((one, other) => Number(one.isRefused) - Number(other.isRefused))) {
    if (hint.always) continue;
    room -= widthOf(hint);
    if (room >= 0) fitting.add(hint);
  }
  const shown = hints.filter((hint) => fitting.has(hint));
  return shown.flatMap(({ press, label, isRefused }, index): Part[] => [
    { text: press, role: isRefused ? 'dim' : 'press' },
    {
      text: ` ${label}${index === shown.length - 1 ? '' : ' '.repeat(gap)}`,
      role: isRefused ? 'dim' : 'plain',
    },
  ]);
}

interface Hint {
  readonly press: string;
  readonly label: string;
  /** Whether it keeps its room. */
  readonly always: boolean;
  readonly isRefused: boolean;
}

function footerHints(mode: Mode, situation: Situation, keys: Keymap): readonly Hint[] {
  const isSettled = situation.busy === undefined && situation.loading !== true;
  const leaving =
    situation.busy?.kind === 'writing'
      ? [{ isAbout: true, press: showPress('esc'), label: 'stop waiting', always: false, isRefused: false }]
      : [];
  return shortcutsOf(mode, keys)
    .filter(({ quiet, quietIn }) => quiet !== true && quietIn?.(situation) !== true)
    .map(({ press, label, labelIn, does, unless }) => ({
      // A shortcut with a label of its own for this situation comes first.
      isAbout: labelIn?.(situation) !== undefined,
      press: showPress(press[0] ?? ''),
      label: labelIn?.(situation) ?? label,
      always: does === 'help' || does === 'quit',
      isRefused: (unless?.(situation) ?? false) !== false,
    }))
    .filter(({ isRefused }) => isSettled || !isRefused)
    .concat(leaving)
    .toSorted((one, other) => Number(other.isAbout) - Number(one.isAbout));
}

function widthOf(hint: { press: string; label: string }): number {
  return hint.press.length + 1 + hint.label.length + gap;
}
