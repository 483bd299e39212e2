import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type OutputFile, type OutputOptions, openOutputFile } from '../files/output-file.ts';
import type { ObjectEntry } from '../model/object.ts';
import { type PlannedPath, planPaths } from '../model/object-path.ts';
import { Problem } from '../model/problem.ts';
import type { Watch } from '../model/progress.ts';
import type { World } from '../world.ts';
import { doMany, type Failure, type ManyReport } from './object-many.ts';
import { checkedBytes } from './object-save.ts';
import { Transfer } from './object-transfer.ts';
import { listObjects, readObject } from './objects.ts';
import type { Session } from './session.ts';

/** Every object whose key begins with the prefix. */
export async function listAll(session: Session, bucket: string, prefix: string): Promise<ObjectEntry[]> {
  const all: ObjectEntry[] = [];
  for await (const { objects } of listObjects(session, bucket, { prefix })) all.push(...objects);
  return all;
}

/** An object and where it goes below the folder. */
export type Download = PlannedPath<DownloadItem>;

type DownloadItem = Pick<ObjectEntry, 'key' | 'size'>;

export interface DownloadPlan {
  readonly downloads: readonly Download[];
  /** Keys that cannot be paths. */
  readonly failures: readonly Failure[];
}

/** Where each object goes below a folder, by its key behind the prefix; and those that cannot go anywhere. */
export function planDownloads(entries: readonly DownloadItem[], prefix: string): DownloadPlan {
  const { planned, faults } = planPaths(entries, ({ key }) => key.slice(prefix.length), sep === '\\');
  return {
    downloads: planned,
    failures: faults.map(({ item, fault }) => ({
      name: item.key,
      problem: new Problem('invalid-input', `The key cannot be a path: ${fault}.`, {
        hint: 'Download it by itself with --file.',
      }),
    })),
  };
}

/**
 * Opens the file of a download. What an object holds is no secret of edgectl's: a new file has the permissions that the
 * umask leaves, as those of any tool that copies.
 */
export function openDownload(
  world: World,
  where: Pick<OutputOptions, 'name' | 'path' | 'makesFolders' | 'oneOfMany'>,
): Promise<OutputFile> {
  const folderHint = 'Name a file in it, or download many objects with --recursive.';
  return openOutputFile(world, { ...where, isPrivate: false, folderHint });
}

/**
 * Writes many objects below a folder. None reaches outside of it, not through a link that lies there either, and none
 * takes the place of another one where the system does not tell their names apart.
 */
export async function downloadObjects(
  session: Session,
  bucket: string,
  downloads: readonly Download[],
  folder: string,
  watch: Watch,
  onDone?: (download: Download) => void,
): Promise<ManyReport> {
  const total = downloads.reduce((sum, { item }) => sum + item.size, 0);
  const transfer = new Transfer(session, watch, 'downloading', total);
  const written = new Map<string, string>();
  return doMany(
    downloads,
    ({ item }) => item.key,
    async ({ item, parts }) => {
      const { world } = session;
      world.interrupted.throwIfAborted();
      const path = join(folder, ...parts);
      await refuseEscape(folder, parts);
      await refuseFolder(path, parts);
      await refuseTwin(path, parts, written);
      const name = parts.join('/');
      const file = await openDownload(world, { name, path, makesFolders: true, oneOfMany: true });
      const opened = await readObject(session, { bucket, key: item.key });
      if (opened === undefined) throw new Problem('not-found', 'The object has gone meanwhile.');
      const { over } = transfer.track();
      await file.write(over(checkedBytes(world, item.key, opened)));
      written.set(folded(parts), await identityOf(path));
      return item.size;
    },
    onDone,
  );
}

/** Links are looked at part by part, because a folder that is missing yet cannot be resolved. */
async function refuseEscape(folder: string, parts: readonly string[]): Promise<void> {
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const path = join(folder, ...parts.slice(0, depth));
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) return;
    if (!found.isSymbolicLink()) continue;
    const target = await realpath(path).catch(() => undefined);
    const root = await realpath(folder);
    if (target?.startsWith(root + sep)) continue;
    throw new Problem('invalid-input', `${parts.slice(0, depth).join('/')} is a link that leads elsewhere.`);
  }
}

/** Here it is a fault of one object: the others go on. */
async function refuseFolder(path: string, parts: readonly string[]): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) return;
  throw new Problem('invalid-input', `${parts.join('/')} is a folder on this machine.`);
}

/** Two keys can be one file to the system, as `A` and `a` are on some: then the first one stays. */
async function refuseTwin(
  path: string,
  parts: readonly string[],
  written: ReadonlyMap<string, string>,
): Promise<void> {
  const twin = written.get(folded(parts));
  if (twin === undefined || (await identityOf(path)) !== twin) return;
  throw new Problem(
    'invalid-input',
    'Another key has been written to the same file: their names differ in case only.',
  );
}

function folded(parts: readonly string[]): string {
  return parts.join('/').normalize('NFC').toLowerCase();
}

async function identityOf(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined);
  return found === undefined ? 'none' : `${found.dev}:${found.ino}`;
}
