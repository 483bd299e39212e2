// Runs a console on a pseudo-terminal, and builds the screen from the console's output. The console writes only changed
// cells, so a visible string may not occur in the bytes of any frame: wait for the screen instead.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { Screen } from '../test/support/screen.ts';

const frameEnd = '\u001b[?2026l';

/** Starts a Node program on a terminal of this size, with only this environment. */
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
    /** Resolves when the screen contains a string, or satisfies a function. */
    until: (wanted, patience = 30_000) => screen.waitFor(wanted, patience),
    /**
     * Presses a key, and waits for the first frame after which the screen satisfies `holds`. Returns the milliseconds until the frame's
     * last byte was read, and the number of bytes of the frame.
     */
    async frameAfter(press, holds) {
      const start = performance.now();
      pty.write(press);
      const { at, bytes } = await frames.first(holds);
      return { milliseconds: at - start, bytes };
    },
    /** Resolves when nothing has been drawn for 500 ms. */
    async quiet() {
      for (let before = -1; before !== frames.bytes; await sleep(500)) before = frames.bytes;
    },
    get frames() {
      return frames.count;
    },
    /** Processor time of the rendering thread in milliseconds. */
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

/** Splits a program's output into frames. */
class Frames {
  count = 0;
  bytes = 0;
  #screen;
  /** Bytes of the unfinished frame. */
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

  /** Waits for the next frame after which the screen satisfies `holds`. */
  first(holds, patience = 20_000) {
    return new Promise((resolve, reject) => {
      const settle = (end, value) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        end(value);
      };
      const look = (frame) => holds(this.#screen) && settle(resolve, frame);
      const late = () =>
        settle(reject, new Error(`The console did not show the expected screen:\n${this.#screen.text()}`));
      const timer = setTimeout(late, patience);
      this.#waiting.add(look);
    });
  }
}
