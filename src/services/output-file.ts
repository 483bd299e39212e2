import { open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Problem } from '../model/problem.ts';
import type { World } from '../world.ts';

/**
 * Writes a file as a whole or not at all: into a temporary one beside it, which takes its name at the end. Compresses
 * with gzip where the name ends in `.gz`. Refuses a place that cannot be written to before the first chunk is asked for.
 */
export async function writeFileWhole(
  world: World,
  name: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const path = resolve(world.cwd, name);
  const temporary = join(dirname(path), `.edgectl-${Buffer.from(world.random(8)).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', 0o666).catch((error: unknown) => {
    throw unwritable(name, error);
  });
  try {
    const source = Readable.from(chunks, { objectMode: false });
    const target = handle.createWriteStream({ flush: true });
    await (name.endsWith('.gz') ? pipeline(source, createGzip(), target) : pipeline(source, target));
    await rename(temporary, path).catch((error: unknown) => {
      throw unwritable(name, error);
    });
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

function unwritable(name: string, error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  return new Problem('invalid-input', `Cannot write ${name}: ${reason}.`, { cause: error });
}
