import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../../world.ts';

/**
 * Returns the folder that contains the sockets of guards. Clients list and answer held requests through these sockets. Only the owner can
 * enter the folder, so no other user can connect.
 */
export function guardsFolder({ folders }: Pick<World, 'folders'>): string {
  return join(folders.state, 'guards');
}

/** Returns whether a guard of this user has ever run. */
export function hasGuards(world: Pick<World, 'folders'>): boolean {
  return existsSync(guardsFolder(world));
}
