import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode, systemReason } from '../files/system-reason.ts';
import { isProblem, Problem } from '../model/problem.ts';

/** The primary result codes of SQLite that edgectl distinguishes (sqlite.org/rescode.html). */
export const sqliteCode = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notDatabase: 26,
} as const;

/** Returns SQLite's primary result code from an error that node:sqlite threw; undefined for any other error. */
export function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

/** Runs `work` on the database in `file`, and uses `storeProblem` to convert any error that `work` throws. */
export function guarded<T>(file: () => string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeProblem(error, file());
  }
}

/**
 * Converts a disk or lock failure to a Problem that names the file: 'store-busy' if another process holds the lock, otherwise
 * 'store-invalid'. Returns any other error unchanged.
 */
export function storeProblem(error: unknown, file: string): unknown {
  if (isProblem(error)) return error;
  const code = primaryCode(error);
  const sentence = code === undefined ? numberFault(error) : (sentences[code] ?? unusable);
  if (sentence === undefined) return fileProblem(error);
  const [problemCode, fault, hint] = sentence;
  const reason = code !== undefined && refusedAccess.has(code) ? accessReason(file) : undefined;
  const why = reason === undefined ? '' : `: ${reason}`;
  return new Problem(problemCode, `The database ${file} ${fault}${why}.`, { hint, cause: error });
}

/** SQLite codes for which the operating system knows a more specific reason. */
const refusedAccess: ReadonlySet<number> = new Set([sqliteCode.readOnly, sqliteCode.cannotOpen]);

/** Returns the reason why a file (or, if the file is missing, its folder) is not writable; undefined if the file or folder is writable. */
function accessReason(file: string): string | undefined {
  for (const path of [file, dirname(file)]) {
    try {
      accessSync(path, constants.W_OK);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') return systemReason(error);
    }
  }
  return undefined;
}

type Sentence = readonly ['store-busy' | 'store-invalid', fault: string, hint: string];

const busy: Sentence = [
  'store-busy',
  'is locked by another process',
  'Try again in a moment, or stop the process that writes to this folder.',
];
const broken: Sentence = [
  'store-invalid',
  'is damaged, or is not a SQLite database',
  'Restore the database from a copy, or rename the file to start without its data.',
];
const unusable: Sentence = ['store-invalid', 'cannot be used', 'Restore the database from a copy.'];

/**
 * Describes the error that node:sqlite throws for an integer too large for a JavaScript number; undefined for any other error. Neither
 * edgectl nor Miniflare writes such an integer.
 */
function numberFault(error: unknown): Sentence | undefined {
  const outOfRange = error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
  return outOfRange ? ['store-invalid', 'contains a number that is too large', broken[2]] : undefined;
}

const checkOwner = 'Check that the file and its folder belong to you and can be written to.';

const sentences: Readonly<Record<number, Sentence>> = {
  [sqliteCode.busy]: busy,
  [sqliteCode.locked]: busy,
  [sqliteCode.corrupt]: broken,
  [sqliteCode.notDatabase]: broken,
  [sqliteCode.readOnly]: ['store-invalid', 'cannot be written to', checkOwner],
  // The hint mentions open files, because SQLite uses the same code if the process has run out of file handles.
  [sqliteCode.cannotOpen]: [
    'store-invalid',
    'cannot be opened',
    `${checkOwner} If they do, raise the limit on open files (ulimit -n).`,
  ],
  [sqliteCode.ioError]: [
    'store-invalid',
    'cannot be read or written: the system refused access',
    'Check the limit on file sizes (ulimit -f), and the disk.',
  ],
  [sqliteCode.full]: ['store-invalid', 'cannot grow: the disk is full', 'Free some space, then try again.'],
};

function fileProblem(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    return new Problem('store-invalid', 'The local data cannot grow: the disk is full.', {
      hint: 'Free some space, then try again.',
      cause: error,
    });
  const isOutOfHandles = error.code === 'EMFILE' || error.code === 'ENFILE';
  const path = 'path' in error && typeof error.path === 'string' ? ` ${error.path}` : '';
  const fault = `${String(error.syscall)}${path}: ${systemReason(error)} (${String(error.code)})`;
  return new Problem('store-invalid', `The local data cannot be used: ${fault}.`, {
    hint: isOutOfHandles
      ? 'Raise the limit on open files (ulimit -n), then try again.'
      : 'Check that the folder belongs to you, is writable and has free space.',
    cause: error,
  });
}
