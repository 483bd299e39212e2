import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { World } from '../world.ts';

export interface Replacement {
  /** Permissions of a new file, less the umask. */
  readonly mode: number;
  /** The file that is replaced: its permissions and its owner stay, where we may give them. */
  readonly like?: Stats | undefined;
  /** Waits until the disk has it. */
  readonly durable: boolean;
}

/**
 * Writes a file as a whole or not at all: into a temporary one beside it, whose name nobody can guess and that nobody has
 * made before, which takes its place at the end. A reader sees the old content or the new one. A failure
 * leaves what was there, and no temporary file. Fails with the system's error.
 */
export async function replaceFile(
  { random }: Pick<World, 'random'>,
  path: string,
  { mode, like, durable }: Replacement,
  fill: (file: FileHandle) => Promise<unknown>,
): Promise<void> {
  const temporary = join(dirname(path), `.edgectl-${Buffer.from(random(8)).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx', like === undefined ? mode : 0o600);
  try {
    await fill(file);
    if (like !== undefined) await makeAlike(file, like);
    if (durable) await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
  if (durable) await syncFolder(dirname(path));
}

/** The owner first: the system takes permissions away from a file that is given to another one. */
async function makeAlike(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => undefined);
  await file.chmod(mode & 0o777);
}

/** Syncs a folder, so that a power cut does not undo the rename. Systems that open no folder are left to themselves. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const temporaryName = /^\.edgectl-[0-9a-f]{16}\.(?:tmp|part)$/;

/** Whether a file of this name is an unfinished download or export. */
export function isUnfinished(name: string): boolean {
  return temporaryName.test(name);
}

/** A file that has not been written to for so long belongs to no process that still runs. */
const leftAfter = 24 * 60 * 60 * 1000;

/** Removes unfinished files of killed processes from a folder. Failures are ignored: nobody has asked for it. */
export async function removeLeftovers(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isUnfinished)) {
    const file = join(folder, name);
    const found = await lstat(file).catch(() => undefined);
    if (!found?.isFile() || now - found.mtimeMs < leftAfter) continue;
    await rm(file, { force: true }).catch(() => undefined);
  }
}
