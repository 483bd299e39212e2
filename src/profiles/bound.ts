import { dirname, join } from 'node:path';
import { doubtWords } from '../files/doubt-words.ts';
import { type Reader, readFound } from '../files/found.ts';
import { systemCode, systemReason } from '../files/system-reason.ts';
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

/**
 * The profile named by the nearest file in `cwd` or above; undefined if there is none. Refuses a file that is not trusted or
 * names no profile.
 */
export function findBound(cwd: string, reader?: Reader): BoundProfile | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, boundFile);
    const name = readBound(path, reader);
    if (name !== undefined) return { path, name };
    if (dirname(folder) === folder) return undefined;
  }
}

function readBound(path: string, reader: Reader | undefined): string | undefined {
  const found = readingFound(path, reader);
  if (found === undefined) return undefined;
  if ('doubt' in found) throw unusable(found.doubt.path, doubtWords(found.doubt));
  const name = found.bytes.toString('utf8').trim();
  if (!isProfileName(name)) throw unusable(path, 'names no profile');
  return name;
}

function readingFound(path: string, reader: Reader | undefined): ReturnType<typeof readFound> {
  try {
    return readFound('folder-profile', path, reader);
  } catch (error) {
    // Where the folder cannot be looked into, nobody knows of a file. One that is there and cannot be opened binds the folder.
    if (systemCode(error) === 'EACCES' && (error as NodeJS.ErrnoException).syscall === 'lstat')
      return undefined;
    throw unusable(path, `cannot be read: ${systemReason(error)}`);
  }
}

function unusable(path: string, why: string): Problem {
  return new Problem('usage', `${path} ${why}; the profile that it may name is not acted as.`, {
    remedy: { kind: 'name-profile' },
  });
}
