import { constants, fstatSync, type Stats } from 'node:fs';
import { access, type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Advice, Problem } from '../model/problem.ts';
import type { World } from '../world.ts';
import { makeFolder } from './folders.ts';
import { ReaderClosed, writeTo } from './reader.ts';
import {
  type AssembledFile,
  assembleFile,
  type Continuation,
  type Replacement,
  removeLeftovers,
  replaceFile,
} from './replace.ts';
import { pathReason, systemCode } from './system-reason.ts';

export interface OutputFileOptions extends OutputName {
  /** The action if a regular file with content exists: replace the file, or throw. */
  readonly ifThere: IfExists;
  /** Whether the output contains values or credentials, so that only the owner may read a new file. */
  readonly isPrivate: boolean;
  /**
   * Whether the output contains credentials. If true, only the owner can read the file, regardless of the permissions and owner of the
   * replaced file.
   */
  readonly holdsCredentials?: boolean;
  /** Whether to compress with gzip. */
  readonly compress?: boolean;
  /**
   * Whether the file is one of many that the command can easily write again. If true, writing does not wait for the disk, and leftovers of
   * killed processes are not removed.
   */
  readonly oneOfMany?: boolean;
}

export type IfExists = 'replace' | 'refuse';

/** A checked output, which is writable and not a folder. */
export interface OutputFile {
  readonly destination: OutputDestination;
  /**
   * Writes the whole stream. A regular file is replaced after the last chunk, and is unchanged until then. The new file keeps the
   * permissions and owner of the old file, unless it contains credentials. Leftovers of killed processes are removed. A device, a pipe or
   * standard output receives the chunks as they arrive.
   */
  write(chunks: AsyncIterable<string | Uint8Array>): Promise<void>;
  /**
   * Writes a regular file from parts that arrive in any order. If the process is killed, the next process can continue with the parts that
   * have arrived.
   */
  assemble(leaving: Continuation, fill: (assembled: AssembledFile) => Promise<unknown>): Promise<void>;
}

/** An output that is an existing or a new regular file. */
export type RegularFile = OutputFile & { readonly destination: { readonly kind: 'file' } };

export function isRegularFile(file: OutputFile): file is RegularFile {
  return file.destination.kind === 'file';
}

type OutputWorld = Pick<World, 'cwd' | 'stdout' | 'random' | 'now' | 'sleep' | 'interrupted'>;

/**
 * Opens an output that the user specified. Commands must write every output file through this function. Throws 'invalid-input' before
 * anything is written. `write` throws 'system' or ReaderClosed.
 */
export async function openOutputFile(world: OutputWorld, options: OutputFileOptions): Promise<OutputFile> {
  const destination = await findOutput(world, options);
  refuseExisting(destination, options);
  return {
    destination,
    async write(chunks) {
      try {
        if (destination.kind === 'stdout')
          for await (const chunk of chunks) await writeTo(world.stdout, chunk, world);
        else if (destination.kind === 'through') await writeThrough(world, destination, options, chunks);
        else await writeComplete(world, destination, options, chunks);
      } catch (error) {
        throw toWriteProblem(world, options, error);
      }
    },
    async assemble(leaving, fill) {
      if (destination.kind !== 'file') throw new TypeError('only a regular file has parts');
      try {
        const { path } = destination;
        await assembleFile(world, path, prepare(destination, options), leaving, async (assembled) => {
          await removeOldLeftovers(world, path, options, assembled.name);
          await fill(assembled);
        });
      } catch (error) {
        throw toWriteProblem(world, options, error);
      }
    },
  };
}

function refuseExisting(destination: OutputDestination, { ifThere, name }: OutputFileOptions): void {
  if (ifThere === 'replace' || destination.kind !== 'file' || !destination.found?.size) return;
  throw new Problem('invalid-input', `${name} already exists; nothing was written.`, {
    remedy: { kind: 'replace-file' },
  });
}

