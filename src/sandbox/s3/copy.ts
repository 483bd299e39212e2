import { evaluate } from '../../model/objects/condition.ts';
import { parseRange } from '../../model/objects/range.ts';
import type { ObjectContent } from '../../store/objects/objects.ts';
import { type Answer, streamOf } from '../../v4/send.ts';
import { requireBucket } from './buckets.ts';
import { addressOf, decodedPath } from './call.ts';
import { refuseUndone, sourceConditions, storedHeadersOf } from './headers.ts';
import { writePart } from './multipart.ts';
import { allowOf } from './objects.ts';
import { checkKey } from './reading.ts';
import { S3Refusal, xmlAnswer } from './refusal.ts';
import type { S3Request } from './request.ts';

/** Maximum number of bytes per copy; larger objects must be copied in parts. */
const mostBytes = 5 * 1024 ** 3;

/** `PUT /BUCKET/KEY` with `x-amz-copy-source`: copies on the platform. */
export async function copyObject(request: S3Request): Promise<Answer> {
  const { platform, bucket, headers } = request;
  refuseUndone(headers);
  const directive = headers['x-amz-metadata-directive'] ?? 'COPY';
  if (!['COPY', 'REPLACE'].includes(directive))
    throw new S3Refusal('InvalidArgument', `Unknown metadata directive ${directive}.`);
  const source = sourceOf(headers);
  if (source.bucket === bucket && source.key === request.key && directive === 'COPY')
    throw new S3Refusal('InvalidRequest', 'This copy request is illegal: it changes nothing.');
  const { object, body } = openSource(request, source, undefined);
  const { httpMetadata, customMetadata } = directive === 'COPY' ? object : storedHeadersOf(headers);
  const stored = await platform.objects().write(
    bucket,
    {
      key: checkKey(request.key),
      body: streamed(body),
      httpMetadata,
      customMetadata,
      allow: allowOf(request),
    },
    platform.now(),
  );
  return xmlAnswer(200, 'CopyObjectResult', {
    ETag: `"${stored.etag}"`,
    LastModified: new Date(stored.uploaded).toISOString(),
  });
}

/** `PUT /BUCKET/KEY?partNumber&uploadId` with `x-amz-copy-source`, and optionally a range of it. */
export async function copyPart(request: S3Request): Promise<Answer> {
  const range = request.headers['x-amz-copy-source-range'];
  if (range !== undefined && !/^bytes=\d+-\d+$/.test(range))
    throw new S3Refusal('InvalidArgument', `Invalid x-amz-copy-source-range: ${range}`);
  const { body } = openSource(request, sourceOf(request.headers), range);
  const part = await writePart(request, streamed(body));
  return xmlAnswer(200, 'CopyPartResult', {
    ETag: `"${part.etag}"`,
    LastModified: new Date(request.platform.now()).toISOString(),
  });
}

function sourceOf(headers: S3Request['headers']): { readonly bucket: string; readonly key: string } {
  const path = decodedPath(headers['x-amz-copy-source'] ?? '');
  const source = addressOf(path.startsWith('/') ? path : `/${path}`);
  if (source.key === '')
    throw new S3Refusal('InvalidArgument', 'The copy source does not contain an object key.');
  return source;
}

function openSource(
  { platform, headers }: S3Request,
  { bucket, key }: ReturnType<typeof sourceOf>,
  range: string | undefined,
): ObjectContent {
  requireBucket(platform, bucket);
  const opened = platform.objects().read(bucket, key, (object) => {
    if (evaluate(sourceConditions(headers), object) !== 'go on') throw new S3Refusal('PreconditionFailed');
    const wanted = parseRange(range, object.size) ?? { start: 0, end: object.size - 1 };
    if (wanted === 'none') throw new S3Refusal('InvalidRange');
    if (wanted.end - wanted.start >= mostBytes) throw new S3Refusal('EntityTooLarge');
    return wanted;
  });
  if (opened === undefined) throw new S3Refusal('NoSuchKey');
  return opened;
}

function streamed(body: ObjectContent['body']): AsyncIterable<Uint8Array> {
  return body instanceof Uint8Array ? streamOf(body) : body;
}
