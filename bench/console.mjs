// The console on a real terminal over the sandbox, with the preview beside the list: from a key press to the end of the frame that shows it, bytes in a
// frame, frames drawn while nobody presses anything, and the time until the first screen is there.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';

const program = resolve('dist/edgectl.cjs');
const frameEnd = '\u001b[?2026l';
const down = '\u001b[B';
const pageDown = '\u001b[6~';

/** Budgets: milliseconds at the 95th percentile and bytes in a frame, by columns, and the start as a ratio to bare node. */
const budgets = {
  milliseconds: { 120: 16, 250: 25 },
  bytes: { cursor: { 120: 500, 250: 500 }, scrolling: { 120: 2000, 250: 3500 } },
  start: 12,
};

/**
 * Rows { name, p50, p95, budget (ms), bytes (95th percentile), bytesBudget, idleFrames } of a list of 100,000 keys,
 * and one { name, milliseconds, toNode, nodeBudget } of the start.
 */
export async function benchConsole({ keys = 100_000, presses = 200, rounds = 9 } = {}) {
  const place = prepare(keys);
  const rows = [];
  for (const [columns, lines] of [
    [120, 40],
    [250, 70],
  ]) {
    rows.push(...(await benchScreen(place, columns, lines, presses)));
  }
  rows.push(await benchStart(place, rounds));
  return rows;
}

/** A sandbox with one namespace full of keys, in a home of its own. */
function prepare(keys) {
  const home = mkdtempSync(join(tmpdir(), 'bench-console-'));
  const env = { PATH: process.env.PATH, HOME: home };
  const edgectl = (...args) => {
    const result = spawnSync(process.execPath, [program, ...args, '--sandbox'], {
      env,
      cwd: home,
      encoding: 'utf8',
    });
    if (result.status !== 0) throw new Error(`${args.join(' ')}\n${result.stdout}${result.stderr}`);
    return result.stdout;
  };
  const { id } = JSON.parse(edgectl('kv', 'namespace', 'create', 'SESSIONS', '--json'));
  const entries = Array.from({ length: keys }, (_, index) => ({
    key: `session:${String(index).padStart(7, '0')}:user-${(index * 7919) % 1000}`,
    value: JSON.stringify({
      session: index,
      pages: Array.from({ length: 12 }, (_, page) => `/docs/${page}`),
    }),
    ...(index % 3 === 0 && { expiration_ttl: 3600 * (1 + (index % 100)), metadata: { index } }),
  }));
  const file = join(home, 'keys.json');
  writeFileSync(file, JSON.stringify(entries));
  edgectl('kv', 'bulk', 'put', file, '--namespace-id', id, '--quiet');
  return { args: [program, 'console', '--sandbox'], env, cwd: home };
}

async function benchScreen(place, columns, lines, presses) {
  const terminal = open(place, columns, lines);
  try {
    await terminal.until('Namespaces');
    terminal.write('1');
    await terminal.until('TITLE');
    await terminal.quiet();
    terminal.write('\r');
    await terminal.until('EXPIRES');
    await terminal.quiet();
    const row = (name, figures, bytes = budgets.bytes.scrolling) => ({
      name: `console ${columns}x${lines}, ${name}`,
      ...figures,
      budget: budgets.milliseconds[columns],
      bytesBudget: bytes[columns],
    });
    const rows = [
      row(
        'cursor on a still page',
        await measure(terminal, down, Math.min(presses, lines - 8)),
        budgets.bytes.cursor,
      ),
      row('scrolling by lines', await measure(terminal, down, presses)),
      row('scrolling by pages', await measure(terminal, pageDown, Math.ceil(presses / 4))),
    ];
    await terminal.quiet();
    return [
      ...rows,
      { name: `console ${columns}x${lines}, idle for 1 s`, idleFrames: await terminal.framesDuring(1000) },
    ];
  } finally {
    terminal.close();
  }
}

/** From the start of the process to the first full screen, round-robin with a bare start of node. */
async function benchStart(place, rounds) {
  const times = { node: [], console: [] };
  for (let round = 0; round < rounds; round++) {
    let start = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { env: place.env });
    times.node.push(performance.now() - start);
    start = performance.now();
    const terminal = open(place, 120, 40);
    await terminal.until('Namespaces');
    times.console.push(performance.now() - start);
    terminal.close();
  }
  const milliseconds = percentile(times.console, 0.5);
  const toNode = milliseconds / percentile(times.node, 0.5);
  return { name: 'console, first full screen', milliseconds, toNode, nodeBudget: budgets.start };
}

/** Presses one key after the other, each when the frame of the one before is there, 30 times a second at most. */
async function measure(terminal, press, count) {
  const times = [];
  const sizes = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    sizes.push(await terminal.frameAfter(press));
    times.push(performance.now() - start);
    await sleep(33);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), bytes: percentile(sizes, 0.95) };
}

function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** A console on a pseudo-terminal. */
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
      const late = () =>
        reject(new Error(`the console did not draw it: ${JSON.stringify(text.slice(-500))}`));
      const timer = setTimeout(late, 20_000);
      const look = () => {
        if (!holds()) return false;
        clearTimeout(timer);
        resolve();
        return true;
      };
      if (!look()) waiting.push(look);
    });
  return {
    write: (press) => pty.write(press),
    until: (wanted) => when(() => text.includes(wanted)),
    /** Bytes of the frame that a press brings. */
    async frameAfter(press) {
      text = '';
      pty.write(press);
      await when(() => text.includes(frameEnd));
      return Buffer.byteLength(text.slice(0, text.indexOf(frameEnd) + frameEnd.length));
    },
    /** Resolves when nothing has been drawn for a while. */
    async quiet() {
      for (let before = -1; before !== text.length; await sleep(500)) before = text.length;
    },
    async framesDuring(milliseconds) {
      text = '';
      await sleep(milliseconds);
      return text.split(frameEnd).length - 1;
    },
    close: () => pty.kill('SIGKILL'),
  };
}
