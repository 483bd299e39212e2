import { useConsole } from '../console/use-console.ts';
import type { Mode } from '../keymap/actions.ts';
import { hasNounShortcuts, shortcutsOf } from '../keymap/find-shortcut.ts';
import { type Keymap, keymap } from '../keymap/keymap.ts';
import { showPress } from '../keymap/presses.ts';
import type { Situation } from '../keymap/shortcut.ts';
import type { Notice } from '../messages/messages.ts';
import { Line, type Part } from './Line.tsx';
import { noticeParts } from './notice-parts.ts';

interface FooterProps {
  readonly mode: Mode;
  readonly situation: Situation;
  readonly notice?: Notice | undefined;
}

/** The shortcuts that are available now; where no line is left for the notice, that. */
export function Footer({ mode, situation, notice }: FooterProps) {
  const { screen, redact, keys } = useConsole();
  const { columns } = screen;
  if (notice !== undefined) return <Line parts={noticeParts(notice, { columns, redact })} />;
  // The keys of a question are part of it; those of a pane would be heard with every pane.
  if (screen.isSpoken === true && hasNounShortcuts(mode)) return null;
  return <Line parts={footerParts(mode, situation, columns, keys)} />;
}

const gap = 2;

/** Shortcuts that are available, the first of the keymap first, as many as fit; help and quit keep their room. */
export function footerParts(
  mode: Mode,
  situation: Situation,
  columns: number,
  keys: Keymap = keymap,
): Part[] {
  const rows = shortcutsOf(mode, keys).filter(
    (shortcut) => shortcut.quiet !== true && (shortcut.unless?.(situation) ?? false) === false,
  );
  const leaving =
    situation.busy?.kind === 'writing'
      ? [{ isAbout: true, press: showPress('esc'), label: 'stop waiting', always: false }]
      : [];
  const hints = rows
    .map(({ press, label, labelIn, does }) => ({
      // A shortcut with a label of its own for this situation comes first.
      isAbout: labelIn?.(situation) !== undefined,
      press: showPress(press[0] ?? ''),
      label: labelIn?.(situation) ?? label,
      always: does === 'help' || does === 'quit',
    }))
    .concat(leaving);
  let room =
    columns - hints.filter((hint) => hint.always).reduce((sum, hint) => sum + widthOf(hint), 0) + gap;
  const ordered = hints.toSorted((one, other) => Number(other.isAbout) - Number(one.isAbout));
  const fitting = ordered.filter((hint) => {
    if (hint.always) return true;
    room -= widthOf(hint);
    return room >= 0;
  });
  return fitting.flatMap(({ press, label }, index): Part[] => [
    { text: press, role: 'press' },
    { text: ` ${label}${index === fitting.length - 1 ? '' : ' '.repeat(gap)}`, role: 'dim' },
  ]);
}

function widthOf(hint: { press: string; label: string }): number {
  return hint.press.length + 1 + hint.label.length + gap;
}
