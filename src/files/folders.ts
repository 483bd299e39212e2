import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Problem } from '../model/problem.ts';
import { pathReason, systemCode } from './system-reason.ts';

/** Creates a folder and its missing parents, with the permissions that the user's umask allows. */
export function makeFolder(path: string): void {
  makeFolders(path, 0o777);
}

/**
 * Creates a folder and its missing parents, which only their owner can read. An existing folder keeps its permissions, because a user who
 * opened it to others did so deliberately.
 */
export function makePrivateFolder(path: string): void {
  makeFolders(path, 0o700);
}

/** Creates a temporary folder that only its owner can read, and returns its path. The folder's name is the prefix with a random suffix. */
export function makeTemporaryFolder(prefix: string): string {
  const folder = tmpdir();
  try {
    return mkdtempSync(join(folder, prefix));
  } catch (error) {
    const reason = pathReason('/', folder, error);
    throw new Problem('system', `Cannot create a temporary folder in ${folder}: ${reason}.`, {
      cause: error,
      hint: 'Free some space there, or set TMPDIR to a writable folder.',
    });
  }
}

/**
 * Creates folders level by level, because Node's own recursive option never returns for an existing folder that does not allow new entries
 * (`/proc`). First goes up to the nearest existing parent, and then down, with at most two calls per level. Throws 'system'.
 */
function makeFolders(path: string, mode: number): void {
  const below: string[] = [];
  let at = path;
  while (!makeOneFolder(at, mode) && dirname(at) !== at) {
    below.push(at);
    at = dirname(at);
  }
  for (const folder of below.reverse()) {
    if (!makeOneFolder(folder, mode))
      throw cannotMakeProblem(folder, 'its parent does not allow new folders');
  }
}

/** Creates a folder unless it exists. Returns false if its parent is missing. */
function makeOneFolder(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    // The error code does not show whether the folder exists: for an existing folder, a read-only file system reports EROFS, and the root
    // folder reports EISDIR.
    if (isFolder(folder)) return true;
    throw cannotMakeProblem(folder, pathReason('/', folder, error), error);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function cannotMakeProblem(folder: string, reason: string, cause?: unknown): Problem {
  return new Problem('system', `Cannot create the folder ${folder}: ${reason}.`, {
    cause,
    remedy: { kind: 'choose-folder' },
  });
}
