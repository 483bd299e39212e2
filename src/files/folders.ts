import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Problem } from '../model/problem.ts';
import { pathReason, systemCode } from './system-reason.ts';

/** Makes a folder, and those above it that are missing, with the permissions that the user's umask leaves. */
export function makeFolder(path: string): void {
  makeLevels(path, 0o777);
}

/**
 * Creates a folder that only its owner can read, and missing parents likewise. An existing folder keeps its permissions:
 * whoever opened it to others did so on purpose.
 */
export function makePrivateFolder(path: string): void {
  makeLevels(path, 0o700);
}

/** Makes a folder for a while that only its owner can read, and gives its path: the prefix, then what chance says. */
export function makeTemporaryFolder(prefix: string): string {
  const folder = tmpdir();
  try {
    return mkdtempSync(join(folder, prefix));
  } catch (error) {
    const reason = pathReason('/', folder, error);
    throw new Problem('system', `Cannot make a temporary folder in ${folder}: ${reason}.`, {
      cause: error,
      hint: 'Make room there, or set TMPDIR to a folder that can be written to.',
    });
  }
}

/**
 * Level by level, because Node's own recursive form never returns where a folder exists and still takes none (`/proc`).
 * Goes up while a folder above is missing, then down; so it makes at most two calls a level. Refuses with 'system'.
 */
function makeLevels(path: string, mode: number): void {
  const below: string[] = [];
  let at = path;
  while (!isMade(at, mode) && dirname(at) !== at) {
    below.push(at);
    at = dirname(at);
  }
  for (const folder of below.reverse()) {
    if (!isMade(folder, mode)) throw unmakeable(folder, 'what lies above it takes no folders');
  }
}

/** Makes one folder unless it exists; returns false when the one above it is missing. */
function isMade(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    // Not by the code: of a folder that is there a read-only file system says EROFS, and a root EISDIR.
    if (isFolder(folder)) return true;
    throw unmakeable(folder, pathReason('/', folder, error), error);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function unmakeable(folder: string, reason: string, cause?: unknown): Problem {
  return new Problem('system', `Cannot make the folder ${folder}: ${reason}.`, {
    cause,
    remedy: { kind: 'choose-folder' },
  });
}
