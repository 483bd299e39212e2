import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { makePrivateFolder } from '../files/folders.ts';
import { isProblem, Problem } from '../model/problem.ts';
import type { World } from '../world.ts';

/** A file that can be read from its beginning as often as is needed. Closed by whoever opened it. */
export interface BulkInput {
  /** As it was typed, or "standard input": for messages. */
  readonly name: string;
  /** Absolute path, undefined for standard input. */
  readonly path: string | undefined;
  /** Size on disk. */
  readonly bytes: number;
  /**
   * What it holds, decompressed where it is gzip, from the beginning. A chunk is valid until the next one is asked
   * for. Refuses with invalid-input when it cannot be read, or has been changed since it was opened.
   */
  chunks(): AsyncGenerator<Uint8Array>;
  /** How much of its size on disk the last `chunks` has read, for progress. */
  position(): number;
  close(): Promise<void>;
}

const chunkBytes = 1024 * 1024;

/** Opens a file, or standard input for `-`, which is kept in a file without a name because it is read twice. */
export async function openBulkInput(world: World, file: string): Promise<BulkInput> {
  if (file === '-') return inputOver(await spool(world, world.stdin), 'standard input', undefined);
  const path = resolve(world.cwd, file);
  const handle = await reading(file, () => open(path));
  const { isFile } = await statOf(file, handle);
  if (isFile) return inputOver(handle, file, path);
  // A pipe (`<(…)`, a named one) can be read once only, as standard input.
  try {
    return await inputOver(
      await spool(world, handle.createReadStream({ autoClose: false })),
      file,
      undefined,
    );
  } finally {
    await handle.close();
  }
}

/** Keeps a stream in a file without a name, so that it can be read twice. `name` is for messages. */
export async function openSpooledInput(
  world: World,
  name: string,
  source: AsyncIterable<Uint8Array>,
): Promise<BulkInput> {
  return inputOver(await spool(world, Readable.from(source, { objectMode: false })), name, undefined);
}

async function statOf(name: string, handle: FileHandle): Promise<{ isFile: boolean }> {
  const stats = await handle.stat();
  if (!stats.isDirectory()) return { isFile: stats.isFile() };
  await handle.close();
  throw new Problem('invalid-input', `${name} is a folder, not a file of entries.`);
}

/** Copies a stream into a file that has lost its name, so that nothing stays behind whatever happens. */
async function spool(world: World, source: Readable): Promise<FileHandle> {
  makePrivateFolder(world.folders.state);
  const path = join(world.folders.state, `spool-${Buffer.from(world.random(12)).toString('hex')}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let position = 0;
    for await (const chunk of addAbortSignal(world.interrupted, source)) {
      await handle.write(chunk, 0, chunk.length, position);
      position += chunk.length;
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function inputOver(handle: FileHandle, name: string, path: string | undefined): Promise<BulkInput> {
  const { size, mtimeMs } = await handle.stat();
  let position = 0;
  const read = (buffer: Buffer, at: number) => reading(name, () => handle.read(buffer, 0, buffer.length, at));

  /** A fresh buffer for each chunk where a consumer keeps it, as gunzip does. */
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
    const { bytesRead, buffer } = await read(Buffer.alloc(2), 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
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
  const source = Readable.from(compressed, { objectMode: false });
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  source.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of source.pipe(gunzip)) yield chunk;
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    source.destroy();
  }
}

async function reading<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, error: unknown): Problem {
  if (isProblem(error)) return error;
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const reason = error instanceof Error ? error.message : String(error);
  return new Problem(
    'invalid-input',
    missing ? `There is no file ${name}.` : `Cannot read ${name}: ${reason}.`,
    { cause: error },
  );
}

function changed(name: string): Problem {
  return new Problem('invalid-input', `${name} was changed while it was read.`, {
    hint: 'Run the command again when nothing writes to it.',
  });
}
