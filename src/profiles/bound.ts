import { dirname, join } from 'node:path';
import { type Reader, readFound } from '../files/found.ts';
import { systemCode, systemReason } from '../files/system-reason.ts';
import { describeDoubt } from '../files/trust-problems.ts';
import { Problem } from '../model/problem.ts';
import { isProfileName } from './profile.ts';

/**
 * Name of the file that binds a folder, and all folders below it, to a profile. The file contains one line with the profile's name, and no
 * secrets.
 */
export const boundFile = '.edgectl-profile';

/** The profile to which a folder is bound. */
export interface BoundProfile {
  readonly name: string;
  /** Absolute path of the file that contains the profile's name. */
  readonly path: string;
}

/**
 * Returns the profile in the nearest `.edgectl-profile` in `cwd` or a folder above it; undefined if there is no such file. Throws if the file
 * is untrusted or does not contain a profile name.
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
  if (!isProfileName(name)) throw unusableProblem(path, 'does not contain a profile name');
  return name;
}

function readingFound(path: string, reader: Reader | undefined): ReturnType<typeof readFound> {
  try {
    return readFound('folder-profile', path, reader);
  } catch (error) {
    // The folder cannot be searched, so it is unknown whether the file exists. A file that exists but cannot be opened causes an error,
    // because it binds the folder.
    if (systemCode(error) === 'EACCES' && (error as NodeJS.ErrnoException).syscall === 'lstat')
      return undefined;
    throw unusableProblem(path, `cannot be read: ${systemReason(error)}`);
  }
}

function unusableProblem(path: string, why: string): Problem {
  return new Problem('usage', `${path} ${why}, so it selects no profile.`, {
    remedy: { kind: 'name-profile' },
  });
}
