import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { openNamedFile } from '../../files/read.ts';
import { spool } from '../../files/spool.ts';
import { objectLimits } from '../../model/objects/object.ts';
import type { ByteRange } from '../../model/objects/range.ts';
import { Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import { checkPath } from './file-check.ts';
import { checkObjectSize } from './objects.ts';

/** Bytes of known length to upload, which can be read several times. The caller that opens the source must close it. */
export interface ObjectSource {
  /** Name for messages: a path, or "standard input". */
  readonly name: string;
  readonly size: number;
  /** Yields all bytes, or a range of bytes. */
  open(range?: ByteRange): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a file, or standard input for `-`. Standard input is spooled to disk, because the platform requires the length in advance, and a
 * retry requires the same bytes again. Throws if the file cannot be read or is too long. Error messages use the name `shown`.
 */
export async function openObjectSource(world: World, path: string, shown = path): Promise<ObjectSource> {
  if (path === '-') return spooledSource(world, world.stdin, 'standard input');
  const absolute = resolve(world.cwd, path);
  await using file = await openNamedFile(world, {
    name: shown,
    ...(shown !== path && { path: absolute }),
    ofFolder: { remedy: { kind: 'upload-folder' } },
  });
  if (!file.isFile) {
    throw new Problem('invalid-input', `Cannot read ${shown}: it is not a regular file.`, {
      remedy: { kind: 'read-pipe' },
    });
  }
  if (file.steady === undefined) return await spooledSource(world, file.bytes(), shown);
  const { size } = await file.steady.stat();
  checkObjectSize(size, shown);
  return {
    name: shown,
    size,
    open: (range) => fileBytes(absolute, size, range),
    close: async () => undefined,
  };
}

/** Returns whether a path is a folder, or a file that can be uploaded. Throws for any other path. */
export async function checkSource(world: World, path: string, shown: string): Promise<'file' | 'folder'> {
  if ((await checkPath(path)) === 'folder') return 'folder';
  const source = await openObjectSource(world, path, shown);
  await source.close();
  return 'file';
}

/**
 * Reads the first `size` bytes of a file, or a range of its bytes. If the file grows, reads no more than the length that the request's header
 * already states.
 */
export function fileBytes(
  path: string,
  size: number,
  range: ByteRange = { start: 0, end: size - 1 },
): AsyncIterable<Uint8Array> {
  return size === 0 ? none() : createReadStream(path, range);
}

async function* none(): AsyncGenerator<Uint8Array> {
  // An empty file has no chunks.
}

async function spooledSource(
  world: World,
  source: AsyncIterable<Uint8Array>,
  name: string,
): Promise<ObjectSource> {
  const handle = await spool(world, source, {
    name,
    limit: objectLimits.objectBytes,
    tooLong: `${name} is too long: an object can be at most 5 TiB.`,
  });
  const { size } = await handle.stat();
  const open = (range: ByteRange = { start: 0, end: size - 1 }) =>
    size === 0 ? none() : handle.createReadStream({ ...range, autoClose: false });
  return { name, size, open, close: () => handle.close() };
}
