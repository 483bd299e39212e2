import { closeSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Problem } from '../model/problem.ts';
import { hasCode } from './blobs.ts';
import { createFile, isThere } from './inside.ts';

const MiB = 1024 * 1024;

/** Bytes: the reserve is made when less than `low` is free, and given up when less than `none` is. Less than `tight`: deleted values go at once. */
const bytes = { reserve: 2 * MiB, low: 64 * MiB, none: MiB / 2, tight: 16 * MiB } as const;

/**
 * Room on the disk for deletes. SQLite needs some hundred kilobytes beside a database to open it and to delete a row, so
 * that a disk that is full to the last byte could not be emptied. While a disk has little room, a file of random bytes
 * (`reserve` in the folder) takes some of it; reads and deletes get it when nothing else is left. What would grow is refused then.
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

  /** Called before each call. Refuses with store-invalid a change for which there is no room. */
  enter(effect: 'read' | 'change' | 'destroy'): void {
    // Reads change nothing, so the room of the first is enough for all.
    if (effect === 'read' && this.#isOpen) return;
    this.#isOpen = true;
    const free = this.#free(this.#folder);
    if (free === undefined || free >= bytes.low) return;
    const has = isThere(this.#file);
    if (!has && free >= 2 * bytes.reserve) this.#fill();
    if (free + (has ? bytes.reserve : 0) >= bytes.reserve + bytes.none) return;
    if (effect === 'change') {
      throw new Problem('store-invalid', 'The local data cannot grow: the disk is full.', {
        hint: 'Delete data, or make room elsewhere, then repeat.',
      });
    }
    rmSync(this.#file, { force: true });
  }

  /** Called when the databases are closed, which gives room back. */
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

  /** Random bytes, because some file systems store others in less room. */
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
      // Somebody else was faster, or the room is gone again.
      rmSync(this.#file, { force: true });
    }
  }
}

/** Whether the disk of a folder has so little room that what is deleted must not wait. */
export function isTight(folder: string): boolean {
  return (freeBytes(folder) ?? bytes.tight) < bytes.tight;
}

/** Bytes that this user may still write to the disk of a folder, or of the nearest one above it; undefined if unknown. */
function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks === 0 ? undefined : bavail * bsize;
  } catch (error) {
    return hasCode(error, 'ENOENT') && dirname(folder) !== folder ? freeBytes(dirname(folder)) : undefined;
  }
}
