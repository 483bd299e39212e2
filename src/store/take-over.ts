import { closeSync, fsyncSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import type { World } from '../world.ts';
import { createFile, isThere } from './inside.ts';
import { exclusively } from './sqlite.ts';

// A sandbox is replaced as a whole by one that was made beside it, in `<folder>/loading-<id>`. The registry's change is the moment
// at which that counts: it is one transaction, and notes the id. The folders of values are exchanged after it. A process
// that is killed before leaves the old data; one that is killed after leaves the exchange to whoever opens next.

/** Folders below `v3` whose data are a sandbox's. */
const dataFolders = ['kv', 'r2'] as const;

/** Milliseconds after which a loading that has not ended is one that a killed process left. */
const leftAfter = 24 * 60 * 60 * 1000;

const timeDigits = 12;

/** A new id of a loading: the time, then chance. */
export function newLoading({ now, random }: Pick<World, 'now' | 'random'>): string {
  const time = Math.max(0, Math.trunc(now())).toString(16);
  return time.padStart(timeDigits, '0') + Buffer.from(random(10)).toString('hex');
}

/** Makes an empty folder for the sandbox that is to take the place of the one in `folder`, and removes those that were left. */
export function beginLoading(folder: string, id: string): string {
  const begun = (one: string): number => Number.parseInt(one.slice(0, timeDigits), 16);
  for (const other of loadingsIn(folder))
    if (begun(id) - begun(other) > leftAfter) abandonLoading(placeOf(folder, other));
  const loading = placeOf(folder, id);
  for (const name of dataFolders) makePrivateFolder(join(loading, 'v3', name));
  return loading;
}

/** Forgets what was made beside a sandbox. */
export function abandonLoading(loading: string): void {
  rmSync(loading, { recursive: true, force: true });
}

/**
 * Puts what was made beside a sandbox in its place. `take` changes the registry in one transaction that notes the id. Nobody
 * of this process may have the data open.
 */
export function takeOver(folder: string, id: string, take: () => void): void {
  alone(folder, () => {
    const loading = placeOf(folder, id);
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

/** Ends take-overs in the midst of which a process was killed. `taken` gives the id that the registry has noted last. */
export function finishTakeOver(folder: string, taken: () => string | undefined): void {
  const ready = (): readonly string[] =>
    loadingsIn(folder).filter((id) => isThere(readyFile(placeOf(folder, id))));
  if (ready().length === 0) return;
  alone(folder, () => {
    for (const id of ready()) {
      if (id === taken()) exchangeFolders(folder, placeOf(folder, id));
      else abandonLoading(placeOf(folder, id));
    }
  });
}

/** The ids of the loadings that have a folder. */
function loadingsIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => /^loading-([0-9a-f]{32})$/.exec(name)?.[1] ?? []);
}

function placeOf(folder: string, id: string): string {
  return join(folder, `loading-${id}`);
}

function readyFile(loading: string): string {
  return join(loading, 'ready');
}

function alone<T>(folder: string, work: () => T): T {
  return exclusively(join(folder, 'loading.lock'), work);
}

/** Each step can be done again: a folder that is still beside is still to be exchanged. */
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
