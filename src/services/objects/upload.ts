import { checkObjectKey, type ObjectAddress, objectLimits } from '../../model/objects/object.ts';
import type { Reporter } from '../../model/progress.ts';
import type { Session } from '../session/session.ts';
import type { LocalFile } from './folder.ts';
import type { ObjectMetadata } from './headers.ts';
import { doMany, type ManyReport } from './many.ts';
import { type StoredObject, writeObject } from './objects.ts';
import { type ObjectSource, openObjectSource } from './source.ts';
import { Transfer } from './transfer.ts';

/** A file and the key of its object. */
export interface Upload {
  readonly file: LocalFile;
  readonly key: string;
}

/** Uploads many files. `toMetadata` returns the metadata for each file. */
export async function uploadFiles(
  session: Session,
  bucket: string,
  uploads: readonly Upload[],
  toMetadata: (upload: Upload) => ObjectMetadata,
  reporter: Reporter,
  onDone?: (upload: Upload) => void,
): Promise<ManyReport> {
  const total = uploads.reduce((sum, { file }) => sum + file.size, 0);
  const transfer = new Transfer(session, reporter, 'uploading', total);
  return doMany(
    uploads,
    ({ key }) => key,
    async (upload) => {
      const { file, key } = upload;
      session.world.interrupted.throwIfAborted();
      const source = await openObjectSource(session.world, file.path, file.name);
      try {
        await storeObject(
          session,
          { bucket, key: checkObjectKey(key) },
          source,
          toMetadata(upload),
          transfer,
        );
      } finally {
        await source.close();
      }
      return source.size;
    },
    onDone,
  );
}

/**
 * Stores an object of any size: with one request to the v4 API or, if the object is too large for one request, with a multipart upload to
 * the S3 API.
 */
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
