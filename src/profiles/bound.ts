import { dirname, join } from 'node:path';
import { type Reader, readFound } from '../files/found.ts';
import { systemCode, systemReason } from '../files/system-reason.ts';
import { describeDoubt } from '../files/trust-problems.ts';
import { Problem } from '../model/problem.ts';
import { isProfileName } from './profile.ts';

/**
 * A file in the folder to which a profile is bound, also valid for all folders below: one line with the profile's name.
 * The file contains no secret.
 */
export const boundFile = '.edgectl-profile';

/** A profile to which a folder is bound. */
export interface BoundProfile {
  readonly name: string;
  /** Absolute path of the file that names it. */
  readonly path: string;
}

/**
 * Returns the profile named by the nearest file in `cwd` or above; undefined if there is none. Refuses a file that is untrusted
 * or does not name a profile.
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
  if ('doubt' in found) throw unusableProblem(found.doubt.path, describeDoubt(found.doubt));
  const name = found.bytes.toString('utf8').trim();
  if (!isProfileName(name)) throw unusableProblem(path, 'does not name a profile');
  return name;
}

function readingFound(path: string, reader: Reader | undefined): ReturnType<typeof readFound> {
  try {
    return readFound('folder-profile', path, reader);
  } catch (error) {
    // If the folder cannot be searched, the file's existence is unknown. A file that exists but cannot be opened does bind the
    // folder.
    if (systemCode(error) === 'EACCES' && (error as NodeJS.ErrnoException).syscall === 'lstat')
      return undefined;
    throw unusableProblem(path, `cannot be read: ${systemReason(error)}`);
  }
}

function unusableProblem(path: string, why: string): Problem {
  return new Problem('usage', `${path} ${why}; the profile that it may name is not used.`, {
    remedy: { kind: 'name-profile' },
  });
}
