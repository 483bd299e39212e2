import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { escapeText } from '../../src/text/escape.ts';
import { fitText, measureCharacter, pad } from '../../src/text/width.ts';
import { atStart, firstVisibleRow, moveCursor } from '../kit/keys/cursor.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { useConsole } from '../kit/use-console.ts';
import { TextField } from '../ui/forms/TextField.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { useShortcuts } from '../ui/input/use-shortcuts.ts';
import { bodyHeight } from '../ui/layout/layout.ts';
import { useRowClicks } from '../ui/layout/use-row-clicks.ts';
import { escapedParts, Line, type Part } from '../ui/lines/Line.tsx';
import type { PaletteAction } from './keymap.ts';

/** A line that can be found and chosen. */
export interface FinderEntry {
  /** A word before it: the press, or the kind of thing. */
  readonly mark: string;
  /** The searched text. Not escaped. */
  readonly text: string;
  /** A name of one or two words: see `ranked`. */
  readonly label?: string;
  /** A description after the text, which is not searched. Not escaped. */
  readonly about?: string;
  /** Why it cannot be chosen now. */
  readonly refusal?: string;
}

interface FinderProps<E extends FinderEntry> {
  /** The prompt before the field. */
  readonly prompt: string;
  readonly title?: string;
  readonly situation: Situation;
  /** Counts for the header. Escaped. */
  readonly counts?: string;
  /** Returns the matching entries, best first. Must be the same function as long as the entries are the same. */
  find(search: string): readonly E[];
  take(entry: E): void;
  onClose(): void;
}

/** Draws entries instead of the pane, which are found by typing a few letters. */
export function Finder<E extends FinderEntry>(props: FinderProps<E>) {
  const { prompt, title, situation, counts = '', find, take, onClose } = props;
  const { columns, rows, redact } = useConsole();
  const [search, setSearch] = useState('');
  const [cursor, setCursor] = useState(atStart);
  const found = useMemo(() => find(search), [find, search]);
  const height = Math.max(1, bodyHeight(rows) - 1);
  useShortcuts<PaletteAction>('palette', {
    active: true,
    situation: { ...situation, selected: found.length > 0 },
    runAction(action) {
      const entry = found[cursor.index];
      if (action === 'close') onClose();
      else if (action !== 'take') setCursor((at) => moveCursor(at, action, found.length, height));
      else if (entry !== undefined) take(entry);
    },
  });
  const top = firstVisibleRow(cursor, found.length, height);
  const shown = { first: 1, count: Math.min(height, found.length - top) };
  useRowClicks(true, shown, (row) => {
    const entry = found[top + row];
    if (top + row !== cursor.index) setCursor({ index: top + row, top });
    else if (entry !== undefined) take(entry);
  });
  const nothing = search === '' ? '' : 'no match';
  return (
    <Frame
      mode="palette"
      situation={situation}
      counts={found.length === 0 ? nothing : counts}
      {...(title !== undefined && { title })}
    >
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

/** Columns of the mark before an entry. */
const markWidth = 8;

function entryParts(
  { mark, text, about = '', refusal }: FinderEntry,
  columns: number,
  redact: (text: string) => string,
): Part[] {
  const room = Math.max(1, columns - markWidth - 1);
  const shown = fitText(escapeText(redact(text)), room);
  const aboutText =
    about === '' ? '' : fitText(`  ${escapeText(redact(about))}`, room - measureCharacter(shown));
  const left = room - measureCharacter(shown) - measureCharacter(aboutText);
  const reason = refusal === undefined ? '' : fitText(` (${refusal})`, left);
  return [
    { text: `${pad(mark, markWidth)} `, role: 'press' },
    ...escapedParts(shown, refusal === undefined ? 'plain' : 'dim'),
    ...escapedParts(aboutText, 'dim'),
    { text: reason, role: 'warning' },
    { text: ' '.repeat(Math.max(0, left - measureCharacter(reason))) },
  ];
}
