import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { TestSandbox } from '../../src/library/sandbox-types.ts';
import { program, userEnvironment } from '../support/program.ts';
import { openPty, type Pty } from '../support/pty.ts';
import type { Screen } from '../support/screen.ts';
import { scratchFolder } from '../support/world.ts';
import { hostileTexts } from './hostile.ts';

/** Statistics of a monkey run. */
export interface MonkeyReport {
  readonly writes: number;
  readonly consoles: number;
  /** The number of destructive requests. */
  readonly destructive: number;
  /** Resident memory of each console in MiB, at each check of its screen. */
  readonly memory: readonly (readonly number[])[];
}

/**
 * Sends random input to the console on the demo data of a served sandbox: keys, bursts, pastes, random bytes, sizes, signals. The same seed
 * gives the same input. Fails if the console exits without an exit key, does not restore the terminal, does not draw a complete screen
 * again, or deletes data without a confirmation. With `beside`, a second console shows the same data, and its screen must stay complete.
 */
export async function letMonkeyAt(
  seed: number,
  milliseconds: number,
  { quitsOneIn = 12, beside = false }: { readonly quitsOneIn?: number; readonly beside?: boolean } = {},
): Promise<MonkeyReport> {
  await using sandbox = await startSandbox({ demo: true });
  await putHostileKeys(sandbox);
  const monkey = new Monkey(sandbox, createRandom(seed), quitsOneIn);
  await monkey.opened();
  const reader = beside ? new Reader(sandbox, createRandom(seed + 1)) : undefined;
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    await monkey.step();
    await reader?.step();
  }
  await reader?.leave();
  return await monkey.leave();
}

export type Random = (below: number) => number;

/** Creates a Mulberry32 generator, which returns the same numbers on every machine. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

async function putHostileKeys({ apiBaseUrl, accountId, apiToken }: TestSandbox): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' };
    const url = `${apiBaseUrl}/accounts/${accountId}/storage/kv/namespaces${path}`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    return (await answer.json()) as { result: { id: string } };
  };
  const { result } = await send('POST', '', { title: 'A hostile \u001b]0;owned\u0007\u202e title' });
  const entries = hostileTexts.map(([, text]) => ({ key: `k${text}`, value: text, metadata: { text } }));
  await send('PUT', `/${result.id}/bulk`, entries);
}

const presses = [
  ...'abcdefghijklmnoprstuvwxyzABCDEFGHILMNOPRSTUVWXYZ0123456789?:;.,-_+*#!"$%&()=[]{}<>|~^',
  "'",
  ...Array.from({ length: 4 }, () => [
    '\r',
    '\u001b',
    '\u001b[A',
    '\u001b[B',
    '\u001b[C',
    '\u001b[D',
    'y',
    'd',
  ]).flat(),
  ...['\t', '\u001b[Z', ' ', '\u007f', '\u001b[3~', '\u001b[5~', '\u001b[6~', '\u001b[F', '/', '\f', '\n'],
  ...['\u001bf', '\u001bb', '\u0004', '\u0005', '\u0006', '\u0002', '\u001bOP', '\u001b[15~', '\u001b[1;5C'],
];

/** Partial sequences, answers of terminals, mouse events. */
const oddities = [
  ...[
    '\u001b[',
    '\u001bO',
    '\u001b[<0;5;5M',
    '\u001b[M !!',
    '\u001b]11;rgb:0/0/0\u0007',
    '\u001bP1$r',
    '\u001b[200~',
  ],
  ...[
    '\u001b[?1;2c',
    '\u001b[201~',
    '\u001b[I',
    '\u001b[O',
    '\u001b[12;40R',
    '\u001b[99;5:1u',
    '\u0000',
    '\u001b\u001b',
  ],
];

/** Sequences of keys that random input rarely produces: they open lists, or answer questions. */
const routes = [
  ['1', '\r', '\r'],
  ['2', '\r', '\r'],
  ['3', '\r'],
  ['4', '\r'],
  ['\u001b', 'd', 'y'],
  ['\u001b', 'd', '\u001b[B', '\r'],
  ['1', 'j', '\r', 'd', 'y'],
  ['2', '\r', 'd', 'y'],
  ['1', '\r', ' ', 'j', ' ', 'd', 'y'],
  ['\u001b', 'd', '\r', '\u001b'],
  ['n', 'x', '\t', 'y', '\r'],
];

/**
 * Characters that are removed from random input: keys that exit or stop the console, keys that edit the start of a path, and the slash,
 * because a path that starts with a slash leaves the working directory.
 */
const spared = /[\u0001\u0003\u0015\u0017\u001aq/]/g;

