// Measures a console list with a million keys, on a real terminal with a platform that generates the keys on request. Figures: memory, the
// time from typing a letter of a filter to the first frame, and the time until all keys have been searched.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './figures.mjs';
import { openPlatform } from './platform.mjs';
import { openTerminal } from './terminal.mjs';

const program = resolve('dist/edgectl.cjs');
const typed = '7123';

/** Budgets: megabytes of resident memory, and milliseconds per letter. */
const budgets = { megabytes: 250, milliseconds: 100 };

/**
 * Returns rows { name, megabytes, megabytesBudget } and { name, milliseconds, millisecondsBudget } for lists with the given
 * numbers of keys.
 */
export async function benchLists({ sizes = [100_000, 1_000_000], rounds = 7 } = {}) {
  const rows = [];
  for (const keys of sizes) rows.push(...(await benchList(keys, rounds)));
  return rows;
}

async function benchList(keys, rounds) {
  const platform = await openPlatform(keys);
  const home = mkdtempSync(join(tmpdir(), 'bench-lists-'));
  const env = { PATH: process.env.PATH, HOME: home, ...platform.env };
  const terminal = openTerminal({ args: [program, 'console'], env, cwd: home });
  try {
    await openKeys(terminal, keys);
    const name = (what) => `console, ${keys.toLocaleString('en')} keys ${what}`;
    const memory = (what) => ({
      name: name(what),
      megabytes: terminal.megabytes,
      megabytesBudget: budgets.megabytes,
    });
    const rows = [memory('listed')];
    const tries = [];
    const seconds = [];
    for (let round = 0; round < rounds; round++) {
      tries.push(await typeFilter(terminal, keys));
      seconds.push(await typeOn(terminal));
    }
    rows.push(...[...typed].map((letter, at) => letterRow(name(`filter ${letter}`), tries, at)));
    rows.push({
      name: name('a letter during filtering'),
      first: median(seconds),
      firstBudget: budgets.milliseconds,
    });
    rows.push(memory('filtered'));
    return rows;
  } finally {
    terminal.close();
    await platform.close();
  }
}

/** Opens the list of keys, and loads all keys. */
export async function openKeys(terminal, keys) {
  await terminal.until('Namespaces');
  terminal.write('1');
  await terminal.until('SESSIONS');
  await terminal.quiet();
  terminal.write('\r');
  await terminal.until('session:0000000');
  await terminal.quiet();
  terminal.write('L');
  await terminal.until(`${keys.toLocaleString('en')} keys`, 300_000);
  await terminal.quiet();
}

/** Types a filter letter by letter, waits until each search ends before typing the next letter, and then clears the filter. */
async function typeFilter(terminal, keys) {
  const whole = new RegExp(`[^…] of ${keys.toLocaleString('en')} loaded`);
  await openFilter(terminal);
  const letters = [];
  for (const letter of typed) {
    const before = terminal.ran;
    const start = performance.now();
    const text = typed.slice(0, letters.length + 1);
    const first = await terminal.frameAfter(letter, (screen) => screen.text().includes(`/ ${text}`));
    await terminal.until((screen) => whole.test(screen.text()));
    const milliseconds = performance.now() - start;
    letters.push({ first: first.milliseconds, milliseconds, cpu: terminal.ran - before });
    await terminal.quiet();
  }
  await clearFilter(terminal);
  return letters;
}

/**
 * Returns the milliseconds until a typed letter appears in the filter while the search for the previous letter is still
 * running.
 */
async function typeOn(terminal) {
  await openFilter(terminal);
  terminal.write(typed[0]);
  await sleep(10);
  const text = `/ ${typed.slice(0, 2)}`;
  const { milliseconds } = await terminal.frameAfter(typed[1], (screen) => screen.text().includes(text));
  await clearFilter(terminal);
  return milliseconds;
}

async function openFilter(terminal) {
  terminal.write('/');
  await terminal.until('/regex/');
  await terminal.quiet();
}

async function clearFilter(terminal) {
  terminal.write('\u001b');
  await terminal.until((screen) => !screen.text().includes('/regex/'));
  await terminal.quiet();
}

function letterRow(name, tries, at) {
  const of = (field) => median(tries.map((letters) => letters[at][field]));
  return {
    name,
    first: of('first'),
    milliseconds: of('milliseconds'),
    millisecondsBudget: budgets.milliseconds,
    cpu: of('cpu'),
  };
}
