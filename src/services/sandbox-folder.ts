import { join, resolve } from 'node:path';
import type { World } from '../world.ts';

/** Folder of a sandbox's data: the given one, that of EDGECTL_SANDBOX_DIR, or the user's. */
export function sandboxFolder({ env, cwd, folders }: World, dir: string | undefined): string {
  const chosen = dir ?? (env['EDGECTL_SANDBOX_DIR'] || undefined);
  return chosen === undefined ? join(folders.data, 'sandbox') : resolve(cwd, chosen);
}

/** Whether the user has named a folder for it: one that is wrong must not look like a sandbox with nothing in it. */
export function isChosenFolder(world: World, dir: string | undefined): boolean {
  return sandboxFolder(world, dir) !== sandboxFolder({ ...world, env: {} }, undefined);
}

/** A sandbox in words: which one, unless it is that of the user's own folder. */
export function sandboxLabel({ folders }: World, folder: string): string {
  return folder === join(folders.data, 'sandbox') ? 'the sandbox' : `the sandbox in ${folder}`;
}
