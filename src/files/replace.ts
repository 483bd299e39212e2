import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRunning, machineId, ownPid } from '../liveness.ts';
import { sha256 } from '../model/sha256.ts';
import type { World } from '../world.ts';
import { withPath } from './system-reason.ts';

export interface Replacement {
  /** Permissions of a new file, before the umask is applied. */
  readonly mode: number;
  /** The replaced file, whose permissions and owner are kept if the system allows this. */
  readonly like?: Stats | undefined;
  /** Whether to wait until the data is on the disk. */
  readonly durable: boolean;
}

/**
 * Writes a file completely or not at all. Writes a new temporary file with an unguessable name in the same folder, and then renames it. A
 * reader sees either the old or the new content. After a failure, the old content remains, and the temporary file is deleted. Throws the
 * system's error.
 */
export async function replaceFile(
  { random }: Pick<World, 'random'>,
  path: string,
  replacement: Replacement,
  fill: (file: FileHandle) => Promise<unknown>,
): Promise<void> {
  const temporary = temporaryPath(path, random, 'tmp');
  const file = await open(temporary, 'wx', filePermissions(replacement));
  try {
    await fill(file);
    await putInPlace(file, temporary, path, replacement);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw withPath(error, path);
  }
}

/**
 * Returns a path for a temporary file. The file's name contains the process id and identifies the machine, so that leftovers of killed
 * processes can be recognized.
 */
function temporaryPath(path: string, random: World['random'], kind: 'tmp' | 'part'): string {
  const chance = Buffer.from(random(3)).toString('hex');
  return join(dirname(path), `.edgectl-${hex(ownPid, 6)}${machineMark()}${chance}.${kind}`);
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0').slice(-digits);
}

/** Returns four digits that identify this machine, because edgectl cannot check processes on other machines. */
function machineMark(): string {
  mark ??= Buffer.from(sha256(Buffer.from(machineId())))
    .toString('hex')
    .slice(0, 4);
  return mark;
}

let mark: string | undefined;

function filePermissions({ mode, like }: Replacement): number {
  return like === undefined ? mode : 0o600;
}

async function putInPlace(
  file: FileHandle,
  temporary: string,
  path: string,
  { like, durable }: Replacement,
): Promise<void> {
  if (like !== undefined) await copyOwnerAndMode(file, like);
  if (durable) await file.sync();
  await file.close();
  await rename(temporary, path);
  if (durable) await syncFolder(dirname(path));
}

/** A file written in parts, in any order. */
export interface AssembledFile {
  readonly file: FileHandle;
  /** Name of the temporary file. */
  readonly name: string;
  /** Whether an earlier process began to write the file. */
  readonly isLeft: boolean;
}

/** Options for a file that a later process may continue to write. */
export interface Continuation {
  /** Name of the temporary file that an earlier process left. */
  readonly left: string | undefined;
  /** Whether to continue writing the file. If false, the file is deleted. */
  readonly fits: boolean;
  /** Returns whether to keep the temporary file after a failure. */
  keepsAfter(error: unknown): boolean;
}

/**
 * Writes a file like `replaceFile`, but from content that arrives in parts. If the process is killed, the temporary file is kept, and the
 * next process can continue to write it.
 */
export async function assembleFile(
  { random }: Pick<World, 'random'>,
  path: string,
  replacement: Replacement,
  { left, fits, keepsAfter }: Continuation,
  fill: (assembled: AssembledFile) => Promise<unknown>,
): Promise<void> {
  const old = left !== undefined && isUnfinished(left) ? join(dirname(path), left) : undefined;
  const found = old !== undefined && fits ? await openLeftover(old) : undefined;
  if (old !== undefined && found === undefined) await rm(old, { force: true });
  const temporary = found !== undefined && old !== undefined ? old : temporaryPath(path, random, 'part');
  const file = found ?? (await open(temporary, 'wx+', filePermissions(replacement)));
  try {
    await fill({ file, name: basename(temporary), isLeft: found !== undefined });
    await putInPlace(file, temporary, path, replacement);
  } catch (error) {
    await file.close().catch(() => undefined);
    if (!keepsAfter(error)) await rm(temporary, { force: true });
    throw error;
  }
}

/** Opens the file that an earlier process left; undefined if it is not a regular file, or has another hard link. */
async function openLeftover(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
  const found = await file?.stat();
  if (found?.isFile() && found.nlink === 1) return file;
  await file?.close();
  return undefined;
}

/** Copies the owner and the permissions. Sets the owner first, because the system clears some permissions when the owner changes. */
async function copyOwnerAndMode(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => undefined);
  await file.chmod(mode & 0o777);
}

/** Syncs a folder, so that a power failure cannot undo the rename. Does nothing on systems that cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const temporaryName = /^\.edgectl-[0-9a-f]{16}\.(?:tmp|part)$/;

/** Returns whether a file with this name is an unfinished download or export. */
export function isUnfinished(name: string): boolean {
  return temporaryName.test(name);
}

/** Age in milliseconds after which an unmodified file can no longer belong to a running process. */
const leftoverAgeMs = 24 * 60 * 60 * 1000;

/** Returns whether the name of a temporary file shows that the process that created it has ended. */
function wasMadeByEndedProcess(name: string): boolean {
  const [, pid = '', machine] = /^\.edgectl-([0-9a-f]{6})([0-9a-f]{4})/.exec(name) ?? [];
  return machine === machineMark() && !isRunning(Number.parseInt(pid, 16));
}

/**
 * Returns whether the next process may continue to write a file that is written in parts. An empty file is not kept, because no saved state
 * refers to it.
 */
function isResumable(name: string, { size }: Stats): boolean {
  return name.endsWith('.part') && size > 0;
}

/**
 * Deletes unfinished files from a folder, except the file `inUse`: files that were not modified for a day, and files that belong to ended
 * processes and cannot be continued. Ignores failures, because the user did not request the cleanup.
 */
export async function removeLeftovers(folder: string, now: number, inUse?: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => isUnfinished(one) && one !== inUse)) {
    const file = join(folder, name);
    const found = await lstat(file).catch(() => undefined);
    if (!found?.isFile()) continue;
    const isLeft =
      now - found.mtimeMs >= leftoverAgeMs || (wasMadeByEndedProcess(name) && !isResumable(name, found));
    if (isLeft) await rm(file, { force: true }).catch(() => undefined);
  }
}

/** Deletes an unfinished file by its name, if it exists. Ignores failures, because the user did not request the cleanup. */
export async function removeUnfinished(folder: string, name: string): Promise<void> {
  if (isUnfinished(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
}
