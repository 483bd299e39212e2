import { evaluate } from '../../model/objects/condition.ts';
import { parseRange } from '../../model/objects/range.ts';
import type { ObjectContent } from '../../store/objects/objects.ts';
import { type Answer, streamOf } from '../../v4/send.ts';
import { requireS3Bucket } from './buckets.ts';
import { decodePath, parseObjectPath } from './call.ts';
import { parseSourceConditions, parseStoredHeaders, refuseUnsupportedHeaders } from './headers.ts';
import { writePart } from './multipart.ts';
import { createWriteCheck } from './objects.ts';
import { requireS3Key } from './reading.ts';
import { S3Refusal, xmlAnswer } from './refusal.ts';
import type { S3Request } from './request.ts';

/** Maximum number of bytes per copy; larger objects must be copied in parts. */
const maxBytes = 5 * 1024 ** 3;

/** `PUT /BUCKET/KEY` with `x-amz-copy-source`: copies on the platform. */
export async function copyS3Object(request: S3Request): Promise<Answer> {
  const { platform, bucket, headers } = request;
  refuseUnsupportedHeaders(headers);
  const directive = headers['x-amz-metadata-directive'] ?? 'COPY';
  if (!['COPY', 'REPLACE'].includes(directive))
    throw new S3Refusal('InvalidArgument', `Unknown metadata directive ${directive}.`);
  const source = parseCopySource(headers);
  if (source.bucket === bucket && source.key === request.key && directive === 'COPY')
    throw new S3Refusal('InvalidRequest', 'This copy request is illegal: it changes nothing.');
  const { object, body } = openSource(request, source, undefined);
  const { httpMetadata, customMetadata } = directive === 'COPY' ? object : parseStoredHeaders(headers);
  const stored = await platform.objects().write(
    bucket,
    {
      key: requireS3Key(request.key),
      body: toStream(body),
      httpMetadata,
      customMetadata,
      allow: createWriteCheck(request),
    },
    platform.now(),
  );
  return xmlAnswer(200, 'CopyObjectResult', {
    ETag: `"${stored.etag}"`,
    LastModified: new Date(stored.uploaded).toISOString(),
  });
}

/** `PUT /BUCKET/KEY?partNumber&uploadId` with `x-amz-copy-source`, and optionally a range of it. */
export async function copyS3Part(request: S3Request): Promise<Answer> {
  const range = request.headers['x-amz-copy-source-range'];
  if (range !== undefined && !/^bytes=\d+-\d+$/.test(range))
    throw new S3Refusal('InvalidArgument', `Invalid x-amz-copy-source-range: ${range}`);
  const { body } = openSource(request, parseCopySource(request.headers), range);
  const part = await writePart(request, toStream(body));
  return xmlAnswer(200, 'CopyPartResult', {
    ETag: `"${part.etag}"`,
    LastModified: new Date(request.platform.now()).toISOString(),
  });
}

function parseCopySource(headers: S3Request['headers']): { readonly bucket: string; readonly key: string } {
  const path = decodePath(headers['x-amz-copy-source'] ?? '');
  const source = parseObjectPath(path.startsWith('/') ? path : `/${path}`);
  if (source.key === '')
    throw new S3Refusal('InvalidArgument', 'The copy source does not contain an object key.');
  return source;
}

function openSource(
  { platform, headers }: S3Request,
  { bucket, key }: ReturnType<typeof parseCopySource>,
  range: string | undefined,
): ObjectContent {
  requireS3Bucket(platform, bucket);
  const opened = platform.objects().read(bucket, key, (object) => {
    if (evaluate(parseSourceConditions(headers), object) !== 'go on')
      throw new S3Refusal('PreconditionFailed');
    const wanted = parseRange(range, object.size) ?? { start: 0, end: object.size - 1 };
    if (wanted === 'none') throw new S3Refusal('InvalidRange');
    if (wanted.end - wanted.start >= maxBytes) throw new S3Refusal('EntityTooLarge');
    return wanted;
  });
  if (opened === undefined) throw new S3Refusal('NoSuchKey');
  return opened;
}

function toStream(body: ObjectContent['body']): AsyncIterable<Uint8Array> {
  return body instanceof Uint8Array ? streamOf(body) : body;
}
