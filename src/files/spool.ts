import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { Problem } from '../model/problem.ts';
import type { World } from '../world.ts';
import { makePrivateFolder } from './folders.ts';
import { systemCode, systemReason } from './system-reason.ts';

export interface SpoolOptions {
  /** The input's name, for messages. */
  readonly name: string;
  /** Maximum number of bytes to read, because a pipe may never end. */
  readonly limit: number;
  /** The error message if the input is longer than `limit`. */
  readonly tooLong: string;
}

/**
 * Copies an input that can be read only once to an unnamed file, so that it can be read again. The file disappears however this process
 * ends. The caller must close the file. Throws an error if the input is longer than the limit.
 */
export async function spool(
  world: Pick<World, 'folders' | 'random' | 'interrupted'>,
  source: AsyncIterable<Uint8Array>,
  options: SpoolOptions,
): Promise<FileHandle> {
  const folder = world.folders.state;
  makePrivateFolder(folder);
  const path = join(folder, `spool-${Buffer.from(world.random(12)).toString('hex')}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    const stream = source instanceof Readable ? source : Readable.from(source, { objectMode: false });
    await handle.writeFile(limited(addAbortSignal(world.interrupted, stream), options));
    return handle;
  } catch (error) {
    await handle.close();
    throw systemCode(error) === 'ENOSPC' ? diskFullProblem(folder, options.name, error) : error;
  }
}

async function* limited(
  source: AsyncIterable<Uint8Array>,
  { limit, tooLong }: SpoolOptions,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > limit) throw new Problem('invalid-input', tooLong);
    yield chunk;
  }
}

function diskFullProblem(folder: string, name: string, error: unknown): Problem {
  return new Problem('system', `Cannot save ${name} in ${folder} while reading it: ${systemReason(error)}.`, {
    cause: error,
    hint: 'Write the input to a file on a disk with enough space, and specify that file.',
  });
}
