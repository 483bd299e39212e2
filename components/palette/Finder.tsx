import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { markText } from '../../src/text/mark.ts';
import { groupDigits } from '../../src/text/size.ts';
import { pad } from '../../src/text/width.ts';
import { atStart, moveCursor } from '../kit/keys/cursor.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { useConsole } from '../kit/use-console.ts';
import { TextField } from '../ui/forms/TextField.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { useShortcuts } from '../ui/input/use-shortcuts.ts';
import { bodyHeight } from '../ui/layout/layout.ts';
import { useRowClicks } from '../ui/layout/use-row-clicks.ts';
import { foldText } from '../ui/lines/fold.ts';
import { Line } from '../ui/lines/Line.tsx';
import {
  type FinderEntry,
  type FinderRow,
  finderParts,
  finderRows,
  firstFinderRow,
  hasHeadings,
  nameColumns,
} from './finder-rows.ts';
import type { PaletteAction } from './keymap.ts';

interface FinderProps<E extends FinderEntry> {
  /** The prompt before the field. */
  readonly prompt: string;
  readonly title?: string;
  readonly situation: Situation;
  /** A remark for the header, for example what could not be read. */
  readonly remark?: string;
  /** Returns the matching entries, best first. Must be the same function as long as the entries are the same. */
  find(search: string): readonly E[];
  /** Returns the lines shown if nothing matches. */
  explain(search: string): readonly string[];
  take(entry: E): void;
  onClose(): void;
}

/** Columns of the number of matches, after the field. */
const countWidth = 14;

/** Draws entries below headings instead of the pane. Typing a few letters finds them. */
export function Finder<E extends FinderEntry>(props: FinderProps<E>) {
  const { prompt, title, situation, remark = '', find, explain, take, onClose } = props;
  const { columns, rows: screenRows, redact } = useConsole();
  const [search, setSearch] = useState('');
  const [cursor, setCursor] = useState(atStart);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const height = Math.max(1, bodyHeight(screenRows) - 1);
  const found = useMemo(() => find(search), [find, search]);
  const nameWidth = useMemo(() => nameColumns(find('')), [find]);
  const isSearch = search.trim() !== '';
  const rows = finderRows(found, { height, isSearch, expanded });
  const selectable = rows.flatMap((row, at) => (row.kind === 'heading' ? [] : [at]));
  const selected = selectable[Math.min(cursor.index, selectable.length - 1)] ?? 0;
  const top = firstFinderRow(rows, selected, { top: cursor.top, height });
  const choose = (row: FinderRow<E> | undefined) => {
    if (row?.kind === 'entry') take(row.entry);
    else if (row?.kind === 'more') setExpanded(new Set([...expanded, row.group]));
  };
  useShortcuts<PaletteAction>('palette', {
    active: true,
    situation: { ...situation, selected: selectable.length > 0 },
    runAction(action) {
      if (action === 'close') onClose();
      else if (action === 'take') choose(rows[selected]);
      else setCursor((at) => ({ ...moveCursor(at, action, selectable.length, height), top }));
    },
  });
  const shown = { first: 1, count: Math.min(height, rows.length - top) };
  useRowClicks(true, shown, (row) => {
    const index = selectable.indexOf(top + row);
    if (index === -1) return;
    if (top + row === selected) choose(rows[selected]);
    else setCursor({ index, top });
  });
  const style = { columns, redact, search, nameWidth, hasHeadings: hasHeadings(height) };
  const counts = isSearch && found.length > 0 ? `${groupDigits(found.length)} found` : '';
  return (
    <Frame mode="palette" situation={situation} counts={remark} {...(title !== undefined && { title })}>
      <Box height={1} flexShrink={0}>
        <Box width={prompt.length} flexShrink={0}>
          <Line parts={[{ text: prompt, role: 'press' }]} />
        </Box>
        <TextField
          value={search}
          width={Math.max(1, columns - prompt.length - countWidth)}
          focused
          onChange={(text) => {
            setSearch(text);
            setCursor(atStart);
            setExpanded(new Set());
          }}
        />
        <Box width={countWidth} flexShrink={0}>
          <Line parts={[{ text: pad(counts, countWidth, 'right'), role: 'dim' }]} />
        </Box>
      </Box>
      {rows.slice(top, top + height).map((row, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node
          key={index}
          parts={finderParts(row, style)}
          selected={top + index === selected && row.kind !== 'heading'}
        />
      ))}
      {rows.length === 0 &&
        isSearch &&
        explain(search)
          .flatMap((line) => foldText(markText(redact(line)), columns))
          .slice(0, height)
          .map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
            <Line key={index} parts={[{ text: line, role: index === 0 ? 'plain' : 'dim' }]} />
          ))}
    </Frame>
  );
}
