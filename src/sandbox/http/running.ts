import { type DoubtedLease, type HeldLease, type Lease, readLease, takeLease } from '../../store/lease.ts';
import type { World } from '../../world.ts';
import type { Served } from './serve.ts';

/** A server that holds a folder by its lease. */
export interface Running {
  readonly lease: Lease;
  /** Whether it answers at the lease's port. Else a stranger may: nothing is sent there. */
  readonly answers: boolean;
}

/** A process that holds a folder by a lease that is not believed: nothing is sent anywhere. */
export interface Doubted {
  readonly lease: DoubtedLease;
  readonly answers: false;
}

/** The live server that holds a folder, if any; asks it to prove that it is the one. */
export async function findRunning(
  folder: string,
  world: Pick<World, 'random'>,
): Promise<Running | Doubted | undefined> {
  const lease = readLease(folder);
  if (lease === undefined) return undefined;
  if ('doubt' in lease) return { lease, answers: false };
  const { isAnswered } = await import('../session/lease-proof.ts');
  return { lease, answers: await isAnswered(lease, world) };
}

/** A secret for a server, by which its own clients know it and it knows them. */
export function newToken({ random }: Pick<World, 'random'>): string {
  return Buffer.from(random(24)).toString('base64url');
}

/** Announces a server as the one that holds a folder. Refuses with `store-busy` while another one lives. */
export function announce(folder: string, served: Served, world: Pick<World, 'pid' | 'now'>): HeldLease {
  const { port, apiBaseUrl, token } = served;
  return takeLease(folder, { pid: world.pid, port, startedAt: world.now(), token, apiBaseUrl });
}
