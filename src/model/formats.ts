import { Problem, type ProblemCode } from './problem.ts';

/**
 * The formats of the files that edgectl writes and later reads again, each with its newest version. edgectl writes the newest version, and
 * reads it and all earlier versions. The first field of a file is its version: `{"version":1,…`. Files without this field were written
 * before versions existed, and count as version 1, which has the same fields.
 *
 * To change a format: increase its number here, keep reading the old versions, and add a sample of the new version to test/formats/samples.
 */
export const formatVersions = {
  // Formats of files in the configuration folder.
  settings: 1,
  profile: 1,
  'accepted-profiles': 1,
  // Formats of files in the state folder.
  'audit-log': 1,
  checkpoint: 1,
  'console-places': 1,
  'completion-names': 1,
  deletion: 1,
  deployment: 1,
  diagnosis: 1,
  download: 1,
  'hostname-dates': 1,
  'newest-version': 1,
  pace: 1,
  plan: 1,
  task: 1,
  'undo-entry': 2,
  upload: 1,
  verdicts: 1,
  watch: 1,
  // Formats of files in a folder that contains sandbox or local data.
  lease: 1,
  registry: 7,
  // Formats of files whose paths the user chooses.
  seed: 1,
  world: 1,
} as const;

export type Format = keyof typeof formatVersions;

/** Number of bytes at the start of a file that contain its version. The version is the first field. */
export const versionBytes = 64;

/** Returns the version in a file's first field; 1 if there is none. `start` is the content, or its first `versionBytes` bytes. */
export function findVersion(start: string): number {
  const digits = /^\ufeff?\s*\{\s*"version"\s*:\s*(\d+)\b/.exec(start)?.[1];
  return digits === undefined ? 1 : Number(digits);
}

/** Returns whether a file's version is newer than the newest version that this program can read. */
export function isNewer(format: Format, version: number): boolean {
  return version > formatVersions[format];
}

/** Throws if a file has a newer version than this program supports. `start` is the file's content, or its first `versionBytes` bytes. */
export function checkFormat(format: Format, path: string, start: string, code?: ProblemCode): void {
  const version = findVersion(start);
  if (isNewer(format, version)) throw newerFormatProblem(format, path, version, { code });
}

const usualHint = 'Upgrade edgectl, or move the file elsewhere: edgectl neither changes nor deletes it.';

/** Returns a notice, with advice, that a file with a newer version is not used. */
export function describeNewer(format: Format, path: string, version: number): string {
  return `${newerFormatProblem(format, path, version).message} ${usualHint}`;
}

/** Returns the error for a file with a newer version. */
export function newerFormatProblem(
  format: Format,
  path: string,
  version: number,
  { code = 'store-invalid', hint = usualHint }: { code?: ProblemCode | undefined; hint?: string } = {},
): Problem {
  const known = formatVersions[format];
  return new Problem(
    code,
    `${path} was written by a newer edgectl: its format has version ${version}, and this edgectl reads ${known === 1 ? 'version 1' : `versions up to ${known}`}.`,
    { hint },
  );
}
