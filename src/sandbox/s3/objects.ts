import { evaluate } from '../../model/objects/condition.ts';
import { objectLimits } from '../../model/objects/object.ts';
import { type ByteRange, parseRange } from '../../model/objects/range.ts';
import { childrenOf, parseDocument, textIn } from '../../s3/xml.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import type { Answer } from '../../v4/send.ts';
import { conditionsOf } from '../objects/headers.ts';
import { requireBucket } from './buckets.ts';
import { objectHeaders, refuseUndone, storedHeadersOf } from './headers.ts';
import { checkKey, readText } from './reading.ts';
import { emptyAnswer, S3Refusal, xmlAnswer } from './refusal.ts';
import type { S3Request } from './request.ts';

/** The part of an object in an answer. */
interface Part {
  readonly status: 200 | 206 | 304;
  readonly range: ByteRange;
}

/** `GET` and `HEAD /BUCKET/KEY`: the bytes, or a range, with conditions. */
export function readObject(request: S3Request): Answer {
  const { platform, bucket, key, headers, method } = request;
  refuseUndone(headers);
  let part: Part = { status: 200, range: { start: 0, end: -1 } };
  const opened = platform.objects().read(bucket, key, (object) => {
    part = partOf(object, headers);
    return part.status === 304 || method === 'HEAD' ? undefined : part.range;
  });
  if (opened === undefined) throw new S3Refusal('NoSuchKey');
  const { object, body } = opened;
  return {
    status: part.status,
    headers: { ...objectHeaders(object), ...overridden(request.query), ...lengthOf(part, object) },
    body,
  };
}

function partOf(object: ObjectRecord, headers: S3Request['headers']): Part {
  const whole = { start: 0, end: object.size - 1 };
  const outcome = evaluate(conditionsOf(headers), object);
  if (outcome === 'failed') throw new S3Refusal('PreconditionFailed');
  if (outcome === 'unchanged') return { status: 304, range: whole };
  const range = parseRange(headers['range'], object.size);
  if (range === 'none') throw new S3Refusal('InvalidRange');
  return range === undefined ? { status: 200, range: whole } : { status: 206, range };
}

function lengthOf({ status, range: { start, end } }: Part, { size }: ObjectRecord): Record<string, string> {
  if (status === 304) return {};
  const length = { 'content-length': String(end - start + 1) };
  return status === 200 ? length : { ...length, 'content-range': `bytes ${start}-${end}/${size}` };
}

/** Returns the headers that a link requests instead of the object's own. */
function overridden(query: S3Request['query']): Record<string, string> {
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
export async function writeObject(request: S3Request): Promise<Answer> {
  const { platform, bucket, headers } = request;
  refuseUndone(headers);
  const stored = await platform.objects().write(
    bucket,
    {
      key: checkKey(request.key),
      body: request.body(),
      ...storedHeadersOf(headers),
      allow: allowOf(request),
    },
    platform.now(),
  );
  return emptyAnswer(200, { etag: `"${stored.etag}"` });
}

/** Returns a check to run once the bytes have arrived: that the bucket still exists, and that the request's conditions hold. */
export function allowOf({ platform, bucket, headers }: S3Request) {
  return (before: ObjectRecord | { etag: string; uploaded: number } | undefined): void => {
    requireBucket(platform, bucket);
    const { ifMatch, ifNoneMatch } = conditionsOf(headers);
    if (evaluate({ ifMatch, ifNoneMatch }, before) !== 'go on') throw new S3Refusal('PreconditionFailed');
  };
}

/** `DELETE /BUCKET/KEY`: a missing object is ignored. */
export function removeObject({ platform, bucket, key }: S3Request): Answer {
  platform.objects().remove(bucket, [key]);
  return emptyAnswer(204);
}

/** Space for 1,000 keys of 1,024 bytes, each written as a character reference of five bytes. */
const listLimit = 8 * 1024 * 1024;

/** `POST /BUCKET?delete` with up to 1,000 keys. */
export async function removeObjects(request: S3Request): Promise<Answer> {
  const document = parseDocument(await readText(request, listLimit));
  if (document?.name !== 'Delete') throw new S3Refusal('MalformedXML');
  const keys = childrenOf(document, 'Object').map((object) => textIn(object, 'Key') ?? '');
  if (keys.length === 0 || keys.length > objectLimits.deleteKeys || keys.includes(''))
    throw new S3Refusal('MalformedXML');
  request.platform.objects().remove(request.bucket, keys);
  const isQuiet = textIn(document, 'Quiet') === 'true';
  return xmlAnswer(200, 'DeleteResult', { Deleted: isQuiet ? [] : keys.map((key) => ({ Key: key })) });
}
