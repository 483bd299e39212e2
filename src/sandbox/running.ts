import { type HeldLease, type Lease, readLease, takeLease } from '../store/lease.ts';
import type { World } from '../world.ts';
import type { Served } from './serve.ts';

/** The live server that holds a folder, if any. */
export function findRunning(folder: string): Lease | undefined {
  return readLease(folder);
}

/** Announces a server as the one that holds a folder. Refuses with `store-busy` while another one lives. */
export function announce(
  folder: string,
  served: Served,
  world: Pick<World, 'pid' | 'now' | 'random'>,
): HeldLease {
  const token = Buffer.from(world.random(24)).toString('base64url');
  const { port, apiBaseUrl } = served;
  return takeLease(folder, { pid: world.pid, port, startedAt: world.now(), token, apiBaseUrl });
}
