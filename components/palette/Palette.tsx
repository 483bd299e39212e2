import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { withAction } from '../../src/model/places/memory.ts';
import type { Mode } from '../kit/keys/modes.ts';
import type { Press } from '../kit/keys/presses.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { availableNouns } from '../kit/nouns.ts';
import { useConsole } from '../kit/use-console.ts';
import { actionsElsewhere } from './elsewhere.ts';
import { findEntries, type PaletteEntry, paletteEntries, searchedLines } from './entries.ts';
import { Finder } from './Finder.tsx';

interface PaletteProps {
  readonly mode: Mode;
  readonly situation: Situation;
  /** Closes the palette, and runs the pane's action for a press. */
  perform(press: Press): void;
  onClose(): void;
}

/** Replaces the pane with the palette: a searchable list of all actions, including those of other panes, and of all known places. */
export function Palette({ mode, situation, perform, onClose }: PaletteProps) {
  const { keys, memory, known, goTo, notify, services, openPanes } = useConsole();
  // Lists can load while the palette is open, especially in the first seconds after the console starts.
  const places = useSyncExternalStore(known.subscribe, known.places);
  const entries = useMemo(
    () => paletteEntries({ mode, situation, keys }, memory.current, places),
    [mode, situation, keys, memory, places],
  );
  const elsewhere = useMemo(() => {
    const names = new Set(availableNouns(services).map(({ name }) => name));
    return actionsElsewhere({ mode, openPanes, keys, has: (name) => names.has(name) });
  }, [mode, openPanes, keys, services]);
  const find = useCallback(
    (search: string) => findEntries(entries, search, { memory: memory.current, elsewhere }),
    [entries, elsewhere, memory],
  );
  const take = ({ does, id, refusal }: PaletteEntry) => {
    if (refusal === undefined && !('link' in does)) memory.change((before) => withAction(before, id));
    if ('link' in does) goTo(does.link);
    else if ('press' in does) perform(does.press);
    else if (refusal !== undefined) notify(`${refusal}.`, 'refused');
    else {
      goTo(does.goes, does.pending);
      if (does.notice !== undefined) notify(does.notice, 'told');
    }
  };
  return (
    <Finder
      prompt="go to: "
      title="Actions and places"
      situation={situation}
      find={find}
      explain={(search) => searchedLines(search, [...entries, ...elsewhere], services)}
      take={take}
      onClose={onClose}
    />
  );
}
