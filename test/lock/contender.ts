import { randomBytes } from 'node:crypto';
import { existsSync, readlinkSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withBriefLock, withLock } from '../../src/lock.ts';
import { Problem } from '../../src/model/problem.ts';

/**
 * A process that repeatedly takes a lock, with `withLock` or `withBriefLock`, and runs an exclusive section. Every second time, the process
 * leaves the lock behind, as a killed process would: the lock names a process id with a different start time. The process fails if another
 * process is in the section.
 */
const [, , kind = '', folder = '', rounds = ''] = process.argv;
const path = `${folder}/lock`;
const options = {
  world: {
    pid: process.pid,
    now: () => Date.now(),
    random: (bytes: number) => randomBytes(bytes),
    sleep: async (milliseconds: number, signal?: AbortSignal) =>
      sleep(milliseconds, undefined, signal && { signal }),
    interrupted: new AbortController().signal,
  },
  timeoutMs: 20_000,
  toProblem: () => new Problem('store-busy', 'nobody let go'),
};

process.stdout.write('ready\n');
while (!existsSync(`${folder}/go`)) await sleep(1);
for (let round = 0; round < Number(rounds); round += 1) {
  if (kind === 'withLock') {
    await withLock(path, options, async () => {
      enter();
      await sleep(0);
      leave(round);
    });
  } else {
    const held = withBriefLock(path, options, () => {
      enter();
      leave(round);
    });
    if (held === undefined) throw new Error('nobody let go');
  }
}

function enter(): void {
  writeFileSync(`${folder}/inside`, String(process.pid), { flag: 'wx' });
}

function leave(round: number): void {
  unlinkSync(`${folder}/inside`);
  if (round % 2 === 1) dieHolding();
}

/**
 * Leaves behind the lock of an ended process whose id was reused, in one atomic step, so that no other process can enter the section in
 * between.
 */
function dieHolding(): void {
  const [name, pid, start, token, ...machine] = readlinkSync(path).split(':');
  const left = `${path}.of-${process.pid}`;
  symlinkSync([name, pid, `${Number(start) + 1}`, token, ...machine].join(':'), left);
  renameSync(left, path);
}
