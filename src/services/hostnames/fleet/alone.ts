import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makePrivateFolder } from '../../../files/folders.ts';
import { type LockHolder, withLock } from '../../../lock.ts';
import { Problem } from '../../../model/problem.ts';
import { platformName } from '../../session/platform-info.ts';
import type { Session } from '../../session/session.ts';

/**
 * Plans and applies changes to many hostnames of a zone while no other command of this user does the same. Two commands with the same plan
 * would otherwise both apply each step, and both report it. Refuses with store-busy if another command runs.
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
  const who = pid === undefined ? 'another command' : `another command (process ${pid})`;
  const message = `The custom hostnames of this zone are being changed by ${who}; nothing was changed.`;
  return new Problem('store-busy', message, {
    hint: 'Wait until that command has finished, then run this command again.',
  });
}
