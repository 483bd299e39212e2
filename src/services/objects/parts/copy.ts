import type { ObjectAddress, ObjectEntry } from '../../../model/objects/object.ts';
import { isProblem, Problem } from '../../../model/problem.ts';
import { textIn } from '../../../s3/xml.ts';
import type { Session } from '../../session/session.ts';
import type { StoredObject } from '../objects.ts';
import type { Transfer } from '../transfer.ts';
import { bareEtag, callS3, s3Path } from './calls.ts';
import { abortUpload, beginUpload, completeUpload, partSizeFor, planParts } from './multipart.ts';
import { eachPart } from './upload.ts';

/** Minimum size of a part, in bytes. The platform responds only after it has copied the part, which should take a few seconds. */
const leastPart = 256 * 1024 * 1024;

/** Copies an object of any size within the platform, in parts. Throws if the object changes during the copy. */
export async function copyInParts(
  session: Session,
  from: ObjectAddress,
  to: ObjectAddress,
  entry: ObjectEntry,
  transfer: Transfer,
  least = leastPart,
): Promise<StoredObject> {
  const upload = await beginUpload(session, to, entry);
  const { uploadId } = upload;
  const etags: string[] = [];
  const source = { 'x-amz-copy-source': s3Path(from), 'x-amz-copy-source-if-match': `"${entry.etag}"` };
  try {
    await eachPart(planParts(entry.size, partSizeFor(entry.size, least)), async ({ number, start, end }) => {
      session.world.interrupted.throwIfAborted();
      const answer = await callS3(session, {
        method: 'PUT',
        address: to,
        query: { partNumber: number, uploadId },
        headers: { ...source, 'x-amz-copy-source-range': `bytes=${start}-${end}` },
      });
      etags[number - 1] = transfer.skip(end - start + 1, bareEtag(textIn(answer.document, 'ETag')) ?? '');
    });
    return await completeUpload(session, upload, etags, entry.size);
  } catch (error) {
    await abortUpload(session, upload).catch(() => undefined);
    if (!isProblem(error) || (error.status !== 412 && error.status !== 416)) throw error;
    throw new Problem('refused', `"${from.key}" changed while it was being copied.`, {
      hint: 'Copy the object again.',
    });
  }
}
