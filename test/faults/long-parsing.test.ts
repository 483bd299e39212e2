import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readHostnameFile } from '../../src/services/hostnames/file.ts';
import { program, userEnvironment } from '../support/program.ts';
import { scratchFolder, testWorld } from '../support/world.ts';

/** Returns true if a process has a handler for a signal (proc(5), SigCgt). */
function catches(pid: number, number: number): boolean {
  const mask = /SigCgt:\s*([0-9a-f]+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${mask}`) >> BigInt(number - 1)) & 1n) === 1n;
}

test.each([
  ['SIGTERM', 15],
  ['SIGINT', 2],
] as const)('%s stops the parsing of a seed with 300,000 keys', async (signal, number) => {
  const home = scratchFolder('home');
  const seed = join(home, 'seed.yaml');
  writeFileSync(seed, Array.from({ length: 300_000 }, (_, index) => `f${index}: 1\n`).join(''));
  const argv = [program, 'sandbox', 'start', '--ephemeral', '--port', '0', '--seed', seed];
  const child = spawn(process.execPath, argv, { env: userEnvironment(home), stdio: 'ignore' });
  const ended = once(child, 'exit');
  const isCaught = async (wanted: boolean) => {
    while (child.exitCode === null && catches(child.pid ?? 0, number) !== wanted) await sleep(5);
  };
  // The handlers are installed at the start, and removed while the parser runs.
  await isCaught(true);
  await isCaught(false);
  const began = Date.now();
  child.kill(signal);
  expect(await ended).toEqual([null, signal]);
  expect(Date.now() - began).toBeLessThan(2000);
});

// The help of --ephemeral promises that the data is deleted at the end. A server therefore keeps its signal handlers while it parses a
// client's seed.
test("a signal stops a server that parses a client's seed, and the server cleans up", async () => {
  const home = scratchFolder('home');
  const temporary = join(home, 'tmp');
  mkdirSync(temporary);
  const argv = [program, 'sandbox', 'start', '--ephemeral', '--port', '0', '--json'];
  const env = { ...userEnvironment(home), TMPDIR: temporary };
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { apiBaseUrl, apiToken } = JSON.parse(line.toString()) as Record<string, string>;
  expect(readdirSync(temporary)).toHaveLength(1);
  let isAnswered = false;
  const answer = fetch(`${apiBaseUrl}/sandbox/seed`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${apiToken}` },
    body: `[${'[],'.repeat(1_500_000)}1]`,
  }).then(
    ({ status }) => status,
    (error: unknown) => String(error),
  );
  void answer.then(() => {
    isAnswered = true;
  });
  while (!isAnswered && catches(child.pid ?? 0, 2)) await sleep(5);
  child.kill('SIGINT');
  expect([await ended, await answer]).toEqual([[0, null], 400]);
  expect(readdirSync(temporary)).toEqual([]);
});

test.each([
  ['CSV', (index: number) => `h${index}.demo`],
  ['NDJSON', (index: number) => JSON.stringify({ hostname: `h${index}.demo` })],
])('a signal stops the parsing of a file of hostnames in %s', async (_, line) => {
  const cwd = scratchFolder('files');
  writeFileSync(
    join(cwd, 'hostnames'),
    Array.from({ length: 100_000 }, (__, index) => line(index)).join('\n'),
  );
  const interruption = new AbortController();
  const reading = readHostnameFile(testWorld({ cwd, interrupted: interruption.signal }), 'hostnames');
  setTimeout(() => interruption.abort(), 20);
  await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
});
