import { closeSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unlessMissing, unlinkBlobs, unlinkSideBySide } from './blobs.ts';
import { createFile, readWhole } from './inside.ts';
import type { DataPaths } from './paths.ts';
import { isTight } from './room.ts';

/**
 * How long a replaced value stays. A worker that has read the row opens the value some milliseconds later, and
 * answers null when it has gone (measured: 2 of 100 reads of a hot key); it does not read the row again, as edgectl does.
 */
export const graceMilliseconds = 5000;

/** From so many values on, unlinking them takes longer than starting threads for it. */
const many = 1000;

const noteName = /^replaced-(\d{1,15})-[0-9a-f]{16}$/;

/**
 * Values whose rows are gone, to be unlinked once nobody can still be about to open them: when they are old
 * enough, or at the end when no other process has the database open. Else a note `replaced-<ms>-<hex>` beside
 * the values names them, and the next opening that writes reads it.
 */
export class ReplacedValues {
  readonly #paths: DataPaths;
  readonly #waiting: { readonly since: number; readonly ids: readonly string[] }[] = [];

  constructor(paths: DataPaths) {
    this.#paths = paths;
  }

  /** Takes ids whose rows have been committed away at `now`, and unlinks earlier ones that have waited enough. */
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

  /** Unlinks what earlier openings left and noted. */
  readNotes(now: number): void {
    for (const { path, since } of notes(this.#paths.folder)) {
      if (!isDue(since, now)) continue;
      unlinkBlobs(this.#paths.blobs, readNote(path));
      unlinkNote(path);
    }
  }

  /**
   * Unlinks all at once when the database is closed everywhere, else notes the rest. Many are noted too, and unlinked
   * side by side while the process ends: a disk takes half as long then, and the note keeps what a killed process leaves.
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
      // The note stays, and the next opening that writes tries again.
      () => undefined,
    );
  }
}

/** Removes all notes of a folder, for a namespace that is no more. */
export function forgetNotes(folder: string): void {
  for (const { path } of notes(folder)) unlinkNote(path);
}

/** A clock that was set back must not keep a note for ever. */
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
