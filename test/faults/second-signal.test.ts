import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleCases } from '../support/in-part.ts';
import { program, userEnvironment } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';
import { type CommandLine, commandLines, titleOf } from './suite/command-lines.ts';
import { openStage, type Stage } from './suite/stage.ts';

/** A server that accepts every connection and never answers. */
const server = createServer((socket) => socket.on('error', () => undefined).resume());
let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** Maximum milliseconds from the second signal to the end of the command. */
const deadline = 2000;

/** Returns true if a process has a handler for SIGINT (proc(5), SigCgt). */
function isListening(pid: number): boolean {
  const mask = /SigCgt:\s*([0-9a-f]+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${mask}`) >> 1n) & 1n) === 1n;
}

function start(
  { words, rest, files = {} }: CommandLine,
  home: Readonly<Record<string, string>>,
): ChildProcess {
  const cwd = scratchFolder('cwd');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const { port } = server.address() as AddressInfo;
  const given = typeof rest === 'function' ? rest(stage) : rest;
  // Standard input stays open without data, so commands that read it also wait.
  return spawn(process.execPath, [program, ...words.split(' '), ...given], {
    cwd,
    env: {
      ...home,
      EDGECTL_API_TOKEN: 'token-of-a-test',
      EDGECTL_ACCOUNT_ID: 'a'.repeat(32),
      EDGECTL_ZONE_ID: 'b'.repeat(32),
      EDGECTL_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

/** Resolves when the process has ended, or after this number of milliseconds. */
const endedWithin = (ended: Promise<unknown>, milliseconds: number) =>
  Promise.race([ended.then(() => true), sleep(milliseconds, false, { ref: false })]);

/** One command line per command is enough, because the flags do not affect how a process ends. */
const first = [...new Map(commandLines.toReversed().map((line) => [line.words, line])).values()].toReversed();

const homes: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  'a home': () => userEnvironment(scratchFolder('home')),
  // Node's recursive mkdir never returns in such a home; creating a folder at exit once kept the process from ending.
  'a home in which no folder can be created'() {
    const { XDG_CACHE_HOME: _, ...others } = userEnvironment('/proc');
    return others;
  },
};

const cases = Object.entries(homes).flatMap(([name, home]) =>
  first.map((line) => ({ title: `${titleOf(line)} in ${name}`, line, home })),
);

test.each(sampleCases(cases, 41))('a second SIGINT ends $title', async ({ line, home }) => {
  const child = start(line, home());
  const ended = once(child, 'exit');
  try {
    const asked = once(server, 'connection').catch(() => undefined);
    while (child.exitCode === null && child.signalCode === null && !isListening(child.pid ?? 0))
      await sleep(5);
    // A command that sends no request may end automatically or wait for something else, so this wait is limited.
    await Promise.race([asked, ended, sleep(1500, undefined, { ref: false })]);
    child.kill('SIGINT');
    await endedWithin(ended, 50);
    child.kill('SIGINT');
    expect(await endedWithin(ended, deadline)).toBe(true);
  } finally {
    child.kill('SIGKILL');
  }
});
