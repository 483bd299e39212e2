import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../src/liveness.ts';

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';

/** Bytes that must be free there; all tests together hold a tenth of it at a time. */
const room = 2 * 1024 ** 3;

const prefix = 'edgectl-tests-';

/**
 * For vitest, once before all tests: makes the folder below which each test file and each program that it starts has
 * its temporary files, and removes it afterwards, with those that killed runs have left behind. It is in memory where
 * there is room, because tests otherwise wait for the disk most of their time; a TMPDIR that is set is kept to.
 */
export default function setup(): () => void {
  const parent = process.env['TMPDIR'] ?? (canHoldTests(memory) ? memory : tmpdir());
  for (const folder of new Set([parent, memory])) removeLeftOver(folder);
  const scratch = join(parent, `${prefix}${process.pid}`);
  mkdirSync(scratch);
  // A test that becomes another user has to get through.
  chmodSync(scratch, 0o711);
  process.env['TMPDIR'] = scratch;
  return () => rmSync(scratch, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 });
}

/** Whether tests find what they need in a folder: it takes files, has room, and lets them start programs. */
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

/** Removes what runs that are no more have left in a folder. */
export function removeLeftOver(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const pid = new RegExp(`^${prefix}(\\d+)$`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
