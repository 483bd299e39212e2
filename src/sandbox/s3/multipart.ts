import { listChildren, parseDocument, textIn } from '../../s3/xml.ts';
import type { StoredPart } from '../../store/objects/upload-table.ts';
import { begunAt } from '../../store/objects/uploads.ts';
import type { Answer } from '../../v4/send.ts';
import { parseStoredHeaders, refuseUnsupportedHeaders } from './headers.ts';
import { createKeyEncoder } from './list.ts';
import { createWriteCheck } from './objects.ts';
import { readBodyText, readCappedNumber, requireS3Key } from './reading.ts';
import { emptyAnswer, S3Refusal, xmlAnswer } from './refusal.ts';
import type { S3Request } from './request.ts';

const limits = { parts: 10_000, smallest: 5 * 1024 * 1024, list: 1000 } as const;

/** `POST /BUCKET/KEY?uploads`. */
export function createS3Upload({ platform, bucket, key, headers }: S3Request): Answer {
  refuseUnsupportedHeaders(headers);
  const upload = { key: requireS3Key(key), ...parseStoredHeaders(headers) };
  const uploadId = platform.objects().uploads(bucket, (uploads) => uploads.begin(upload));
  return xmlAnswer(200, 'InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: uploadId });
}

/** `PUT /BUCKET/KEY?partNumber&uploadId`. */
export async function uploadPart(request: S3Request): Promise<Answer> {
  refuseUnsupportedHeaders(request.headers);
  const part = await writePart(request, request.body());
  return emptyAnswer(200, { etag: `"${part.etag}"` });
}

/** Stores a part of the upload in a request. */
export async function writePart(request: S3Request, body: AsyncIterable<Uint8Array>): Promise<StoredPart> {
  const { platform, bucket, query } = request;
  const number = readCappedNumber(query, 'partNumber', 1, Number.MAX_SAFE_INTEGER, 0);
  if (number < 1 || number > limits.parts) {
    const words = 'Part number must be an integer between 1 and 10000, inclusive.';
    throw new S3Refusal('InvalidArgument', words);
  }
  const upload = readUploadName(request);
  const store = platform.objects();
  if (!store.uploads(bucket, (uploads) => uploads.isThere(upload))) throw new S3Refusal('NoSuchUpload');
  const part = await store.uploads(bucket, (uploads) => uploads.writePart(upload, number, body));
  return part ?? refuseUpload();
}

function readUploadName({ key, query }: S3Request) {
  return { key, uploadId: query.get('uploadId') ?? '' };
}

function refuseUpload(): never {
  throw new S3Refusal('NoSuchUpload');
}

/** `GET /BUCKET/KEY?uploadId&part-number-marker&max-parts`. */
export function listS3Parts(request: S3Request): Answer {
  const { platform, bucket, key, query } = request;
  const { uploadId } = readUploadName(request);
  const most = readCappedNumber(query, 'max-parts', 1, limits.list, limits.list);
  const marker = readCappedNumber(query, 'part-number-marker', 0, limits.parts, 0);
  const parts =
    platform.objects().uploads(bucket, (uploads) => uploads.parts({ key, uploadId })) ?? refuseUpload();
  const rest = parts.filter(({ number }) => number > marker);
  const page = rest.slice(0, most);
  const isTruncated = rest.length > most;
  return xmlAnswer(200, 'ListPartsResult', {
    Bucket: bucket,
    Key: createKeyEncoder(query)(key),
    UploadId: uploadId,
    PartNumberMarker: marker,
    NextPartNumberMarker: isTruncated ? page.at(-1)?.number : undefined,
    MaxParts: most,
    IsTruncated: isTruncated,
    Part: page.map(({ number, etag, size }) => ({
      PartNumber: number,
      LastModified: new Date(begunAt(uploadId) ?? platform.now()).toISOString(),
      ETag: `"${etag}"`,
      Size: size,
    })),
    StorageClass: 'STANDARD',
  });
}

/** `GET /BUCKET?uploads&prefix&key-marker&upload-id-marker&max-uploads`. */
export function listS3Uploads({ platform, bucket, query }: S3Request): Answer {
  if (query.get('delimiter')) throw new S3Refusal('NotImplemented', 'ListMultipartUploads with a delimiter');
  const shown = createKeyEncoder(query);
  const most = readCappedNumber(query, 'max-uploads', 1, limits.list, limits.list);
  const [prefix, key, id] = ['prefix', 'key-marker', 'upload-id-marker'].map((name) => query.get(name) ?? '');
  const all = platform.objects().uploads(bucket, (uploads) => uploads.list(prefix ?? ''));
  const bytes = (text: string) => Buffer.from(text);
  const at = all.findIndex((upload) => {
    const order = bytes(upload.key).compare(bytes(key ?? ''));
    return key === '' || order > 0 || (order === 0 && id !== '' && upload.uploadId > (id ?? ''));
  });
  const rest = at === -1 ? [] : all.slice(at);
  const page = rest.slice(0, most);
  const last = rest.length > most ? page.at(-1) : undefined;
  return xmlAnswer(200, 'ListMultipartUploadsResult', {
    Bucket: bucket,
    Prefix: shown(prefix ?? ''),
    KeyMarker: shown(key ?? ''),
    UploadIdMarker: id,
    NextKeyMarker: last && shown(last.key),
    NextUploadIdMarker: last?.uploadId,
    MaxUploads: most,
    IsTruncated: last !== undefined,
    EncodingType: query.get('encoding-type'),
    Upload: page.map(({ key: name, uploadId }) => ({
      Key: shown(name),
      UploadId: uploadId,
      Initiated: new Date(begunAt(uploadId) ?? 0).toISOString(),
      StorageClass: 'STANDARD',
    })),
  });
}

/** Space for 10,000 parts of 200 bytes each, and more. */
const documentLimit = 4 * 1024 * 1024;

/** `POST /BUCKET/KEY?uploadId` with the parts of the object. */
export async function completeS3Upload(request: S3Request): Promise<Answer> {
  const { platform, bucket, key } = request;
  const wanted = parseWantedParts(await readBodyText(request, documentLimit));
  const completed = platform.objects().completeUpload(
    bucket,
    {
      ...readUploadName(request),
      choose: (arrived) => chooseParts(wanted, arrived),
      allow: createWriteCheck(request),
    },
    platform.now(),
  );
  const { etag } = completed ?? refuseUpload();
  return xmlAnswer(200, 'CompleteMultipartUploadResult', {
    Location: `/${bucket}/${key}`,
    Bucket: bucket,
    Key: key,
    ETag: `"${etag}"`,
  });
}

interface WantedPart {
  readonly number: number;
  readonly etag: string;
}

function parseWantedParts(text: string): WantedPart[] {
  const document = parseDocument(text);
  if (document?.name !== 'CompleteMultipartUpload') throw new S3Refusal('MalformedXML');
  const parts = listChildren(document, 'Part').map((part) => ({
    number: Number(textIn(part, 'PartNumber') ?? Number.NaN),
    etag: (textIn(part, 'ETag') ?? '').replace(/^"(.*)"$/, '$1'),
  }));
  if (parts.length === 0 || parts.some(({ number }) => !Number.isSafeInteger(number)))
    throw new S3Refusal('MalformedXML');
  const isAscending = parts.every(({ number }, index) => number > (parts[index - 1]?.number ?? 0));
  if (!isAscending) throw new S3Refusal('InvalidPartOrder');
  return parts;
}

/** Selects the parts. The provider requires that all parts have the same length, except the last, which may be shorter. */
function chooseParts(wanted: readonly WantedPart[], arrived: readonly StoredPart[]): StoredPart[] {
  const byNumber = new Map(arrived.map((part) => [part.number, part]));
  const chosen = wanted.map(({ number, etag }) => {
    const part = byNumber.get(number);
    if (part?.etag !== etag) throw new S3Refusal('InvalidPart');
    return part;
  });
  const full = chosen.slice(0, -1);
  const length = full[0]?.size ?? Number.POSITIVE_INFINITY;
  if (full.some(({ size }) => size < limits.smallest)) throw new S3Refusal('EntityTooSmall');
  if (full.some(({ size }) => size !== length) || (chosen.at(-1)?.size ?? 0) > length)
    throw new S3Refusal('InvalidPart', 'All non-trailing parts must have the same length.');
  return chosen;
}

/** `DELETE /BUCKET/KEY?uploadId`. */
export function abortS3Upload(request: S3Request): Answer {
  const upload = readUploadName(request);
  const ended = request.platform.objects().uploads(request.bucket, (uploads) => uploads.abort(upload));
  return ended === undefined ? refuseUpload() : emptyAnswer(204);
}
