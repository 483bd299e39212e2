import { isRegularFile, type OutputFile } from '../../files/output-file.ts';
import type { ObjectAddress } from '../../model/objects/object.ts';
import { Problem } from '../../model/problem.ts';
import { closeBody } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { repeatCut } from './cut.ts';
import { type OpenObject, readObject } from './objects.ts';
import { checkedBytes } from './save.ts';
import type { Transfer } from './transfer.ts';

/** Shorter objects come in one piece: more connections cost more than they save. */
const leastInParts = 64 * 1024 * 1024;

/** An object that was downloaded. */
export type Fetched = Pick<OpenObject, 'etag'>;

/**
 * Reads an object into its file; undefined when there is none. A large one comes in parts, side by side, and goes on after
 * a kill; into a pipe or a device all come in one piece. What is cut on its way is asked for again, unless it cannot be
 * taken back. `transferOf` is told the size where the platform says it.
 */
export async function fetchObject(
  session: Session,
  address: ObjectAddress,
  file: OutputFile,
  transferOf: (size: number | undefined) => Transfer,
  least = leastInParts,
): Promise<Fetched | undefined> {
  const first = await readObject(session, address);
  if (first === undefined) return undefined;
  const transfer = transferOf(first.size);
  if (!(await inParts(session, address, first, file, transfer, least)))
    await inOne(session, address, first, file, transfer);
  return { etag: first.etag };
}

/** Whether it came in parts. Then what was opened is closed. */
async function inParts(
  session: Session,
  address: ObjectAddress,
  opened: OpenObject,
  file: OutputFile,
  transfer: Transfer,
  least: number,
): Promise<boolean> {
  const { size = 0, etag } = opened;
  if (size < least || etag === undefined || !isRegularFile(file)) return false;
  const { comesInParts, readInParts } = await import('./parts/download.ts');
  const object = { address, size, etag };
  if (!(await comesInParts(session, object, file.destination.path))) return false;
  await closeBody(opened);
  await readInParts(session, object, file, transfer);
  return true;
}

async function inOne(
  session: Session,
  address: ObjectAddress,
  first: OpenObject,
  file: OutputFile,
  transfer: Transfer,
): Promise<void> {
  const { over, restart } = transfer.track();
  let opened: OpenObject | undefined = first;
  await repeatCut(session.world, { restart, mayRepeat: isRegularFile(file) }, async () => {
    const object = opened ?? (await readObject(session, address));
    opened = undefined;
    if (object === undefined) throw new Problem('not-found', 'The object was deleted meanwhile.');
    try {
      await file.write(over(checkedBytes(session.world, address.key, object)));
    } catch (error) {
      await closeBody(object);
      throw error;
    }
  });
}
