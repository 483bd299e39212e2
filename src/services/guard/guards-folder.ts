import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../../world.ts';

/**
 * The folder of the sockets at which guards list and answer their held requests. Only its owner can enter it: the system lets nobody
 * else connect.
 */
export function guardsFolder({ folders }: Pick<World, 'folders'>): string {
  return join(folders.state, 'guards');
}

/** Whether a guard of this user has ever run. */
export function hasGuards(world: Pick<World, 'folders'>): boolean {
  return existsSync(guardsFolder(world));
}
