import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  opendirSync,
  openSync,
  readFileSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { checkTrust } from '../files/found.ts';
import { describeDoubt } from '../files/trust-problems.ts';
import { Problem } from '../model/problem.ts';

// The one place where files below a state folder are opened (test/store/inside.test.ts). A folder may come with a checkout
// or an archive, so nothing below it is followed out of it: no component is a link, and no file that is written has a
// second name elsewhere. One that is only read may: a copy by hard links (`cp -al`) has two names for all. Who can change the folder while it is used is its owner, and may do what edgectl may.

/** Windows has neither flag; there a link is looked for before the opening. */
const noFollow: number | undefined = constants.O_NOFOLLOW;
/** A pipe must not be waited for. */
const nonBlocking: number = constants.O_NONBLOCK ?? 0;

/**
 * Refuses (Problem 'store-invalid') a folder below `root`, or one above it down from `root`, that is no folder itself.
 * A missing one is no fault, and nothing is made. `root` may be a link: a person has named it.
 */
export function checkFolders(root: string, folders: readonly string[]): void {
  for (const folder of folders) {
    let path = root;
    for (const name of relative(root, folder).split(sep)) {
      path = join(path, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined) break;
      if (!found.isDirectory()) throw isOther(path, found, 'a folder');
    }
  }
}

/**
 * Refuses (Problem 'store-invalid') anything below a folder that is no file or folder of its own, for a program that will
 * open files there by itself. Takes a second or two for a million files.
 */
export function checkTree(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw isOther(folder, found, 'a folder');
  const directory = opendirSync(folder, { bufferSize: 1024 });
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (entry.isDirectory()) checkTree(join(folder, entry.name));
      else if (!entry.isFile() || entry.name.includes('.sqlite')) findFile(join(folder, entry.name));
    }
  } finally {
    directory.closeSync();
  }
}

/** The file at a path, or undefined where there is nothing. A link is refused, as is a file with another name. */
export function findFile(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) checkOnly(path, found);
  return found;
}

/** Tells one file from another that takes its name later; undefined where there is none. */
export function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

/** Whether anything has this name, be it a link. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Refuses what SQLite would write through: a database, or one of the files beside it, that is no file of its own. */
export function checkDatabase(file: string): void {
  for (const ending of databaseFiles) findFile(file + ending);
}

/**
 * Refuses what SQLite would write through though it is asked to read: a link in every case, and another name of a file
 * that it writes nevertheless. It rolls a half-done change back, by its journal, and keeps its locks in `-shm`.
 */
export function checkDatabaseToRead(file: string): void {
  const isHalfDone = isThere(`${file}-journal`);
  for (const ending of databaseFiles) {
    const mayHaveNames = !isHalfDone && (ending === '' || ending === '-wal');
    if (mayHaveNames) checkFile(file + ending);
    else findFile(file + ending);
  }
}

const databaseFiles = ['', '-wal', '-shm', '-journal'];

function checkFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw isOther(path, found, 'a file');
}

/** A file that is open to be read, and what the system says of just that one. */
interface OpenFile {
  readonly file: number;
  readonly found: Stats;
}

/** Opens a file for reading. The caller closes it. Fails with the system's error where there is none. */
export function openFile(path: string): OpenFile {
  const file = openSingle(path, constants.O_RDONLY | nonBlocking);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw isOther(path, found, 'a file');
    return { file, found };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** The whole content of a file. */
export function readWhole(path: string): Buffer {
  return readToEnd(openFile(path).file);
}

/** The content of a small file, and why it may be from another than the user `uid`, in words; of a larger one, undefined. */
export function readSmall(path: string, uid: number | undefined): SmallFile | undefined {
  const { file, found } = openFile(path);
  if (found.size <= smallLimit) return { content: readToEnd(file), doubt: doubtOf(path, found, uid) };
  closeSync(file);
  return undefined;
}

interface SmallFile {
  readonly content: Buffer;
  /** Undefined where nobody but the user may read or write the file. */
  readonly doubt: string | undefined;
}

const smallLimit = 64 * 1024;

function doubtOf(path: string, found: Stats, uid: number | undefined): string | undefined {
  const doubt = checkTrust('lease', path, found, { uid });
  return doubt && describeDoubt(doubt);
}

/** Reads a file from its start and closes it. */
function readToEnd(file: number): Buffer {
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Opens a new file for writing; never one that is there, be it a link. The caller closes it. */
export function createFile(path: string, mode?: number): number {
  return openSync(path, 'wx', mode);
}

/** Makes an empty file, readable by its owner only, unless it is there. */
export function ensureFile(path: string): void {
  closeSync(openSingle(path, constants.O_RDWR | constants.O_CREAT | nonBlocking, 0o600));
  findFile(path);
}

/** Replaces the content of a small file of edgectl's own; makes it when it is missing. */
export function note(path: string, text: string): void {
  const file = openSingle(path, constants.O_WRONLY | constants.O_CREAT | nonBlocking);
  try {
    checkOnly(path, fstatSync(file));
    ftruncateSync(file);
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

function openSingle(path: string, flags: number, mode?: number): number {
  if (noFollow === undefined) refuseLink(path);
  try {
    return openSync(path, flags | (noFollow ?? 0), mode);
  } catch (error) {
    refuseLink(path);
    throw error;
  }
}

function refuseLink(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) throw isOther(path, found, 'a file');
}

function checkOnly(path: string, found: Stats): void {
  if (!found.isFile()) throw isOther(path, found, 'a file');
  if (found.nlink > 1) throw refusal(path, 'has another name elsewhere (a hard link)', 'copy-files');
}

function isOther(path: string, found: Stats, wanted: string): Problem {
  return refusal(path, `is ${kindOf(found)} where ${wanted} of its own must be`);
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isDirectory()) return 'a folder';
  if (found.isFile()) return 'a file';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

function refusal(
  path: string,
  fault: string,
  kind: 'remove-stranger' | 'copy-files' = 'remove-stranger',
): Problem {
  return new Problem('store-invalid', `${path} ${fault}; it is not followed.`, {
    remedy: { kind },
  });
}
