import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { systemReason } from '../files/system-reason.ts';
import { Problem } from '../model/problem.ts';
import type { World } from '../world.ts';

/**
 * Writes a file as a whole or not at all: into a temporary one beside it, which takes its name at the end. Compresses
 * with gzip where the name ends in `.gz`. Refuses a folder, and a place that cannot be written to, before the first chunk
 * is asked for. A file that is replaced keeps its permissions. Removes what killed processes have left behind in the same folder.
 */
export async function writeFileWhole(
  world: World,
  name: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const path = resolve(world.cwd, name);
  const mode = await modeOf(path, name);
  const temporary = join(dirname(path), `.edgectl-${Buffer.from(world.random(8)).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', 0o666).catch((error: unknown) => {
    throw unwritable(name, error);
  });
  try {
    if (mode !== undefined) await handle.chmod(mode);
    await removeLeftovers(dirname(path), world.now());
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

/** The permissions of the file that is replaced, if there is one. Refuses a folder. */
async function modeOf(path: string, name: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.isFile() ? found.mode & 0o777 : undefined;
  throw new Problem('invalid-input', `Cannot write ${name}: it is a folder.`, { hint: 'Name a file in it.' });
}

const temporaryName = /^\.edgectl-[0-9a-f]{16}\.tmp$/;

/** A file that has not been written to for so long belongs to no process that still runs. */
const leftAfter = 24 * 60 * 60 * 1000;

/** Tidying up is not what was asked for: what cannot be removed stays. */
async function removeLeftovers(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => temporaryName.test(one))) {
    const file = join(folder, name);
    const found = await lstat(file).catch(() => undefined);
    if (!found?.isFile() || now - found.mtimeMs < leftAfter) continue;
    await rm(file, { force: true }).catch(() => undefined);
  }
}

function unwritable(name: string, error: unknown): Problem {
  return new Problem('invalid-input', `Cannot write ${name}: ${systemReason(error)}.`, { cause: error });
}
