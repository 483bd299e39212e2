import { closeSync, constants, openSync, readSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import {
  checkFormat,
  type Format,
  findVersion,
  isNewer,
  newerFormatProblem,
  versionBytes,
} from '../model/formats.ts';
import type { ProblemCode } from '../model/problem.ts';
import type { FoundKind } from './found.ts';
import { readTrusted } from './trust-problems.ts';

/**
 * Returns the text of a stored file; undefined if the file is missing. Throws for an untrusted file, or a file that a newer edgectl wrote.
 */
export function readStoredText(
  code: ProblemCode,
  kind: FoundKind,
  format: Format,
  path: string,
): string | undefined {
  const text = readTrusted(code, kind, path)?.toString('utf8');
  if (text !== undefined) checkFormat(format, path, text, code);
  return text;
}

/** Returns the version of a stored file if this program does not support it yet; undefined for any other file, or if there is no file. */
export function findNewerVersion(format: Format, path: string): number | undefined {
  const version = findVersion(readStart(path));
  return isNewer(format, version) ? version : undefined;
}

/** Throws if a stored file must not be replaced, because a newer edgectl has written it. */
export function checkReplaceable(format: Format, path: string): void {
  const version = findNewerVersion(format, path);
  if (version !== undefined) throw newerFormatProblem(format, path, version);
}

/**
 * Deletes a stored file that has expired. Keeps a file that a newer edgectl wrote, because the newer version may keep such files longer.
 */
export async function removeExpired(format: Format, path: string): Promise<void> {
  if (findNewerVersion(format, path) === undefined) await rm(path, { force: true });
}

/** Returns the first bytes of a file. Returns an empty string if the file cannot be read; reading the whole file reports the error. */
function readStart(path: string): string {
  try {
    const file = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const start = Buffer.alloc(versionBytes);
      return start.toString('utf8', 0, readSync(file, start, 0, versionBytes, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
