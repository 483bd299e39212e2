import { isRegularFile, type OutputFile } from '../../files/output-file.ts';
import type { ObjectAddress } from '../../model/objects/object.ts';
import { Problem } from '../../model/problem.ts';
import { closeBody } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { repeatCut } from './cut.ts';
import { type OpenObject, readObject } from './objects.ts';
import { checkedBytes } from './save.ts';
import type { Transfer } from './transfer.ts';

/** Minimum size for a download in parts, in bytes: for a smaller object, opening more connections takes longer than they save. */
const leastInParts = 64 * 1024 * 1024;

/** A downloaded object. */
export type Fetched = Pick<OpenObject, 'etag'>;

/**
 * Downloads an object to its file. Returns undefined if the object does not exist. A large object is downloaded in parallel parts; if the
 * process is killed, the next download resumes. For a pipe or device, an object is written in one piece. A transfer that breaks is retried,
 * unless bytes were already written that cannot be taken back. `createTransfer` receives the size, if the platform reports it.
 */
export async function fetchObject(
  session: Session,
  address: ObjectAddress,
  file: OutputFile,
  createTransfer: (size: number | undefined) => Transfer,
  least = leastInParts,
): Promise<Fetched | undefined> {
  const first = await readObject(session, address);
  if (first === undefined) return undefined;
  const transfer = createTransfer(first.size);
  if (!(await inParts(session, address, first, file, transfer, least)))
    await inOne(session, address, first, file, transfer);
  return { etag: first.etag };
}

/** Downloads the object in parts, if possible. Returns whether this was possible; if so, closes the opened object. */
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
