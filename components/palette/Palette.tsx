import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { escapeText } from '../../src/text/escape.ts';
import { columnsOf, fitText, pad } from '../../src/text/width.ts';
import { useConsole } from '../console/use-console.ts';
import { TextField } from '../forms/TextField.tsx';
import type { Mode } from '../keymap/actions.ts';
import type { Press } from '../keymap/presses.ts';
import type { Situation } from '../keymap/shortcut.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { bodyHeight } from '../layout/layout.ts';
import { atStart, moveCursor, topOf } from '../lists/cursor.ts';
import { Frame } from '../widgets/Frame.tsx';
import { escapedParts, Line, type Part } from '../widgets/Line.tsx';
import { foundEntries, type PaletteEntry, paletteEntries } from './entries.ts';

interface PaletteProps {
  readonly mode: Mode;
  readonly situation: Situation;
  /** Closes the palette, and does in the pane what a press stands for. */
  perform(press: Press): void;
  onClose(): void;
}

/** Every action and every place that is known, in place of the pane. Typing finds them by a few letters. */
export function Palette({ mode, situation, perform, onClose }: PaletteProps) {
  const { columns, rows, redact, keys, memory, known, goTo } = useConsole();
  const [search, setSearch] = useState('');
  const [cursor, setCursor] = useState(atStart);
  const all = useMemo(
    () => paletteEntries({ mode, situation, keys }, memory.current, known.links),
    [mode, situation, keys, memory, known],
  );
  const found = useMemo(() => foundEntries(all, search), [all, search]);
  const height = Math.max(1, bodyHeight(rows) - 1);
  const take = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    if ('link' in entry.does) goTo(entry.does.link);
    else perform(entry.does.press);
  };
  useShortcuts('palette', {
    active: true,
    situation: { ...situation, selected: found.length > 0 },
    act(action) {
      if (action === 'close') onClose();
      else if (action === 'take') take(found[cursor.index]);
      else setCursor((at) => moveCursor(at, action, found.length, height));
    },
  });
  const top = topOf(cursor, found.length, height);
  return (
    <Frame mode="palette" situation={situation} counts={found.length === 0 ? 'nothing of this name' : ''}>
      <Box height={1} flexShrink={0}>
        <Box width={prompt.length} flexShrink={0}>
          <Line parts={[{ text: prompt, role: 'press' }]} />
        </Box>
        <TextField
          value={search}
          width={columns - prompt.length}
          focused
          onChange={(text) => {
            setSearch(text);
            setCursor(atStart);
          }}
        />
      </Box>
      {found.slice(top, top + height).map((entry, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node
          key={index}
          parts={entryParts(entry, columns, redact)}
          selected={top + index === cursor.index}
        />
      ))}
    </Frame>
  );
}

const prompt = 'go to: ';

/** Columns of the word before an entry. */
const markWidth = 8;

function entryParts(
  { mark, text, refusal }: PaletteEntry,
  columns: number,
  redact: (text: string) => string,
): Part[] {
  const room = Math.max(1, columns - markWidth - 1);
  const shown = fitText(escapeText(redact(text)), room);
  const left = room - columnsOf(shown);
  const reason = refusal === undefined ? '' : fitText(` (${refusal})`, left);
  return [
    { text: `${pad(mark, markWidth)} `, role: 'press' },
    ...escapedParts(shown, refusal === undefined ? 'plain' : 'dim'),
    { text: reason, role: 'warning' },
    { text: ' '.repeat(Math.max(0, left - columnsOf(reason))) },
  ];
}
