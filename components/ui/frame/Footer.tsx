import { Box } from 'ink';
import { dangerStyles } from '../../kit/danger.ts';
import { hasNounShortcuts, listShortcuts } from '../../kit/keys/find-shortcut.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import { formatPress, type Press, toTerminalInput } from '../../kit/keys/presses.ts';
import type { Keymap, Shortcut, Situation } from '../../kit/keys/shortcut.ts';
import type { Role } from '../../kit/theme.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useClicks } from '../input/use-clicks.ts';
import { Line, type Part } from '../lines/Line.tsx';

interface FooterProps {
  readonly mode: Mode;
  readonly situation: Situation;
}

/**
 * Draws the shortcuts; unavailable ones have no colour. A click on a hint is its press, except in a question: the second half of
 * a double click must not answer it.
 */
export function Footer({ mode, situation }: FooterProps) {
  const { screen, keys, input } = useConsole();
  const { columns } = screen;
  const box = useClicks(mode !== 'confirm' && situation.asks !== true, (column) => {
    const press = hintAt(visibleHints(mode, situation, columns, keys), column)?.press;
    if (press !== undefined) input.press(toTerminalInput(press));
  });
  // A screen reader reads the keys of a question, but not those of a pane: it would repeat them for every pane.
  if (screen.isSpoken === true && hasNounShortcuts(mode)) return null;
  const hints = visibleHints(mode, situation, columns, keys);
  return (
    <Box ref={box} height={1} flexShrink={0}>
      <Line parts={hintParts(hints, doingRole(situation))} />
    </Box>
  );
}

const gap = 2;

/**
 * Returns as many shortcuts as fit, in the order of the keymap. Help, quit, and cancel in a form or question are always shown.
 * Unavailable shortcuts have no colour and are shown only if there is room after the others.
 */
export function footerParts(mode: Mode, situation: Situation, columns: number, keys: Keymap): Part[] {
  return hintParts(visibleHints(mode, situation, columns, keys), doingRole(situation));
}

/** Returns the style of the press that does what a question asks. */
function doingRole({ danger }: Situation): Role {
  return danger === undefined ? 'press' : dangerStyles[danger].answer.press;
}

function visibleHints(mode: Mode, situation: Situation, columns: number, keys: Keymap): readonly Hint[] {
  const hints = footerHints(mode, situation, keys);
  const pinned = hints.filter((hint) => hint.isPinned);
  let room = columns - pinned.reduce((sum, hint) => sum + hintWidth(hint), 0) + gap;
  const fitting = new Set(pinned);
  for (const hint of hints.toSorted((one, other) => Number(one.isRefused) - Number(other.isRefused))) {
    if (hint.isPinned) continue;
    room -= hintWidth(hint);
    if (room >= 0) fitting.add(hint);
  }
  return hints.filter((hint) => fitting.has(hint));
}

function hintAt(shown: readonly Hint[], column: number): Hint | undefined {
  let from = 0;
  return shown.find((hint) => {
    const start = from;
    from += hintWidth(hint);
    return column >= start && column < from - gap;
  });
}

function hintParts(hints: readonly Hint[], doing: Role): Part[] {
  return hints.flatMap(({ shown, label, isDoing, isRefused }, index): Part[] => [
    { text: shown, role: isRefused ? 'dim' : isDoing ? doing : 'press' },
    {
      text: ` ${label}${index === hints.length - 1 ? '' : ' '.repeat(gap)}`,
      role: isRefused ? 'dim' : 'plain',
    },
  ]);
}

interface Hint {
  readonly press: Press;
  /** The press as displayed. */
  readonly shown: string;
  readonly label: string;
  /** Whether its label is specific to the situation: such hints come first. */
  readonly isSituational: boolean;
  /** Whether it is always shown. */
  readonly isPinned: boolean;
  readonly isRefused: boolean;
  /** Whether it does what a form or a question asks. */
  readonly isDoing?: boolean;
}

function footerHints(mode: Mode, situation: Situation, keys: Keymap): readonly Hint[] {
  const isSettled = situation.busy === undefined && situation.loading !== true;
  const isWriting = situation.busy?.kind === 'writing';
  // While a form is being saved, only this is available.
  if (isWriting && (mode === 'form' || mode === 'choice')) return [stopWaitingHint];
  return listShortcuts(mode, keys)
    .filter(({ quiet, quietIn }) => quiet !== true && quietIn?.(situation) !== true)
    .map((shortcut) => toHint(shortcut, situation))
    .filter(({ isRefused }) => isSettled || !isRefused)
    .toSorted((one, other) => Number(other.isSituational) - Number(one.isSituational));
}

const stopWaitingHint: Hint = {
  press: 'esc',
  shown: formatPress('esc'),
  label: 'do not wait',
  isSituational: true,
  isPinned: false,
  isRefused: false,
};

function toHint(shortcut: Shortcut<string>, situation: Situation): Hint {
  const { press, isPair, label, labelIn, does, unless } = shortcut;
  const special = labelIn?.(situation);
  return {
    press: press[0] ?? '',
    shown: press
      .slice(0, isPair === true ? 2 : 1)
      .map(formatPress)
      .join(''),
    label: special ?? label,
    isSituational: special !== undefined,
    isPinned: does === 'help' || does === 'quit' || (does === 'cancel' && press[0] === 'esc'),
    isDoing: does === 'yes' || does === 'save',
    isRefused: (unless?.(situation) ?? false) !== false,
  };
}

function hintWidth({ shown, label }: Pick<Hint, 'shown' | 'label'>): number {
  return shown.length + 1 + label.length + gap;
}
