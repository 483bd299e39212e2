import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../../world.ts';

/**
 * The folder that contains the sockets of guards, which list and answer held requests. Only the owner can enter the folder, so no other
 * user can connect.
 */
export function guardsFolder({ folders }: Pick<World, 'folders'>): string {
  return join(folders.state, 'guards');
}

/** Whether a guard of this user has ever run. */
export function hasGuards(world: Pick<World, 'folders'>): boolean {
  return existsSync(guardsFolder(world));
}
