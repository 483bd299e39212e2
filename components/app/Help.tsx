import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { markText } from '../../src/text/mark.ts';
import { isUndoOn } from '../kit/danger.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { type Press, toTerminalInput } from '../kit/keys/presses.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { useConsole } from '../kit/use-console.ts';
import { SearchLine } from '../ui/forms/SearchLine.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { useShortcuts } from '../ui/input/use-shortcuts.ts';
import { bodyHeight, minRowsForRules } from '../ui/layout/layout.ts';
import { useRowClicks } from '../ui/layout/use-row-clicks.ts';
import { Line, type Part } from '../ui/lines/Line.tsx';
import { bestEntry, findInHelp, groupShortcuts } from './help-groups.ts';
import {
  describeEntry,
  formatPosition,
  type HelpPage,
  isCompactHelp,
  layoutHelp,
  longestDescription,
  pageLength,
} from './help-layout.ts';
import { firstHelpLine, type HelpMove, type HelpState, helpStart, moveInHelp } from './help-state.ts';
import { keysPath } from './own-keys.ts';

interface HelpProps {
  readonly mode: Mode;
  /** The pane's situation, which determines which shortcuts are unavailable, and why. */
  readonly situation: Situation;
  /** Closes the help, and runs the pane's action for a press. */
  perform(press: Press): void;
  onClose(): void;
}

/** Minimum number of body rows that leaves room for an empty line below the search. */
const minRowsForGap = 18;

/** Replaces the pane with all shortcuts of a mode, in groups. Typing searches the shortcuts; Enter runs the selected shortcut. */
export function Help({ mode, situation, perform, onClose }: HelpProps) {
  const { columns, rows, input, screen } = useConsole();
  const [state, setState] = useState(helpStart);
  const { search } = state;
  const body = bodyHeight(rows);
  // On a small screen, the search replaces the path in the header.
  const isInHeader = rows < minRowsForRules && screen.isSpoken !== true;
  const { page, total, style, details, heads, isCompact } = useHelpPage(mode, situation, search, {
    body,
    isInHeader,
  });
  const selectedIn = ({ entry = bestEntry(page.entries, search) }: HelpState) =>
    Math.min(entry, page.entries.length - 1);
  const selectedEntry = page.entries[selectedIn(state)];
  const lines =
    details === 0 || selectedEntry === undefined
      ? []
      : describeEntry(selectedEntry, style, columns, selectedEntry === page.entries.at(-1));
  const height = Math.max(1, body - heads - details);
  const topIn = (at: HelpState) => firstHelpLine(page, selectedIn(at), at.top, height);
  const [selected, top] = [selectedIn(state), topIn(state)];
  // Repeated presses can be handled before the next frame, so each press starts from the result of the previous press.
  const select = (choose: (selected: number) => number) =>
    setState((before) => {
      const entry = choose(selectedIn(before));
      return { ...before, entry, top: firstHelpLine(page, entry, topIn(before), height) };
    });
  const run = (entry: number) => {
    const { shortcut, isAlways = false } = page.entries[entry] ?? {};
    const press = shortcut?.press[0];
    if (press === undefined) return;
    if (!isAlways) return perform(press);
    onClose();
    input.press(toTerminalInput(press));
  };
  useShortcuts<HelpMove | 'run' | 'close' | 'help'>('help', {
    active: true,
    situation: { ...situation, searched: search !== '' },
    runAction(action) {
      if (action === 'run') run(selected);
      else if (action === 'help') onClose();
      else if (action !== 'close') select((from) => moveInHelp(page, from, action, height));
      else if (search === '') onClose();
      else setState(helpStart);
    },
  });
  useRowClicks(true, { first: heads, count: height }, (row, column) => {
    const entry = page.columns[Math.floor(column / (page.width + page.gap))]?.[top + row]?.entry;
    if (entry === undefined) return;
    if (entry === selected) run(entry);
    else select(() => entry);
  });
  const position = formatPosition(page, top, height);
  const shown = page.entries.length;
  const searchLine = (
    <SearchLine
      prompt="search: "
      search={search}
      end={position}
      columns={columns}
      onChange={(text) => setState({ ...helpStart, search: text })}
    />
  );
  return (
    <Frame
      mode="help"
      situation={{ ...situation, searched: search !== '' }}
      title="Help"
      counts={search === '' ? '' : `${shown} of ${total} keys`}
      path={isInHeader ? searchLine : undefined}
    >
      {!isInHeader && searchLine}
      {heads > 1 && <Line parts={[]} />}
      {shown === 0 ? (
        <Line parts={[{ text: 'No key matches. Press Esc to clear the search.', role: 'dim' }]} />
      ) : (
        <HelpColumns page={page} selected={selected} top={top} height={height} isPadded={isCompact} />
      )}
      {details > 0 && <Details lines={lines} height={details} />}
    </Frame>
  );
}

