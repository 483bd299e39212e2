import { Box, Text, useApp, useInput, useWindowSize } from 'ink';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import { escapeText } from '../src/text/escape.ts';
import type { World } from '../src/world.ts';
import { clipboardSequence, copyNotice } from './clipboard.ts';
import { openedConsole, reduceConsole } from './console-state.ts';
import { runEditor } from './editor.ts';
import { findShortcut } from './keymap.ts';
import type { Notes } from './notes.ts';
import { nouns, PaneOf } from './panes/registry.tsx';
import { pressOf } from './presses.ts';
import type { Connection } from './services.ts';
import type { SessionChoice } from './session-label.ts';
import { stopJob, type Terminal } from './terminal.ts';
import { chooseTheme } from './theme.ts';
import { type ConsoleParts, ConsoleProvider } from './use-console.ts';
import { OverlayOf } from './widgets/Overlay.tsx';

/** The smallest screen that panes are drawn on. */
const smallest = { columns: 40, rows: 10 };

export interface ConsoleProps {
  readonly world: World;
  readonly terminal: Terminal;
  /** What sessions note on their way. */
  readonly notes: Notes;
  readonly connection: Connection;
  /** Opens a session on another target. */
  open(choice: SessionChoice): Promise<Connection>;
  /** Told which connection is used from now on; the one before can be closed. */
  adopt(connection: Connection): void;
}

/** The console: a stack of panes, of which the last is drawn, under what every pane shares. */
export function Console({ world, terminal, notes, connection, open, adopt }: ConsoleProps) {
  const [state, dispatch] = useReducer(reduceConsole, openedConsole(connection, nouns[0].place));
  const { columns, rows } = useWindowSize();
  const { exit } = useApp();
  const outside = useOutside(world, terminal);
  useTerminal(world, terminal, outside);
  useEffect(() => {
    return notes.listen((message) => dispatch({ type: 'noticed', notice: escapeText(message) }));
  }, [notes]);
  const parts = useMemo(
    (): ConsoleParts => ({
      world,
      theme: chooseTheme(world),
      input: terminal.input,
      services: state.connection.services,
      session: state.connection.label,
      columns,
      rows,
      places: state.places,
      notice: state.notice,
      notify: (notice) => dispatch({ type: 'noticed', notice }),
      open: (place) => dispatch({ type: 'opened', place }),
      back: () => dispatch({ type: 'back' }),
      showHelp: (mode, situation) =>
        dispatch({ type: 'covered', overlay: { kind: 'help', mode, situation } }),
      chooseTarget: () => dispatch({ type: 'covered', overlay: { kind: 'targets' } }),
      quit: exit,
      copy: (bytes, what) => copy(terminal, bytes, what),
      drafts: outside.drafts,
      editOutside: (bytes, extension) => outside.suspend(() => runEditor(world, bytes, extension)),
    }),
    [world, terminal, state.connection, state.places, state.notice, columns, rows, exit, outside],
  );
  const fits = columns >= smallest.columns && rows >= smallest.rows;
  return (
    <ConsoleProvider value={parts}>
      {state.places.map((place, depth) => (
        <PaneOf
          // biome-ignore lint/suspicious/noArrayIndexKey: a place is where it stands in the stack
          key={`${state.generation} ${depth}`}
          place={place}
          visible={fits && state.overlay === undefined && depth === state.places.length - 1}
        />
      ))}
      {fits && state.overlay !== undefined && (
        <OverlayOf overlay={state.overlay} dispatch={dispatch} open={open} adopt={adopt} />
      )}
      {!fits && <TooSmall columns={columns} rows={rows} />}
    </ConsoleProvider>
  );
}

function TooSmall({ columns, rows }: { columns: number; rows: number }) {
  const text = `The console needs ${smallest.columns}x${smallest.rows}; this is ${columns}x${rows}. Ctrl-C leaves.`;
  return (
    <Box width={columns} height={rows} overflow="hidden">
      <Text wrap="wrap">{text}</Text>
    </Box>
  );
}

interface Outside {
  readonly drafts: Map<string, Uint8Array>;
  /** Resolves when the terminal is ours. */
  settled(): Promise<unknown>;
  /** Gives the terminal away while something runs. */
  suspend<T>(run: () => Promise<T>): Promise<T>;
}

/** Giving the terminal to an editor or to the shell, one at a time. */
function useOutside(world: World, terminal: Terminal): Outside {
  const { suspendTerminal } = useApp();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return useMemo(
    () => ({
      drafts: new Map(),
      settled: () => last.current,
      suspend<T>(run: () => Promise<T>): Promise<T> {
        const results: T[] = [];
        const ended = last.current
          .then(() =>
            suspendTerminal(async () => {
              terminal.leave();
              try {
                results.push(await run());
              } finally {
                if (!world.interrupted.aborted) terminal.enter();
              }
            }),
          )
          .then(() => results[0] as T);
        last.current = ended.catch(() => undefined);
        return ended;
      },
    }),
    [world, terminal, suspendTerminal],
  );
}

/** Modes of the terminal for as long as the console stands, and what works on every screen. */
function useTerminal(world: World, terminal: Terminal, outside: Outside): void {
  const { exit } = useApp();
  useLayoutEffect(() => {
    terminal.enter();
    return () => terminal.leave();
  }, [terminal]);
  useEffect(() => {
    const leave = () => void outside.settled().then(() => exit(130));
    world.interrupted.addEventListener('abort', leave);
    return () => world.interrupted.removeEventListener('abort', leave);
  }, [world, outside, exit]);
  useInput((input, key) => {
    const action = findShortcut('always', pressOf(input, key))?.does;
    if (action === 'interrupt') exit(130);
    if (action === 'suspend') void outside.suspend(stopJob);
  });
}

function copy(terminal: Terminal, bytes: Uint8Array, what: string): string {
  const sequence = clipboardSequence(bytes);
  if (sequence !== undefined) terminal.send(sequence);
  return copyNotice(bytes, what);
}
