import { closeSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unlessMissing, unlinkBlobs, unlinkSideBySide } from './blobs.ts';
import { createFile, readWhole } from './inside.ts';
import type { DataPaths } from './paths.ts';
import { isTight } from './room.ts';

/**
 * Milliseconds for which a replaced value is kept. A worker opens a value a few milliseconds after reading its row. If the value is deleted
 * in between, the worker reads null (measured: 2 of 100 reads of a hot key), because unlike edgectl, workerd does not read the row again.
 */
export const graceMilliseconds = 5000;

/** Minimum number of values for which parallel deletion is faster, even with the time that starting the threads takes. */
const many = 1000;

const noteName = /^replaced-(\d{1,15})-[0-9a-f]{16}$/;

/**
 * Values without a row, which are deleted once no process can open them: when the values are old enough, or when the database is closed and
 * no other process has it open. A note `replaced-<ms>-<hex>` next to the values lists the values that must be kept for now. The next
 * process that opens the database for writing deletes these values.
 */
export class ReplacedValues {
  readonly #paths: DataPaths;
  readonly #waiting: { readonly since: number; readonly ids: readonly string[] }[] = [];

  constructor(paths: DataPaths) {
    this.#paths = paths;
  }

  /** Adds ids whose rows were removed at `now`, and deletes earlier values that are now old enough. */
  add(ids: readonly string[], now: number): void {
    if (ids.length === 0 && this.#waiting.length === 0) return;
    this.#waiting.push({ since: now, ids });
    const ageLimit = isTight(this.#paths.folder) ? 0 : graceMilliseconds;
    for (
      let first = this.#waiting[0];
      first !== undefined && isDue(first.since, now, ageLimit);
      first = this.#waiting[0]
    ) {
      unlinkBlobs(this.#paths.blobs, first.ids);
      this.#waiting.shift();
    }
  }

  /** Deletes the values that are listed in the notes of earlier runs. */
  readNotes(now: number): void {
    for (const { path, since } of notes(this.#paths.folder)) {
      if (!isDue(since, now)) continue;
      unlinkBlobs(this.#paths.blobs, readNote(path));
      unlinkNote(path);
    }
  }

  /**
   * Deletes all values if no other process has the database open; otherwise, lists the values in a note. A large number of values is also
   * listed in a note, and deleted in parallel while the process exits: parallel deletion takes half as long on a disk, and the note remains
   * if the process is killed.
   */
  settle(now: number, openElsewhere: boolean): void {
    const ids = this.#waiting.splice(0).flatMap((batch) => batch.ids);
    const [first] = ids;
    if (first === undefined) return;
    if (!openElsewhere && ids.length < many) {
      unlinkBlobs(this.#paths.blobs, ids);
      return;
    }
    const path = join(this.#paths.folder, `replaced-${Math.trunc(now)}-${first.slice(0, 16)}`);
    unlessMissing(() => writeNote(path, ids), undefined);
    if (openElsewhere) return;
    unlinkSideBySide(this.#paths.blobs, ids).then(
      () => unlinkNote(path),
      // Ignores the error: the note is kept, and the next process that opens the database for writing retries.
      () => undefined,
    );
  }
}

/** Removes all notes in a folder, after its namespace was deleted. */
export function forgetNotes(folder: string): void {
  for (const { path } of notes(folder)) unlinkNote(path);
}

/**
 * Returns whether a value is old enough to be deleted. Times in the future also count as old enough, because otherwise a clock that was set
 * back would keep a note forever.
 */
function isDue(since: number, now: number, ageLimit = graceMilliseconds): boolean {
  return Math.abs(now - since) >= ageLimit;
}

function notes(folder: string): { path: string; since: number }[] {
  return unlessMissing(() => readdirSync(folder), []).flatMap((name) => {
    const match = noteName.exec(name);
    return match === null ? [] : [{ path: join(folder, name), since: Number(match[1]) }];
  });
}

function writeNote(path: string, ids: readonly string[]): void {
  const file = createFile(path);
  try {
    writeFileSync(file, ids.join('\n'));
  } finally {
    closeSync(file);
  }
}

function readNote(path: string): string[] {
  return unlessMissing(() => readWhole(path).toString('utf8').split('\n'), []);
}

function unlinkNote(path: string): void {
  unlessMissing(() => unlinkSync(path), undefined);
}
