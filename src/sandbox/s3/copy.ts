import { evaluate } from '../../model/objects/condition.ts';
import { customMetadataFault } from '../../model/objects/object.ts';
import { parseRange } from '../../model/objects/range.ts';
import { decodePath, parseObjectPath } from '../../s3/address.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import type { ObjectContent, ObjectRecord } from '../../store/objects/objects.ts';
import { type Answer, openStream } from '../../v4/send.ts';
import { keysNow } from '../http/clock.ts';
import { requireS3Bucket } from './buckets.ts';
import { formatChecksumElements } from './checksum.ts';
import { checkCustomerKey, formatCustomerKey, parseCustomerKey, parseSourceKey } from './customer-key.ts';
import { xmlAnswer } from './documents.ts';
import {
  parseDestinationConditions,
  parseSourceConditions,
  parseStoredHeaders,
  refuseUnsupportedHeaders,
} from './headers.ts';
import { writePart } from './multipart.ts';
import { createWriteCheck } from './objects.ts';
import { requireS3Key } from './reading.ts';
import type { S3Request } from './request.ts';
import { readStorageClass } from './storage-class.ts';

/** Maximum number of bytes per copy; larger objects must be copied in parts. */
const maxBytes = 5 * 1024 ** 3;

/** `PUT /BUCKET/KEY` with `x-amz-copy-source`: copies an object within the platform. */
export async function copyS3Object(request: S3Request): Promise<Answer> {
  const { platform, bucket, headers } = request;
  refuseUnsupportedHeaders(headers);
  const directive = headers['x-amz-metadata-directive'] ?? 'COPY';
  if (!['COPY', 'MERGE', 'REPLACE'].includes(directive))
    throw new S3Refusal('InvalidArgument', `Unknown metadata directive ${directive}.`);
  const storageClass = readStorageClass(request);
  const ssecKeyMd5 = parseCustomerKey(headers);
  const source = parseCopySource(headers);
  const isSelf = source.bucket === bucket && source.key === request.key;
  if (
    isSelf &&
    directive === 'COPY' &&
    headers['x-amz-storage-class'] === undefined &&
    ssecKeyMd5 === undefined
  )
    throw new S3Refusal('InvalidRequest', 'This copy request is illegal: it changes nothing.');
  const { object, body } = openSource(request, source, undefined);
  const { httpMetadata, customMetadata } = chooseMetadata(object, directive, headers);
  const stored = await platform.objects().write(
    bucket,
    {
      key: requireS3Key(request.key),
      body: toStream(body),
      httpMetadata,
      customMetadata,
      // The checksum of a multipart object does not apply to its copy, which is written in one piece.
      details: () => ({
        storageClass,
        ssecKeyMd5,
        ...(object.checksum?.type === 'FULL_OBJECT' && { checksum: object.checksum }),
      }),
      allow: createWriteCheck(request, parseDestinationConditions(headers)),
    },
    keysNow(platform),
  );
  const answer = xmlAnswer(200, 'CopyObjectResult', {
    ETag: `"${stored.etag}"`,
    LastModified: new Date(stored.uploaded).toISOString(),
    ...formatChecksumElements(stored.checksum),
  });
  return { ...answer, headers: { ...answer.headers, ...formatCustomerKey(stored) } };
}

/**
 * Returns the metadata of a copy. `MERGE`, an extension of the provider ("Extensions"), overwrites the metadata of the source with the
 * metadata in the request.
 */
function chooseMetadata(
  object: ObjectRecord,
  directive: string,
  headers: S3Request['headers'],
): Pick<ObjectRecord, 'httpMetadata' | 'customMetadata'> {
  if (directive === 'COPY') return object;
  const sent = parseStoredHeaders(headers);
  if (directive === 'REPLACE') return sent;
  const customMetadata = { ...object.customMetadata, ...sent.customMetadata };
  if (customMetadataFault(customMetadata) !== undefined) throw new S3Refusal('MetadataTooLarge');
  return { httpMetadata: { ...object.httpMetadata, ...sent.httpMetadata }, customMetadata };
}

/** `PUT /BUCKET/KEY?partNumber&uploadId` with `x-amz-copy-source`: copies an object, or a range of an object, to a part of an upload. */
export async function copyS3Part(request: S3Request): Promise<Answer> {
  const range = request.headers['x-amz-copy-source-range'];
  if (range !== undefined && !/^bytes=\d+-\d+$/.test(range))
    throw new S3Refusal('InvalidArgument', `Invalid x-amz-copy-source-range: ${range}`);
  const { body } = openSource(request, parseCopySource(request.headers), range);
  const { part, ssecKeyMd5 } = await writePart(request, toStream(body));
  const answer = xmlAnswer(200, 'CopyPartResult', {
    ETag: `"${part.etag}"`,
    LastModified: new Date(keysNow(request.platform)).toISOString(),
  });
  return { ...answer, headers: { ...answer.headers, ...formatCustomerKey({ ssecKeyMd5 }) } };
}

function parseCopySource(headers: S3Request['headers']): { readonly bucket: string; readonly key: string } {
  const path = decodePath(headers['x-amz-copy-source'] ?? '');
  const source = parseObjectPath(path.startsWith('/') ? path : `/${path}`);
  if (source.key === '')
    throw new S3Refusal('InvalidArgument', 'The copy source does not contain an object key.');
  return source;
}

function openSource(
  { platform, headers, jurisdiction }: S3Request,
  { bucket, key }: ReturnType<typeof parseCopySource>,
  range: string | undefined,
): ObjectContent {
  requireS3Bucket({ platform, bucket, jurisdiction });
  const keyMd5 = parseSourceKey(headers);
  const opened = platform.objects().read(bucket, key, (object) => {
    checkCustomerKey(object, keyMd5);
    if (evaluate(parseSourceConditions(headers), object) !== 'go on')
      throw new S3Refusal('PreconditionFailed');
    const wanted = parseRange(range, object.size) ?? { start: 0, end: object.size - 1 };
    // Unlike the range of a read, the range of a copy must not extend past the end of the object.
    const end = Number(range?.split('-')[1] ?? 0);
    if (wanted === 'none' || (range !== undefined && end >= object.size)) throw new S3Refusal('InvalidRange');
    if (wanted.end - wanted.start >= maxBytes) throw new S3Refusal('EntityTooLarge');
    return wanted;
  });
  if (opened === undefined) throw new S3Refusal('NoSuchKey');
  return opened;
}

function toStream(body: ObjectContent['body']): AsyncIterable<Uint8Array> {
  return body instanceof Uint8Array ? openStream(body) : body;
}
