import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../files/folders.ts';
import { isRunning, machineId, ownUid, readStartTicks } from '../../liveness.ts';
import type { World } from '../../world.ts';

const prefix = 'edgectl-sandbox-';

/** A temporary folder, which `remove` deletes. */
export interface TemporaryFolder {
  readonly folder: string;
  remove(): void;
}

/**
 * Creates a private folder for the data of a temporary sandbox, and deletes the folders of killed processes. The name of a folder identifies
 * its process.
 */
export function openTemporaryFolder({ pid }: Pick<World, 'pid'>): TemporaryFolder {
  const folder = makeTemporaryFolder(`${prefix}${machineHash()}-${pid}-${readStartTicks(pid) ?? ''}-`);
  removeStaleFolders();
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Returns a hash that identifies the machine or container. The hash is part of the folder's name, because containers may share a folder, but
 * not process ids.
 */
function machineHash(): string {
  return createHash('sha256').update(machineId()).digest('hex').slice(0, 8);
}

function removeStaleFolders(): void {
  const mine = new RegExp(`^${prefix}${machineHash()}-(\\d+)-(\\d*)-`);
  for (const name of readdirSync(tmpdir())) {
    const [, pid, start] = mine.exec(name) ?? [];
    if (pid === undefined || isOwnerAlive(Number(pid), start)) continue;
    const folder = join(tmpdir(), name);
    try {
      const { uid } = lstatSync(folder);
      if (ownUid() === undefined || uid === ownUid()) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process is deleting the folder, or the system does not permit the deletion. The next start of a temporary sandbox tries to
      // delete the folder again.
    }
  }
}

function isOwnerAlive(pid: number, start: string | undefined): boolean {
  return isRunning(pid) && (start === '' || readStartTicks(pid) === start);
}
