import { opendirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unlessMissing } from './blobs.ts';
import { KvTable } from './kv-table.ts';
import { blobTime, type KvPlace, kvDatabases } from './place.ts';
import { openToRead } from './sqlite.ts';

/** A value without a row is younger than this while its writer lives, and is left alone. */
export const orphanAge = 60 * 60 * 1000;

const collectionInterval = 24 * 60 * 60 * 1000;

/** Values that are looked at without being asked for more: about a fifth of a second. */
const scanLimit = 100_000;

/** Values that may be looked at for each one written, so that a scan costs a fraction of the writing. */
const scanPerWrite = 20;

/** How many values a session that has written `written` of them may look at when it closes. */
export function scanBudget(written: number): number {
  return scanLimit + scanPerWrite * written;
}

/** Whether the last collection of this namespace began a day ago or more. Notes that one begins now if so. */
export function beginCollection(place: KvPlace, now: number): boolean {
  const path = join(place.folder, 'collected');
  const last = Number(unlessMissing(() => readFileSync(path, 'utf8'), 'never'));
  if (last <= now && now - last < collectionInterval) return false;
  return unlessMissing(() => {
    writeFileSync(path, String(Math.trunc(now)));
    return true;
  }, false);
}

/**
 * File names in the namespace's blob folder, older than an hour, that no row names: what a killed process left.
 * Two namespaces may share a folder, so the rows of every database under the root count before a value is called
 * an orphan; those of the others are read only when something is suspected. Gives up, with none, when the folder
 * holds more files than `budget`.
 */
export function findOrphans(
  root: string,
  place: KvPlace,
  table: KvTable,
  now: number,
  budget: number,
): string[] {
  const known = fingerprints(table);
  const suspects = new Set<string>();
  let seen = 0;
  for (const name of fileNames(place.blobs)) {
    seen += 1;
    if (seen > budget) return [];
    const begun = blobTime(name);
    if (begun === undefined || now - begun < orphanAge || holds(known, fingerprint(name))) continue;
    suspects.add(name);
  }
  if (suspects.size > 0) dropForeign(root, place, suspects);
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

function fingerprints(table: KvTable): Float64Array {
  const found: number[] = [];
  for (const id of table.blobIds()) found.push(fingerprint(id));
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

function dropForeign(root: string, own: KvPlace, suspects: Set<string>): void {
  const folder = kvDatabases(root);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!/^[0-9a-f]{64}\.sqlite$/.test(name) || file === own.database) continue;
    const database = openToRead(file);
    try {
      const table = KvTable.over(database, file, 'read');
      for (const id of table?.blobIds() ?? []) suspects.delete(id);
    } finally {
      database.close();
    }
  }
}
