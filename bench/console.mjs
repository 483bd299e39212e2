// Measures the console on a real terminal, with a million loaded keys, and with the preview next to the list. Figures: the time from a key
// press to the end of the frame that shows its effect, bytes per frame, the work while idle, and the time until the first screen.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile } from './figures.mjs';
import { openKeys } from './lists.mjs';
import { openPlatform } from './platform.mjs';
import { openTerminal } from './terminal.mjs';

const program = resolve('dist/edgectl.cjs');
const down = '\u001b[B';
const pageDown = '\u001b[6~';

/** Budgets: 95th percentiles in milliseconds by number of columns, bytes per frame, and startup time as a ratio to bare node. */
const budgets = {
  milliseconds: { 120: 16, 250: 25 },
  bytes: { cursor: 500, scrolling: 2000 },
  start: 7,
  /** Frames per second while views are refreshed but nothing changes. */
  idle: 0,
};

/**
 * Returns three kinds of rows. Cursor movement in a list with this number of keys: { name, p50, p95, budget (ms), cpu (ms of
 * the rendering thread), bytes (95th percentile), bytesBudget }. Idle: { name, idleFrames, idleBudget }. Startup: { name,
 * milliseconds, toNode, nodeBudget, cpu, cpuToNode }.
 */
export async function benchConsole({ keys = 1_000_000, presses = 200, rounds = 15 } = {}) {
  const platform = await openPlatform(keys);
  const home = mkdtempSync(join(tmpdir(), 'bench-console-'));
  const place = {
    args: [program, 'console'],
    env: { PATH: process.env.PATH, HOME: home, ...platform.env },
    cwd: home,
  };
  const terminal = openTerminal(place);
  try {
    await openKeys(terminal, keys);
    const rows = [];
    for (const size of [
      { columns: 120, rows: 40 },
      { columns: 250, rows: 70 },
    ]) {
      rows.push(...(await benchScreen(terminal, size, presses)));
    }
    terminal.close();
    rows.push(await benchStart(place, rounds));
    return rows;
  } finally {
    terminal.close();
    await platform.close();
  }
}

async function benchScreen(terminal, size, presses) {
  const { columns, rows: lines } = size;
  terminal.resize(size);
  await terminal.quiet();
  terminal.write('g');
  await terminal.until((screen) => screen.selected()?.startsWith('session:0000000'));
  await terminal.quiet();
  const name = (what) => `console ${columns}x${lines}, ${what}`;
  const row = (what, figures, bytesBudget = budgets.bytes.scrolling) => ({
    name: name(what),
    ...figures,
    budget: budgets.milliseconds[columns],
    bytesBudget,
  });
  const still = Math.min(presses, lines - 8);
  return [
    row('cursor on a still page', await measure(terminal, down, still), budgets.bytes.cursor),
    row('scrolling by lines', await measure(terminal, down, presses)),
    row('scrolling by pages', await measure(terminal, pageDown, Math.ceil(presses / 4))),
    await benchIdle(terminal, name('idle for 15 s')),
  ];
}

/** Presses a key this many times, at most 30 times per second. Each press waits for the frame of the previous press. */
async function measure(terminal, press, count) {
  const tries = [];
  for (let index = 0; index < count; index++) {
    const before = { selected: terminal.screen.selected(), ran: terminal.ran };
    const frame = await terminal.frameAfter(press, (screen) => screen.selected() !== before.selected);
    await sleep(33);
    tries.push({ ...frame, cpu: terminal.ran - before.ran });
  }
  const of = (field, share) =>
    percentile(
      tries.map((one) => one[field]),
      share,
    );
  return {
    p50: of('milliseconds', 0.5),
    p95: of('milliseconds', 0.95),
    cpu: of('cpu', 0.5),
    cpu95: of('cpu', 0.95),
    bytes: of('bytes', 0.95),
  };
}

/** Measures what is drawn while no key is pressed. */
async function benchIdle(terminal, name) {
  await terminal.quiet();
  const before = { frames: terminal.frames, ran: terminal.ran };
  await sleep(15_000);
  return {
    name,
    idleFrames: terminal.frames - before.frames,
    idleBudget: budgets.idle,
    cpu: terminal.ran - before.ran,
  };
}

/** Measures the time from process start to the first full screen, alternating with a bare start of node. */
async function benchStart(place, rounds) {
  const times = { node: [], console: [] };
  const cpus = { node: [], console: [] };
  await keepCode(place);
  for (let round = 0; round < rounds; round++) {
    let start = performance.now();
    const bare = spawnSync(process.execPath, ['-e', ownBusyTime], { env: place.env, encoding: 'utf8' });
    times.node.push(performance.now() - start);
    cpus.node.push(Number(bare.stdout));
    start = performance.now();
    const terminal = openTerminal(place);
    await terminal.until((screen) => isWhole(screen.lines()));
    times.console.push(performance.now() - start);
    cpus.console.push(terminal.ran);
    terminal.close();
  }
  const milliseconds = median(times.console);
  return {
    name: 'console, first full screen',
    milliseconds,
    toNode: milliseconds / median(times.node),
    nodeBudget: budgets.start,
    cpu: median(cpus.console),
    cpuToNode: median(cpus.console) / median(cpus.node),
  };
}

/** Lets one console exit normally: only then is V8's compiled code saved. The measured consoles are killed. */
async function keepCode(place) {
  const first = openTerminal(place);
  await first.until((screen) => isWhole(screen.lines()));
  first.write('q');
  await first.ended;
}

/** Prints the processor time of the program's own main thread in milliseconds. */
const ownBusyTime =
  'process.stdout.write(String(fs.readFileSync("/proc/self/schedstat","utf8").split(" ")[0]/1e6))';

/** Returns true if a screen has its header and its footer. */
function isWhole(lines) {
  return lines[0].startsWith('PRODUCTION') && lines.at(-1).includes('? more');
}
