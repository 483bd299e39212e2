import { join, resolve } from 'node:path';
import type { World } from '../world.ts';

/** Folder of a sandbox's data: the given one, or the user's. */
export function sandboxFolder(world: World, dir: string | undefined): string {
  return dir === undefined ? join(world.folders.data, 'sandbox') : resolve(world.cwd, dir);
}
