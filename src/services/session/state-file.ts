import { type FoundKind, findDoubt } from '../../files/found.ts';
import { replaceFile } from '../../files/replace.ts';
import { checkReplaceable, findNewerVersion, readStoredText } from '../../files/stored.ts';
import { readTrusted, untrustedProblem } from '../../files/trust-problems.ts';
import { describeNewer, type Format, formatVersions } from '../../model/formats.ts';
import type { World } from '../../world.ts';

/** Atomically replaces a file that only its owner can read. With `sync`, waits until the file is on disk. */
export async function replaceStateFile(
  world: Pick<World, 'random'>,
  path: string,
  text: string | AsyncIterable<string>,
  sync: boolean,
): Promise<void> {
  await replaceFile(world, path, { mode: 0o600, durable: sync }, (file) => file.writeFile(text));
}

/**
 * Atomically replaces a file that starts with a JSON object: the version of the format, then these fields. `rest` is appended unchanged.
 * Throws if a newer edgectl has written the file.
 */
export async function writeStoredState(
  world: Pick<World, 'random'>,
  format: Format,
  path: string,
  fields: object,
  { sync, rest = '' }: { readonly sync: boolean; readonly rest?: string },
): Promise<void> {
  checkReplaceable(format, path);
  const text = JSON.stringify({ version: formatVersions[format], ...fields }) + rest;
  await replaceStateFile(world, path, text, sync);
}

/**
 * Reads a file in the given format as text; returns undefined if the file is missing. Throws if the file is untrusted, or if a newer
 * edgectl has written it.
 */
export function readStoredState(format: Format, path: string, kind: FoundKind = 'state'): string | undefined {
  return readStoredText('store-invalid', kind, format, path);
}

/** Paths that were already reported, so that a list that is read every few seconds reports each path only once. */
const reported = new WeakMap<World, Set<string>>();

/**
 * Returns whether a newer edgectl has written an optional file. Reports each such file once. Callers must neither use nor change the file.
 */
export function isLeftAlone(
  { world, note }: { readonly world: World; readonly note: (message: string) => void },
  format: Format,
  path: string,
): boolean {
  const version = findNewerVersion(format, path);
  if (version === undefined) return false;
  const paths = reported.get(world) ?? new Set();
  reported.set(world, paths);
  if (!paths.has(path)) note(describeNewer(format, path, version));
  paths.add(path);
  return true;
}

/** Reads a file in the state folder as text; returns undefined if the file is missing. Throws if the file is untrusted. */
export function readStateFile(path: string, kind: FoundKind = 'state'): string | undefined {
  return readTrusted('store-invalid', kind, path)?.toString('utf8');
}

/** Throws if a file in the state folder is untrusted. Use this function before reading the file as a stream. */
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
