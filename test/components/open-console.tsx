import '../../components/kit/terminal/environment.ts';

import { Console } from 'node:console';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ConsoleSessions, runConsole } from '../../components/app/run-console.tsx';
import type { OpenPane } from '../../components/kit/open-pane.ts';
import type { Pulse } from '../../components/kit/pulse.ts';
import type { SessionLabel } from '../../components/kit/session-label.ts';
import { listCapabilities } from '../../src/model/capability.ts';
import type { Settings } from '../../src/model/settings.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { AskWrite } from '../../src/services/guard/recorded-writes.ts';
import type { Note, Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { World } from '../../src/world.ts';
import { type MemoryTerminal, openMemoryTerminal, type Screen, type ScreenSize } from '../support/screen.ts';
import { testWorld } from '../support/world.ts';
import { type MemoryKv, memoryKv } from './memory-kv.ts';
import { noPlaces } from './memory-places.ts';

export interface ConsoleOptions extends Partial<ScreenSize> {
  readonly label?: Partial<SessionLabel>;
  /** Returns the fields of the label that depend on the session choice. */
  labelOf?(choice: SessionChoice): Partial<SessionLabel>;
  readonly env?: Readonly<Record<string, string>>;
  readonly argv?: readonly string[];
  /** Services other than key-value data. */
  readonly services?: Partial<Services>;
  /** Opens the session of a task. */
  openSession?(place: SessionChoice, askWrite: AskWrite): Promise<Session>;
  /** Opens the services of a connection (default: `services`). */
  openServices?(askWrite: AskWrite): Promise<Services>;
  /** The first pane (default: the namespaces). */
  readonly opens?: OpenPane | string;
  /** The folder of checkpoints and tasks (default: a new folder). */
  readonly folders?: World['folders'];
  /** The user's settings (default: none). */
  readonly settings?: Partial<Settings>;
  /** The folder that relative paths start from (default: a new folder). */
  readonly cwd?: string;
  /** Fills the account before the console opens. */
  fill?(kv: MemoryKv): void;
  /** Redacts credentials on the screen. */
  redact?(text: string): string;
  readonly pulse?: Pulse;
  /** Default: short sleeps take no time, and long sleeps, such as the sleep between refreshes, never end. */
  readonly sleep?: World['sleep'];
  /** A message that the session reports while it opens. */
  readonly note?: string;
  /** Returns the current time (default: a fixed time). */
  now?(): number;
  /** Returns the error with which the session refuses a target, if any. */
  refuse?(target: string, choice: SessionChoice): Error | undefined;
}

export interface OpenConsole extends MemoryTerminal {
  readonly kv: MemoryKv;
  readonly screen: Screen;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  /** Working directory. */
  readonly cwd: string;
  /** Returns the number of open sessions. */
  sessions(): number;
  interrupt(): void;
  /** Returns the console's output on stderr. */
  errText(): string;
  /** Reports a notice from an open session. */
  note(message: string): void;
  /** Presses keys one after another, and waits for the resulting screen. */
  go(presses: readonly string[], wanted: string | ((screen: Screen) => boolean)): Promise<void>;
}

/** Ends short sleeps immediately, and a sleep of a second or more only when it is aborted. */
const shortSleep: World['sleep'] = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    else if (milliseconds < 1000) resolve();
    else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** A fixed point in time: 2026-11-21T10:00:00Z. */
export const testNow = Date.UTC(2026, 10, 21, 10);

// Ink replaces methods of the console with Ink's `Console` class, which the test runner's console lacks.
Object.assign(console, { Console });

/** Methods of the console before Ink replaced them: if two consoles overlap, Ink does not restore these methods. */
const unpatched = { ...console };

/** Opens the console in this process with data in memory, by default on a terminal of 80x24. */
export function openConsole(options: ConsoleOptions = {}): OpenConsole {
  const { columns = 80, rows = 24 } = options;
  const terminal = openMemoryTerminal({ columns, rows });
  const kv = memoryKv(() => testNow);
  options.fill?.(kv);
  const interruption = new AbortController();
  const { now = () => testNow, env = {}, argv = [] } = options;
  const { errText, ...rest } = testWorld({ now, env, argv });
  const world: World = {
    ...rest,
    ...(options.folders && { folders: options.folders }),
    sleep: options.sleep ?? shortSleep,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    interrupted: interruption.signal,
  };
  if (options.settings !== undefined) {
    mkdirSync(world.folders.config, { recursive: true });
    writeFileSync(join(world.folders.config, 'settings.json'), JSON.stringify(options.settings), {
      mode: 0o600,
    });
  }
  const label = {
    target: 'local',
    where: { kind: 'remote', profile: 'demo', baseUrl: 'https://api.demo.invalid/client/v4' },
    accountLabel: 'Demo account',
    readOnly: false,
  } as const;
  let sessions = 0;
  let note: Note = () => {};
  const connect: ConsoleSessions['connect'] = async (choice, noted, askWrite) => {
    const { target } = choice;
    note = noted;
    if (options.note !== undefined) note(options.note);
    const refused = options.refuse?.(target ?? 'local', choice);
    if (refused !== undefined) throw refused;
    sessions++;
    const shown = target ?? options.label?.target ?? label.target;
    const can = listCapabilities({ kind: shown === 'local' ? 'local' : 'remote' });
    return {
      label: { ...label, can, ...options.label, ...options.labelOf?.(choice), target: shown },
      services: (await options.openServices?.(askWrite)) ?? {
        places: noPlaces,
        kv: kv.service,
        ...options.services,
      },
      ...(options.pulse && { pulse: options.pulse }),
      async close() {
        sessions--;
      },
    };
  };
  const sessionsOf: ConsoleSessions = {
    connect,
    redact: (text) => options.redact?.(text) ?? text,
    async open(place, _, askWrite) {
      if (options.openSession === undefined) throw new Error('tasks have no session here');
      return options.openSession(place, askWrite);
    },
  };
  const ended = runConsole(world, sessionsOf, { opens: options.opens ?? { pane: 'namespaces' } });
  onTestFinished(async () => {
    interruption.abort();
    await Promise.allSettled([ended]);
    Object.assign(console, unpatched);
  });
  return {
    ...terminal,
    kv,
    cwd: world.cwd,
    errText,
    ended,
    sessions: () => sessions,
    note: (message) => note(message),
    interrupt: () => interruption.abort(),
    async go(presses, wanted) {
      terminal.press(...presses);
      await terminal.screen.waitFor(wanted);
    },
  };
}

/** Creates two namespaces; `demo-sessions` has a few keys. */
export function fillDemo(kv: MemoryKv): void {
  kv.namespaces.push(
    { id: 'a'.repeat(32), title: 'demo-sessions' },
    { id: 'b'.repeat(32), title: 'demo-flags' },
  );
  const id = 'a'.repeat(32);
  kv.put(id, 'user:1', '{"name":"Ada","roles":["admin","ops"]}', { metadata: { owner: 'web' } });
  kv.put(id, 'user:2', 'plain text\nsecond line', { expiration: testNow / 1000 + 7200 });
  kv.put(id, 'image', Buffer.from('89504e470d0a1a0a0000000d', 'hex'));
}

/** The id of `demo-sessions`. */
export const sessions = 'a'.repeat(32);

/** Opens the console on the keys of `demo-sessions`. */
export async function openKeys(options: ConsoleOptions = {}): Promise<OpenConsole> {
  const app = openConsole({ fill: fillDemo, ...options });
  await app.screen.waitFor('demo-sessions');
  await app.go(['down'], (screen) => screen.selected()?.includes('demo-sessions') ?? false);
  // The preview of a namespace also shows its keys, but without this heading.
  await app.go(
    ['enter'],
    (screen) => /KEY +(?:EXPIRES|META)/.test(screen.text()) && screen.text().includes('user:2'),
  );
  return app;
}

/** Returns a function that fills the demo account and adds one key to the sessions. */
export function withKey(key: string, value: string): (kv: MemoryKv) => void {
  return (kv) => {
    fillDemo(kv);
    kv.put(sessions, key, value);
  };
}
