import { type IPty, spawn } from '@lydell/node-pty';
import { Screen, type ScreenSize, sequenceOf } from './screen.ts';

export interface PtyOptions extends Partial<ScreenSize> {
  readonly cwd?: string;
  /** The whole environment but TERM; nothing of this process's own gets in. */
  readonly env?: Readonly<Record<string, string>>;
  readonly term?: string;
  /** Gives an answer of the terminal when its time has come; left out, at once. */
  answer?(give: () => void): void;
}

/** How a program ended: its exit code, or the number of the signal that killed it. */
export interface Ending {
  readonly code: number;
  readonly signal: number;
}

/** A program on a real pseudo-terminal. */
export interface Pty {
  readonly screen: Screen;
  readonly pid: number;
  readonly ended: Promise<Ending>;
  /** Presses by name, each a write of its own. */
  press(...presses: string[]): void;
  /** One write, as it is. */
  send(input: string): void;
  resize(size: ScreenSize): void;
  kill(signal: string): void;
}

const running = new Set<IPty>();

/** Starts a program on a terminal of 90x30, where one pane is drawn, unless the options say otherwise. */
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
      // What was written last may still be on its way through the screen.
      screen.write('', () => resolve({ code: exitCode, signal }));
    });
  });
  return {
    screen,
    pid: pty.pid,
    ended,
    press(...presses) {
      for (const press of presses) pty.write(sequenceOf(press));
    },
    send: (input) => pty.write(input),
    resize(size) {
      screen.resize(size);
      pty.resize(size.columns, size.rows);
    },
    kill: (signal) => pty.kill(signal),
  };
}

/** Ends what a failed test has left running. For `afterEach`. */
export function closePtys(): void {
  for (const pty of running) pty.kill('SIGKILL');
  running.clear();
}
