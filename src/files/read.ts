import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isProblem, Problem } from '../model/problem.ts';
import { pathReason, systemCode } from './system-reason.ts';

/** A file that the user named, and what to say besides where it is a folder. */
export interface NamedFile {
  /** Absolute. */
  readonly cwd: string;
  /** As it was typed. */
  readonly name: string;
  /** Where it is, when `name` says it for a person only. */
  readonly path?: string;
  readonly folderHint?: string;
}

/**
 * Opens a file that the user named. Refuses with invalid-input, in words that name it as it was typed: what is missing,
 * a folder, and what the system does not let us read. The caller closes it.
 */
export async function openNamedFile(file: NamedFile): Promise<FileHandle> {
  const handle = await readingFrom(file, () => open(file.path ?? resolve(file.cwd, file.name)));
  const stats = await handle.stat();
  if (!stats.isDirectory()) return handle;
  await handle.close();
  throw new Problem('invalid-input', `Cannot read ${file.name}: it is a folder.`, { hint: file.folderHint });
}

/** Files that the kernel makes up (`/proc`, `/sys`) are small to look at, and have no blocks. */
const madeUpBytes = 64 * 1024;

/**
 * Whether an open file can be read several times and holds as many bytes as the system tells: a regular one that lies on
 * a disk. A pipe and a device cannot, and what is in `/proc` has size 0 and another content each time.
 */
export async function isSteady(handle: FileHandle): Promise<boolean> {
  const stats = await handle.stat();
  if (!stats.isFile()) return false;
  if (stats.size > 0) return stats.blocks > 0 || stats.size > madeUpBytes;
  const { bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, 0);
  return bytesRead === 0;
}

/** What `read` makes of all bytes of a named file, to the end whatever size the system tells: of `/proc` it is 0. */
export async function readNamedFile<T>(
  file: NamedFile,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  await using handle = await openNamedFile(file);
  return await readingFrom(file, () => read(handle.createReadStream({ autoClose: false })));
}

/** Does something with a named file; a failure of the system becomes a Problem that names the file. */
export async function readingFrom<T>(file: NamedFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isProblem(error) || systemCode(error) === undefined) throw error;
    throw unreadable(file, error);
  }
}

function unreadable({ cwd, name, path }: NamedFile, error: unknown): Problem {
  const missing = systemCode(error) === 'ENOENT';
  const message = missing
    ? `There is no file ${name}.`
    : `Cannot read ${name}: ${pathReason(cwd, path ?? name, error)}.`;
  return new Problem('invalid-input', message, { cause: error });
}
