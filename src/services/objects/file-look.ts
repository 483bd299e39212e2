import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** State of an absolute path. `free`: its folder exists; `no-folder`: not even that; `other`: a device or a pipe. */
export type PathState = 'free' | 'file' | 'folder' | 'other' | 'no-folder';

/** Looks at what is at a path, following links. */
export async function lookAtPath(path: string): Promise<PathState> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined) return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
  const parent = await stat(dirname(path)).catch(() => undefined);
  return parent?.isDirectory() === true ? 'free' : 'no-folder';
}

/** Why nothing can be written into what a person at the console has named, in words for a form. */
export function writingFault(typed: string, state: PathState): string | undefined {
  if (typed === '-') return 'This is standard output, on which the console is: name a file.';
  if (state === 'no-folder') return 'There is no such folder.';
  if (state === 'other') return 'This is a device or a pipe: name a file.';
  return state === 'folder' ? 'This is a folder: name a file in it.' : undefined;
}
