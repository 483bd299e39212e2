import { evaluate } from '../../model/objects/condition.ts';
import { objectLimits } from '../../model/objects/object.ts';
import { type ByteRange, parseRange } from '../../model/objects/range.ts';
import { listChildren, parseDocument, textIn } from '../../s3/xml.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import type { Answer } from '../../v4/send.ts';
import { parseConditions } from '../objects/headers.ts';
import { requireS3Bucket } from './buckets.ts';
import { formatS3ObjectHeaders, parseStoredHeaders, refuseUnsupportedHeaders } from './headers.ts';
import { readBodyText, requireS3Key } from './reading.ts';
import { emptyAnswer, S3Refusal, xmlAnswer } from './refusal.ts';
import type { S3Request } from './request.ts';

/** The part of an object in an answer. */
interface Part {
  readonly status: 200 | 206 | 304;
  readonly range: ByteRange;
}

/** `GET` and `HEAD /BUCKET/KEY`: the bytes, or a range, with conditions. */
export function readS3Object(request: S3Request): Answer {
  const { platform, bucket, key, headers, method } = request;
  refuseUnsupportedHeaders(headers);
  let part: Part = { status: 200, range: { start: 0, end: -1 } };
  const opened = platform.objects().read(bucket, key, (object) => {
    part = selectPart(object, headers);
    return part.status === 304 || method === 'HEAD' ? undefined : part.range;
  });
  if (opened === undefined) throw new S3Refusal('NoSuchKey');
  const { object, body } = opened;
  return {
    status: part.status,
    headers: {
      ...formatS3ObjectHeaders(object),
      ...readOverriddenHeaders(request.query),
      ...formatLength(part, object),
    },
    body,
  };
}

function selectPart(object: ObjectRecord, headers: S3Request['headers']): Part {
  const whole = { start: 0, end: object.size - 1 };
  const outcome = evaluate(parseConditions(headers), object);
  if (outcome === 'failed') throw new S3Refusal('PreconditionFailed');
  if (outcome === 'unchanged') return { status: 304, range: whole };
  const range = parseRange(headers['range'], object.size);
  if (range === 'none') throw new S3Refusal('InvalidRange');
  return range === undefined ? { status: 200, range: whole } : { status: 206, range };
}

function formatLength(
  { status, range: { start, end } }: Part,
  { size }: ObjectRecord,
): Record<string, string> {
  if (status === 304) return {};
  const length = { 'content-length': String(end - start + 1) };
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

/** `PUT /BUCKET/KEY`. If a condition fails once the bytes have arrived, the old object stays. */
export async function writeS3Object(request: S3Request): Promise<Answer> {
  const { platform, bucket, headers } = request;
  refuseUnsupportedHeaders(headers);
  const stored = await platform.objects().write(
    bucket,
    {
      key: requireS3Key(request.key),
      body: request.body(),
      ...parseStoredHeaders(headers),
      allow: createWriteCheck(request),
    },
    platform.now(),
  );
  return emptyAnswer(200, { etag: `"${stored.etag}"` });
}

/** Returns a check to run once the bytes have arrived: that the bucket still exists, and that the request's conditions hold. */
export function createWriteCheck({ platform, bucket, headers }: S3Request) {
  return (before: ObjectRecord | { etag: string; uploaded: number } | undefined): void => {
    requireS3Bucket(platform, bucket);
    const { ifMatch, ifNoneMatch } = parseConditions(headers);
    if (evaluate({ ifMatch, ifNoneMatch }, before) !== 'go on') throw new S3Refusal('PreconditionFailed');
  };
}

/** `DELETE /BUCKET/KEY`: a missing object is ignored. */
export function removeS3Object({ platform, bucket, key }: S3Request): Answer {
  platform.objects().remove(bucket, [key]);
  return emptyAnswer(204);
}

/** Space for 1,000 keys of 1,024 bytes, each written as a character reference of five bytes. */
const maxDocumentBytes = 8 * 1024 * 1024;

/** `POST /BUCKET?delete` with up to 1,000 keys. */
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
