import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { World } from '../world.ts';

/** Returns the absolute path for a path that was typed without a shell. `~` is the user's home folder. */
export function resolveTypedPath({ cwd, env }: Pick<World, 'cwd' | 'env'>, typed: string): string {
  const home = env['HOME'] ?? '';
  const isInHome = home !== '' && (typed === '~' || typed.startsWith('~/'));
  return isInHome ? join(home, typed.slice(1)) : resolve(cwd, typed);
}

/** Abbreviates the user's home folder as `~` in a string that contains absolute paths. */
export function abbreviateHome({ env }: Pick<World, 'env'>, text: string): string {
  const home = env['HOME'] ?? '';
  // A home folder of `/` is usual in containers, and would match every path.
  return home.length < 2 ? text : ` ${text}`.replaceAll(` ${home}/`, ' ~/').slice(1);
}

/**
 * Returns the paths that start with the typed path, in the user's spelling: `~` is kept, and folders end with a slash. Hidden files are
 * omitted unless their dot was typed. Returns an empty list if the folder cannot be read.
 */
export function completePath(world: Pick<World, 'cwd' | 'env'>, typed: string): string[] {
  if (typed === '~') return ['~/'];
  const end = typed.lastIndexOf('/') + 1;
  const [folder, begun] = [typed.slice(0, end), typed.slice(end)];
  const path = resolveTypedPath(world, folder === '' ? '.' : folder);
  return namesIn(path)
    .filter((name) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
    .sort()
    .map((name) => `${folder}${name}${isFolder(join(path, name)) ? '/' : ''}`);
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