async function writeThrough(
  world: OutputWorld,
  { path, found }: OutputDestination & { kind: 'through' },
  options: OutputFileOptions,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const reader = found.isFIFO() ? await openWithReader(world, path) : undefined;
  try {
    // The content of an already open file is kept, because the process that opened the file may have written to it.
    await using file = await open(path, constants.O_WRONLY | (found.isFile() ? constants.O_APPEND : 0));
    await writeChunks(file, options, chunks);
  } finally {
    await reader?.close();
  }
}

/** Milliseconds between two checks for a reader of a named pipe. */
const readerPollMs = 50;

/** Opens a named pipe as soon as it has a reader. Polls, because the system's own wait for a reader cannot be interrupted. */
async function openWithReader({ sleep, interrupted }: OutputWorld, path: string): Promise<FileHandle> {
  for (;;) {
    interrupted.throwIfAborted();
    const file = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error: unknown) => {
      if (systemCode(error) !== 'ENXIO') throw error;
    });
    if (file !== undefined) return file;
    await sleep(readerPollMs, interrupted);
  }
}

async function writeComplete(
  world: OutputWorld,
  destination: OutputDestination & { kind: 'file' },
  options: OutputFileOptions,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const { path } = destination;
  await replaceFile(world, path, prepare(destination, options), async (file) => {
    await removeOldLeftovers(world, path, options);
    await writeChunks(file, options, chunks);
  });
}

function prepare(
  { path, found }: OutputDestination & { kind: 'file' },
  { isPrivate, holdsCredentials = false, oneOfMany = false, makesFolders = false }: OutputFileOptions,
): Replacement {
  if (makesFolders) makeFolder(dirname(path));
  const mode = isPrivate || holdsCredentials ? 0o600 : 0o666;
  return { mode, like: holdsCredentials ? undefined : found, durable: !oneOfMany };
}

/** Removes the leftovers of killed processes next to an output. */
async function removeOldLeftovers(
  { now }: OutputWorld,
  path: string,
  { oneOfMany = false }: OutputFileOptions,
  inUse?: string,
): Promise<void> {
  if (!oneOfMany) await removeLeftovers(dirname(path), now(), inUse);
}

async function writeChunks(
  file: FileHandle,
  { compress }: OutputFileOptions,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  if (!compress) return file.writeFile(chunks);
  const source = Readable.from(chunks, { objectMode: false });
  await pipeline(source, createGzip(), (compressed: AsyncIterable<Uint8Array>) => file.writeFile(compressed));
}

/**
 * Converts EPIPE to ReaderClosed, and any other system error to a Problem that names the output instead of the temporary file. Returns all
 * other errors, such as errors from the chunks, unchanged.
 */
function toWriteProblem(
  { cwd }: OutputWorld,
  { name, path = name }: OutputFileOptions,
  error: unknown,
): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  if (systemCode(error) === 'EPIPE') return new ReaderClosed();
  return new Problem('system', `Cannot write ${name}: ${pathReason(cwd, path, error)}.`, { cause: error });
}

/** The destination of an output. */
type OutputDestination =
  | { readonly kind: 'stdout' }
  /** A device, a pipe, or a file that is already open. Such an output is written in place, and never replaced or deleted. */
  | { readonly kind: 'through'; readonly path: string; readonly found: Stats }
  /** An existing or new regular file. All links in its path are resolved. */
  | { readonly kind: 'file'; readonly path: string; readonly found: Stats | undefined };

interface OutputName {
  /** The name as typed by the user; `-` is standard output. */
  readonly name: string;
  /** The path of the file, if `name` is only for display. */
  readonly path?: string;
  /** Advice for a user who specified a folder. */
  readonly ofFolder: Advice;
  /** Whether to create missing folders. */
  readonly makesFolders?: boolean;
}

