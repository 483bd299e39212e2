import { closeSync, fsyncSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import type { World } from '../world.ts';
import { createFile, isThere } from './inside.ts';
import { exclusively } from './sqlite.ts';

// A sandbox is replaced as a whole by a new sandbox next to it, in `<folder>/loading-<id>`. The replacement takes effect with one
// transaction, which changes the registry and records the id. The folders of values are swapped afterwards. If a process is killed before
// the transaction, the old data is kept. If the process is killed later, the next process that opens the sandbox completes the swap.

/** Subfolders of `v3` that contain a sandbox's data. */
const dataFolders = ['kv', 'r2'] as const;

/** Milliseconds after which an unfinished load is considered abandoned by a killed process. */
const leftAfter = 24 * 60 * 60 * 1000;

const timeDigits = 12;

/** Returns a new id for a load: the time, followed by random characters. */
export function newLoading({ now, random }: Pick<World, 'now' | 'random'>): string {
  const time = Math.max(0, Math.trunc(now())).toString(16);
  return time.padStart(timeDigits, '0') + Buffer.from(random(10)).toString('hex');
}

/** Creates an empty folder for the sandbox that will replace the sandbox in `folder`, and removes abandoned folders. */
export function beginLoading(folder: string, id: string): string {
  const begun = (one: string): number => Number.parseInt(one.slice(0, timeDigits), 16);
  for (const other of loadingsIn(folder))
    if (begun(id) - begun(other) > leftAfter) abandonLoading(loadedFolder(folder, other));
  const loading = loadedFolder(folder, id);
  for (const name of dataFolders) makePrivateFolder(join(loading, 'v3', name));
  return loading;
}

/** Deletes the folder in which a replacement of a sandbox was created. */
export function abandonLoading(loading: string): void {
  rmSync(loading, { recursive: true, force: true });
}

/**
 * Replaces a sandbox with the sandbox that was created next to it. `take` changes the registry in one transaction that records the id. This
 * process must not have the data open.
 */
export function takeOver(folder: string, id: string, take: () => void): void {
  alone(folder, () => {
    const loading = loadedFolder(folder, id);
    const file = createFile(readyFile(loading), 0o600);
    try {
      writeSync(file, id);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    take();
    exchangeFolders(folder, loading);
  });
}

/** Completes replacements that were interrupted because their process ended. `taken` returns the id that the registry recorded last. */
export function finishTakeOver(folder: string, taken: () => string | undefined): void {
  const ready = (): readonly string[] =>
    loadingsIn(folder).filter((id) => isThere(readyFile(loadedFolder(folder, id))));
  if (ready().length === 0) return;
  alone(folder, () => {
    for (const id of ready()) {
      if (id === taken()) exchangeFolders(folder, loadedFolder(folder, id));
      else abandonLoading(loadedFolder(folder, id));
    }
  });
}

/** Returns the ids of the loads whose folders exist. */
function loadingsIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => /^loading-([0-9a-f]{32})$/.exec(name)?.[1] ?? []);
}

function loadedFolder(folder: string, id: string): string {
  return join(folder, `loading-${id}`);
}

function readyFile(loading: string): string {
  return join(loading, 'ready');
}

function alone<T>(folder: string, work: () => T): T {
  return exclusively(join(folder, 'loading.lock'), work);
}

/** Swaps the folders of values. Each step can be repeated: a folder that still exists in `loading` has not been swapped yet. */
function exchangeFolders(folder: string, loading: string): void {
  for (const path of [join(folder, 'v3'), join(loading, 'old')]) makePrivateFolder(path);
  for (const name of dataFolders) {
    const [beside, place] = [join(loading, 'v3', name), join(folder, 'v3', name)];
    if (!isThere(beside)) continue;
    if (isThere(place)) renameSync(place, freeName(join(loading, 'old', name)));
    renameSync(beside, place);
  }
  abandonLoading(loading);
}

function freeName(path: string): string {
  for (let count = 1; ; count += 1) if (!isThere(`${path}-${count}`)) return `${path}-${count}`;
}
