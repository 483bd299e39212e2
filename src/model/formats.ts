import { Problem, type ProblemCode } from './problem.ts';

/**
 * The formats of the files that edgectl writes and reads again later, with the newest version of each that this program
 * reads. edgectl writes the newest version, and reads that and all earlier versions. A file states its version in its
 * first field: `{"version":1,…`. Files without a version are from before versions existed and count as version 1, which
 * has the same fields.
 *
 * To change a format: increase its number here, read the old version too, and add a sample of the new version to
 * test/formats/samples.
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
  // Formats of files in a folder of sandbox or local data.
  lease: 1,
  registry: 7,
  // Formats of files that users name.
  seed: 1,
  world: 1,
} as const;

export type Format = keyof typeof formatVersions;

/** Number of bytes at the start of a file that contain its version, which is the first field. */
export const versionBytes = 64;

/** The version that a file's first field states; 1 if it states none. `start` is the content, or its first `versionBytes`. */
export function findVersion(start: string): number {
  const digits = /^\ufeff?\s*\{\s*"version"\s*:\s*(\d+)\b/.exec(start)?.[1];
  return digits === undefined ? 1 : Number(digits);
}

/** Whether a newer program wrote a file, in a version that this program does not know. */
export function isNewer(format: Format, version: number): boolean {
  return version > formatVersions[format];
}

/** Refuses a file of a newer version. `start` is its content, or its first `versionBytes`. */
export function checkFormat(format: Format, path: string, start: string, code?: ProblemCode): void {
  const version = findVersion(start);
  if (isNewer(format, version)) throw newerFormatProblem(format, path, version, { code });
}

const usualHint = 'Upgrade edgectl, or move the file elsewhere: edgectl neither changes nor deletes it.';

/** A notice that a file of a newer version is not used, as a sentence with advice. */
export function describeNewer(format: Format, path: string, version: number): string {
  return `${newerFormatProblem(format, path, version).message} ${usualHint}`;
}

/** The refusal of a file of a newer version. */
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
