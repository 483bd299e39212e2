import { constants, lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode, systemReason } from '../files/system-reason.ts';
import { ownUid } from '../liveness.ts';
import { Problem } from '../model/problem.ts';
import { isProfileName } from './profile.ts';

/** In the folder that a profile is bound to, and for all below it: a line with the profile's name. It holds no secret. */
export const boundFile = '.edgectl-profile';

/** A profile that a folder asks for. */
export interface BoundProfile {
  readonly name: string;
  /** Absolute path of the file that says so. */
  readonly path: string;
}

/** Longer than any file of one name. */
const limit = 1024;

/**
 * The profile that the nearest file in `cwd` or above it names; undefined where there is none. Nobody has named that file,
 * so it has to be what it seems: refuses a link, and one that belongs to somebody else than the user (`uid`) or root, or
 * lies in a folder of somebody else. Refuses what names no profile.
 */
export function findBound(cwd: string, uid = ownUid()): BoundProfile | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, boundFile);
    const found = lookAt(path);
    if (found !== undefined) return { path, name: readBound(path, found, uid) };
    if (dirname(folder) === folder) return undefined;
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return undefined;
    throw unusable(path, `cannot be read: ${systemReason(error)}`);
  }
}

function readBound(path: string, found: Stats, uid: number | undefined): string {
  if (!found.isFile()) throw unusable(path, 'is no file');
  if (isOthers(found, uid)) throw unusable(path, 'belongs to somebody else');
  if (isOthers(lstatSync(dirname(path)), uid)) throw unusable(path, 'lies in a folder of somebody else');
  if (found.size > limit) throw unusable(path, 'names no profile');
  const name = readFileSync(path, {
    encoding: 'utf8',
    flag: constants.O_RDONLY | constants.O_NOFOLLOW,
  }).trim();
  if (!isProfileName(name)) throw unusable(path, 'names no profile');
  return name;
}

function isOthers(stats: Stats, uid: number | undefined): boolean {
  return uid !== undefined && stats.uid !== uid && stats.uid !== 0;
}

function unusable(path: string, why: string): Problem {
  return new Problem('usage', `${path} ${why}; the profile that it may name is not acted as.`, {
    remedy: { kind: 'name-profile' },
  });
}
