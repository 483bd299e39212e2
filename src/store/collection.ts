import { opendirSync } from 'node:fs';
import { join } from 'node:path';
import { unlessMissing } from './blobs.ts';
import { note, readWhole } from './inside.ts';
import { blobTime, type DataPaths } from './paths.ts';

/** A value without a row is younger than this while its writer lives, and is left alone. */
export const orphanAge = 60 * 60 * 1000;

const collectionInterval = 24 * 60 * 60 * 1000;

/** Values that are looked at without being asked for more: about a fifth of a second. */
const scanLimit = 100_000;

/** Values that may be looked at for each one written, so that a scan costs a fraction of the writing. */
const scanPerWrite = 20;

/** How many values an opening that has written `written` of them may look at when it closes. */
export function scanBudget(written: number): number {
  return scanLimit + scanPerWrite * written;
}

/** Says when values were last collected. */
export function collectedFile(paths: DataPaths): string {
  return join(paths.folder, 'collected');
}

/** Whether the last collection of this namespace began a day ago or more. Notes that one begins now if so. */
export function beginCollection(paths: DataPaths, now: number): boolean {
  const path = collectedFile(paths);
  const last = Number(unlessMissing(() => readWhole(path).toString('utf8'), 'never'));
  if (last <= now && now - last < collectionInterval) return false;
  return unlessMissing(() => {
    note(path, String(Math.trunc(now)));
    return true;
  }, false);
}

/** Blob ids that rows name: those of its own table, and those of every other one under the root. */
export interface NamedBlobs {
  own(): Iterable<string>;
  others(): Iterable<string>;
}

/**
 * File names in a blob folder, older than an hour, that no row names: what a killed process left. Two namespaces may
 * share a folder, so the rows of every database under the root count before a value is called an orphan; those of
 * the others are read only when something is suspected. Gives up, with none, when the folder holds more files than
 * `budget`.
 */
export function findOrphans(paths: DataPaths, named: NamedBlobs, now: number, budget: number): string[] {
  const known = fingerprints(named.own());
  const suspects = new Set<string>();
  let seen = 0;
  for (const name of fileNames(paths.blobs)) {
    seen += 1;
    if (seen > budget) return [];
    const begun = blobTime(name);
    if (begun === undefined || now - begun < orphanAge || holds(known, fingerprint(name))) continue;
    suspects.add(name);
  }
  if (suspects.size > 0) for (const id of named.others()) suspects.delete(id);
  return [...suspects];
}

function* fileNames(folder: string): Generator<string> {
  const directory = opendirSync(folder, { bufferSize: 1024 });
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) yield entry.name;
  } finally {
    directory.closeSync();
  }
}

/** 48 bits of an id tell a million values apart; where two agree, an orphan stays, and no value is lost. */
function fingerprint(fileName: string): number {
  const start = fileName.startsWith('.') ? 1 : 0;
  return Number.parseInt(fileName.slice(start, start + 12), 16);
}

function fingerprints(ids: Iterable<string>): Float64Array {
  const found: number[] = [];
  for (const id of ids) found.push(fingerprint(id));
  return Float64Array.from(found).sort();
}

function holds(sorted: Float64Array, wanted: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Number.POSITIVE_INFINITY) < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}