class Monkey {
  readonly #sandbox: TestSandbox;
  readonly #random: Random;
  readonly #home = scratchFolder('monkey');
  readonly #memory: number[][] = [];
  /** A step ends a console with a probability of one in this number. */
  readonly #quitsOneIn: number;
  #pty: Pty;
  #size = { columns: 100, rows: 30 };
  #ended = false;
  /** The planned sequence of presses. */
  #next: string[] = [];
  #writes = 0;
  #consoles = 0;
  /** All output since the last destructive request. */
  #log = '';
  #seen = 0;

  constructor(sandbox: TestSandbox, random: Random, quitsOneIn: number) {
    this.#sandbox = sandbox;
    this.#quitsOneIn = quitsOneIn;
    this.#random = random;
    this.#pty = this.#start();
  }

  /** Waits until the program is running: before that, the terminal handles Ctrl-C and kills the program. */
  async opened(): Promise<void> {
    await this.#whole(30_000);
  }

  async step(): Promise<void> {
    for (let write = 0; write < 12 && !this.#ended; write++) {
      this.#act();
      await sleep(15 + this.#random(25));
    }
    if (this.#ended) await this.#begin();
    else if (this.#random(this.#quitsOneIn) === 0) await this.#quit();
    else await this.#look();
  }

  async leave(): Promise<MonkeyReport> {
    await this.#look();
    await this.#quit();
    return {
      writes: this.#writes,
      consoles: this.#consoles,
      destructive: this.#seen,
      memory: this.#memory,
    };
  }

  #start(): Pty {
    this.#consoles++;
    this.#memory.push([]);
    this.#ended = false;
    const own = { EDITOR: 'true', ...(this.#consoles % 2 === 0 && { EDGECTL_MOUSE: '1' }) };
    const env = { ...userEnvironment(this.#home), ...this.#sandbox.env, ...own };
    const pty = openPty(process.execPath, [program, 'console'], { ...this.#size, cwd: this.#home, env });
    void pty.ended.then(() => {
      if (pty !== this.#pty) return;
      this.#ended = true;
      // Nothing more is drawn, so an empty write makes waiters check the screen again.
      pty.screen.write('');
    });
    return pty;
  }

  #act(): void {
    const chance = this.#random(100);
    this.#writes++;
    if (this.#next.length > 0) this.#send(this.#next.shift() ?? '');
    else if (chance < 8) this.#next.push(...this.#oneOf(routes));
    else if (chance < 62) this.#send(this.#oneOf(presses));
    else if (chance < 72)
      this.#send(this.#oneOf(['j', 'k', 'x', '\u001b[B', '\u007f']).repeat(1 + this.#random(60)));
    else if (chance < 80) this.#send(`\u001b[200~${this.#text()}\u001b[201~`);
    else if (chance < 86) this.#send(this.#bytes());
    else if (chance < 88) this.#send(this.#oneOf(oddities));
    else if (chance < 90) this.#click();
    else if (chance < 98) this.#resize();
    else process.kill(this.#pty.pid, this.#oneOf(['SIGWINCH', 'SIGCONT'] as const));
  }

  #send(input: string): void {
    this.#log += input;
    this.#pty.send(input);
  }

  /** Sends one or two clicks, or a turn of the wheel, at a random cell. */
  #click(): void {
    const { columns, rows } = this.#size;
    const at = `${1 + this.#random(columns)};${1 + this.#random(rows)}`;
    const button = this.#oneOf([0, 0, 0, 64, 65]);
    this.#send(`\u001b[<${button};${at}M\u001b[<${button};${at}m`.repeat(1 + this.#random(2)));
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[this.#random(all.length)] as T;
  }

  #text(): string {
    return this.#oneOf(hostileTexts)[1]
      .replace(spared, '')
      .repeat(1 + this.#random(200));
  }

  #bytes(): string {
    const codes = Array.from({ length: 1 + this.#random(24) }, () => this.#random(256));
    return Buffer.from(codes).toString('latin1').replace(spared, '');
  }

  #resize(): void {
    const columns = 8 + this.#random(180);
    const rows = 3 + this.#random(50);
    this.#size = { columns, rows };
    this.#pty.resize(this.#size);
  }

  /** Expects the screen to become complete again after any input. */
  async #look(): Promise<void> {
    const { screen, pid } = this.#pty;
    await this.#whole(20_000);
    if (this.#ended) return;
    expect([
      screen.titles,
      screen.clipboards.filter((text) => text.includes('?')),
      screen.links,
      screen.bells,
    ]).toEqual([[], [], [], 0]);
    if (process.platform === 'linux') this.#memory.at(-1)?.push(residentMemory(pid));
    await this.#judge();
  }

  /** Waits until the screen is complete or the console has exited. If neither happens, fails with the input so far. */
  async #whole(timeoutMs: number): Promise<void> {
    const { screen, pid } = this.#pty;
    try {
      await screen.waitFor((drawn) => this.#ended || isWhole(drawn, this.#size), timeoutMs);
    } catch (cause) {
      const sent = JSON.stringify(this.#log.slice(-300));
      const written = JSON.stringify(screen.raw.slice(-1000));
      const state = JSON.stringify({ ...this.#size, ...screen.modes() });
      throw new Error(
        `Process ${pid} has no complete screen after write ${this.#writes}: ${state}\nsent ${sent}\nwrote ${written}`,
        {
          cause,
        },
      );
    }
  }

  /** Presses Ctrl-C until the console has exited, because Ctrl-C after the start of a paste is pasted. Then starts another console. */
  async #quit(): Promise<void> {
    for (let press = 0; press < 10 && !this.#ended; press++) {
      this.#send('\u0003');
      await Promise.race([this.#pty.ended, sleep(2000)]);
    }
    await this.#begin();
  }

  /** Checks how the console exited, and starts another console. */
  async #begin(): Promise<void> {
    const { screen, ended } = this.#pty;
    const { code, signal } = await ended;
    expect({ code: [0, 130].includes(code) ? 0 : code, signal }, screen.raw.slice(-2000)).toEqual({
      code: 0,
      signal: 0,
    });
    expect(screen.modes()).toEqual({
      alternate: false,
      wrap: true,
      paste: false,
      mouse: 'none',
      cursor: true,
    });
    await this.#judge();
    this.#pty = this.#start();
    await this.opened();
  }

  /**
   * Checks that every deletion was confirmed. If a deletion requires typing a name, it must not have happened: the monkey never types such
   * a name.
   */
  async #judge(): Promise<void> {
    const requests = await this.#sandbox.requests();
    const destructive = requests.filter(
      // Ending a live log deletes nothing.
      ({ method, path }) =>
        (method === 'DELETE' && !/\/tails\/[^/]+$/.test(path)) || /\/bulk\/delete$/.test(path),
    );
    const containers = /\/(?:namespaces|buckets)\/[^/]+$/;
    expect(destructive.filter(({ path }) => containers.test(path)).map(({ path }) => path)).toEqual([]);
    if (destructive.length > this.#seen) {
      expect(this.#log, destructive.at(-1)?.path).toMatch(
        /(?:[dDxX]|M).*(?:y|\u001b\[[ABCD].*\r|M.*(?:M|\r))/s,
      );
      // Later presses may already have confirmed another deletion, which runs behind its pane and can arrive after this check.
      this.#log = this.#log.slice(-1000);
    }
    this.#seen = destructive.length;
  }
}

/** A second console that only reads, and whose views are refreshed while the monkey changes their data. */
class Reader {
  readonly #random: Random;
  readonly #pty: Pty;
  readonly #size = { columns: 120, rows: 40 };
  #steps = 0;

  constructor(sandbox: TestSandbox, random: Random) {
    this.#random = random;
    const home = scratchFolder('reader');
    const env = { ...userEnvironment(home), ...sandbox.env };
    this.#pty = openPty(process.execPath, [program, 'console'], { ...this.#size, cwd: home, env });
  }

  /** Presses a random key at every twentieth step, and expects the screen to become complete. */
  async step(): Promise<void> {
    this.#steps++;
    const moves = ['0', '1', '2', '3', '4', '5', 'j', 'j', 'k', '\r', '\u001b'];
    if (this.#steps % 20 === 0) this.#pty.send(moves[this.#random(moves.length)] ?? 'j');
    await this.#pty.screen.waitFor((drawn) => isWhole(drawn, this.#size), 20_000);
  }

  async leave(): Promise<void> {
    this.#pty.send('\u0003');
    expect(await this.#pty.ended).toEqual({ code: 130, signal: 0 });
  }
}

/**
 * Returns true if the header and the footer are in place, once each, and only the console's own cursor is visible. A screen that is too
 * small must show the required size instead.
 */
function isWhole(screen: Screen, { columns, rows }: { columns: number; rows: number }): boolean {
  const lines = screen.lines();
  const { alternate, wrap, paste, cursor } = screen.modes();
  if (!alternate || wrap || !paste || cursor) return false;
  if (columns < 40 || rows < 10) return /^(?:The|Needs|40x10)/.test(lines[0] ?? '');
  const badge = /^(?:PRODUCTION|PREVIEW|LOCAL|DEMO|SANDBOX|ALL TARGETS)\b/;
  const isFull = badge.test(lines[0] ?? '') && (lines.at(-1) ?? '') !== '';
  return isFull && lines.filter((line) => badge.test(line)).length === 1;
}

function residentMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
