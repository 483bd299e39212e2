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
 * Returns the text of a stored file; undefined if it is missing. Refuses an untrusted file, and a file of a newer
 * edgectl.
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

/**
 * The version of a stored file if it is newer than this program knows; undefined for any other file, and without a
 * file.
 */
export function findNewerVersion(format: Format, path: string): number | undefined {
  const version = findVersion(readStart(path));
  return isNewer(format, version) ? version : undefined;
}

/** Refuses to replace a stored file that a newer edgectl has written. */
export function checkReplaceable(format: Format, path: string): void {
  const version = findNewerVersion(format, path);
  if (version !== undefined) throw newerFormatProblem(format, path, version);
}

/** Deletes a stored file that has expired. Keeps a file of a newer edgectl, which may have another lifetime. */
export async function removeExpired(format: Format, path: string): Promise<void> {
  if (findNewerVersion(format, path) === undefined) await rm(path, { force: true });
}

/** Returns the first bytes of a file; empty if the file cannot be read, which the reader of the whole file reports. */
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
