import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../files/folders.ts';
import { isRunning, machineOf, ownUid, startOf } from '../../liveness.ts';
import type { World } from '../../world.ts';

const prefix = 'edgectl-sandbox-';

/** A folder that ends with the process that has made it. */
export interface TemporaryFolder {
  readonly folder: string;
  remove(): void;
}

/**
 * Makes a folder for the data of a sandbox that ends with what it was started for; only we can read it. Its name says whose
 * it is, so that those that killed processes have left are removed here, at the next start.
 */
export function openTemporaryFolder({ pid }: Pick<World, 'pid'>): TemporaryFolder {
  const folder = makeTemporaryFolder(`${prefix}${machineHash()}-${pid}-${startOf(pid) ?? ''}-`);
  removeLeftFolders();
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Process ids mean something in one container only, and those may share a folder. */
function machineHash(): string {
  return createHash('sha256').update(machineOf()).digest('hex').slice(0, 8);
}

function removeLeftFolders(): void {
  const mine = new RegExp(`^${prefix}${machineHash()}-(\\d+)-(\\d*)-`);
  for (const name of readdirSync(tmpdir())) {
    const [, pid, start] = mine.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid), start)) continue;
    const folder = join(tmpdir(), name);
    try {
      const { uid } = lstatSync(folder);
      if (ownUid() === undefined || uid === ownUid()) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Somebody else removes it at this moment, or the system keeps it: it is tried again at the next start.
    }
  }
}

function isAlive(pid: number, start: string | undefined): boolean {
  return isRunning(pid) && (start === '' || startOf(pid) === start);
}
