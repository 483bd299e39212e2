import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { machineId } from '../../../src/liveness.ts';
import { scratchFolder } from '../../support/world.ts';

/**
 * The result of many rounds: the number of rounds, the number of rounds in which no process entered the section, and the errors of
 * processes that met another process inside.
 */
export interface Contention {
  readonly rounds: number;
  readonly without: number;
  readonly faults: readonly string[];
}

/**
 * Runs three processes that act on the same task at the same time, in many rounds. Each round uses a new task with an abandoned lock, in
 * the current format or as a folder, which is the format of old versions.
 */
export async function contend(rounds: number): Promise<Contention> {
  const state = scratchFolder('contend');
  const script = join(import.meta.dirname, 'contender.ts');
  const children = Array.from({ length: 3 }, () => {
    const child = spawn(process.execPath, [script, state], { stdio: ['pipe', 'pipe', 'inherit'] });
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
  });
  await Promise.all(children.map(({ lines }) => lines.next()));
  let without = 0;
  const faults: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const id = round.toString(16).padStart(16, '0');
    leaveLock(join(state, 'tasks', id));
    for (const { child } of children) child.stdin.write(`${id}\n`);
    const said = await Promise.all(children.map(async ({ lines }) => String((await lines.next()).value)));
    if (!said.includes('in')) without += 1;
    faults.push(...said.filter((word) => word !== 'in' && word !== 'busy'));
  }
  for (const { child } of children) child.stdin.end();
  await Promise.all(children.map(({ child }) => child.exitCode ?? once(child, 'exit')));
  return { rounds, without, faults };
}

/** Leaves a lock in the task's folder, as a killed console does. */
function leaveLock(task: string): void {
  mkdirSync(join(task, 'lock'), { recursive: true });
  utimesSync(join(task, 'lock'), 1, 1);
  symlinkSync(`edgectl:${process.pid}:1:${'a'.repeat(16)}:${machineId()}`, join(task, 'held'));
}
