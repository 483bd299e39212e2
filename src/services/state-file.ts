import { open, rename, rm } from 'node:fs/promises';
import type { World } from '../world.ts';

/**
 * Replaces a file that only its owner may read, as a whole: whoever reads it meets the old text or the new one. With
 * `sync` it has reached the disk.
 */
export async function replaceFile(
  { pid }: Pick<World, 'pid'>,
  path: string,
  text: string,
  sync: boolean,
): Promise<void> {
  const temporary = `${path}.${pid}.tmp`;
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(text);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** What takes the place of a file that is not there. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return ifCode('ENOENT', value);
}

/** What takes the place of a failure of the system with this code; any other is thrown. */
function ifCode<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return value;
    throw error;
  };
}
