import { Box } from 'ink';
import { hasNounShortcuts, shortcutsOf } from '../../kit/keys/find-shortcut.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import { type Press, sentFor, showPress } from '../../kit/keys/presses.ts';
import type { Keymap, Shortcut, Situation } from '../../kit/keys/shortcut.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useClicks } from '../input/use-clicks.ts';
import { Line, type Part } from '../lines/Line.tsx';

interface FooterProps {
  readonly mode: Mode;
  readonly situation: Situation;
}

/**
 * The shortcuts, those that are refused now without colour. A click on one is its press, but where a question stands: the
 * second half of a double click must not answer it.
 */
export function Footer({ mode, situation }: FooterProps) {
  const { screen, keys, input } = useConsole();
  const { columns } = screen;
  const box = useClicks(mode !== 'confirm' && situation.asks !== true, (column) => {
    const press = hintAt(shownHints(mode, situation, columns, keys), column)?.press;
    if (press !== undefined) input.press(sentFor(press));
  });
  // The keys of a question are part of it; those of a pane would be heard with every pane.
  if (screen.isSpoken === true && hasNounShortcuts(mode)) return null;
  const hints = shownHints(mode, situation, columns, keys);
  return (
    <Box ref={box} height={1} flexShrink={0}>
      <Line parts={hintParts(hints)} />
    </Box>
  );
}

const gap = 2;

/**
 * Shortcuts, the first of the keymap first, as many as fit; help, quit and the way out of a form or question keep their
 * room. What cannot be done now has no colour, and only the room that the others leave.
 */
export function footerParts(mode: Mode, situation: Situation, columns: number, keys: Keymap): Part[] {
  return hintParts(shownHints(mode, situation, columns, keys));
}

function shownHints(mode: Mode, situation: Situation, columns: number, keys: Keymap): readonly Hint[] {
  const hints = footerHints(mode, situation, keys);
  const kept = hints.filter((hint) => hint.always);
  let room = columns - kept.reduce((sum, hint) => sum + widthOf(hint), 0) + gap;
  const fitting = new Set(kept);
  for (const hint of hints.toSorted((one, other) => Number(one.isRefused) - Number(other.isRefused))) {
    if (hint.always) continue;
    room -= widthOf(hint);
    if (room >= 0) fitting.add(hint);
  }
  return hints.filter((hint) => fitting.has(hint));
}

function hintAt(shown: readonly Hint[], column: number): Hint | undefined {
  let from = 0;
  return shown.find((hint) => {
    const start = from;
    from += widthOf(hint);
    return column >= start && column < from - gap;
  });
}

function hintParts(hints: readonly Hint[]): Part[] {
  return hints.flatMap(({ shown, label, isRefused }, index): Part[] => [
    { text: shown, role: isRefused ? 'dim' : 'press' },
    {
      text: ` ${label}${index === hints.length - 1 ? '' : ' '.repeat(gap)}`,
      role: isRefused ? 'dim' : 'plain',
    },
  ]);
}

interface Hint {
  readonly press: Press;
  /** As shown there. */
  readonly shown: string;
  readonly label: string;
  /** Whether its label is about this situation: such ones come first. */
  readonly isAbout: boolean;
  /** Whether it keeps its room. */
  readonly always: boolean;
  readonly isRefused: boolean;
}

function footerHints(mode: Mode, situation: Situation, keys: Keymap): readonly Hint[] {
  const isSettled = situation.busy === undefined && situation.loading !== true;
  const isWriting = situation.busy?.kind === 'writing';
  // A form that is being saved takes nothing else.
  if (isWriting && (mode === 'form' || mode === 'choice')) return [leaving];
  return shortcutsOf(mode, keys)
    .filter(({ press }) => !isWriting || press[0] !== 'esc')
    .filter(({ quiet, quietIn }) => quiet !== true && quietIn?.(situation) !== true)
    .map((shortcut) => hintOf(shortcut, situation))
    .filter(({ isRefused }) => isSettled || !isRefused)
    .concat(isWriting ? [leaving] : [])
    .toSorted((one, other) => Number(other.isAbout) - Number(one.isAbout));
}

const leaving: Hint = {
  press: 'esc',
  shown: showPress('esc'),
  label: 'stop waiting',
  isAbout: true,
  always: false,
  isRefused: false,
};

function hintOf(shortcut: Shortcut<string>, situation: Situation): Hint {
  const { press, isPair, label, labelIn, does, unless } = shortcut;
  const special = labelIn?.(situation);
  return {
    press: press[0] ?? '',
    shown: press
      .slice(0, isPair === true ? 2 : 1)
      .map(showPress)
      .join(''),
    label: special ?? label,
    isAbout: special !== undefined,
    always: does === 'help' || does === 'quit' || (does === 'cancel' && press[0] === 'esc'),
    isRefused: (unless?.(situation) ?? false) !== false,
  };
}

function widthOf({ shown, label }: Pick<Hint, 'shown' | 'label'>): number {
  return shown.length + 1 + label.length + gap;
}
