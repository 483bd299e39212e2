import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import type { StyledStretch } from '../support/screen.ts';
import { buildProgram, programEnvironment } from '../terminal/build-program.ts';
import { createRandom, type Random } from '../terminal/monkey.ts';

afterEach(closePtys);

/** `REDRAW_MINUTES=1 npm run test:soak -- redraw`; `REDRAW_SEED` repeats the same input. */
const minutes = Number(process.env['REDRAW_MINUTES'] ?? 15);

const timeoutMs = (minutes + 5) * 60_000;

/** Key presses that move the cursor, open panes and dialogs, filter and reload, but change no data. */
const presses = [
  ...['j', 'k', 'G', 'g', '\r', '\u001b', 'r', '/', 'x', '\u007f', '?', ':', 'T', 'n', '|', '[', ']', 'o'],
  ...[
    '\u001b[A',
    '\u001b[B',
    '\u001b[5~',
    '\u001b[6~',
    '0',
    '1',
    'M',
    'd',
    'F',
    'jjjjjjjj',
    '\u001b[B\u001b[B',
  ],
];

/** More than one page of keys that never expire, so that nothing on the screen counts down. */
const entries = Array.from({ length: 1500 }, (_, index) => [
  `session:${1000 + index}:user-${index % 7}`,
  `{"n":[${index}]}`,
]);

/** Number of consoles in parallel: each of them mostly waits. */
const consoles = 6;

test.runIf(process.platform === 'linux')(
  'draws the same screen as a full redraw, regardless of the input while the window is resized',
  async () => {
    const seed = Number(process.env['REDRAW_SEED'] ?? Date.now() % 1_000_000);
    const program = await buildProgram();
    const end = performance.now() + minutes * 60_000;
    const seeds = Array.from({ length: consoles }, (_, index) => seed + index);
    const rounds = await Promise.all(seeds.map((own) => shakeUntil(end, program, own)));
    console.log({ seed, rounds });
  },
  timeoutMs,
);

/**
 * Resizes a console in bursts until a given time, and compares the screen with a full redraw after each burst. Returns the number of
 * comparisons.
 */
async function shakeUntil(end: number, program: string, seed: number): Promise<number> {
  const random = createRandom(seed);
  const pty = openPty(process.execPath, [program, JSON.stringify({ entries })], { env: programEnvironment });
  await pty.screen.waitFor('sessions');
  let rounds = 0;
  for (; performance.now() < end; rounds++) {
    const done = await shake(pty, random);
    await settled(pty);
    const before = drawnOn(pty);
    pty.screen.raw = '';
    pty.press('ctrl+l');
    await pty.screen.waitFor(({ raw }) => raw.includes(erased));
    await settled(pty);
    expect(drawnOn(pty), `seed ${seed}, round ${rounds}: ${JSON.stringify(done)}`).toEqual(before);
    pty.screen.raw = '';
  }
  return rounds;
}

/** The sequence that precedes a full redraw of the screen. */
const erased = '\u001b[H\u001b[2J';

/**
 * Resizes the window several times in quick succession, with key presses before, between and after. Returns the key presses and the new
 * sizes, in order.
 */
async function shake(pty: Pty, random: Random): Promise<string[]> {
  const done: string[] = [];
  for (let step = 1 + random(12); step >= 0; step--) {
    const press = presses[random(presses.length)] ?? '';
    const size = { columns: 38 + random(140), rows: 9 + random(45) };
    const isResized = step === 0 || random(3) > 0;
    if (random(3) > 0) pty.send(press);
    // Waits for a short time, so that some resizes follow a frame that was just drawn.
    if (random(3) > 0) await sleep(random(10));
    if (isResized) pty.resize(size);
    if (random(3) === 0) pty.send(press);
    done.push(isResized ? `${press} ${size.columns}x${size.rows}` : press);
    if (random(2) === 0) await sleep(random(40));
  }
  return done;
}

/** Returns the rows with their styles, without the ages, which change over time. */
function drawnOn({ screen }: Pty): string[] {
  return screen.lines().map((line, row) => {
    return row === 0
      ? line.replace(/ *(?:live|just now|\d+ (?:s|min) ago).*/, '')
      : `${line} ${visibleStyles(screen.stretches(row))}`;
  });
}

/** Returns the styles of a row with their columns, without the foreground color of blanks at the end of a part, which is invisible. */
function visibleStyles(stretches: readonly StyledStretch[]): string {
  const runs: { style: string; column: number }[] = [];
  const add = (style: string, column: number) => {
    if (runs.at(-1)?.style !== style) runs.push({ style, column });
  };
  for (const { text, style, column, columns } of stretches) {
    const blanks = /under|strike|inverse/.test(style) ? 0 : text.length - text.trimEnd().length;
    if (blanks < columns) add(style, column);
    if (blanks > 0) add(style.replace(/ ?fore-\d+ ?/, ''), column + columns - blanks);
  }
  return runs.map(({ style, column }) => `${style}@${column}`).join(' ');
}

/** Milliseconds without activity after which a program counts as idle: longer than the longest delay in the program. */
const quiet = 300;

/** Resolves when the program has been idle for `quiet` milliseconds, and the screen shows all its output. */
async function settled({ pid, screen }: Pty): Promise<void> {
  for (let before = ''; ; ) {
    await new Promise<void>((resolve) => screen.write('', resolve));
    const now = `${getWakings(pid)} ${screen.raw.length}`;
    if (now === before) return;
    before = now;
    await sleep(quiet);
  }
}

/** Returns how often the threads of a process have slept and resumed; the number changes while a thread runs. */
function getWakings(pid: number): string {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    const isAsleep = /^State:\s+S/m.test(status);
    return isAsleep ? (status.match(/ctxt_switches:\s+\d+/g) ?? []).join() : String(performance.now());
  });
  return threads.join();
}
