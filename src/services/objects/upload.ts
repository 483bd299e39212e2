import { checkObjectKey } from '../../model/objects/object.ts';
import type { Reporter } from '../../model/progress.ts';
import type { Session } from '../session/session.ts';
import type { LocalFile } from './folder.ts';
import type { ObjectMetadata } from './headers.ts';
import { doMany, type ManyReport } from './many.ts';
import { openObjectSource } from './source.ts';
import { storeObject } from './store.ts';
import { Transfer } from './transfer.ts';

/** A file and the key under which it is stored. */
export interface Upload {
  readonly file: LocalFile;
  readonly key: string;
}

/** Stores many files; `metadataOf` says what is stored beside each one's bytes. */
export async function uploadFiles(
  session: Session,
  bucket: string,
  uploads: readonly Upload[],
  metadataOf: (upload: Upload) => ObjectMetadata,
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
          metadataOf(upload),
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
