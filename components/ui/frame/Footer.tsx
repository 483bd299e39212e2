import { Box } from 'ink';
import { useState } from 'react';
import { measureCharacter } from '../../../src/text/width.ts';
import { dangerStyles, isUndoOn, shortcutDanger } from '../../kit/danger.ts';
import { hasGlobalShortcuts, hasNounShortcuts, listShortcuts } from '../../kit/keys/find-shortcut.ts';
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
 * Draws hints about the most important shortcuts. A click on a hint has the effect of its key, except in a question, because the second
 * half of a double click must not answer it.
 */
export function Footer({ mode, situation }: FooterProps) {
  const { screen, keys, input, services } = useConsole();
  const [undoIsOn] = useState(() => isUndoOn(services.undo));
  const hints = visibleHints(mode, situation, screen.columns, { keys, undoIsOn });
  const box = useClicks(mode !== 'confirm' && situation.asks !== true, (column) => {
    const press = hintAt(hints, column)?.press;
    if (press !== undefined) input.press(toTerminalInput(press));
  });
  // A screen reader reads the keys of a question aloud, but not those of a pane, which it would repeat for every pane.
  if (screen.isSpoken === true && hasNounShortcuts(mode)) return null;
  return (
    <Box ref={box} height={1} flexShrink={0}>
      <Line parts={hintParts(hints)} />
    </Box>
  );
}

const gap = 2;

/** Maximum number of hints, in addition to the pinned hint. */
const maxHints = 5;

interface FooterMeans {
  readonly keys: Keymap;
  /** Whether undo is turned on, and therefore saves single changes. */
  readonly undoIsOn: boolean;
}

/**
 * Returns the parts of the footer: the first five available shortcuts of a mode, in the order of the keymap, as far as they fit. Shortcuts
 * with a label for the current situation come first. The last hint is always shown: how to get help, or how to leave a form or question.
 */
export function footerParts(mode: Mode, situation: Situation, columns: number, means: FooterMeans): Part[] {
  return hintParts(visibleHints(mode, situation, columns, means));
}

function visibleHints(
  mode: Mode,
  situation: Situation,
  columns: number,
  means: FooterMeans,
): readonly Hint[] {
  const hints = footerHints(mode, situation, means);
  const pinned = hints.filter(({ isPinned }) => isPinned);
  let room = columns - pinned.reduce((sum, hint) => sum + hintWidth(hint), 0) + gap;
  const fitting = mattering(hints, situation).filter((hint) => {
    const width = hintWidth(hint);
    if (width > room) return false;
    room -= width;
    return true;
  });
  return [...fitting, ...pinned];
}

/**
 * Returns the hints to show, without pinned hints. While the pane loads or works, unavailable shortcuts are omitted without a replacement,
 * so that the footer does not change twice.
 */
function mattering(hints: readonly Hint[], { busy, loading }: Situation): readonly Hint[] {
  const isSettled = busy === undefined && loading !== true;
  const others = hints.filter(({ isPinned }) => !isPinned);
  return isSettled
    ? others.filter(({ isRefused }) => !isRefused).slice(0, maxHints)
    : others.slice(0, maxHints).filter(({ isRefused }) => !isRefused);
}

function hintAt(shown: readonly Hint[], column: number): Hint | undefined {
  let from = 0;
  return shown.find((hint) => {
    const start = from;
    from += hintWidth(hint);
    return column >= start && column < from - gap;
  });
}

function hintParts(hints: readonly Hint[]): Part[] {
  return hints.flatMap(({ shown, label, role }, index): Part[] => [
    { text: shown, role },
    { text: ` ${label}${index === hints.length - 1 ? '' : ' '.repeat(gap)}` },
  ]);
}

interface Hint {
  readonly press: Press;
  /** The key as displayed. */
  readonly shown: string;
  readonly label: string;
  /** The style of the key, which shows the danger of the action. */
  readonly role: Role;
  /** Whether the label is specific to the current situation; hints with such labels come first. */
  readonly isSituational: boolean;
  /** Whether the hint is always shown, at the end of the footer. */
  readonly isPinned: boolean;
  readonly isRefused: boolean;
}

function footerHints(mode: Mode, situation: Situation, { keys, undoIsOn }: FooterMeans): readonly Hint[] {
  // While a form is being saved, only this shortcut is available.
  if (situation.busy?.kind === 'writing' && (mode === 'form' || mode === 'choice')) return [stopWaitingHint];
  return (hasGlobalShortcuts(mode) ? listShortcuts(mode, keys) : keys[mode])
    .filter(({ quiet, quietIn }) => quiet !== true && quietIn?.(situation) !== true)
    .map((shortcut) => toHint(mode, shortcut, situation, undoIsOn))
    .toSorted((one, other) => Number(other.isSituational) - Number(one.isSituational));
}

const stopWaitingHint: Hint = {
  press: 'esc',
  shown: formatPress('esc'),
  label: 'do not wait',
  role: 'press',
  isSituational: true,
  isPinned: true,
  isRefused: false,
};

function toHint(mode: Mode, shortcut: Shortcut<string>, situation: Situation, undoIsOn: boolean): Hint {
  const { press, isPair, label, labelIn, does, unless } = shortcut;
  const special = labelIn?.(situation);
  const isAnswer = does === 'yes' || does === 'save';
  const danger = isAnswer ? situation.danger : shortcutDanger(shortcut, situation, undoIsOn);
  return {
    press: press[0] ?? '',
    shown: press
      .slice(0, isPair === true ? 2 : 1)
      .map(formatPress)
      .join(''),
    label: special ?? label,
    role: danger === undefined ? 'press' : dangerStyles[danger].answer.press,
    isSituational: special !== undefined,
    isPinned: hasGlobalShortcuts(mode) ? does === 'help' : press[0] === 'esc',
    isRefused: (unless?.(situation) ?? false) !== false,
  };
}

function hintWidth({ shown, label }: Pick<Hint, 'shown' | 'label'>): number {
  return measureCharacter(shown) + 1 + measureCharacter(label) + gap;
}
