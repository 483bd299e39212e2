// A console on a pseudo-terminal, and the screen made of its bytes. The console writes only the changed cells, so that no text
// of the screen need be among the bytes of any frame: tests wait for the screen.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { Screen } from '../test/support/screen.ts';

const frameEnd = '\u001b[?2026l';

/** Starts a program of node on a terminal of a size, with this environment alone. */
export function openTerminal({ args, env, cwd, columns = 120, rows = 40 }) {
  const pty = spawn(process.execPath, args, {
    cols: columns,
    rows,
    env: { ...env, TERM: 'xterm-256color' },
    cwd,
  });
  const screen = new Screen({ columns, rows }, (text) => pty.write(text));
  const frames = new Frames(screen);
  pty.onData((data) => frames.take(data));
  return {
    screen,
    write: (press) => pty.write(press),
    resize(size) {
      screen.resize(size);
      pty.resize(size.columns, size.rows);
    },
    /** Resolves when the screen shows a string, or what a function looks for. */
    until: (wanted, patience = 30_000) => screen.waitFor(wanted, patience),
    /** A press, and the first frame after which the screen is as a function wants it: milliseconds until its last byte was read, and its bytes. */
    async frameAfter(press, holds) {
      const start = performance.now();
      pty.write(press);
      const { at, bytes } = await frames.first(holds);
      return { milliseconds: at - start, bytes };
    },
    /** Resolves when nothing has been drawn for a while. */
    async quiet() {
      for (let before = -1; before !== frames.bytes; await sleep(500)) before = frames.bytes;
    },
    get frames() {
      return frames.count;
    },
    /** Milliseconds that the thread which draws was on a processor. */
    get ran() {
      return Number(readFileSync(`/proc/${pty.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    },
    get megabytes() {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pty.pid}/status`, 'utf8'))[1]) / 1000;
    },
    ended: new Promise((ended) => pty.onExit(ended)),
    close: () => pty.kill('SIGKILL'),
  };
}

/** Draws what a program writes, frame by frame. */
class Frames {
  count = 0;
  bytes = 0;
  #screen;
  /** Bytes of the frame that has not ended. */
  #begun = 0;
  #waiting = new Set();

  constructor(screen) {
    this.#screen = screen;
  }

  take(data) {
    const at = performance.now();
    this.bytes += Buffer.byteLength(data);
    const parts = data.split(frameEnd);
    const rest = parts.pop() ?? '';
    for (const part of parts) {
      const frame = { at, bytes: this.#begun + Buffer.byteLength(part) + frameEnd.length };
      this.#begun = 0;
      this.count++;
      this.#screen.write(part + frameEnd, () => this.#drawn(frame));
    }
    this.#begun += Buffer.byteLength(rest);
    if (rest !== '') this.#screen.write(rest);
    this.#screen.raw = '';
  }

  #drawn(frame) {
    for (const look of this.#waiting) look(frame);
  }

  /** The next frame after which the screen matches. */
  first(holds, patience = 20_000) {
    return new Promise((resolve, reject) => {
      const settle = (end, value) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        end(value);
      };
      const look = (frame) => holds(this.#screen) && settle(resolve, frame);
      const late = () => settle(reject, new Error(`the console did not draw it:\n${this.#screen.text()}`));
      const timer = setTimeout(late, patience);
      this.#waiting.add(look);
    });
  }
}
