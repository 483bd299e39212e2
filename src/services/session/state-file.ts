import { replaceFile } from '../../files/replace.ts';
import type { World } from '../../world.ts';

/**
 * Replaces a file that only its owner may read, as a whole: whoever reads it meets the old text or the new one. With
 * `sync` it has reached the disk.
 */
export async function replaceStateFile(
  world: Pick<World, 'random'>,
  path: string,
  text: string,
  sync: boolean,
): Promise<void> {
  await replaceFile(world, path, { mode: 0o600, durable: sync }, (file) => file.writeFile(text));
}

/** Returns an error handler that gives `value` for a missing file; it rethrows any other error. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return ifCode('ENOENT', value);
}

/** Returns an error handler that gives `value` for a system error with this code; it rethrows any other. */
function ifCode<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return value;
    throw error;
  };
}
