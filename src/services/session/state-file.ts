import { notBelieved, readBelieved } from '../../files/doubt-words.ts';
import { doubtAbout, type FoundKind } from '../../files/found.ts';
import { replaceFile } from '../../files/replace.ts';
import type { World } from '../../world.ts';

/**
 * Replaces a file that only its owner may read: a reader sees the old content or the new one. With `sync` it is synced to disk.
 */
export async function replaceStateFile(
  world: Pick<World, 'random'>,
  path: string,
  text: string,
  sync: boolean,
): Promise<void> {
  await replaceFile(world, path, { mode: 0o600, durable: sync }, (file) => file.writeFile(text));
}

/** The text of a file in the state folder; undefined if it is missing. Refuses one that is not believed. */
export function readStateFile(path: string, kind: FoundKind = 'state'): string | undefined {
  return readBelieved('store-invalid', kind, path)?.toString('utf8');
}

/** Refuses a file in the state folder that is not believed, before it is read as a stream. */
export function checkStateFile(path: string): void {
  const doubt = doubtAbout('state', path);
  if (doubt !== undefined) throw notBelieved('store-invalid', path, doubt);
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
