import { accessSync, constants, existsSync, readdirSync, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { doubtAbout } from '../../files/found.ts';
import { systemCode } from '../../files/system-reason.ts';
import { ownUid } from '../../liveness.ts';
import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { asProblem } from '../../model/problem.ts';
import { shellWord } from '../../text/shell.ts';
import { formatSize } from '../../text/size.ts';
import type { World } from '../../world.ts';

/** Bytes of room below which long work is likely to end early, and below which nothing can be written. */
const room = { little: 200 * 1024 * 1024, none: 1024 * 1024 };

type FolderWorld = Pick<World, 'folders' | 'env'>;

/** The user's folders: whose they are, who may write there, and how much room there is. */
export function folderChecks(world: FolderWorld, uid = ownUid()): DoctorCheck[] {
  const { folders } = world;
  const named: readonly (readonly [string, () => string | undefined])[] = [
    ['config', () => folders.config],
    ['state', () => folders.state],
    ['data', () => folders.data],
    ['cache', () => cacheFolder(world)],
  ];
  return named.flatMap(([of, find]) => {
    const name = `${of}-folder`;
    try {
      const path = find();
      if (path === undefined) return [];
      return [folderCheck(name, path, uid), ...(of === 'config' ? openFiles(join(path, 'profiles')) : [])];
    } catch (error) {
      const { message, hint } = asProblem(error);
      return [check.wrong(name, bare(message), { hint })];
    }
  });
}

/** Where compiled code is kept (`load.cjs`); undefined where nobody says. */
function cacheFolder({ env }: FolderWorld): string | undefined {
  const { XDG_CACHE_HOME: cache = '', HOME: home = '' } = env;
  if (cache.startsWith('/')) return join(cache, 'edgectl');
  return home.startsWith('/') ? join(home, '.cache', 'edgectl') : undefined;
}

function folderCheck(name: string, path: string, uid: number | undefined): DoctorCheck {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return missingFolder(name, path);
  const free = freeBytes(path);
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  const facts = { path, mode, ...(uid !== undefined && { uid: stats.uid }), free };
  const message = `${path}, mode ${mode}${free === undefined ? '' : `, ${formatSize(free)} of room`}`;
  const fault = linkFault(name, path, uid) ?? faultOf(path, stats, free, uid);
  if (fault === undefined) return check.ok(name, message, facts);
  return check[fault.grade](name, `${message}: ${fault.why}`, { hint: fault.hint }, facts);
}

/** It is made when it is needed: where the nearest one that there is can be written to, nothing is wrong. */
function missingFolder(name: string, path: string): DoctorCheck {
  let above = dirname(path);
  while (statSync(above, { throwIfNoEntry: false }) === undefined && dirname(above) !== above)
    above = dirname(above);
  if (canWrite(above)) return check.ok(name, `${path}, made when it is needed`, { path });
  const hint = `Make it yourself, or allow yourself to write in ${above}.`;
  return check.wrong(name, `${path} is missing, and ${above} cannot be written to`, { hint }, { path });
}

/** Compiled code is not taken from where a link leads: anybody could have made the link in a shared folder. */
function linkFault(name: string, path: string, uid: number | undefined) {
  if (name !== 'cache-folder' || doubtAbout('cache-folder', path, { uid })?.fault !== 'link')
    return undefined;
  const why = 'it is a symbolic link, so no compiled code is kept in it';
  return { grade: 'warning', why, hint: `Replace it with a folder: rm ${shellWord(path)}` } as const;
}

function faultOf(path: string, stats: Stats, free: number | undefined, uid: number | undefined) {
  const wrong = (why: string, hint: string) => ({ grade: 'wrong', why, hint }) as const;
  if (!stats.isDirectory())
    return wrong('it is no folder', `Move it away: mv ${shellWord(path)} ${shellWord(`${path}.old`)}`);
  if (uid !== undefined && stats.uid !== uid && uid !== 0)
    return wrong(
      `it belongs to the user id ${stats.uid}, not to you (${uid})`,
      `Take it: chown -R ${uid} ${shellWord(path)}`,
    );
  if (!canWrite(path)) return wrong('it cannot be written to', `Allow it: chmod u+rwx ${shellWord(path)}`);
  if ((stats.mode & 0o022) !== 0)
    return wrong('others can write in it', `Close it to others: chmod go-w ${shellWord(path)}`);
  if (free !== undefined && free < room.none) return wrong('the disk is full', 'Make room.');
  if (free === undefined || free >= room.little) return undefined;
  const hint = 'Exports, downloads and the undo journal need more: make room.';
  return { grade: 'warning', why: 'little room is left', hint } as const;
}

/** Profiles that others can read. */
function openFiles(folder: string): DoctorCheck[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const open = names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
  if (open.length === 0) return [];
  const paths = open.map((name) => join(folder, name));
  const hint = `Close them to others: chmod 600 ${paths.map(shellWord).join(' ')}`;
  return [check.wrong('profile-files', `Others can read ${open.join(', ')}`, { hint }, { paths })];
}

function canWrite(folder: string): boolean {
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

function bare(message: string): string {
  return message.replace(/\.$/, '');
}
