import { type IPty, spawn } from '@lydell/node-pty';
import { Screen, type ScreenSize, toSequence } from './screen.ts';

export interface PtyOptions extends Partial<ScreenSize> {
  readonly cwd?: string;
  /** The complete environment except TERM; no variable is inherited from this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly term?: string;
  /** Delivers an answer from the terminal after a delay (default: immediately). */
  answer?(give: () => void): void;
}

/** The result of a program: the exit code, or the number of the signal that killed the program. */
export interface Ending {
  readonly code: number;
  readonly signal: number;
}

/** A program on a real pseudo-terminal. */
export interface Pty {
  readonly screen: Screen;
  readonly pid: number;
  readonly ended: Promise<Ending>;
  /** Sends presses by name, each in a separate write. */
  press(...presses: string[]): void;
  /** Sends one write unchanged. */
  send(input: string): void;
  resize(size: ScreenSize): void;
  kill(signal: string): void;
}

const running = new Set<IPty>();

/** Starts a program on a terminal (default: 90x30, which shows one pane). */
export function openPty(file: string, args: readonly string[], options: PtyOptions = {}): Pty {
  const { columns = 90, rows = 30, env = {}, term = 'xterm-256color' } = options;
  const pty = spawn(file, [...args], {
    cols: columns,
    rows,
    name: term,
    env: { ...env, TERM: term },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  const { answer = (give) => give() } = options;
  const screen = new Screen({ columns, rows }, (text) => answer(() => pty.write(text)));
  running.add(pty);
  pty.onData((data) => screen.write(data));
  const ended = new Promise<Ending>((resolve) => {
    pty.onExit(({ exitCode, signal = 0 }) => {
      running.delete(pty);
      // The screen may not have processed the last output yet.
      screen.write('', () => resolve({ code: exitCode, signal }));
    });
  });
  return {
    screen,
    pid: pty.pid,
    ended,
    press(...presses) {
      for (const press of presses) pty.write(toSequence(press));
    },
    send: (input) => pty.write(input),
    resize(size) {
      screen.resize(size);
      pty.resize(size.columns, size.rows);
    },
    kill: (signal) => pty.kill(signal),
  };
}

/** Kills processes that a failed test has left running. For `afterEach`. */
export function closePtys(): void {
  for (const pty of running) pty.kill('SIGKILL');
  running.clear();
}
