import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openNamedFile } from '../../../files/read.ts';
import { spool } from '../../../files/spool.ts';
import { systemReason } from '../../../files/system-reason.ts';
import { isProblem, Problem } from '../../../model/problem.ts';
import type { World } from '../../../world.ts';

/** An input that can be read from the beginning several times. The caller must close the input. */
export interface BulkInput {
  /** Name for messages: the file name as typed, or "standard input". */
  readonly name: string;
  /** Absolute path; undefined for standard input and pipes. */
  readonly path: string | undefined;
  /** Size on disk in bytes. */
  readonly bytes: number;
  /**
   * Reads the content from the beginning, and decompresses gzip. A chunk is valid only until the next chunk is requested. Throws
   * invalid-input if the file cannot be read, or if it has changed since it was opened.
   */
  chunks(): AsyncGenerator<Uint8Array>;
  /** Number of bytes that the latest call to `chunks` has read from disk, for progress displays. */
  position(): number;
  close(): Promise<void>;
}

const chunkBytes = 1024 * 1024;

/** Maximum length of an input that can be read only once: in bytes, and as text for messages. A file on disk can be of any length. */
export interface SpoolLimit {
  readonly bytes: number;
  readonly words: string;
}

const maxSpool: SpoolLimit = { bytes: 4 * 1024 ** 3, words: '4 GiB' };

/**
 * Opens a file, or standard input for `-`. Input that can be read only once (`-`, `<(…)`, a named pipe, files in `/proc`) is spooled to an
 * unnamed file, because callers read the input twice. Such input can be up to `limit` bytes long.
 */
export async function openBulkInput(world: World, file: string, limit = maxSpool): Promise<BulkInput> {
  if (file === '-') return spooledInput(world, world.stdin, { name: 'standard input', limit });
  const path = resolve(world.cwd, file);
  const opened = await openNamedFile(world, { name: file });
  if (opened.steady !== undefined) return inputOver(opened.steady, file, path);
  await using once = opened;
  return await spooledInput(world, once.bytes(), { name: file, limit, path: once.isFile ? path : undefined });
}

/** Spools a stream to an unnamed file, so that the content can be read several times. `name` is for messages. */
export async function openSpooledInput(
  world: World,
  name: string,
  source: AsyncIterable<Uint8Array>,
): Promise<BulkInput> {
  return spooledInput(world, source, { name, limit: maxSpool });
}

async function spooledInput(
  world: World,
  source: AsyncIterable<Uint8Array>,
  { name, limit, path }: { name: string; limit: SpoolLimit; path?: string | undefined },
): Promise<BulkInput> {
  const tooLong = `${name} is too long: the maximum for input from a pipe is ${limit.words}.`;
  return inputOver(await spool(world, source, { name, limit: limit.bytes, tooLong }), name, path);
}

async function inputOver(handle: FileHandle, name: string, path: string | undefined): Promise<BulkInput> {
  const { size, mtimeMs } = await handle.stat();
  let position = 0;
  const read = (buffer: Buffer, at: number) =>
    handle.read(buffer, 0, buffer.length, at).catch((error: unknown) => {
      throw unreadable(name, error);
    });

  /** Reads the bytes on disk. Set `fresh` to use a new buffer for each chunk, for a consumer that retains the chunks (gunzip). */
  async function* raw(fresh: boolean): AsyncGenerator<Uint8Array> {
    const reused = Buffer.allocUnsafe(chunkBytes);
    for (position = 0; position < size; ) {
      const { bytesRead, buffer } = await read(fresh ? Buffer.allocUnsafe(chunkBytes) : reused, position);
      if (bytesRead === 0) throw changed(name);
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  async function isGzip(): Promise<boolean> {
    const { buffer } = await read(Buffer.alloc(2), 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  }
  return {
    name,
    path,
    bytes: size,
    position: () => position,
    async *chunks() {
      yield* (await isGzip()) ? gunzipped(name, raw(true)) : raw(false);
      const now = await handle.stat();
      if (now.size !== size || now.mtimeMs !== mtimeMs) throw changed(name);
    },
    close: () => handle.close(),
  };
}

async function* gunzipped(name: string, compressed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  // If one of the streams fails or closes early, `pipeline` closes the other. The loop below receives the error.
  pipeline(compressed, gunzip, () => undefined);
  try {
    yield* gunzip;
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, error: unknown): Problem {
  if (isProblem(error)) return error;
  return new Problem('invalid-input', `Cannot read ${name}: ${systemReason(error)}.`, { cause: error });
}

function changed(name: string): Problem {
  return new Problem('invalid-input', `${name} changed while it was being read.`, {
    hint: 'Run the command again when no program is writing to the file.',
  });
}
