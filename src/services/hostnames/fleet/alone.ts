import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makePrivateFolder } from '../../../files/folders.ts';
import { type LockHolder, withLock } from '../../../lock.ts';
import { Problem } from '../../../model/problem.ts';
import { platformName } from '../../session/platform-info.ts';
import type { Session } from '../../session/session.ts';

/**
 * Runs `work`, which plans and applies changes to many hostnames of a zone, while it holds a lock. Without the lock, two commands that this
 * user runs with the same plan would both apply and report each step. Throws store-busy if another command holds the lock.
 */
export async function aloneInZone<T>(session: Session, zoneId: string, work: () => Promise<T>): Promise<T> {
  const { world } = session;
  const folder = join(world.folders.state, 'fleets');
  makePrivateFolder(folder);
  const name = createHash('sha256')
    .update(JSON.stringify([platformName(session), zoneId]))
    .digest('hex');
  return withLock(join(folder, `${name}.held`), { world, timeoutMs: 0, toProblem: busy }, work);
}

function busy({ pid }: LockHolder): Problem {
  const who = pid === undefined ? 'Another command' : `Another command (process ${pid})`;
  const message = `${who} is changing the custom hostnames of this zone, so this command changed nothing.`;
  return new Problem('store-busy', message, {
    hint: 'Wait until that command has finished, then run this command again.',
  });
}
