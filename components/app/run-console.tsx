import { remedyWords } from '../kit/remedy-words.ts';
import '../kit/terminal/environment.ts';

import { setImmediate } from 'node:timers/promises';
import { render } from 'ink';
import { parseLink } from '../../src/model/places/link.ts';
import { ConsoleMemory } from '../../src/profiles/console-memory.ts';
import type { AskWrite } from '../../src/services/guard/recorded-writes.ts';
import { WriteQuestions } from '../../src/services/guard/write-questions.ts';
import { type DisplaySettings, readDisplaySettings } from '../../src/services/session/display-settings.ts';
import type { Note, Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { TaskBehind } from '../../src/services/tasks/runner.ts';
import { TaskList } from '../../src/services/tasks/tasks.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Redact } from '../../src/text/redact.ts';
import type { World } from '../../src/world.ts';
import { HeldWatch } from '../kit/held-watch.ts';
import { KnownPlaces } from '../kit/known.ts';
import { LiveSwitch } from '../kit/live-switch.ts';
import { Messages } from '../kit/messages.ts';
import { Notes } from '../kit/notes.ts';
import { firstPane } from '../kit/nouns.ts';
import type { OpenPane, OpenPanes } from '../kit/open-pane.ts';
import { restoreEnvironment } from '../kit/terminal/environment.ts';
import { openTerminal, type Terminal } from '../kit/terminal/terminal.ts';
import { toPanes } from '../places/place-link.ts';
import { taskTitle, waitsForApproval } from '../ui/tasks/words.ts';
import { Console } from './Console.tsx';
import type { Connection, ConsoleConnection } from './connection.ts';
import { readKeys } from './own-keys.ts';

export { Pulse } from '../kit/pulse.ts';
export { HeapBound } from '../kit/terminal/bound-heap.ts';
export { createServices } from './connection.ts';

/** The functions that open the console's sessions. */
export interface ConsoleSessions {
  /** Opens a connection for panes. */
  connect(choice: SessionChoice, note: Note, askWrite: AskWrite): Promise<Connection>;
  /** Opens a session for a task, which outlives a pane. */
  open(choice: SessionChoice, note: Note, askWrite: AskWrite): Promise<Session>;
  /** Returns a string in which the credentials of all sessions opened so far are redacted. */
  readonly redact: Redact;
}

/** The options for starting the console. */
export interface ConsoleStart {
  /** The first pane, or a link. */
  readonly opens: OpenPane | string;
  /** Called after each frame. */
  drawn?(): void;
}

/**
 * Runs the console until the user quits, and resolves with the exit code: 0 after quitting, 130 after an interrupt, 129 after a hang-up. If
 * the terminal is unsuitable or the first session cannot be opened, rejects before the screen changes. Notes from sessions are shown above
 * the footer, because nothing else may write to the terminal. Tasks that are running when the console closes are saved and can be resumed.
 * The terminal is restored when the promise resolves or rejects.
 */
export async function runConsole(
  world: World,
  sessions: ConsoleSessions,
  start: ConsoleStart,
): Promise<number> {
  restoreEnvironment();
  const manners = readDisplaySettings(world);
  const terminal = openTerminal(world, manners);
  terminal.begin();
  try {
    return await runOnTerminal(terminal, { world, manners }, sessions, start);
  } finally {
    await terminal.end();
  }
}

async function runOnTerminal(
  terminal: Terminal,
  { world, manners }: { readonly world: World; readonly manners: DisplaySettings },
  sessions: ConsoleSessions,
  start: ConsoleStart,
): Promise<number> {
  const messages = new Messages(world.now);
  const notes = new Notes(messages);
  const note = (message: string) => notes.add(message);
  const memories: ConsoleMemory[] = [];
  const saveAll = () => Promise.all(memories.map((memory) => memory.save()));
  const questions = new WriteQuestions(world);
  const open = async (choice: SessionChoice): Promise<ConsoleConnection> => {
    const left = new AbortController();
    const asker = { who: 'console', isBackground: false, signal: left.signal };
    const connection = await sessions.connect(choice, note, questions.by(asker));
    // Saves all memories: the panes that the previous switch closed may have changed the memory of their connection since it was last
    // saved.
    await saveAll();
    const memory = await ConsoleMemory.open(world.folders.state, connection.label, note);
    memories.push(memory);
    const close = async () => {
      left.abort();
      await memory.save();
      await connection.close();
    };
    const known = new KnownPlaces();
    return { ...connection, services: known.observe(connection.services), memory, known, choice, close };
  };
  const used = { connection: await open({}) };
  const closing: Promise<void>[] = [];
  const adopt = (connection: ConsoleConnection) => {
    closing.push(used.connection.close());
    used.connection = connection;
  };
  const openSession = (choice: SessionChoice) =>
    sessions.open(choice, note, questions.by({ who: 'console', isBackground: false }));
  const tasks = await TaskList.open(
    world,
    {
      open: (choice, onNote, { task, stopped }) =>
        sessions.open(choice, onNote, askForTask(questions, { task, stopped, note: onNote })),
      words: remedyWords,
    },
    note,
  );
  const held = new HeldWatch(world, note, questions);
  const keys = await readKeys(world.folders, note);
  const { connection } = used;
  const { redact } = sessions;
  const first = await firstPanes(connection, start, world.interrupted);
  // Reads the input typed so far before the first frame is drawn, so that the line with the echo of this input is cleared
  // (`Terminal.begin`).
  await setImmediate();
  const props = {
    world,
    manners,
    live: new LiveSwitch(manners.refresh),
    first,
    terminal,
    keys,
    messages,
    notes,
    connection,
    redact,
    tasks,
    held,
    openSession,
    open,
    adopt,
  };
  const watching = new AbortController();
  const watched = held.follow(watching.signal);
  questions.open();
  try {
    const { clear, waitUntilExit } = render(<Console {...props} />, {
      ...terminal.options,
      ...(start.drawn && { onRender: start.drawn }),
    });
    const unfollow = terminal.redraw.follow(clear);
    const code = await waitUntilExit().finally(unfollow);
    return typeof code === 'number' ? code : 0;
  } finally {
    watching.abort();
    questions.close();
    await watched;
    const interrupted = await tasks.close();
    if (interrupted > 0) {
      const which = interrupted === 1 ? '1 task was' : `${interrupted} tasks were`;
      world.stderr.write(`${which} interrupted. To resume, open Tasks in the console.\n`);
    }
    for (const message of notes.afterExit) world.stderr.write(`${escapeText(message)}\n`);
    await Promise.allSettled([...closing, used.connection.close(), saveAll()]);
  }
}

/**
 * Returns the function with which a task asks for approval of its writes. The question waits in the list of held requests, and the task's
 * note says so.
 */
function askForTask(
  questions: WriteQuestions,
  { task, stopped, note }: TaskBehind & { readonly note: (message: string | undefined) => void },
): AskWrite {
  const ask = questions.by({ who: `console: ${taskTitle(task)}`, isBackground: true, signal: stopped });
  let waiting = 0;
  return async (asked) => {
    waiting += 1;
    note(waitsForApproval);
    try {
      return await ask(asked);
    } finally {
      waiting -= 1;
      if (waiting === 0) note(undefined);
    }
  };
}

/** Returns the initial panes. Rejects if the link is invalid or its target is not found. */
async function firstPanes(
  connection: ConsoleConnection,
  { opens }: ConsoleStart,
  signal: AbortSignal,
): Promise<OpenPanes> {
  const { services } = connection;
  if (typeof opens !== 'string') return [firstPane(services, opens)];
  try {
    return toPanes(await services.places.find(parseLink(opens), signal));
  } catch (error) {
    await connection.close();
    throw error;
  }
}
