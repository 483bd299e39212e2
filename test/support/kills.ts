import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { program, userEnvironment } from './program.ts';
import type { Passing } from './proxy.ts';
import { runCommand } from './run-command.ts';
import type { Served } from './served.ts';

/** A put that is killed and resumed. */
export interface KilledPut {
  readonly entries: number;
  readonly batchSize: number;
  readonly kills: number;
  /** Returns a number in [0, 1). */
  random(): number;
}

/**
 * Writes a file into a new namespace with a process that is killed (SIGKILL) at random moments and resumed after each kill. Expects that
 * the contents match the file, and that no entry in a checkpoint was sent again. Returns the number of entries in the checkpoints at the
 * kills, so that a test can check that the kills interrupted the work.
 */
export async function expectKilledPutToComplete(served: Served, put: KilledPut): Promise<number[]> {
  const namespace = await served.createNamespace();
  const { person, proxy } = served;
  const list = Array.from({ length: put.entries }, (_, index) => ({
    key: `key:${index}`,
    value: `v ${index}`,
  }));
  writeFileSync(join(person.cwd, 'entries.json'), JSON.stringify(list));
  const start = () =>
    spawn(
      process.execPath,
      [program, 'kv', 'bulk', 'put', 'entries.json', '--namespace-id', namespace, '--resume'].concat(
        '--batch-size',
        String(put.batchSize),
      ),
      { cwd: person.cwd, env: { ...userEnvironment(person.home), ...person.env }, stdio: 'ignore' },
    );
  const held: number[] = [];
  for (let kill = 0; kill < put.kills; kill++) {
    const before = proxy.passed.length;
    const child = start();
    const requests = Math.ceil(put.entries / put.batchSize);
    const wanted = Math.floor(put.random() * (requests / put.kills)) + 1;
    await killAfter(child, () => proxy.passed.length - before >= wanted, put.random() * 10);
    const confirmed = confirmedIndices(person.home);
    held.push(confirmed.size);
    const after = proxy.passed.length;
    proxy.use((passing) => refuseIfSentAgain(passing, after, confirmed));
  }
  const last = start();
  expect(await waitForExit(last)).toBe(0);
  proxy.use(() => undefined);
  const { out } = await runCommand(person, ['kv', 'export', '--namespace-id', namespace, '--quiet']);
  const found = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  expect(new Map(found.map(({ key, value }) => [key, value]))).toEqual(
    new Map(list.map(({ key, value }) => [key, value])),
  );
  expect(confirmedIndices(person.home).size).toBe(0);
  return held;
}

/** Kills (SIGKILL) a process this many milliseconds after a condition becomes true, unless the process exits first. */
export async function killAfter(child: ChildProcess, isTime: () => boolean, later: number): Promise<void> {
  const exited = waitForExit(child);
  while (!isTime() && child.exitCode === null) await pause(1);
  await pause(later);
  child.kill('SIGKILL');
  await exited;
}

/** Returns the exit code of a process; null if it was killed. */
export async function waitForExit(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

function confirmedIndices(home: string): Set<number> {
  const folder = join(home, '.local', 'state', 'edgectl', 'checkpoints');
  const indices = new Set<number>();
  for (const name of filesIn(folder).filter((file) => file.endsWith('.json'))) {
    const { confirmed } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const [from, to] of confirmed) for (let index = from; index < to; index++) indices.add(index);
  }
  return indices;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Rejects a request that contains an entry from a checkpoint, so that the run fails. */
function refuseIfSentAgain({ number, body, method, path }: Passing, after: number, confirmed: Set<number>) {
  if (number <= after || method !== 'PUT' || !path.endsWith('/bulk')) return undefined;
  const keys: { key: string }[] = JSON.parse(body.toString());
  const again = keys.some(({ key }) => confirmed.has(Number(key.slice('key:'.length))));
  return again ? { answer: { status: 409, headers: {}, body: 'sent again' } } : undefined;
}
