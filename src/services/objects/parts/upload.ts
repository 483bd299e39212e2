import { createHash } from 'node:crypto';
import type { ObjectAddress } from '../../../model/objects/object.ts';
import { Problem } from '../../../model/problem.ts';
import { sha256 } from '../../../s3/signature.ts';
import { groupDigits } from '../../../text/size.ts';
import { InFlight } from '../../kv/bulk/in-flight.ts';
import type { Session } from '../../session/session.ts';
import type { ObjectMetadata } from '../headers.ts';
import type { StoredObject } from '../objects.ts';
import type { ObjectSource } from '../source.ts';
import type { Transfer } from '../transfer.ts';
import { bareEtag, callS3 } from './calls.ts';
import {
  abortUpload,
  beginUpload,
  completeUpload,
  listParts,
  type ObjectPart,
  type OpenUpload,
  partSizeFor,
  planParts,
} from './multipart.ts';
import { openUploadNote, type UploadNote } from './saved.ts';

/** Minimum size of a part, in bytes: large enough for a short list of parts, and small enough to be sent again after a failure. */
const leastPart = 16 * 1024 * 1024;

/** Maximum number of parts in progress. */
const atOnce = 4;

/**
 * Uploads an object of any size in parts, four in parallel, without reading whole parts into memory. The platform verifies the MD5 of each
 * part. Resumes an upload that a killed process started with the same metadata: completed parts whose bytes still match are not sent again.
 * Throws if another process is uploading the same file to the same key, because both would write the same note.
 */
export async function writeInParts(
  session: Session,
  address: ObjectAddress,
  source: ObjectSource,
  metadata: ObjectMetadata,
  transfer: Transfer,
  least = leastPart,
): Promise<StoredObject> {
  const note = await openUploadNote(session, address, source);
  return note.alone(
    () => busy(address),
    () => writeNoted(session, note, { address, source, metadata, transfer, least }),
  );
}

function busy({ key }: ObjectAddress): Problem {
  return new Problem('refused', `Another edgectl process is uploading the same file to "${key}".`, {
    hint: 'Wait until that process has finished.',
  });
}

async function writeNoted(
  session: Session,
  note: UploadNote,
  {
    address,
    source,
    metadata,
    transfer,
    least,
  }: {
    readonly address: ObjectAddress;
    readonly source: ObjectSource;
    readonly metadata: ObjectMetadata;
    readonly transfer: Transfer;
    readonly least: number;
  },
): Promise<StoredObject> {
  const { upload, partSize, arrived } = await goOn(session, address, note, {
    metadata,
    partSize: partSizeFor(source.size, least),
  });
  const parts = planParts(source.size, partSize);
  if (arrived.size > 0) session.note(goingOn(address, arrived.size, parts.length));
  const etags: string[] = [];
  const send = async (part: ObjectPart): Promise<void> => {
    const md5 = await hashPart(session, source, part);
    const there = arrived.get(part.number);
    if (there !== undefined && there.md5 === md5.toString('hex')) {
      etags[part.number - 1] = transfer.skip(part.end - part.start + 1, there.etag);
      return;
    }
    const etag = await sendPart(session, upload, source, part, md5, transfer);
    etags[part.number - 1] = etag;
    await note.add([part.number, etag, md5.toString('hex')]);
  };
  await eachPart(parts, send).catch((error: unknown) => {
    // `Object.keys` omits the empty slots of the array: the incomplete parts.
    const there = Object.keys(etags).length;
    if (there > 0) session.note(findStoredParts(address, there));
    throw error;
  });
  const stored = await completeUpload(session, upload, etags, source.size);
  await note.remove();
  return stored;
}

/** A new or resumed upload. `arrived` contains the completed parts, by part number. */
interface Going {
  readonly upload: OpenUpload;
  readonly partSize: number;
  readonly arrived: ReadonlyMap<number, { readonly etag: string; readonly md5: string }>;
}

async function goOn(
  session: Session,
  address: ObjectAddress,
  note: UploadNote,
  { metadata, partSize }: { readonly metadata: ObjectMetadata; readonly partSize: number },
): Promise<Going> {
  const saved = await note.read();
  const digest = sha256(JSON.stringify(metadata));
  if (saved !== undefined && saved.metadata !== digest)
    await abortUpload(session, { address, uploadId: saved.uploadId }).catch(() => undefined);
  else if (saved !== undefined) {
    const upload = { address, uploadId: saved.uploadId };
    const there = await listParts(session, upload);
    // If `there` is undefined, the platform has aborted the upload, or has completed it without confirmation. The upload starts again.
    if (there !== undefined) {
      const arrived = saved.arrived.filter(([number, etag]) => there.get(number) === etag);
      const byNumber = new Map(arrived.map(([number, etag, md5]) => [number, { etag, md5 }]));
      return { upload, partSize: saved.partSize, arrived: byNumber };
    }
  }
  const upload = await beginUpload(session, address, metadata);
  await note.begin({ uploadId: upload.uploadId, partSize, metadata: digest });
  return { upload, partSize, arrived: new Map() };
}

function goingOn({ key }: ObjectAddress, there: number, all: number): string {
  const parts = `${groupDigits(there)} of ${groupDigits(all)} parts done`;
  return `Resuming the interrupted upload of "${key}": ${parts}.`;
}

function findStoredParts({ key, bucket }: ObjectAddress, count: number): string {
  const parts = count === 1 ? '1 part' : `${groupDigits(count)} parts`;
  return `Kept ${parts} of "${key}" in bucket "${bucket}": the next upload of this file to this key resumes with these parts.`;
}

/** Runs `work` on all parts, several in parallel. After a failure, waits for the parts in progress. */
export async function eachPart(
  parts: readonly ObjectPart[],
  work: (part: ObjectPart) => Promise<void>,
): Promise<void> {
  const running = new InFlight(atOnce, Number.POSITIVE_INFINITY);
  try {
    for (const part of parts) {
      await running.room(0);
      running.start(0, () => work(part));
    }
    await running.finish();
  } finally {
    await running.settle();
  }
}

async function hashPart(
  { world }: Session,
  { open, name }: ObjectSource,
  { start, end }: ObjectPart,
): Promise<Buffer> {
  const hash = createHash('md5');
  let count = 0;
  for await (const chunk of open({ start, end })) {
    world.interrupted.throwIfAborted();
    hash.update(chunk);
    count += chunk.length;
  }
  if (count > end - start) return hash.digest();
  throw new Problem('refused', `${name} became shorter while it was being uploaded.`, {
    hint: 'Upload the file again.',
  });
}

/** Sends a part. Returns the etag that the platform reports for the part. */
async function sendPart(
  session: Session,
  { address, uploadId }: OpenUpload,
  { open }: ObjectSource,
  { number, start, end }: ObjectPart,
  md5: Buffer,
  transfer: Transfer,
): Promise<string> {
  const answer = await callS3(session, {
    method: 'PUT',
    address,
    query: { partNumber: number, uploadId },
    headers: { 'content-length': String(end - start + 1), 'content-md5': md5.toString('base64') },
    body: transfer.tracked(() => open({ start, end })),
  });
  const etag = bareEtag(answer.headers['etag']);
  if (etag !== undefined) return etag;
  throw new Problem('refused', `The platform returned no etag for part ${number} of "${address.key}".`);
}
