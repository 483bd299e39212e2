import { type Conditions, evaluate, type Validators } from '../../model/objects/condition.ts';
import { objectLimits } from '../../model/objects/object.ts';
import { type ByteRange, parseRange } from '../../model/objects/range.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { listChildren, parseDocument, textIn } from '../../s3/xml.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import type { Answer } from '../../v4/send.ts';
import { keysNow } from '../http/clock.ts';
import { parseConditions } from '../objects/headers.ts';
import { requireS3Bucket } from './buckets.ts';
import { formatChecksumHeaders } from './checksum.ts';
import { checkCustomerKey, formatCustomerKey, parseCustomerKey } from './customer-key.ts';
import { emptyAnswer, xmlAnswer } from './documents.ts';
import { formatS3ObjectHeaders, parseStoredHeaders, refuseUnsupportedHeaders } from './headers.ts';
import { formatExpiration } from './lifecycle.ts';
import { readBodyText, readPartNumber, requireS3Key } from './reading.ts';
import type { S3Request } from './request.ts';
import { readStorageClass } from './storage-class.ts';

/** The part of an object that an answer contains. */
interface Part {
  readonly status: 200 | 206 | 304;
  readonly range: ByteRange;
  /** The number of parts of the object, if the request specifies a part number. */
  readonly parts?: number;
}

/** `GET` and `HEAD /BUCKET/KEY`: return an object or a range of its bytes, subject to the conditions of the request. */
export function readS3Object(request: S3Request): Answer {
  const { platform, bucket, key, headers, method } = request;
  refuseUnsupportedHeaders(headers);
  const keyMd5 = parseCustomerKey(headers);
  let part: Part = { status: 200, range: { start: 0, end: -1 } };
  const opened = platform.objects().read(bucket, key, (object, partSizes) => {
    part = selectPart(object, request, partSizes);
    checkCustomerKey(object, keyMd5);
    return part.status === 304 || method === 'HEAD' ? undefined : part.range;
  });
  if (opened === undefined) throw new S3Refusal('NoSuchKey');
  const { object, body } = opened;
  return {
    status: part.status,
    headers: {
      ...formatS3ObjectHeaders(object, request.storageClass),
      ...formatExpiration(platform, bucket, object),
      ...(headers['x-amz-checksum-mode'] === 'ENABLED' &&
        part.status === 200 &&
        formatChecksumHeaders(object.checksum)),
      ...readOverriddenHeaders(request.query),
      ...formatLength(part, object),
    },
    body,
  };
}

function selectPart(
  object: ObjectRecord,
  { method, headers, query }: S3Request,
  partSizes: () => readonly number[],
): Part {
  const whole = { start: 0, end: object.size - 1 };
  const outcome = evaluate(parseConditions(headers), object);
  if (outcome === 'failed') throw new S3Refusal('PreconditionFailed');
  if (outcome === 'unchanged') return { status: 304, range: whole };
  if (query.has('partNumber')) return selectNumberedPart(object, { headers, query }, partSizes());
  // A range has no effect on a HEAD request ("S3 API compatibility", HeadObject).
  const range = method === 'HEAD' ? undefined : parseRange(headers['range'], object.size);
  if (range === 'none') throw new S3Refusal('InvalidRange');
  return range === undefined ? { status: 200, range: whole } : { status: 206, range };
}

/** Returns the part of an object whose number is in `partNumber`. An object that was not created by a multipart upload counts as part 1. */
function selectNumberedPart(
  { size }: ObjectRecord,
  { headers, query }: Pick<S3Request, 'headers' | 'query'>,
  sizes: readonly number[],
): Part {
  if (headers['range'] !== undefined)
    throw new S3Refusal('InvalidRequest', 'Cannot specify both Range header and partNumber query parameter.');
  const number = readPartNumber(query);
  if (sizes.length === 0 && number === 1) return { status: 206, range: { start: 0, end: size - 1 } };
  const start = sizes.slice(0, number - 1).reduce((sum, one) => sum + one, 0);
  const length = sizes[number - 1];
  if (length === undefined) throw new S3Refusal('InvalidPart');
  return { status: 206, range: { start, end: start + length - 1 }, parts: sizes.length };
}

