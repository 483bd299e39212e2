import type { ObjectAddress } from '../../../model/objects/object.ts';
import { isProblem, Problem } from '../../../model/problem.ts';
import { listChildren, textIn } from '../../../s3/xml.ts';
import { objstoreHeaders } from '../../../v4/wire.ts';
import type { Session } from '../../session/session.ts';
import { metadataHeaders, type ObjectMetadata } from '../headers.ts';
import { readObjectEntry, type StoredObject } from '../objects.ts';
import { type BucketCall, bareEtag, callS3, toBody } from './calls.ts';

/** A multipart upload in progress. */
export interface OpenUpload {
  readonly address: ObjectAddress;
  readonly uploadId: string;
}

/** One part of an object: the bytes from `start` to `end`, inclusive. */
export interface ObjectPart {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

const mebibyte = 1024 * 1024;
const maxParts = 10_000;

/**
 * Returns the size of a part in bytes: at least `least`, and large enough that 10,000 parts suffice. The size is a whole number of MiB if
 * `least` is.
 */
export function partSizeFor(size: number, least: number): number {
  return Math.max(least, Math.ceil(size / maxParts / mebibyte) * mebibyte);
}

/** Splits an object into parts. All parts have the same size, except the last part, which may be smaller. */
export function planParts(size: number, partSize: number): ObjectPart[] {
  return Array.from({ length: Math.ceil(size / partSize) }, (_, index) => {
    const start = index * partSize;
    return { number: index + 1, start, end: Math.min(start + partSize, size) - 1 };
  });
}

/** Begins an upload in parts. */
export async function beginUpload(
  session: Session,
  address: ObjectAddress,
  metadata: ObjectMetadata,
): Promise<OpenUpload> {
  const call = {
    method: 'POST',
    address,
    query: { uploads: '' },
    headers: toHeaders(session, metadata),
  } as const;
  const uploadId = textIn((await callS3(session, call)).document, 'UploadId');
  if (uploadId !== undefined) return { address, uploadId };
  throw new Problem('refused', 'The platform started a multipart upload, but returned no upload id.');
}

/** Returns metadata as S3 headers. S3 stores the names of custom metadata in lower case. */
function toHeaders(session: Session, metadata: ObjectMetadata): Record<string, string> {
  const {
    [objstoreHeaders.customMetadata]: _,
    [objstoreHeaders.storageClass]: storageClass,
    ...headers
  } = metadataHeaders(metadata);
  const custom = Object.entries(metadata.customMetadata ?? {});
  const bad = custom.find(([name]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (bad !== undefined) {
    const words = `Custom metadata "${bad[0]}" cannot be stored with an object of this size: the name is not valid in a header.`;
    throw new Problem('invalid-input', words);
  }
  const changed = custom.filter(([name]) => name !== name.toLowerCase());
  if (changed.length > 0)
    session.note(
      `Names of custom metadata are stored in lower case: ${changed.map(([name]) => name).join(', ')}.`,
    );
  return {
    ...headers,
    ...(storageClass === 'InfrequentAccess' ? { 'x-amz-storage-class': 'STANDARD_IA' } : {}),
    ...Object.fromEntries(custom.map(([name, value]) => [`x-amz-meta-${name.toLowerCase()}`, word(value)])),
  };
}

/** Encodes non-ASCII text as an RFC 2047 encoded word. */
function word(value: string): string {
  return /^[ -~]*$/.test(value) ? value : `=?UTF-8?B?${Buffer.from(value).toString('base64')}?=`;
}

/** Returns the etags of the parts that the platform has received, by part number; undefined if the upload does not exist. */
export async function listParts(
  session: Session,
  { address, uploadId }: OpenUpload,
): Promise<Map<number, string> | undefined> {
  const found = new Map<number, string>();
  for (let marker: string | undefined = '0'; marker !== undefined; ) {
    const query = { uploadId, 'part-number-marker': marker };
    const call: BucketCall = { method: 'GET', address, query };
    const answer = await callS3(session, call, 'NoSuchUpload');
    if (answer === undefined) return undefined;
    for (const part of listChildren(answer.document, 'Part')) {
      found.set(Number(textIn(part, 'PartNumber')), bareEtag(textIn(part, 'ETag')) ?? '');
    }
    const isMore = textIn(answer.document, 'IsTruncated') === 'true';
    const next = textIn(answer.document, 'NextPartNumberMarker');
    // Stops if the marker does not increase, because otherwise the loop would never end.
    marker = isMore && Number(next) > Number(marker) ? next : undefined;
  }
  return found;
}

/**
 * Completes the upload with the etags of its parts, in order. If the request was retried and the upload no longer exists, the first attempt
 * may have succeeded, so the object is looked up. Does not verify the etag of the whole object, because it is not a hash of the bytes.
 */
export async function completeUpload(
  session: Session,
  { address, uploadId }: OpenUpload,
  etags: readonly string[],
  size: number,
): Promise<StoredObject> {
  const body = toBody('CompleteMultipartUpload', {
    Part: etags.map((etag, index) => ({ PartNumber: index + 1, ETag: `"${etag}"` })),
  });
  const headers = { 'content-type': 'application/xml' };
  const call = { method: 'POST', address, query: { uploadId }, headers, body } as const;
  const before = session.retries();
  try {
    const etag = bareEtag(textIn((await callS3(session, call)).document, 'ETag')) ?? '';
    return { key: address.key, size, etag };
  } catch (error) {
    const mayBeDone = isProblem(error) && error.code === 'not-found' && session.retries() > before;
    const found = mayBeDone ? await readObjectEntry(session, address) : undefined;
    if (found?.size !== size || !found.etag.endsWith(`-${etags.length}`)) throw error;
    return { key: address.key, size, etag: found.etag };
  }
}

/** Maximum time for aborting an upload, in milliseconds. */
const abortTimeoutMs = 3000;

/**
 * Aborts an upload, so that the platform deletes its parts, which would incur costs. Ctrl-C does not stop this request, because Ctrl-C may
 * be the reason for aborting the upload.
 */
export async function abortUpload(session: Session, { address, uploadId }: OpenUpload): Promise<void> {
  const signal = AbortSignal.timeout(abortTimeoutMs);
  await callS3(session, { method: 'DELETE', address, query: { uploadId }, signal }, 'NoSuchUpload');
}
