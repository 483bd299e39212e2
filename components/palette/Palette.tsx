import { useCallback, useMemo } from 'react';
import { useConsole } from '../console/use-console.ts';
import type { Mode } from '../keymap/actions.ts';
import type { Press } from '../keymap/presses.ts';
import type { Situation } from '../keymap/shortcut.ts';
import { foundEntries, type PaletteEntry, paletteEntries } from './entries.ts';
import { Finder } from './Finder.tsx';

interface PaletteProps {
  readonly mode: Mode;
  readonly situation: Situation;
  /** Closes the palette, and does in the pane what a press stands for. */
  perform(press: Press): void;
  onClose(): void;
}

/** Every action and every place that is known, in place of the pane. Typing finds them by a few letters. */
export function Palette({ mode, situation, perform, onClose }: PaletteProps) {
  const { keys, memory, known, goTo } = useConsole();
  const all = useMemo(
    () => paletteEntries({ mode, situation, keys }, memory.current, known.links),
    [mode, situation, keys, memory, known],
  );
  const find = useCallback((search: string) => foundEntries(all, search), [all]);
  const take = ({ does }: PaletteEntry) => ('link' in does ? goTo(does.link) : perform(does.press));
  return (
    <Finder
      prompt="go to: "
      title="Actions and places"
      situation={situation}
      find={find}
      take={take}
      onClose={onClose}
    />
  );
}
