import { useIsScreenReaderEnabled } from 'ink';
import { type Dispatch, useEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react';
import { formatLink } from '../../src/model/places/link.ts';
import { withRecent } from '../../src/model/places/memory.ts';
import { asProblem } from '../../src/model/problem.ts';
import { isActive } from '../../src/model/tasks/task.ts';
import { formatPlaceName } from '../../src/model/where.ts';
import type { CliEquivalent } from '../../src/services/equivalents/cli-equivalent.ts';
import type { DisplaySettings } from '../../src/services/session/display-settings.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { TaskList } from '../../src/services/tasks/tasks.ts';
import type { Redact } from '../../src/text/redact.ts';
import type { World } from '../../src/world.ts';
import { WriteQuestion } from '../guard/WriteQuestion.tsx';
import type { HeldWatch } from '../kit/held-watch.ts';
import type { LiveSwitch } from '../kit/live-switch.ts';
import type { Messages, Tone } from '../kit/messages.ts';
import type { Notes } from '../kit/notes.ts';
import type { OpenPanes } from '../kit/open-pane.ts';
import type { OpenTaskSession } from '../kit/tasks.ts';
import { clipboardSequence, copyNotice } from '../kit/terminal/clipboard.ts';
import { runEditor } from '../kit/terminal/editor.ts';
import type { Terminal } from '../kit/terminal/terminal.ts';
import { resolveTheme, type Theme } from '../kit/theme.ts';
import type { ConsoleKeymap } from '../kit/use-console.ts';
import { type ConsoleParts, ConsoleProvider } from '../kit/use-console.ts';
import { toPlaceLink } from '../places/place-link.ts';
import { minScreen, noBordersReason, wholeRegion } from '../ui/layout/layout.ts';
import { TooSmall } from '../ui/layout/TooSmall.tsx';
import { copyLink, toggleBookmark } from './bookmarks.ts';
import type { Connection, ConsoleConnection } from './connection.ts';
import { createMoves } from './moves.ts';
import { OverlayView } from './Overlay.tsx';
import { Panes } from './Panes.tsx';
import { currentStack } from './places.ts';
import { type ConsoleEvent, type ConsoleState, initialConsole, reduceConsole, shownNotice } from './state.ts';
import { createConsoleTasks } from './tasks.ts';
import { useTerminal } from './use-terminal.ts';

export interface ConsoleProps {
  readonly world: World;
  readonly manners: DisplaySettings;
  readonly live: LiveSwitch;
  readonly terminal: Terminal;
  readonly keys: ConsoleKeymap;
  /** Notes from sessions, for example about a retry. */
  readonly notes: Notes;
  readonly messages: Messages;
  readonly connection: ConsoleConnection;
  /** The initial panes. */
  readonly first: OpenPanes;
  /** Redacts credentials in everything that is drawn. */
  readonly redact: Redact;
  readonly tasks: TaskList;
  readonly held: HeldWatch;
  /** Opens a session for a task. */
  readonly openSession: OpenTaskSession;
  /** Opens a connection to another account, target or sandbox. */
  open(choice: SessionChoice): Promise<ConsoleConnection>;
  /** Called with the new connection; the previous connection can then be closed. */
  adopt(connection: ConsoleConnection): void;
}

/** The console: the panes, an overlay if one is open, and the parts that all panes share. */
export function Console(props: ConsoleProps) {
  const { connection, notes, open, adopt } = props;
  const [state, dispatch] = useReducer(reduceConsole, connection, (first) =>
    initialConsole(first, props.first),
  );
  const parts = useParts(props, state, dispatch);
  useEffect(() => {
    return notes.listen((message) => dispatch({ type: 'noted', note: message }));
  }, [notes]);
  useRecents(state);
  const { columns, rows } = parts.screen;
  const fits = columns >= minScreen.columns && rows >= minScreen.rows;
  const { held } = props;
  const asked = useSyncExternalStore(held.subscribe, held.question);
  return (
    <ConsoleProvider value={parts}>
      <Panes
        places={state.places}
        stillWriting={state.stillWriting.map((stack) => stack.at(-1) ?? stack[0])}
        generation={state.generation}
        covered={!fits || state.overlay !== undefined || asked !== undefined}
      />
      {fits && state.overlay !== undefined && (
        <OverlayView
          overlay={state.overlay}
          choice={state.connection.choice}
          first={formatPlaceName(connection.label.where)}
          dispatch={dispatch}
          open={open}
          adopt={adopt}
        />
      )}
      {fits && state.overlay === undefined && asked !== undefined && (
        <WriteQuestion key={asked.number} request={asked} />
      )}
      {!fits && <TooSmall columns={columns} rows={rows} />}
    </ConsoleProvider>
  );
}

/** Returns the size of the screen, and the screen as one region. */
function useScreen({ screen }: Terminal): Pick<ConsoleParts, 'screen' | 'region' | 'columns' | 'rows'> {
  const { columns, rows } = useSyncExternalStore(screen.onMeasured, screen.size);
  const isSpoken = useIsScreenReaderEnabled();
  return useMemo(() => {
    const whole = { columns, rows, isSpoken };
    const region = wholeRegion(whole);
    return { screen: whole, region, columns: region.columns, rows };
  }, [columns, rows, isSpoken]);
}

/** Returns the theme that the setting selects; for `auto`, the theme that suits the terminal's background. */
function useTheme({ theme }: DisplaySettings, { background }: Terminal): Theme {
  const isLight = useSyncExternalStore(background.subscribe, () => background.isLight);
  return resolveTheme(theme, { isLight });
}

/** Adds each opened view to the recent views. */
function useRecents({ places, connection: { memory } }: ConsoleState): void {
  const top = currentStack(places).at(-1)?.opened;
  useEffect(() => {
    const link = top && toPlaceLink(top);
    const text = link && formatLink(link);
    if (text !== undefined) memory.change((before) => withRecent(before, text));
  }, [top, memory]);
}

function useParts(
  { world, manners, live, terminal, keys, notes, messages, redact, tasks, held, openSession }: ConsoleProps,
  state: ConsoleState,
  dispatch: Dispatch<ConsoleEvent>,
): ConsoleParts {
  const { connection, drafts, changes, places, history, writes, pending } = state;
  const notice = shownNotice(state);
  const size = useScreen(terminal);
  const outside = useTerminal(world, terminal, keys);
  const theme = useTheme(manners, terminal);
  const [share, drag] = useState<number>();
  const hasPreview = state.preview;
  return useMemo((): ConsoleParts => {
    const parts: ConsoleParts = {
      world,
      theme,
      keys,
      input: terminal.input,
      services: connection.services,
      tasks: createConsoleTasks(tasks, connection, openSession),
      held,
      session: connection.label,
      pulse: connection.pulse,
      live,
      memory: connection.memory,
      known: connection.known,
      ...size,
      division: { hasPreview, share, drag },
      redact,
      openPanes: currentStack(places).map(({ opened }) => opened),
      pending,
      notice,
      notes,
      messages,
      notify: (text, tone, from) => notify({ text, tone, from }, messages, dispatch),
      dismiss: () => dispatch({ type: 'dismissed' }),
      ...createMoves({ history }, dispatch, (text) => notify({ text, tone: 'refused' }, messages, dispatch)),
      showEquivalents: (commands) => void offerEquivalents(connection, commands, { messages, dispatch }),
      togglePreview: () => {
        const words = noBordersReason(size.screen);
        if (size.screen.isSpoken === true) {
          notify({ text: words, tone: 'refused' }, messages, dispatch);
          return;
        }
        dispatch({ type: 'preview-toggled' });
        // On a small screen, previews appear only below short lists, so the change may not be visible.
        const text = `Previews are ${hasPreview ? 'off' : 'on'}. ${words}`;
        if (words !== undefined) notify({ text, tone: 'told' }, messages, dispatch);
      },
      toggleMouse: () =>
        notify({ text: mouseNotice(terminal.toggleMouse()), tone: 'told' }, messages, dispatch),
      quit: (code) => {
        const words = code === 0 ? (runningWriteWarning(writes) ?? runningTasksWarning(tasks)) : undefined;
        if (words === undefined || notice?.text === words) outside.exit(code);
        else notify({ text: words, tone: 'refused' }, messages, dispatch);
      },
      copy: (bytes, what) => copy(terminal, bytes, what),
      drafts,
      changes,
      editOutside: (bytes, extension) => outside.suspend(() => runEditor(world, bytes, extension)),
      reportWrites: (of, from) => {
        if (from !== undefined) dispatch({ type: 'wrote', writes: of, from });
      },
      recall: () => {
        const [serial, of] = [...writes].find(([, { unsettled }]) => unsettled > 0) ?? [];
        if (serial === undefined) {
          notify({ text: 'No change has failed.', tone: 'refused' }, messages, dispatch);
          return;
        }
        dispatch({ type: 'recalled', serial });
        of?.recall();
      },
      unsettledWrites: [...writes.values()].reduce((sum, { unsettled }) => sum + unsettled, 0),
      runningWrite: findRunningWrite(writes),
      toggleLive: () => {
        live.toggle();
        notify({ text: liveNotice(live), tone: 'told' }, messages, dispatch);
      },
      bookmark: (asked) => toggleBookmark(asked, parts),
      copyLink: (asked) => copyLink(asked, parts),
    };
    return parts;
  }, [
    world,
    theme,
    live,
    terminal,
    keys,
    notes,
    messages,
    tasks,
    held,
    openSession,
    connection,
    size,
    hasPreview,
    share,
    redact,
    places,
    history,
    pending,
    notice,
    writes,
    drafts,
    changes,
    outside,
    dispatch,
  ]);
}

function liveNotice({ state }: LiveSwitch): string {
  return state === 'on'
    ? 'Resumed refreshing in all views.'
    : 'Paused refreshing in all views. Press F to resume, or r to reload once.';
}

function mouseNotice(isTaken: boolean): string {
  return isTaken
    ? 'The console handles the mouse: click to select and open rows. To select text, hold Shift.'
    : 'The terminal handles the mouse again.';
}

interface NoticeRequest {
  readonly text: string | undefined;
  readonly tone?: Tone | undefined;
  /** The serial of the calling pane (default: the pane on the screen). */
  readonly from?: number | undefined;
}

/** Shows a notice and adds it to the messages. */
function notify(
  { text, tone = 'done', from }: NoticeRequest,
  messages: Messages,
  dispatch: Dispatch<ConsoleEvent>,
): void {
  if (text !== undefined) messages.add({ text, tone });
  dispatch({ type: 'noticed', notice: text === undefined ? undefined : { text, tone }, from });
}

/** Opens the menu of equivalent command lines once they are known: determining the account may require a request. */
async function offerEquivalents(
  { services: { equivalents } }: Connection,
  commands: readonly CliEquivalent[],
  { messages, dispatch }: { readonly messages: Messages; readonly dispatch: Dispatch<ConsoleEvent> },
): Promise<void> {
  try {
    const found = (await equivalents?.(commands)) ?? [];
    dispatch({ type: 'covered', overlay: { kind: 'equivalents', found } });
  } catch (error) {
    notify({ text: asProblem(error).message, tone: 'failed' }, messages, dispatch);
  }
}

/** Describes the first running write; undefined if no write is running. */
function findRunningWrite(writes: ConsoleState['writes']): string | undefined {
  return [...writes.values()].find(({ pending }) => pending > 0)?.words;
}

/** Returns the warning that `q` shows first during a running write; undefined if no write is running. */
function runningWriteWarning(writes: ConsoleState['writes']): string | undefined {
  const words = findRunningWrite(writes);
  return words && `Still ${words}. Press q again to quit. The change was sent and may take effect.`;
}

/** Returns the warning that `q` shows first while tasks of this console are running; undefined if none is running. */
function runningTasksWarning(list: TaskList): string | undefined {
  const running = list.tasks.filter((task) => isActive(task) && !list.isElsewhere(task)).length;
  if (running === 0) return undefined;
  const [tasks, they, them] =
    running === 1 ? ['1 task is', 'it', 'it'] : [`${running} tasks are`, 'they', 'them'];
  return `${tasks} running. Press q again to stop ${them}; ${they} can be resumed in Tasks.`;
}

function copy(terminal: Terminal, bytes: Uint8Array, what: string): string {
  const sequence = clipboardSequence(bytes);
  if (sequence !== undefined) terminal.send(sequence);
  return copyNotice(bytes, what);
}
