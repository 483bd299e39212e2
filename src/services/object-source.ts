import { createReadStream, type Stats } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import { systemReason } from '../files/system-reason.ts';
import { objectLimits } from '../model/object.ts';
import { Problem } from '../model/problem.ts';
import type { World } from '../world.ts';

/** Bytes to upload, of a known length, that can be opened several times. Closed by whoever opened it. */
export interface ObjectSource {
  /** What to call it: a path, or "standard input". */
  readonly name: string;
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * A file's bytes, or standard input's for `-`, which are put aside on disk: a platform wants to know the length before
 * the first byte, and a retry wants them again. Refuses what cannot be read, by the name that is `shown`.
 */
export async function openObjectSource(world: World, path: string, shown = path): Promise<ObjectSource> {
  if (path === '-') return spool(world);
  const size = await sizeOf(resolve(world.cwd, path), shown);
  return {
    name: shown,
    size,
    open: () => fileBytes(resolve(world.cwd, path), size),
    close: async () => undefined,
  };
}

async function sizeOf(path: string, shown: string): Promise<number> {
  const found = await statOpened(path).catch((error: unknown) => {
    throw new Problem('invalid-input', `Cannot read ${shown}: ${systemReason(error)}.`, {
      cause: error,
    });
  });
  if (found.isFile()) return found.size;
  const what = found.isDirectory() ? 'a folder' : 'no regular file';
  throw new Problem('invalid-input', `Cannot read ${shown}: it is ${what}.`, {
    hint: found.isDirectory() ? 'Upload a folder with --recursive.' : 'Read a pipe with --path -.',
  });
}

/** By opening it, so that what may not be read is told before anything is sent. */
async function statOpened(path: string): Promise<Stats> {
  await using file = await open(path);
  return await file.stat();
}

/** The first `size` bytes of a file, so that one that grows meanwhile keeps the promised length. */
export function fileBytes(path: string, size: number): AsyncIterable<Uint8Array> {
  return size === 0 ? none() : createReadStream(path, { end: size - 1 });
}

async function* none(): AsyncGenerator<Uint8Array> {
  // An empty file has no chunks.
}

async function spool(world: World): Promise<ObjectSource> {
  const folder = join(world.folders.state, 'uploads');
  makePrivateFolder(folder);
  const path = join(folder, `${Buffer.from(world.random(16)).toString('hex')}.part`);
  const close = () => rm(path, { force: true });
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(limited(world));
  } catch (error) {
    await close();
    throw error;
  }
  const { size } = await stat(path);
  return { name: 'standard input', size, open: () => fileBytes(path, size), close };
}

async function* limited({ stdin, interrupted }: World): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of stdin as AsyncIterable<Uint8Array>) {
    interrupted.throwIfAborted();
    length += chunk.length;
    if (length > objectLimits.uploadBytes) {
      throw new Problem('invalid-input', 'Standard input is longer than an upload can be: 300 MiB.');
    }
    yield chunk;
  }
}