function formatLength(
  { status, range: { start, end }, parts }: Part,
  { size }: ObjectRecord,
): Record<string, string> {
  if (status === 304) return {};
  const length = {
    'content-length': String(end - start + 1),
    ...(parts !== undefined && { 'x-amz-mp-parts-count': String(parts) }),
  };
  // The answer for an empty object cannot contain a range.
  if (size === 0) return length;
  return status === 200 ? length : { ...length, 'content-range': `bytes ${start}-${end}/${size}` };
}

/** Returns the headers that a link requests instead of the object's own. */
function readOverriddenHeaders(query: S3Request['query']): Record<string, string> {
  const names = [
    'content-type',
    'content-language',
    'expires',
    'cache-control',
    'content-disposition',
    'content-encoding',
  ];
  const wanted = names.map((name) => [name, query.get(`response-${name}`)] as const);
  // A header cannot contain line breaks.
  return Object.fromEntries(
    wanted.flatMap(([name, value]) => (value === undefined ? [] : [[name, value.replace(/[^ -~]/g, ' ')]])),
  );
}

/** `PUT /BUCKET/KEY`: stores an object. If a condition is not met once the bytes have arrived, the old object is kept. */
export async function writeS3Object(request: S3Request): Promise<Answer> {
  const { platform, bucket, headers } = request;
  refuseUnsupportedHeaders(headers);
  const storageClass = readStorageClass(request);
  const ssecKeyMd5 = parseCustomerKey(headers);
  const stored = await platform.objects().write(
    bucket,
    {
      key: requireS3Key(request.key),
      body: request.body(),
      ...parseStoredHeaders(headers),
      details: () => ({ storageClass, ssecKeyMd5, checksum: request.checksum() }),
      allow: createWriteCheck(request, parseConditions(headers)),
    },
    keysNow(platform),
  );
  return emptyAnswer(200, {
    etag: `"${stored.etag}"`,
    ...formatChecksumHeaders(stored.checksum),
    ...formatCustomerKey(stored),
    ...formatExpiration(platform, bucket, stored),
  });
}

/**
 * Returns a function to call once the bytes have arrived, which checks that the bucket still exists and that the old object meets the
 * conditions.
 */
export function createWriteCheck(request: S3Request, conditions: Conditions) {
  return (before: Validators | undefined): void => {
    requireS3Bucket(request);
    if (evaluate(conditions, before) !== 'go on') throw new S3Refusal('PreconditionFailed');
  };
}

/** `DELETE /BUCKET/KEY`: deletes the object; a missing object is ignored. */
export function removeS3Object({ platform, bucket, key }: S3Request): Answer {
  platform.objects().remove(bucket, [key]);
  return emptyAnswer(204);
}

/**
 * Maximum number of bytes of the document: 1,000 keys of 1,024 bytes, each byte written as a character reference of five bytes, plus a
 * margin.
 */
const maxDocumentBytes = 8 * 1024 * 1024;

/** `POST /BUCKET?delete`: deletes up to 1,000 objects, whose keys are in the body. */
export async function removeS3Objects(request: S3Request): Promise<Answer> {
  const document = parseDocument(await readBodyText(request, maxDocumentBytes));
  if (document?.name !== 'Delete') throw new S3Refusal('MalformedXML');
  const keys = listChildren(document, 'Object').map((object) => textIn(object, 'Key') ?? '');
  if (keys.length === 0 || keys.length > objectLimits.deleteKeys || keys.includes(''))
    throw new S3Refusal('MalformedXML');
  request.platform.objects().remove(request.bucket, keys);
  const isQuiet = textIn(document, 'Quiet') === 'true';
  return xmlAnswer(200, 'DeleteResult', { Deleted: isQuiet ? [] : keys.map((key) => ({ Key: key })) });
}
