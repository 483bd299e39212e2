import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { markText } from '../../src/text/mark.ts';
import type { Redact } from '../../src/text/redact.ts';
import { groupDigits } from '../../src/text/size.ts';
import { pad } from '../../src/text/width.ts';
import { isUndoOn } from '../kit/danger.ts';
import { atStart, moveCursor } from '../kit/keys/cursor.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { formatNote } from '../kit/known.ts';
import type { Region } from '../kit/surface.ts';
import { ConsoleProvider, useConsole } from '../kit/use-console.ts';
import { SearchLine } from '../ui/forms/SearchLine.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { useShortcuts } from '../ui/input/use-shortcuts.ts';
import { bodyHeight, framedRegion } from '../ui/layout/layout.ts';
import { useRowClicks } from '../ui/layout/use-row-clicks.ts';
import { foldText } from '../ui/lines/fold.ts';
import { Line } from '../ui/lines/Line.tsx';
import { TextLines } from '../ui/lines/TextLines.tsx';
import { entriesContent } from '../ui/preview/entries-content.ts';
import { ContentPanel } from '../ui/preview/PreviewPanel.tsx';
import {
  entryFacts,
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
  /** A remark for the header, for example about data that could not be read. */
  readonly remark?: string;
  /** Returns the matching entries, best match first. Must be the same function as long as the entries are the same. */
  find(search: string): readonly E[];
  /** Returns the lines shown if nothing matches. */
  explain(search: string): readonly string[];
  take(entry: E): void;
  onClose(): void;
}

/**
 * Minimum width, in columns, for descriptions next to the entries. A narrower screen shows only the selected entry's description, below the
 * list.
 */
const minWidthForAbout = 60;

/** Minimum number of rows below the search field for the selected entry's description to be shown. */
const minRowsForDetails = 10;

/** Columns of the number of matches, after the search field. */
const countWidth = 14;

/** Minimum width, in columns, of a screen that shows the facts about the selected entry next to the entries. */
const minColumnsForFacts = 120;

/** Maximum width of the entries and minimum width of the facts, in columns, both including borders. */
const limits = { entries: 104, facts: 44 } as const;

/** Replaces the pane with a searchable list of entries below headings. A wide screen also shows facts about the selected entry. */
export function Finder<E extends FinderEntry>(props: FinderProps<E>) {
  const parts = useConsole();
  const { screen, region } = parts;
  const width = Math.min(limits.entries, screen.columns - limits.facts);
  const own = useMemo(() => {
    const entries = framedRegion(0, width);
    return { ...parts, region: entries, columns: entries.columns };
  }, [parts, width]);
  if (!region.isFramed || screen.columns < minColumnsForFacts) return <Entries {...props} />;
  return (
    <ConsoleProvider value={own}>
      <Entries {...props} facts={framedRegion(width, screen.columns - width)} />
    </ConsoleProvider>
  );
}

interface EntriesProps<E extends FinderEntry> extends FinderProps<E> {
  /** The region for facts about the selected entry. */
  readonly facts?: Region;
}

function Entries<E extends FinderEntry>(props: EntriesProps<E>) {
  const { prompt, title, situation, remark = '', find, explain, take, onClose, facts } = props;
  const { columns, rows: screenRows, redact, keys, services } = useConsole();
  const [search, setSearch] = useState('');
  const [cursor, setCursor] = useState(atStart);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const body = bodyHeight(screenRows) - 1;
  const detailRows = columns < minWidthForAbout && body >= minRowsForDetails ? 2 : 0;
  const height = Math.max(1, body - detailRows);
  const found = useMemo(() => find(search), [find, search]);
  const nameWidth = useMemo(() => nameColumns(find(''), 'about'), [find]);
  const notedWidth = useMemo(() => nameColumns(found, 'facts'), [found]);
  const isSearch = search.trim() !== '';
  const rows = finderRows(found, { height, expanded });
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
  const chosen = rows[selected];
  const details =
    detailRows > 0 && chosen?.kind === 'entry' ? shortFacts(chosen.entry, redact, columns, detailRows) : [];
  const gapRows = details.length === 0 ? 0 : Math.max(0, height - (rows.length - top));
  const style = { columns, redact, search, nameWidth, notedWidth, hasHeadings: hasHeadings(height) };
  const arrows = `${top > 0 ? '↑' : ''}${top + height < rows.length ? '↓' : ''}`;
  const counts =
    isSearch && found.length > 0 ? `${groupDigits(found.length)} found ${arrows}`.trimEnd() : arrows;
  return (
    <Frame
      mode="palette"
      situation={situation}
      counts={remark}
      {...(title !== undefined && { title })}
      aside={
        facts !== undefined && (
          <ContentPanel
            content={entriesContent({
              entries:
                chosen?.kind === 'entry'
                  ? entryFacts(chosen.entry, {
                      keys,
                      columns: facts.columns,
                      undoIsOn: isUndoOn(services.undo),
                    })
                  : [{ text: '' }],
            })}
            title={chosen?.kind === 'entry' ? redact(chosen.entry.name) : ''}
            region={facts}
            height={bodyHeight(screenRows)}
            hasDetails={false}
          />
        )
      }
    >
      <SearchLine
        prompt={prompt}
        search={search}
        end={[{ text: pad(counts, countWidth, 'right'), role: 'dim' }]}
        columns={columns}
        onChange={(text) => {
          setSearch(text);
          setCursor(atStart);
          setExpanded(new Set());
        }}
      />
      {rows.slice(top, top + height).map((row, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node
          key={index}
          parts={finderParts(row, style)}
          selected={top + index === selected && row.kind !== 'heading'}
        />
      ))}
      {details.length > 0 && (
        <Box flexDirection="column" flexShrink={0} paddingTop={gapRows}>
          <TextLines lines={details} usual="dim" />
        </Box>
      )}
      {rows.length === 0 && isSearch && (
        <TextLines
          lines={explain(search)
            .flatMap((line) => foldText(markText(redact(line)), columns))
            .slice(0, height)}
          first="plain"
          usual="dim"
        />
      )}
    </Frame>
  );
}

/** Returns the facts about an entry for a few rows: its description, and its link if there is room. */
function shortFacts(
  { refusal, about, facts = [], link }: FinderEntry,
  redact: Redact,
  columns: number,
  count: number,
): readonly string[] {
  const fold = (text: string | undefined) =>
    text === undefined || text === '' ? [] : foldText(markText(redact(text)), columns);
  return [...fold(refusal ?? about ?? formatNote(facts)), ...fold(link && `link ${link}`)].slice(0, count);
}
