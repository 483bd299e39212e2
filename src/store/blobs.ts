import { closeSync, fsyncSync, unlinkSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import { systemCode } from '../files/system-reason.ts';
import { Problem } from '../model/problem.ts';
import { createFile, readWhole } from './inside.ts';
import { blobTime, isBlobId } from './paths.ts';

/** Whether a file system error has this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return systemCode(error) === code;
}

/** Returns the result of `work`, or `otherwise` when the file or folder that it touches does not exist. */
export function unlessMissing<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return otherwise;
    throw error;
  }
}

/**
 * Writes a new value under its id; makes the folder when it is missing. Nobody can meet half of it, although it
 * is written under its final name: an id cannot be guessed, and the row that tells it is written afterwards.
 * (Renaming a finished file into place costs a third of the speed of a bulk write, and adds nothing to that.)
 * A durable value has reached the disk on return.
 */
export function writeBlob(folder: string, id: string, value: Uint8Array, durable: boolean): void {
  const path = blobPath(folder, id);
  const file = create(folder, path);
  try {
    writeFileSync(file, value);
    if (durable) fsyncSync(file);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

function create(folder: string, path: string): number {
  try {
    return createFile(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    makePrivateFolder(folder);
    return createFile(path);
  }
}

/** The whole value, or undefined when there is none: another process may have replaced it since its id was read. */
export function readBlob(folder: string, id: string): Uint8Array | undefined {
  return unlessMissing(() => readWhole(blobPath(folder, id)), undefined);
}

/**
 * A row whose value is not there, although nobody has changed the row since: told apart from a key that does not exist,
 * or has expired. `what` is the key or object. 410, so that a client does not ask again.
 */
export function lostValue(folder: string, what: string): Problem {
  return new Problem('store-invalid', `The value of ${what} is lost: its file is no longer in ${folder}.`, {
    status: 410,
    hint: 'Write it again or delete it.',
  });
}

/**
 * Unlinks values, by their ids or as the unfinished files that workerd names after them; any other name is passed
 * over. Missing ones are no fault; one that the system holds is left for the collection by age.
 */
export function unlinkBlobs(folder: string, names: Iterable<string>): void {
  for (const name of names) {
    if (blobTime(name) === undefined) continue;
    try {
      unlinkSync(folder + sep + name);
    } catch (error) {
      throwUnlessLeft(error);
    }
  }
}

/** The same, by the threads of the system. */
export async function unlinkSideBySide(folder: string, names: readonly string[]): Promise<void> {
  // Only where there are many: a start without it is shorter.
  const { unlink } = await import('node:fs/promises');
  const left = names.values();
  const unlinkAll = async () => {
    for (const name of left) {
      if (blobTime(name) !== undefined) await unlink(folder + sep + name).catch(throwUnlessLeft);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, unlinkAll));
}

/** More than the system has threads for it, so that none waits. */
const atOnce = 8;

/** A missing file is no fault, and one that the system holds is left for the collection by age. */
function throwUnlessLeft(error: unknown): void {
  if (!['ENOENT', 'EBUSY', 'EPERM', 'EACCES'].some((code) => hasCode(error, code))) throw error;
}

/** The file of a value. Refuses an id that is none: a database from elsewhere may hold any text. */
export function blobPath(folder: string, id: string): string {
  if (isBlobId(id)) return folder + sep + id;
  throw new Problem('store-invalid', `A row beside ${folder} names a value that is no blob id.`, {
    hint: 'The database was written by something else than Miniflare or edgectl; it is not followed.',
  });
}
