import { constants, openSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Advice } from '../model/problem.ts';
import { isProblem, Problem } from '../model/problem.ts';
import type { World } from '../world.ts';
import { pathReason, systemCode } from './system-reason.ts';

type ReadingWorld = Pick<World, 'cwd' | 'interrupted'>;

/** A path that the user specified for a file, and the advice to print if it is a folder. */
export interface NamedFile {
  /** The name as typed by the user. */
  readonly name: string;
  /** The path of the file, if `name` is only for display. */
  readonly path?: string;
  readonly ofFolder?: Advice;
}

/** A file opened for reading. The caller must close the file. */
export interface OpenedFile extends AsyncDisposable {
  /** Whether the input is a regular file. */
  readonly isFile: boolean;
  /**
   * The open file, if it can be read several times and its reported size is correct: a regular file on a disk. Undefined for a pipe, a
   * device, and a file in `/proc`, whose reported size is 0 and whose content changes with each read.
   */
  readonly steady: FileHandle | undefined;
  /**
   * Reads all bytes to the end, even if the system reports another size. Can be called only once. Throws AbortError if the program is
   * interrupted.
   */
  bytes(): Readable;
}

/**
 * Opens a file that the user specified. Throws 'invalid-input' with the typed name for a missing file, a folder or an unreadable file. A
 * named pipe is opened before it has a writer; reading waits for a writer.
 */
export async function openNamedFile(world: ReadingWorld, file: NamedFile): Promise<OpenedFile> {
  const path = file.path ?? resolve(world.cwd, file.name);
  return withReadErrors(world, file, async () => {
    const stats = await stat(path);
    if (stats.isFIFO()) return openPipe(world, path);
    if (!stats.isDirectory()) return openFile(world, path);
    throw new Problem('invalid-input', `Cannot read ${file.name}: it is a folder.`, {
      ...file.ofFolder,
    });
  });
}

async function openFile({ interrupted }: ReadingWorld, path: string): Promise<OpenedFile> {
  const handle = await open(path);
  return {
    isFile: (await handle.stat()).isFile(),
    steady: (await isSteady(handle)) ? handle : undefined,
    bytes: () => abortOn(interrupted, handle.createReadStream({ autoClose: false })),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/**
 * Opens a named pipe as a socket, which reports when data arrives. A blocking system call would occupy a thread that cannot be interrupted,
 * and the process would wait for this thread on exit.
 */
async function openPipe({ interrupted }: ReadingWorld, path: string): Promise<OpenedFile> {
  const { Socket } = await import('node:net');
  const socket = new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    writable: false,
  });
  return {
    isFile: false,
    steady: undefined,
    bytes: () => abortOn(interrupted, socket),
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}

/** Aborts a stream when the program is interrupted. A reader receives the error even if it starts reading later. */
function abortOn(interrupted: AbortSignal, stream: Readable): Readable {
  return addAbortSignal(
    interrupted,
    stream.on('error', () => undefined),
  );
}

/** Maximum reported size of files that the kernel generates (`/proc`, `/sys`), which have no blocks. */
const maxGeneratedBytes = 64 * 1024;

async function isSteady(handle: FileHandle): Promise<boolean> {
  const stats = await handle.stat();
  if (!stats.isFile()) return false;
  if (stats.size > 0) return stats.blocks > 0 || stats.size > maxGeneratedBytes;
  const { bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, 0);
  return bytesRead === 0;
}

/** Calls `read` with all bytes of a named file, and returns its result. */
export async function readNamedFile<T>(
  world: ReadingWorld,
  file: NamedFile,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  await using opened = await openNamedFile(world, file);
  return await withReadErrors(world, file, () => read(opened.bytes()));
}

/** Returns all bytes of a named file. Throws 'invalid-input' if the file is longer than `limit` bytes. */
export async function readWholeFile(world: ReadingWorld, file: NamedFile, limit: number): Promise<Buffer> {
  return readNamedFile(world, file, async (bytes) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of bytes) {
      length += chunk.length;
      if (length > limit)
        throw new Problem('invalid-input', `${file.name} is longer than the maximum of ${limit / 1024} KiB.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  });
}

/** Runs `work` on a named file. Converts a system error to a Problem with the name of the file. */
export async function withReadErrors<T>(
  { cwd }: Pick<World, 'cwd'>,
  file: NamedFile,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isProblem(error) || systemCode(error) === undefined) throw error;
    throw unreadableProblem(cwd, file, error);
  }
}

function unreadableProblem(cwd: string, { name, path }: NamedFile, error: unknown): Problem {
  const missing = systemCode(error) === 'ENOENT';
  const message = missing
    ? `File not found: ${name}.`
    : `Cannot read ${name}: ${pathReason(cwd, path ?? name, error)}.`;
  return new Problem('invalid-input', message, { cause: error });
}
