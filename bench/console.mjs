// The console on a real terminal: from a key press to the end of the frame that shows it, bytes in a frame, and frames
// drawn while nobody presses anything.
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';

const frameEnd = '\u001b[?2026l';
const down = '\u001b[B';
const pageDown = '\u001b[6~';

/** Budgets: milliseconds at the 95th percentile by columns, and bytes in a frame. */
const budgets = { milliseconds: { 120: 20, 250: 30 }, bytes: 6000 };

/**
 * Rows { name, p50, p95, budget, bytes, bytesBudget, idleFrames } for scrolling line by line and page by page through a
 * list at 120x40 and 250x70. `program` is { args, env, cwd } of a console that opens on the list after `presses`, each
 * of which is sent once the screen shows its text.
 */
export async function benchConsole(program, presses, { keys = 200 } = {}) {
  const rows = [];
  for (const [columns, lines] of [
    [120, 40],
    [250, 70],
  ]) {
    const terminal = open(program, columns, lines);
    try {
      for (const [wanted, press] of presses) {
        await terminal.until(wanted);
        terminal.write(press);
      }
      await terminal.quiet();
      const still = await measure(terminal, down, Math.min(keys, lines - 8));
      const scroll = await measure(terminal, down, keys);
      const page = await measure(terminal, pageDown, Math.ceil(keys / 4));
      const idleFrames = await terminal.framesDuring(1000);
      const budget = budgets.milliseconds[columns];
      const row = (name, figures) => ({
        name: `${columns}x${lines} ${name}`,
        ...figures,
        budget,
        bytesBudget: budgets.bytes,
      });
      rows.push(row('cursor', still), row('scroll', scroll), { ...row('page', page), idleFrames });
    } finally {
      terminal.close();
    }
  }
  return rows;
}

/** Medians of spawning the console until the frame that shows `wanted` is drawn whole, and that as a ratio to a bare node. */
export async function benchConsoleStart(program, wanted, { rounds = 9 } = {}) {
  const times = [];
  const bare = [];
  for (let round = 0; round < rounds; round++) {
    const beforeNode = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    bare.push(performance.now() - beforeNode);
    const before = performance.now();
    const terminal = open(program, 120, 40);
    try {
      await terminal.frameWith(wanted);
      times.push(performance.now() - before);
    } finally {
      terminal.close();
    }
  }
  return { milliseconds: percentile(times, 0.5), toNode: percentile(times, 0.5) / percentile(bare, 0.5) };
}

/** Presses one key after the other, each when the frame of the one before is there, 30 times a second at most. */
async function measure(terminal, press, count) {
  const times = [];
  const sizes = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    const size = await terminal.frameAfter(press);
    times.push(performance.now() - start);
    sizes.push(size);
    await sleep(33);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), bytes: percentile(sizes, 0.95) };
}

function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function open({ args, env, cwd }, columns, rows) {
  const pty = spawn(process.execPath, args, {
    cols: columns,
    rows,
    env: { ...env, TERM: 'xterm-256color' },
    cwd,
  });
  let text = '';
  let waiting = [];
  pty.onData((data) => {
    text += data;
    waiting = waiting.filter((look) => !look());
  });
  const when = (holds) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`nothing came: ${JSON.stringify(text.slice(-500))}`)),
        10_000,
      );
      const look = () => {
        if (!holds()) return false;
        clearTimeout(timer);
        resolve();
        return true;
      };
      if (!look()) waiting.push(look);
    });
  const frames = () => text.split(frameEnd).length - 1;
  return {
    write: (press) => pty.write(press),
    until: (wanted) => when(() => text.includes(wanted)),
    frameWith: (wanted) => when(() => text.includes(wanted) && text.lastIndexOf(frameEnd) > text.indexOf(wanted)),
    async frameAfter(press) {
      text = '';
      pty.write(press);
      await when(() => text.includes(frameEnd));
      return Buffer.byteLength(text.slice(0, text.indexOf(frameEnd) + frameEnd.length));
    },
    /** Resolves when nothing has been drawn for a while. */
    async quiet() {
      for (let before = -1; before !== text.length; await sleep(300)) before = text.length;
    },
    async framesDuring(milliseconds) {
      const before = frames();
      await sleep(milliseconds);
      return frames() - before;
    },
    close: () => pty.kill('SIGKILL'),
  };
}
