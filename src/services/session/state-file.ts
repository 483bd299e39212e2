import { type FoundKind, findDoubt } from '../../files/found.ts';
import { replaceFile } from '../../files/replace.ts';
import { readTrusted, untrustedProblem } from '../../files/trust-problems.ts';
import type { World } from '../../world.ts';

/** Atomically replaces a file that only its owner can read. With `sync` it is synced to disk. */
export async function replaceStateFile(
  world: Pick<World, 'random'>,
  path: string,
  text: string,
  sync: boolean,
): Promise<void> {
  await replaceFile(world, path, { mode: 0o600, durable: sync }, (file) => file.writeFile(text));
}

/** Reads a file in the state folder as text; undefined if it is missing. Rejects an untrusted file. */
export function readStateFile(path: string, kind: FoundKind = 'state'): string | undefined {
  return readTrusted('store-invalid', kind, path)?.toString('utf8');
}

/** Rejects an untrusted file in the state folder, before it is read as a stream. */
export function checkStateFile(path: string): void {
  const doubt = findDoubt('state', path);
  if (doubt !== undefined) throw untrustedProblem('store-invalid', path, doubt);
}

/** Returns an error handler that returns `value` for a missing file and rethrows any other error. */
export function onMissing<T>(value: T): (error: unknown) => T {
  return onCode('ENOENT', value);
}

/** Returns an error handler that returns `value` for a system error with this code and rethrows any other error. */
function onCode<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return value;
    throw error;
  };
}
