import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { checkTrust } from '../files/found.ts';
import { describeDoubt } from '../files/trust-problems.ts';
import { Problem } from '../model/problem.ts';

// The only module that opens files below a state folder (test/store/inside.test.ts). A folder may come from a checkout or an archive, so
// nothing below it may point outside of it: no path component may be a link, and no written file may have a hard link elsewhere. A file
// that is only read may have hard links, because `cp -al` copies a folder by creating a second hard link to every file. While a folder is
// used, only its owner can change it, and the owner has the same rights as edgectl.

/**
 * The flag that makes opening a link fail. Windows supports neither this flag nor the next flag, so on Windows, links are checked before a
 * file is opened.
 */
const noFollow: number | undefined = constants.O_NOFOLLOW;
/** The flag that prevents blocking when a pipe is opened. */
const nonBlocking: number = constants.O_NONBLOCK ?? 0;

/**
 * Refuses, with Problem 'store-invalid', a path below `root` that contains anything other than real folders. Missing folders are not an
 * error, and nothing is created. `root` itself may be a link, because the user specified it.
 */
export function checkFolders(root: string, folders: readonly string[]): void {
  for (const folder of folders) {
    let path = root;
    for (const name of relative(root, folder).split(sep)) {
      path = join(path, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined) break;
      if (!found.isDirectory()) throw isOtherFile(path, found, 'a folder');
    }
  }
}

/**
 * Refuses, with Problem 'store-invalid', a folder that contains anything other than regular files and real folders, or a database with
 * another hard link. Used before another program opens files in the folder. Takes one or two seconds for a million files.
 */
export function checkTree(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw isOtherFile(folder, found, 'a folder');
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

/**
 * Returns the metadata of the file at a path; undefined if nothing exists there. Refuses anything that is not a regular file, and a file
 * with another hard link.
 */
export function findFile(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) checkOnly(path, found);
  return found;
}

/** Returns a value that distinguishes a file from another file that later gets the same name; undefined if there is no file. */
export function fileIdentity(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

/** Returns whether a file, folder or link with this name exists. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Refuses a database if the database, or a file that SQLite writes next to it, is a link or has another hard link. */
export function checkDatabase(file: string): void {
  for (const ending of databaseFiles) findFile(file + ending);
}

/**
 * Like `checkDatabase`, but for a database that is only read: refuses links, and refuses another hard link only for the files that SQLite
 * might write to even when it only reads the database. SQLite keeps its locks in `-shm`, and rolls back an incomplete change if a journal
 * exists.
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
  if (found !== undefined && !found.isFile()) throw isOtherFile(path, found, 'a file');
}

/** A file that is open for reading, with the metadata of the open file. */
interface OpenFile {
  readonly file: number;
  readonly found: Stats;
}

/**
 * Opens a file for reading. Throws the system's error if the file does not exist. Refuses a link, and anything that is not a regular file.
 * The caller must close the file.
 */
export function openFile(path: string): OpenFile {
  const file = openSingle(path, constants.O_RDONLY | nonBlocking);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw isOtherFile(path, found, 'a file');
    return { file, found };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Returns the whole content of a file. */
export function readWhole(path: string): Buffer {
  return readToEnd(openFile(path));
}

/**
 * Returns the content of a file; undefined if the file is larger than 64 KiB. If users other than `uid` may have read or written the file,
 * also returns the reason for doubt.
 */
export function readSmall(path: string, uid: number | undefined): SmallFile | undefined {
  const opened = openFile(path);
  const { file, found } = opened;
  if (found.size <= smallLimit)
    return { content: readToEnd(opened), doubt: describeDoubtAbout(path, found, uid) };
  closeSync(file);
  return undefined;
}

interface SmallFile {
  readonly content: Buffer;
  /** The reason why the file is not trusted; undefined if only the user can read and write the file. */
  readonly doubt: string | undefined;
}

const smallLimit = 64 * 1024;

function describeDoubtAbout(path: string, found: Stats, uid: number | undefined): string | undefined {
  const doubt = checkTrust('lease', path, found, { uid });
  return doubt && describeDoubt(doubt);
}

/** Reads a file from its start, and closes it. */
function readToEnd({ file, found: { size } }: OpenFile): Buffer {
  try {
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    // Unlike `readFileSync`, this loop does not request the size again.
    for (let count = -1; length < size && count !== 0; length += count)
      count = readSync(file, bytes, length, size - length, length);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Creates a file and opens it for writing. Refuses an existing file or link. The caller must close the file. */
export function createFile(path: string, mode?: number): number {
  return openSync(path, 'wx', mode);
}

/** Creates an empty file that only its owner can read, unless the file exists. */
export function ensureFile(path: string): void {
  closeSync(openSingle(path, constants.O_RDWR | constants.O_CREAT | nonBlocking, 0o600));
  findFile(path);
}

/** Replaces the content of a small file that edgectl owns, or creates the file. */
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
  if (found?.isSymbolicLink()) throw isOtherFile(path, found, 'a file');
}

function checkOnly(path: string, found: Stats): void {
  if (!found.isFile()) throw isOtherFile(path, found, 'a file');
  if (found.nlink > 1) throw refusal(path, 'is a hard link to another file', 'copy-files');
}

function isOtherFile(path: string, found: Stats, wanted: string): Problem {
  return refusal(path, `is ${describeKind(found)}, but ${wanted} is expected`);
}

function describeKind(found: Stats): string {
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
  return new Problem('store-invalid', `${path} ${fault}; edgectl does not open it.`, {
    remedy: { kind },
  });
}
