import { join, resolve } from 'node:path';
import type { World } from '../world.ts';

/** Folder of a sandbox's data: the given one, that of EDGECTL_SANDBOX_DIR, or the user's. */
export function sandboxFolder(world: World, dir: string | undefined): string {
  const chosen = dir ?? (world.env['EDGECTL_SANDBOX_DIR'] || undefined);
  return chosen === undefined ? ownFolder(world) : resolve(world.cwd, chosen);
}

function ownFolder({ folders }: World): string {
  return join(folders.data, 'sandbox');
}

/** Whether the user has named a folder for it: one that is wrong must not look like a sandbox with nothing in it. */
export function isChosenFolder(world: World, dir: string | undefined): boolean {
  return sandboxFolder(world, dir) !== ownFolder(world);
}

/** A sandbox in words: which one, unless it is that of the user's own folder. */
export function sandboxLabel(world: World, folder: string): string {
  return folder === ownFolder(world) ? 'the sandbox' : `the sandbox in ${folder}`;
}
