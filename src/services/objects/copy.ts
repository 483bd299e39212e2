import { type ObjectAddress, objectLimits } from '../../model/objects/object.ts';
import { Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import { closeBody } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { checkObjectSize, readObject, readObjectEntry, type StoredObject, writeObject } from './objects.ts';
import { checkedBytes } from './save.ts';
import { Transfer } from './transfer.ts';

/**
 * Copies an object to another key or bucket, with its HTTP and custom metadata. The bytes of a small object stream through this machine,
 * because the v4 API cannot copy; a larger object is copied within the platform. Returns undefined if the object does not exist. Throws if
 * the object changes during the copy.
 */
export async function copyObject(
  session: Session,
  from: ObjectAddress,
  to: ObjectAddress,
  reporter: Reporter,
): Promise<StoredObject | undefined> {
  const entry = await readObjectEntry(session, from);
  if (entry === undefined) return undefined;
  checkObjectSize(entry.size, from.key, 'refused');
  const transfer = new Transfer(session, reporter, 'copying', entry.size);
  if (entry.size > objectLimits.uploadBytes) {
    const { copyInParts } = await import('./parts/copy.ts');
    return copyInParts(session, from, to, entry, transfer);
  }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const opened = await readObject(session, from);
    if (opened === undefined || (opened.etag ?? entry?.etag) !== entry?.etag) {
      if (opened !== undefined) await closeBody(opened);
      throw new Problem('refused', `"${from.key}" changed while it was being copied.`, {
        hint: 'Copy the object again.',
      });
    }
    yield* checkedBytes(session.world, from.key, opened);
  }
  const { size, httpMetadata, customMetadata, storageClass } = entry;
  return writeObject(session, to, {
    size,
    httpMetadata,
    customMetadata,
    storageClass,
    open: transfer.tracked(bytes),
  });
}
