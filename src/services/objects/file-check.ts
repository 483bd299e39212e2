import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The kind of entry at an absolute path. `free`: no entry, but the parent folder exists. `no-folder`: the parent folder does not exist.
 * `other`: for example a device or pipe.
 */
export type PathState = 'free' | 'file' | 'folder' | 'other' | 'no-folder';

/** Checks what exists at a path. Follows links. */
export async function checkPath(path: string): Promise<PathState> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined) return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
  const parent = await stat(dirname(path)).catch(() => undefined);
  return parent?.isDirectory() === true ? 'free' : 'no-folder';
}

/** Returns why a path that was typed in a form of the console cannot be written; undefined if the path can be written. */
export function writingFault(typed: string, state: PathState): string | undefined {
  if (typed === '-') return 'The console uses standard output: enter a file.';
  if (state === 'no-folder') return 'Folder not found.';
  if (state === 'other') return 'This is a device or a pipe: enter a file.';
  return state === 'folder' ? 'This is a folder: enter a file in it.' : undefined;
}
