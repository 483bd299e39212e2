import { opendirSync } from 'node:fs';
import { join } from 'node:path';
import { unlessMissing } from './blobs.ts';
import { note, readWhole } from './inside.ts';
import { blobTime, type DataPaths } from './paths.ts';

/** Age in milliseconds below which a value without a row is kept, because it may belong to a running write. */
export const orphanAge = 60 * 60 * 1000;

const collectionInterval = 24 * 60 * 60 * 1000;

/** Default maximum number of values to scan; scanning this many takes about a fifth of a second. */
const scanLimit = 100_000;

/** Additional number of values to scan per written value, which limits the cost of the scan to a fraction of the cost of the writes. */
const scanPerWrite = 20;

/** Returns the maximum number of values to scan when a database is closed after `written` values were written to it. */
export function scanBudget(written: number): number {
  return scanLimit + scanPerWrite * written;
}

/** Returns the file that records the time of the last collection. */
export function collectedFile(paths: DataPaths): string {
  return join(paths.folder, 'collected');
}

/**
 * Returns whether a collection of this namespace or bucket is due: at most one runs per day. If so, records that a collection starts now.
 */
export function beginCollection(paths: DataPaths, now: number): boolean {
  const path = collectedFile(paths);
  const last = Number(unlessMissing(() => readWhole(path).toString('utf8'), 'never'));
  if (last <= now && now - last < collectionInterval) return false;
  return unlessMissing(() => {
    note(path, String(Math.trunc(now)));
    return true;
  }, false);
}

/** The blob ids in the rows of this database, and of all other databases under the root. */
export interface NamedBlobs {
  own(): Iterable<string>;
  others(): Iterable<string>;
}

/**
 * Returns the names of orphaned files in a blob folder: files older than an hour to which no row refers. A killed process leaves such
 * files. Namespaces may share a folder, so a file is orphaned only if no database under the root refers to it. The other databases are read
 * only if the folder contains an old file to which this database does not refer. Returns an empty list if the folder contains more files
 * than `budget`.
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

/**
 * Returns the first 48 bits of an id, which are enough to tell a million ids apart. If two ids collide, an orphan is kept, but no value is
 * lost.
 */
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
