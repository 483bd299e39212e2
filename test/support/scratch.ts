import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../src/liveness.ts';

/** The folder whose files Linux keeps in memory. */
const memory = '/dev/shm';

/** Bytes that must be free in the folder in memory; all tests together use a tenth of this size at a time. */
const room = 2 * 1024 ** 3;

const prefix = 'edgectl-tests-';

/**
 * Creates the folder for the temporary files of all tests and their programs, and removes the folders of killed runs. Vitest calls this
 * function once before all tests; the returned function removes the folder. If TMPDIR is not set and memory has room, the folder is in
 * memory, because tests would otherwise mostly wait for the disk.
 */
export default function setup(): () => void {
  const parent = process.env['TMPDIR'] ?? (canHoldTests(memory) ? memory : tmpdir());
  for (const folder of new Set([parent, memory])) removeLeftOver(folder);
  const scratch = join(parent, `${prefix}${process.pid}`);
  mkdirSync(scratch);
  // Tests that run as another user need access to the folder.
  chmodSync(scratch, 0o711);
  process.env['TMPDIR'] = scratch;
  return () => rmSync(scratch, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 });
}

/** Returns true if a folder is suitable for tests: it is writable, has room, and allows programs to be executed. */
export function canHoldTests(folder: string): boolean {
  const probe = join(folder, `${prefix}probe-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < room) return false;
    writeFileSync(probe, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
    return spawnSync(probe).status === 0;
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Removes the folders of runs whose process no longer exists. */
export function removeLeftOver(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const pid = new RegExp(`^${prefix}(\\d+)$`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
