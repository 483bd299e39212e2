import { type DoubtedLease, type HeldLease, type Lease, readLease, takeLease } from '../../store/lease.ts';
import type { World } from '../../world.ts';
import type { Served } from './serve.ts';

/** The running server of a folder, which holds its lease. */
export interface RunningServer {
  readonly lease: Lease;
  /**
   * Whether the server answers at the lease's port. If not, edgectl sends nothing to this port, because another program may be listening.
   */
  readonly answers: boolean;
}

/** A process that holds a folder with a lease that cannot be trusted, so nothing is sent to it. */
export interface DoubtedServer {
  readonly lease: DoubtedLease;
  readonly answers: false;
}

/** Finds the running server that holds a folder, if any, and requires it to prove its identity. */
export async function findRunning(
  folder: string,
  world: Pick<World, 'random'>,
): Promise<RunningServer | DoubtedServer | undefined> {
  const lease = readLease(folder);
  if (lease === undefined) return undefined;
  if ('doubt' in lease) return { lease, answers: false };
  const { isLeaseHolder } = await import('../session/lease-proof.ts');
  return { lease, answers: await isLeaseHolder(lease, world) };
}

/** Creates the secret with which a server and its own clients authenticate each other. */
export function newToken({ random }: Pick<World, 'random'>): string {
  return Buffer.from(random(24)).toString('base64url');
}

/** Takes the lease of a folder for a server. Throws `store-busy` while another running server holds it. */
export function leaseFolder(
  folder: string,
  served: Pick<Served, 'port' | 'apiBaseUrl' | 'token'>,
  world: Pick<World, 'pid' | 'now'>,
): HeldLease {
  const { port, apiBaseUrl, token } = served;
  return takeLease(folder, { pid: world.pid, port, startedAt: world.now(), token, apiBaseUrl });
}
