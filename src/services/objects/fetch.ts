import { isRegularFile, type OutputFile } from '../../files/output-file.ts';
import type { ObjectAddress } from '../../model/objects/object.ts';
import { Problem } from '../../model/problem.ts';
import { closeBody } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { repeatCut } from './cut.ts';
import { type OpenObject, readObject } from './objects.ts';
import { checkedBytes } from './save.ts';
import type { Transfer } from './transfer.ts';

/** Minimum size for a download in parts, in bytes. For a smaller object, opening more connections costs more time than it saves. */
const leastInParts = 64 * 1024 * 1024;

/** A downloaded object. `etag` is undefined if the platform does not report it. */
export type Fetched = Pick<OpenObject, 'etag'>;

/**
 * Downloads an object to a file. Returns undefined if the object does not exist. Downloads a large object in parallel parts; if the process
 * is killed, the next download resumes. Writes to a pipe or device in one piece, and without a retry if the transfer breaks.
 * `createTransfer` receives the size, if the platform reports it.
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

/** Downloads the object in parts, closes `opened` and returns true. Returns false if a download in parts is not possible. */
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
