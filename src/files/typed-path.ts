import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { World } from '../world.ts';

/** The absolute path that a person means who types one where no shell reads it: `~` is their home. */
export function typedPath({ cwd, env }: Pick<World, 'cwd' | 'env'>, typed: string): string {
  const home = env['HOME'] ?? '';
  const isInHome = home !== '' && (typed === '~' || typed.startsWith('~/'));
  return isInHome ? join(home, typed.slice(1)) : resolve(cwd, typed);
}

/**
 * The paths of this machine that begin as what is typed, as a person would go on typing them: `~` stays, a folder ends in a
 * slash. Hidden ones are left out until their dot is typed; where nothing can be read there are none.
 */
export function pathsThatBegin(world: Pick<World, 'cwd' | 'env'>, typed: string): string[] {
  if (typed === '~') return ['~/'];
  const end = typed.lastIndexOf('/') + 1;
  const [folder, begun] = [typed.slice(0, end), typed.slice(end)];
  const path = typedPath(world, folder === '' ? '.' : folder);
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
