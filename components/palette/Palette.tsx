import { useCallback, useMemo } from 'react';
import type { Mode } from '../kit/keys/modes.ts';
import type { Press } from '../kit/keys/presses.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { availableNouns } from '../kit/nouns.ts';
import { useConsole } from '../kit/use-console.ts';
import { actionsElsewhere } from './elsewhere.ts';
import { findEntries, type PaletteEntry, paletteEntries } from './entries.ts';
import { Finder } from './Finder.tsx';

interface PaletteProps {
  readonly mode: Mode;
  readonly situation: Situation;
  /** Closes the palette, and runs the pane's action for a press. */
  perform(press: Press): void;
  onClose(): void;
}

/**
 * Draws every action, including those of other panes, and every known place instead of the pane. Typing a few letters finds them.
 */
export function Palette({ mode, situation, perform, onClose }: PaletteProps) {
  const { keys, memory, known, goTo, notify, services } = useConsole();
  const all = useMemo(
    () => paletteEntries({ mode, situation, keys }, memory.current, known.links),
    [mode, situation, keys, memory, known],
  );
  const elsewhere = useMemo(() => {
    const names = new Set(availableNouns(services).map(({ name }) => name));
    return actionsElsewhere(mode, keys, (name) => names.has(name));
  }, [mode, keys, services]);
  const find = useCallback((search: string) => findEntries(all, search, elsewhere), [all, elsewhere]);
  const take = ({ does, refusal }: PaletteEntry) => {
    if ('link' in does) goTo(does.link);
    else if ('press' in does) perform(does.press);
    else if (refusal !== undefined) notify(`${refusal}.`, 'refused');
    else {
      goTo([does.goes]);
      notify(does.notice, 'told');
    }
  };
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