/**
 * Finds the output for a name, following links. Throws 'invalid-input' with the name as typed for a folder, a socket or an unwritable path.
 * Changes nothing.
 */
async function findOutput(
  { cwd, stdout }: Pick<World, 'cwd' | 'stdout'>,
  output: OutputName,
): Promise<OutputDestination> {
  if (output.name === '-' && output.path === undefined) return { kind: 'stdout' };
  const typed = output.path ?? resolve(cwd, output.name);
  try {
    const { path, isDescriptor } = await followLinks(typed);
    const found = await statIfExists(isDescriptor ? typed : path);
    if (found?.isDirectory()) throw unwritableProblem(output, 'it is a folder', output.ofFolder);
    const isThrough = found !== undefined && (isDescriptor || !found.isFile());
    if (isThrough && isSameFile(found, statStream(stdout))) return { kind: 'stdout' };
    if (found?.isSocket()) throw unwritableProblem(output, 'it is a socket', output.ofFolder);
    if (found !== undefined) await access(typed, constants.W_OK);
    if (isThrough) return { kind: 'through', path: typed, found };
    if (!output.makesFolders) await access(dirname(path), constants.W_OK | constants.X_OK);
    return { kind: 'file', path, found };
  } catch (error) {
    if (systemCode(error) === undefined || error instanceof Problem) throw error;
    throw unwritableProblem(output, formatReason(cwd, output, error), undefined, error);
  }
}

/** The maximum number of links to follow, equal to Linux's own limit. */
const maxLinks = 40;

/**
 * Resolves all links in a path whose target may not exist yet. An open file (`/dev/stdout`, `/dev/fd/3`) is not resolved to its path,
 * because the file may have been renamed or deleted since it was opened.
 */
async function followLinks(typed: string): Promise<{ path: string; isDescriptor: boolean }> {
  let path = typed;
  for (let links = 0; links < maxLinks; links += 1) {
    const folder = await realpath(dirname(path)).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw error;
    });
    if (folder === undefined) return { path, isDescriptor: false };
    path = join(folder, basename(path));
    if (/^\/proc\/\d+(?:\/task\/\d+)?\/fd$|^\/dev\/fd$/.test(folder)) return { path, isDescriptor: true };
    const target = await readlink(path).catch((error: unknown) => {
      if (!['EINVAL', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
    });
    if (target === undefined) return { path, isDescriptor: false };
    path = resolve(folder, target);
  }
  // Does not report a loop, because the next system call reports it.
  return { path, isDescriptor: false };
}

async function statIfExists(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
}

function statStream(stream: object): Stats | undefined {
  if (!('fd' in stream) || typeof stream.fd !== 'number') return undefined;
  try {
    return fstatSync(stream.fd);
  } catch {
    return undefined;
  }
}

function isSameFile(one: Stats, other: Stats | undefined): boolean {
  return one.dev === other?.dev && one.ino === other.ino;
}

/** Formats the reason for a failure. A missing file is not a failure, so ENOENT means that the folder is missing. */
function formatReason(cwd: string, { name, path = name }: OutputName, error: unknown): string {
  if (systemCode(error) === 'ENOENT') return `folder not found: ${dirname(name)}`;
  return pathReason(cwd, path, error);
}

function unwritableProblem({ name }: OutputName, reason: string, advice?: Advice, cause?: unknown): Problem {
  return new Problem('invalid-input', `Cannot write ${name}: ${reason}.`, { ...advice, cause });
}

/**
 * Writes a string to a file that the user specified, relative to the console's working directory. Throws the same errors as
 * `openOutputFile`.
 */
export async function saveText(world: World, name: string, text: string): Promise<void> {
  const file = await openOutputFile(world, {
    name,
    ifThere: 'replace',
    isPrivate: false,
    ofFolder: { hint: 'Move or rename the folder with that name.' },
  });
  const chunks = async function* (): AsyncGenerator<string> {
    yield text;
  };
  await file.write(chunks());
}
