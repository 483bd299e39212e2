import { createHash, type Hash } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../files/folders.ts';
import { isMd5 } from '../model/object.ts';
import { Problem } from '../model/problem.ts';
import { streamOf } from '../v4/send.ts';
import type { World } from '../world.ts';
import type { OpenObject } from './objects.ts';
import { keepYoungHeap } from './young-heap.ts';

/**
 * The bytes of an object as they arrive, and after the last one a refusal when they are not all of them (by their
 * length) or not the right ones (by an etag that is an MD5). Stops when the program is interrupted.
 */
export async function* checkedBytes(
  { interrupted }: Pick<World, 'interrupted'>,
  name: string,
  { body, size, etag }: OpenObject,
): AsyncGenerator<Uint8Array> {
  keepYoungHeap();
  const hash: Hash | undefined = etag !== undefined && isMd5(etag) ? createHash('md5') : undefined;
  let length = 0;
  for await (const chunk of body instanceof Uint8Array ? streamOf(body) : body) {
    interrupted.throwIfAborted();
    hash?.update(chunk);
    length += chunk.length;
    yield chunk;
  }
  if (size !== undefined && length !== size) {
    const got = `${length.toLocaleString('en')} of ${size.toLocaleString('en')} bytes arrived`;
    throw new Problem('unreachable', `The download of "${name}" was cut: ${got}.`, { hint: 'Try again.' });
  }
  if (hash !== undefined && hash.digest('hex') !== etag) {
    throw new Problem('refused', `The bytes of "${name}" that arrived do not match its etag ${etag}.`, {
      hint: 'Try again; the object may have been replaced meanwhile.',
    });
  }
}

/** Where the bytes of a download go. */
export interface Destination {
  /** Absolute. */
  readonly path: string;
  /** A pipe or a device is written as it is; a file is replaced when all has arrived. */
  readonly replace: boolean;
  /** Mode of the file that is replaced. */
  readonly mode: number | undefined;
}

/** Looks at where a download shall go, following links. Refuses a folder. Changes nothing. */
export async function openDestination(path: string, shown: string): Promise<Destination> {
  const real = await realpath(path).catch(() => path);
  const found = await stat(real).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new Problem('usage', `${shown} is a folder.`, {
      hint: 'Name a file in it, or download many objects with --recursive.',
    });
  }
  return { path: real, replace: found === undefined || found.isFile(), mode: found?.mode };
}

/**
 * Writes a download: to a temporary file beside the destination, which takes its place at the end. Whatever fails
 * before leaves the destination as it was, and no temporary file. Makes missing folders.
 */
export async function saveBytes(
  world: Pick<World, 'random'>,
  destination: Destination,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { path, replace, mode } = destination;
  if (!replace) return written(path, () => writeInto(path, 'w', bytes, undefined));
  const name = `.edgectl-${Buffer.from(world.random(8)).toString('hex')}.part`;
  const temporary = join(dirname(path), name);
  await written(path, async () => {
    makeFolder(dirname(path));
    try {
      await writeInto(temporary, 'wx', bytes, mode);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

async function writeInto(
  path: string,
  flags: 'w' | 'wx',
  bytes: AsyncIterable<Uint8Array>,
  mode = 0o666,
): Promise<void> {
  await using file = await open(path, flags, mode & 0o777);
  await file.writeFile(bytes);
}

/** A failure of the disk as a Problem; one of the bytes is one already. */
async function written(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new Problem('refused', `Cannot write ${path}: ${error.message}.`, { cause: error });
  }
}
