import { type ObjectAddress, objectLimits } from '../../model/objects/object.ts';
import type { Session } from '../session/session.ts';
import type { ObjectMetadata } from './headers.ts';
import { type StoredObject, writeObject } from './objects.ts';
import type { ObjectSource } from './source.ts';
import type { Transfer } from './transfer.ts';

/** Stores an object of any size: by one request of the v4 API, or in parts where it takes no such size. */
export async function storeObject(
  session: Session,
  address: ObjectAddress,
  source: ObjectSource,
  metadata: ObjectMetadata,
  transfer: Transfer,
): Promise<StoredObject> {
  if (source.size > objectLimits.uploadBytes) {
    const { writeInParts } = await import('./parts/upload.ts');
    return writeInParts(session, address, source, metadata, transfer);
  }
  const open = transfer.tracked(() => source.open());
  return writeObject(session, address, { ...metadata, size: source.size, open });
}
