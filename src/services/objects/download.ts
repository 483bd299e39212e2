import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  type IfExists,
  type OutputFile,
  type OutputFileOptions,
  openOutputFile,
} from '../../files/output-file.ts';
import { removeLeftovers } from '../../files/replace.ts';
import type { ObjectEntry } from '../../model/objects/object.ts';
import { type PlannedPath, planPaths } from '../../model/objects/path.ts';
import { Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import type { World } from '../../world.ts';
import type { Session } from '../session/session.ts';
import { fetchObject } from './fetch.ts';
import { doMany, type Failure, type ManyReport } from './many.ts';
import { listObjects } from './objects.ts';
import { fileBytes } from './source.ts';
import { Transfer } from './transfer.ts';

/** Lists all objects whose key starts with the prefix. */
export async function listAll(session: Session, bucket: string, prefix: string): Promise<ObjectEntry[]> {
  const all: ObjectEntry[] = [];
  for await (const { objects } of listObjects(session, bucket, { prefix })) all.push(...objects);
  return all;
}

/** An object to download, with its path below the folder. */
export type Download = PlannedPath<DownloadItem>;

type DownloadItem = Pick<ObjectEntry, 'key' | 'size'>;

export interface DownloadPlan {
  readonly downloads: readonly Download[];
  /** Objects whose keys cannot be converted to paths. */
  readonly failures: readonly Failure[];
}

/**
 * Plans a path below a folder for each object, from the part of its key after the prefix. An object whose key cannot be a path becomes a
 * failure.
 */
export function planDownloads(entries: readonly DownloadItem[], prefix: string): DownloadPlan {
  const { planned, faults } = planPaths(entries, ({ key }) => key.slice(prefix.length), sep === '\\');
  return {
    downloads: planned,
    failures: faults.map(({ item, fault }) => ({
      name: item.key,
      problem: new Problem('invalid-input', `The key cannot be a path: ${fault}.`, {
        remedy: { kind: 'download-alone' },
      }),
    })),
  };
}

/**
 * Opens the file of a download. A new file gets the permissions that the umask allows, as with other copy tools.
 */
export function openDownload(
  world: World,
  where: Pick<OutputFileOptions, 'name' | 'path' | 'ifThere' | 'makesFolders' | 'oneOfMany'>,
): Promise<OutputFile> {
  return openOutputFile(world, {
    ...where,
    isPrivate: false,
    ofFolder: { remedy: { kind: 'download-many' } },
  });
}

/**
 * Writes many objects below a folder. Never writes a file outside the folder, not even through a link inside the folder. On systems that
 * ignore case in file names, never overwrites the file of one object with another object.
 */
export async function downloadObjects(
  session: Session,
  bucket: string,
  downloads: readonly Download[],
  folder: string,
  reporter: Reporter,
  { ifThere, onDone }: { readonly ifThere: IfExists; onDone?(download: Download): void },
): Promise<ManyReport> {
  const total = downloads.reduce((sum, { item }) => sum + item.size, 0);
  const transfer = new Transfer(session, reporter, 'downloading', total);
  const written = new Map<string, string>();
  const folders = new Set(downloads.map(({ parts }) => join(folder, ...parts.slice(0, -1))));
  for (const one of folders) await removeLeftovers(one, session.world.now());
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
      const file = await openDownload(world, { name, path, ifThere, makesFolders: true, oneOfMany: true });
      const fetched = await fetchObject(session, { bucket, key: item.key }, file, () => transfer);
      if (fetched === undefined) throw new Problem('not-found', 'The object was deleted meanwhile.');
      written.set(folded(parts), await fileIdentity(path));
      return item.size;
    },
    onDone,
  );
}

/**
 * Returns the downloads whose files do not yet contain the object's bytes, according to the MD5. An object without an MD5 counts as
 * different.
 */
export async function stillToFetch(
  { world }: Session,
  downloads: readonly Download[],
  entries: readonly ObjectEntry[],
  folder: string,
): Promise<readonly Download[]> {
  const etags = new Map(entries.map(({ key, etag }) => [key, etag]));
  const left: Download[] = [];
  for (const download of downloads) {
    world.interrupted.throwIfAborted();
    const { item, parts } = download;
    const path = join(folder, ...parts);
    const found = await lstat(path).catch(() => undefined);
    const isAlike = found?.isFile() === true && found.size === item.size;
    if (!isAlike || (await parseMd5(path, item.size)) !== etags.get(item.key)) left.push(download);
  }
  return left;
}

async function parseMd5(path: string, size: number): Promise<string | undefined> {
  const hash = createHash('md5');
  try {
    for await (const chunk of fileBytes(path, size)) hash.update(chunk);
    return hash.digest('hex');
  } catch {
    // If the file cannot be read, a later attempt to write the file reports the reason.
    return undefined;
  }
}

/**
 * Refuses a path that contains a link to a path outside the folder. Checks each part separately, because a folder that does not exist yet
 * cannot be resolved.
 */
async function refuseEscape(folder: string, parts: readonly string[]): Promise<void> {
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const path = join(folder, ...parts.slice(0, depth));
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) return;
    if (!found.isSymbolicLink()) continue;
    const target = await realpath(path).catch(() => undefined);
    const root = await realpath(folder);
    if (target?.startsWith(root + sep)) continue;
    throw new Problem(
      'invalid-input',
      `${parts.slice(0, depth).join('/')} is a link that points outside the folder.`,
    );
  }
}

/** Refuses a path that is a folder, with an error that does not stop the download of the other objects. */
async function refuseFolder(path: string, parts: readonly string[]): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) return;
  throw new Problem('invalid-input', `${parts.join('/')} is a folder on this machine.`);
}

/**
 * Refuses a key whose file was already written for another key, because on some systems `A` and `a` are the same file. Does not change the
 * existing file.
 */
async function refuseTwin(
  path: string,
  parts: readonly string[],
  written: ReadonlyMap<string, string>,
): Promise<void> {
  const twin = written.get(folded(parts));
  if (twin === undefined || (await fileIdentity(path)) !== twin) return;
  throw new Problem(
    'invalid-input',
    'Another key was already written to the same file: the names differ only in case.',
  );
}

function folded(parts: readonly string[]): string {
  return parts.join('/').normalize('NFC').toLowerCase();
}

async function fileIdentity(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined);
  return found === undefined ? 'none' : `${found.dev}:${found.ino}`;
}
