import { closeSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Problem } from '../model/problem.ts';
import { hasCode } from './blobs.ts';
import { createFile, isThere } from './inside.ts';

const MiB = 1024 * 1024;

/**
 * Thresholds of free space in bytes. Below `low`, the reserve is created; below `none`, the reserve is released. Below `tight`, deleted
 * values are removed immediately.
 */
const bytes = { reserve: 2 * MiB, low: 64 * MiB, none: MiB / 2, tight: 16 * MiB } as const;

/**
 * Disk space that is reserved for deletes. SQLite needs a few hundred kilobytes of free space to open a database and delete a row, so
 * nothing could be deleted on a completely full disk. While space is low, a file of random bytes (`reserve` in the folder) occupies some of
 * the space. When no other space is left, the file is deleted, so that reads and deletes can use its space; all other changes are refused.
 */
export class Room {
  readonly #folder: string;
  readonly #random: (bytes: number) => Uint8Array;
  readonly #free: (folder: string) => number | undefined;
  #isOpen = false;

  constructor(folder: string, random: (bytes: number) => Uint8Array, free = freeBytes) {
    this.#folder = folder;
    this.#random = random;
    this.#free = free;
  }

  /** Must be called before each API call. Throws 'store-invalid' if there is not enough space for a change. */
  enter(effect: 'read' | 'change' | 'destroy'): void {
    // Reads do not use up space, so the space that was released for the first read is enough for all reads.
    if (effect === 'read' && this.#isOpen) return;
    this.#isOpen = true;
    const free = this.#free(this.#folder);
    if (free === undefined || free >= bytes.low) return;
    const has = isThere(this.#file);
    if (!has && free >= 2 * bytes.reserve) this.#fill();
    if (free + (has ? bytes.reserve : 0) >= bytes.reserve + bytes.none) return;
    if (effect === 'change') {
      throw new Problem('store-invalid', 'The local data cannot grow: the disk is full.', {
        hint: 'Delete data, or free space elsewhere, then try again.',
      });
    }
    rmSync(this.#file, { force: true });
  }

  /** Must be called after the databases have been closed, because closing frees space. */
  leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const free = this.#free(this.#folder);
    if (free === undefined) return;
    const has = isThere(this.#file);
    if (has && free >= bytes.low) rmSync(this.#file, { force: true });
    if (!has && free < bytes.low && free >= bytes.reserve) this.#fill();
  }

  get #file(): string {
    return join(this.#folder, 'reserve');
  }

  /** Creates the reserve, with random bytes, because some file systems would compress other content. */
  #fill(): void {
    if (!isThere(this.#folder)) return;
    try {
      const file = createFile(this.#file, 0o600);
      try {
        writeFileSync(file, this.#random(bytes.reserve));
      } finally {
        closeSync(file);
      }
    } catch {
      // Ignores the error: another process has created the file first, or the space has been used up again.
      rmSync(this.#file, { force: true });
    }
  }
}

/** Returns whether the disk that contains a folder has so little free space that deleted values must be removed immediately. */
export function isTight(folder: string): boolean {
  return (freeBytes(folder) ?? bytes.tight) < bytes.tight;
}

/**
 * Returns the number of bytes that this user can still write to the disk that contains a folder or its nearest existing parent; undefined
 * if unknown.
 */
function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks === 0 ? undefined : bavail * bsize;
  } catch (error) {
    return hasCode(error, 'ENOENT') && dirname(folder) !== folder ? freeBytes(dirname(folder)) : undefined;
  }
}