/**
 * Returns the help for the current screen, the number of rows above the help, the number of rows for descriptions below the help, and the
 * total number of shortcuts, regardless of the search. The rows for descriptions do not depend on the selection, so the height of the help
 * does not change when the selection moves.
 */
function useHelpPage(
  mode: Mode,
  situation: Situation,
  search: string,
  { body, isInHeader }: { readonly body: number; readonly isInHeader: boolean },
) {
  const { columns, redact, keys, screen, services, world } = useConsole();
  const [undoIsOn] = useState(() => isUndoOn(services.undo));
  const note = `Set your own keys in ${markText(redact(keysPath(world.folders)))}`;
  const { isSpoken } = screen;
  return useMemo(() => {
    const groups = groupShortcuts(mode, keys);
    const style = { situation, keys, undoIsOn, search, note };
    const found = findInHelp(groups, search);
    const searchRows = isInHeader ? 0 : 1;
    const spaced = searchRows + (body < minRowsForGap ? 0 : 1);
    const isCompact = isCompactHelp(found, style, { columns, height: body - spaced, isSpoken });
    const details = isCompact ? Math.min(maxDetailRows(body), longestDescription(found, style, columns)) : 0;
    // An empty line below the search is less useful than another line of labels.
    const height = body - details - (isCompact ? searchRows : spaced);
    const page = layoutHelp(found, style, { columns, height, isSpoken }, isCompact);
    const isSpaced = !isCompact || pageLength(page) + spaced + details <= body;
    return {
      page,
      style,
      details,
      isCompact,
      heads: isSpaced ? spaced : searchRows,
      total: groups.reduce((sum, { entries }) => sum + entries.length, 0),
    };
  }, [mode, situation, keys, undoIsOn, search, note, columns, body, isInHeader, isSpoken]);
}

/** Returns the maximum number of rows for the description of the selected entry, below compact help. */
function maxDetailRows(height: number): number {
  return height < 6 ? 0 : Math.min(4, Math.ceil(height / 3));
}

/** Draws the description of the selected entry. */
function Details({ lines, height }: { readonly lines: readonly Part[][]; readonly height: number }) {
  const isCut = lines.length > height;
  return (
    <Box flexDirection="column" flexShrink={0} height={height}>
      {lines.slice(0, height).map((parts, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node
        <Line key={index} parts={isCut && index === height - 1 ? [...parts, { text: ' …' }] : parts} />
      ))}
    </Box>
  );
}

interface HelpColumnsProps {
  readonly page: HelpPage;
  readonly selected: number;
  readonly top: number;
  readonly height: number;
  /** Whether empty lines below the entries fill the height. */
  readonly isPadded: boolean;
}

/** Draws the columns of the help, which scroll together. */
function HelpColumns({ page, selected, top, height, isPadded }: HelpColumnsProps) {
  return (
    <Box flexDirection="row" flexShrink={0} {...(isPadded && { height })}>
      {page.columns.map((lines, column) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: a column of the screen keeps its node
          key={column}
          flexDirection="column"
          flexShrink={0}
          width={page.width}
          marginRight={column < page.columns.length - 1 ? page.gap : 0}
        >
          {lines.slice(top, top + height).map(({ parts, entry }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node
            <Line key={index} parts={parts} selected={entry !== undefined && entry === selected} />
          ))}
        </Box>
      ))}
    </Box>
  );
}
