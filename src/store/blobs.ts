import { closeSync, fsyncSync, unlinkSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import { systemCode } from '../files/system-reason.ts';
import { Problem } from '../model/problem.ts';
import { createFile, readWhole } from './inside.ts';
import { blobTime, isBlobId } from './paths.ts';

/** Returns whether a file system error has this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return systemCode(error) === code;
}

/** Returns the result of `work`, or `otherwise` if a file or folder that `work` uses does not exist. */
export function unlessMissing<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return otherwise;
    throw error;
  }
}

/**
 * Writes a new value under its id, and creates the folder if it is missing. The file has its final name from the start. Readers still never
 * see a partial value, because ids cannot be guessed, and the row that contains the id is written only after the value. (Renaming a
 * finished file would slow down a bulk write by a third, with no benefit.) If `durable` is set, the value is on disk on return.
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

/**
 * Returns the whole value; undefined if its file does not exist, because another process may have replaced the value since its id was read.
 */
export function readBlob(folder: string, id: string): Uint8Array | undefined {
  return unlessMissing(() => readWhole(blobPath(folder, id)), undefined);
}

/**
 * Returns the Problem for a row whose value is missing. This Problem differs from the Problem for a key that does not exist or has expired.
 * `what` is the key or object. The status is 410, so that clients do not retry.
 */
export function lostValue(folder: string, what: string): Problem {
  return new Problem('store-invalid', `The value of ${what} is lost: its file is no longer in ${folder}.`, {
    status: 410,
    hint: 'Write the value again, or delete it.',
  });
}

/**
 * Deletes values by their ids, and the unfinished files that workerd names after these ids. Ignores all other names. Missing files are not
 * an error. A file that the system refuses to delete is left for the daily collection.
 */
export function unlinkBlobs(folder: string, names: Iterable<string>): void {
  for (const name of names) {
    if (blobTime(name) === undefined) continue;
    try {
      unlinkSync(folder + sep + name);
    } catch (error) {
      ignoreUndeletable(error);
    }
  }
}

/** Like `unlinkBlobs`, but deletes several files in parallel, in Node's thread pool. */
export async function unlinkSideBySide(folder: string, names: readonly string[]): Promise<void> {
  // The module is loaded only here, because startup is faster without it.
  const { unlink } = await import('node:fs/promises');
  const left = names.values();
  const unlinkAll = async () => {
    for (const name of left) {
      if (blobTime(name) !== undefined) await unlink(folder + sep + name).catch(ignoreUndeletable);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, unlinkAll));
}

/** Number of parallel deletions, which exceeds the number of Node's threads, so that no thread is idle. */
const atOnce = 8;

/**
 * Ignores the error if the file is missing, or if the system refuses to delete it. The daily collection deletes such a file later. Rethrows
 * any other error.
 */
function ignoreUndeletable(error: unknown): void {
  if (!['ENOENT', 'EBUSY', 'EPERM', 'EACCES'].some((code) => hasCode(error, code))) throw error;
}

/** Returns the path of a value's file. Refuses an invalid id, because a database from elsewhere may contain any string. */
export function blobPath(folder: string, id: string): string {
  if (isBlobId(id)) return folder + sep + id;
  throw new Problem('store-invalid', `A row of the database next to ${folder} contains an invalid blob id.`, {
    hint: 'A program other than Miniflare or edgectl wrote the database; the row is ignored.',
  });
}
