import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { findDoubt } from '../../files/found.ts';
import { systemCode } from '../../files/system-reason.ts';
import { ownUid } from '../../liveness.ts';
import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { type Advice, asProblem } from '../../model/problem.ts';
import { shellWord } from '../../text/shell.ts';
import { formatSize } from '../../text/size.ts';
import type { World } from '../../world.ts';

/** Thresholds of free disk space, in bytes. Below `little`, long operations may fail; below `none`, the disk counts as full. */
const freeSpaceLimits = { little: 200 * 1024 * 1024, none: 1024 * 1024 };

type FolderWorld = Pick<World, 'folders' | 'env'>;

/** A folder to check in addition to the user's folders: the folder of a sandbox or of local data. */
export interface CheckedFolder {
  readonly name: Extract<FolderName, 'sandbox-folder' | 'local-folder'>;
  readonly path: string;
}

const folderKinds = {
  'config-folder': 'config',
  'state-folder': 'state',
  'data-folder': 'data',
  'cache-folder': 'cache',
  'sandbox-folder': 'sandbox',
  'local-folder': 'local',
} as const;

type FolderName = keyof typeof folderKinds;

/** Checks the user's folders, and the folder `data` if given: owner, permissions and free space. */
export function folderChecks(world: FolderWorld, data?: CheckedFolder, uid = ownUid()): DoctorCheck[] {
  const { folders } = world;
  const named: readonly (readonly [FolderName, () => string | undefined])[] = [
    ['config-folder', () => folders.config],
    ['state-folder', () => folders.state],
    ['data-folder', () => folders.data],
    ['cache-folder', () => cacheFolder(world)],
    ...(data === undefined ? [] : ([[data.name, () => data.path]] as const)),
  ];
  return named.flatMap(([name, find]) => {
    try {
      const path = find();
      if (path === undefined) return [];
      const isConfig = name === 'config-folder';
      return [
        folderCheck(name, path, uid),
        ...(isConfig ? readableProfilesCheck(join(path, 'profiles')) : []),
      ];
    } catch (error) {
      const { message, hint } = asProblem(error);
      return [check.wrong(name, withoutFullStop(message), { hint })];
    }
  });
}

/** Returns the cache folder for compiled code (see `load.cjs`); undefined if the environment specifies no folder. */
export function cacheFolder({ env }: FolderWorld): string | undefined {
  const { XDG_CACHE_HOME: cache = '', HOME: home = '' } = env;
  if (cache.startsWith('/')) return join(cache, 'edgectl');
  return home.startsWith('/') ? join(home, '.cache', 'edgectl') : undefined;
}

function folderCheck(name: FolderName, path: string, uid: number | undefined): DoctorCheck {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return missingFolder(name, path);
  const free = freeBytes(path);
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  const facts = { path, mode, ...(uid !== undefined && { uid: stats.uid }), free };
  const message = `${path}, mode ${mode}${free === undefined ? '' : `, ${formatSize(free)} free`}`;
  const fault =
    linkFault(name, path, uid) ?? findFolderFault(path, stats, free, uid) ?? findUnwritable(path, uid);
  if (fault === undefined) return check.ok(name, message, facts);
  const advice = fault.isClosed ? folderAdvice(name, fault.hint) : { hint: fault.hint };
  return check[fault.grade](name, `${message}: ${fault.why}`, advice, facts);
}

/** Returns a fault for the first subfolder in which commands could not save anything, because it is not writable. */
function findUnwritable(path: string, uid: number | undefined) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    const stats = entry.isDirectory() ? statSync(below, { throwIfNoEntry: false }) : undefined;
    const isOwn = uid === undefined || uid === 0 || stats?.uid === uid;
    if (stats === undefined || (isOwn && isWritable(below))) continue;
    const word = shellWord(below);
    const hint = `Change the owner: chown -R ${uid ?? '"$USER"'} ${word} && chmod -R u+rwX ${word}`;
    return {
      grade: 'wrong',
      why: `its subfolder ${entry.name} is not writable`,
      hint,
      isClosed: true,
    } as const;
  }
  return undefined;
}

/** Returns advice to choose another folder. `instead` describes the alternative. */
function folderAdvice(name: FolderName, instead: string): Advice {
  return { remedy: { kind: 'choose-folder', of: folderKinds[name], instead } };
}

/** Checks a missing folder. Commands create the folder when they need it, so its nearest existing parent must be writable. */
function missingFolder(name: FolderName, path: string): DoctorCheck {
  let above = dirname(path);
  while (statSync(above, { throwIfNoEntry: false }) === undefined && dirname(above) !== above)
    above = dirname(above);
  if (canWrite(above)) return check.ok(name, `${path}, created on demand`, { path });
  const advice = folderAdvice(name, `Create the folder yourself, or make ${above} writable.`);
  return check.wrong(name, `${path} is missing, and ${above} is not writable`, advice, { path });
}

/**
 * Returns a fault if the cache folder is a symbolic link. Compiled code is not loaded through a symbolic link, because in a shared folder
 * any user could have created the link.
 */
function linkFault(name: string, path: string, uid: number | undefined) {
  if (name !== 'cache-folder' || findDoubt('cache-folder', path, { uid })?.fault !== 'link') return undefined;
  const why = 'it is a symbolic link, so no compiled code is stored in it';
  return {
    grade: 'warning',
    why,
    hint: `Replace it with a folder: rm ${shellWord(path)}`,
    isClosed: false,
  } as const;
}

function findFolderFault(path: string, stats: Stats, free: number | undefined, uid: number | undefined) {
  const wrong = (why: string, hint: string, isClosed = false) =>
    ({ grade: 'wrong', why, hint, isClosed }) as const;
  if (!stats.isDirectory())
    return wrong('it is not a folder', `Rename it: mv ${shellWord(path)} ${shellWord(`${path}.old`)}`, true);
  if (uid !== undefined && stats.uid !== uid && uid !== 0)
    return wrong(
      `it belongs to the user with the id ${stats.uid}, not to you (${uid})`,
      `Change the owner: chown -R ${uid} ${shellWord(path)}`,
      true,
    );
  if (!canWrite(path))
    return wrong('it is not writable', `Change the mode: chmod u+rwx ${shellWord(path)}`, true);
  if ((stats.mode & 0o022) !== 0)
    return wrong('other users can write to it', `Restrict the permissions: chmod go-w ${shellWord(path)}`);
  if (free !== undefined && free < freeSpaceLimits.none)
    return wrong('the disk is full', 'Free some disk space.');
  if (free === undefined || free >= freeSpaceLimits.little) return undefined;
  const hint = 'Free some space: exports, downloads and the undo journal need more.';
  return { grade: 'warning', why: 'little space is left', hint, isClosed: false } as const;
}

/** Returns a check that lists the profiles that other users can read; the list is empty if there are none. */
function readableProfilesCheck(folder: string): DoctorCheck[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const open = names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
  if (open.length === 0) return [];
  const paths = open.map((name) => join(folder, name));
  const hint = `Restrict the permissions: chmod 600 ${paths.map(shellWord).join(' ')}`;
  return [check.wrong('profile-files', `Other users can read ${open.join(', ')}`, { hint }, { paths })];
}

/**
 * Returns whether a folder is writable. Creates and removes a subfolder as a test, because for root the system reports write permission
 * even where nothing can be created (`/proc`).
 */
function canWrite(folder: string): boolean {
  if (!isWritable(folder)) return false;
  try {
    rmdirSync(mkdtempSync(join(folder, '.edgectl-')));
    return true;
  } catch {
    return false;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function withoutFullStop(message: string): string {
  return message.replace(/\.$/, '');
}
