import { Box } from 'ink';
import { useState } from 'react';
import { escapeText } from '../../src/text/escape.ts';
import { fitText, measureCharacter, pad } from '../../src/text/width.ts';
import { atStart, firstVisibleRow, type Move, moveCursor } from '../kit/keys/cursor.ts';
import { listShortcuts } from '../kit/keys/find-shortcut.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { modeTitles } from '../kit/keys/modes.ts';
import { formatPress, type Press } from '../kit/keys/presses.ts';
import type { Keymap, Shortcut, Situation } from '../kit/keys/shortcut.ts';
import type { Surface } from '../kit/surface.ts';
import { useConsole } from '../kit/use-console.ts';
import { TextField } from '../ui/forms/TextField.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { useShortcuts } from '../ui/input/use-shortcuts.ts';
import { bodyHeight } from '../ui/layout/layout.ts';
import { useRowClicks } from '../ui/layout/use-row-clicks.ts';
import { foldText } from '../ui/lines/fold.ts';
import { Line, type Part } from '../ui/lines/Line.tsx';
import { keysPath } from './own-keys.ts';

interface HelpProps {
  readonly mode: Mode;
  /** The pane's situation, which determines what is unavailable and why. */
  readonly situation: Situation;
  /** Closes the help, and runs the pane's action for a press. */
  perform(press: Press): void;
  onClose(): void;
}

/** Draws all active shortcuts of a mode instead of the pane. Typing searches them, and Enter runs the selected one. */
export function Help({ mode, situation, perform, onClose }: HelpProps) {
  const { columns, redact, rows, keys, world } = useConsole();
  const [search, setSearch] = useState('');
  const [cursor, setCursor] = useState(atStart);
  const height = Math.max(1, bodyHeight(rows) - 2);
  const lines = helpRows(mode, situation, search, columns, keys);
  useShortcuts<Move | 'run' | 'close'>('help', {
    active: true,
    situation,
    runAction(action) {
      const press = lines[cursor.index]?.press;
      if (action === 'close') onClose();
      else if (action !== 'run') setCursor((at) => moveCursor(at, action, lines.length, height));
      else if (press !== undefined) perform(press);
    },
  });
  const top = firstVisibleRow(cursor, lines.length, height);
  const shown = { first: 1, count: Math.min(height, lines.length - top) };
  useRowClicks(true, shown, (row) => {
    const press = lines[top + row]?.press;
    if (top + row !== cursor.index) setCursor({ index: top + row, top });
    else if (press !== undefined) perform(press);
  });
  return (
    <Frame mode="help" situation={situation} title="Help">
      <Line parts={titleParts(mode, keysPath(world.folders), { columns, redact })} />
      {lines.slice(top, top + height).map(({ parts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node
        <Line key={index} parts={parts} selected={top + index === cursor.index} />
      ))}
      <Box height={1} flexShrink={0}>
        <Box width={8} flexShrink={0}>
          <Line parts={[{ text: 'search: ', role: 'dim' }]} />
        </Box>
        <TextField
          value={search}
          width={columns - 8}
          focused
          onChange={(text) => {
            setSearch(text);
            setCursor(atStart);
          }}
        />
      </Box>
    </Frame>
  );
}

function titleParts(mode: Mode, path: string, { columns, redact }: Surface): Part[] {
  const title = `Shortcuts: ${modeTitles[mode]}`;
  const own = fitText(escapeText(redact(` · your own: ${path}`)), columns - measureCharacter(title));
  return [
    { text: title, role: 'title' },
    { text: own, role: 'dim' },
  ];
}

/** Columns of the presses before their descriptions. */
const pressWidth = 16;

/** Returns the shortcuts that match a search: presses, descriptions, and why they are unavailable. Long text is wrapped. */
export function helpLines(
  mode: Mode,
  situation: Situation,
  search: string,
  columns: number,
  keys: Keymap,
): Part[][] {
  return helpRows(mode, situation, search, columns, keys).map(({ parts }) => parts);
}

/** A line of the help and the press that runs its action; undefined for actions that only their own press can run. */
interface HelpRow {
  readonly parts: Part[];
  readonly press: Press | undefined;
}

function helpRows(
  mode: Mode,
  situation: Situation,
  search: string,
  columns: number,
  keys: Keymap,
): HelpRow[] {
  const wanted = search.toLowerCase();
  return [...listShortcuts(mode, keys), ...keys.always]
    .filter((shortcut) => searchableText(shortcut).toLowerCase().includes(wanted))
    .flatMap((shortcut) =>
      aboutLines(shortcut, situation, columns - pressWidth - 1).map(
        (parts, index): HelpRow => ({
          parts: [
            { text: pad(index === 0 ? formatPresses(shortcut) : '', pressWidth), role: 'press' },
            { text: ' ' },
            ...parts,
          ],
          press: isAlways(shortcut, keys) ? undefined : shortcut.press[0],
        }),
      ),
    );
}

function isAlways(shortcut: Shortcut<string>, keys: Keymap): boolean {
  return keys.always.some((one) => one === shortcut);
}

/** Returns the description and the reason, on one line if they fit; otherwise the reason starts on a new line. */
function aboutLines(shortcut: Shortcut<string>, situation: Situation, width: number): Part[][] {
  const { about } = shortcut;
  const reason = shortcut.unless?.(situation) ?? false;
  if (reason === false) return foldText(about, width).map((text) => [{ text }]);
  const refusal = `(${reason})`;
  if (measureCharacter(`${about} ${refusal}`) <= width) {
    return [
      [
        { text: `${about} `, role: 'dim' },
        { text: refusal, role: 'warning' },
      ],
    ];
  }
  return [
    ...foldText(about, width).map((text): Part[] => [{ text, role: 'dim' }]),
    ...foldText(refusal, width).map((text): Part[] => [{ text, role: 'warning' }]),
  ];
}

function searchableText(shortcut: Shortcut<string>): string {
  return `${formatPresses(shortcut)} ${shortcut.label} ${shortcut.about}`;
}

function formatPresses({ press }: Shortcut<string>): string {
  return press.map(formatPress).join(' ');
}
