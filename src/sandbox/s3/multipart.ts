import { S3Refusal } from '../../s3/refusal.ts';
import { listChildren, parseDocument, textIn } from '../../s3/xml.ts';
import type { ChecksumAlgorithm, StoredChecksum } from '../../store/objects/details.ts';
import type { StoredPart } from '../../store/objects/upload-table.ts';
import { begunAt, type UploadAddress, type UploadDetails } from '../../store/objects/uploads.ts';
import type { Answer } from '../../v4/send.ts';
import { keysNow } from '../http/clock.ts';
import { parseConditions } from '../objects/headers.ts';
import { sandboxOwner } from './buckets.ts';
import {
  combineChecksums,
  createMeter,
  formatChecksumElements,
  type Meter,
  parseUploadChecksum,
} from './checksum.ts';
import { checkCustomerKey, formatCustomerKey, parseCustomerKey } from './customer-key.ts';
import { emptyAnswer, xmlAnswer } from './documents.ts';
import { parseStoredHeaders, refuseUnsupportedHeaders } from './headers.ts';
import { formatExpiration } from './lifecycle.ts';
import { createKeyEncoder } from './list.ts';
import { createWriteCheck } from './objects.ts';
import { maxParts, readBodyText, readCappedNumber, readPartNumber, requireS3Key } from './reading.ts';
import type { S3Request } from './request.ts';
import { formatStorageClass, readStorageClass } from './storage-class.ts';

const limits = { smallest: 5 * 1024 * 1024, list: 1000 } as const;

/** `POST /BUCKET/KEY?uploads`. */
export function createS3Upload(request: S3Request): Answer {
  const { platform, bucket, key, headers } = request;
  refuseUnsupportedHeaders(headers);
  const checksum = parseUploadChecksum(headers);
  const ssecKeyMd5 = parseCustomerKey(headers);
  const details = { storageClass: readStorageClass(request), ssecKeyMd5, checksum };
  const upload = { key: requireS3Key(key), ...parseStoredHeaders(headers), details };
  const now = keysNow(platform);
  const uploadId = platform.objects().uploads(bucket, (uploads) => uploads.begin(upload, now));
  const answer = { Bucket: bucket, Key: key, UploadId: uploadId };
  return withHeaders(xmlAnswer(200, 'InitiateMultipartUploadResult', answer), {
    ...(checksum !== undefined && {
      'x-amz-checksum-algorithm': checksum.algorithm,
      'x-amz-checksum-type': checksum.type,
    }),
    ...formatCustomerKey({ ssecKeyMd5 }),
  });
}

function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** `PUT /BUCKET/KEY?partNumber&uploadId`. */
export async function uploadPart(request: S3Request): Promise<Answer> {
  refuseUnsupportedHeaders(request.headers);
  const { part, algorithm, ssecKeyMd5 } = await writePart(request, request.body(), () => request.checksum());
  return emptyAnswer(200, {
    etag: `"${part.etag}"`,
    ...(algorithm !== undefined &&
      part.checksum !== undefined && { [`x-amz-checksum-${algorithm.toLowerCase()}`]: part.checksum }),
    ...formatCustomerKey({ ssecKeyMd5 }),
  });
}

/** A stored part, the algorithm of its checksum, and the MD5 of the customer's key. */
interface WrittenPart {
  readonly part: StoredPart;
  readonly algorithm: ChecksumAlgorithm | undefined;
  readonly ssecKeyMd5: string | undefined;
}

/**
 * Stores the body of a request as a part of an upload. If the upload has a checksum algorithm, the checksum of the part is computed; otherwise, the
 * checksum that the client sent (`sent`) is stored.
 */
export async function writePart(
  request: S3Request,
  body: AsyncIterable<Uint8Array>,
  sent: () => StoredChecksum | undefined = () => undefined,
): Promise<WrittenPart> {
  const { platform, bucket, query, headers } = request;
  const number = readPartNumber(query);
  const upload = readUploadName(request);
  const ssecKeyMd5 = parseCustomerKey(headers);
  const store = platform.objects();
  const details = store.uploads(bucket, (uploads) => uploads.find(upload)) ?? refuseUpload();
  checkCustomerKey(details, ssecKeyMd5);
  const algorithm = details.checksum?.algorithm;
  const meter = algorithm && createMeter(algorithm);
  const checksum = () => (meter === undefined ? sent()?.value : meter.digest('base64'));
  const metered = meter === undefined ? body : passThrough(meter, body);
  const part = await store.uploads(bucket, (uploads) => uploads.writePart(upload, number, metered, checksum));
  return { part: part ?? refuseUpload(), algorithm: algorithm ?? sent()?.algorithm, ssecKeyMd5 };
}

async function* passThrough(meter: Meter, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    meter.update(chunk);
    yield chunk;
  }
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
  const maxRows = readCappedNumber(query, 'max-parts', 1, limits.list, limits.list);
  const marker = readCappedNumber(query, 'part-number-marker', 0, maxParts, 0);
  const store = platform.objects();
  const upload = store.uploads(bucket, (uploads) => uploads.find({ key, uploadId })) ?? refuseUpload();
  const parts = store.uploads(bucket, (uploads) => uploads.parts({ key, uploadId })) ?? refuseUpload();
  const rest = parts.filter(({ number }) => number > marker);
  const page = rest.slice(0, maxRows);
  const isTruncated = rest.length > maxRows;
  return xmlAnswer(200, 'ListPartsResult', {
    Bucket: bucket,
    Key: createKeyEncoder(query)(key),
    UploadId: uploadId,
    PartNumberMarker: marker,
    NextPartNumberMarker: isTruncated ? page.at(-1)?.number : undefined,
    MaxParts: maxRows,
    IsTruncated: isTruncated,
    ...formatUploadChecksum(upload),
    Part: page.map(({ number, etag, size, checksum }) => ({
      PartNumber: number,
      LastModified: new Date(begunAt(uploadId) ?? platform.now()).toISOString(),
      ETag: `"${etag}"`,
      Size: size,
      ...(upload.checksum !== undefined &&
        checksum !== undefined && { [`Checksum${upload.checksum.algorithm}`]: checksum }),
    })),
    Owner: sandboxOwner,
    Initiator: sandboxOwner,
    StorageClass: formatStorageClass(upload.storageClass, request.storageClass),
  });
}

function formatUploadChecksum({ checksum }: UploadDetails) {
  return checksum && { ChecksumAlgorithm: checksum.algorithm, ChecksumType: checksum.type };
}

/** `GET /BUCKET?uploads&prefix&delimiter&key-marker&upload-id-marker&max-uploads`. */
export function listS3Uploads({ platform, bucket, query, storageClass }: S3Request): Answer {
  const shown = createKeyEncoder(query);
  const maxUploads = readCappedNumber(query, 'max-uploads', 1, limits.list, limits.list);
  const [prefix = '', delimiter = '', key = '', id = ''] = [
    'prefix',
    'delimiter',
    'key-marker',
    'upload-id-marker',
  ].map((name) => query.get(name) ?? '');
  const all = platform.objects().uploads(bucket, (uploads) => uploads.list(prefix));
  const isAfter = (upload: UploadAddress) => {
    const order = Buffer.from(upload.key).compare(Buffer.from(key));
    if (key !== '' && delimiter !== '' && key.endsWith(delimiter))
      return order > 0 && !upload.key.startsWith(key);
    return key === '' || order > 0 || (order === 0 && id !== '' && upload.uploadId > id);
  };
  const rest = groupUploads(all.filter(isAfter), prefix, delimiter);
  const page = rest.slice(0, maxUploads);
  const last = rest.length > maxUploads ? page.at(-1) : undefined;
  return xmlAnswer(200, 'ListMultipartUploadsResult', {
    Bucket: bucket,
    Prefix: shown(prefix),
    Delimiter: delimiter === '' ? undefined : shown(delimiter),
    KeyMarker: shown(key),
    UploadIdMarker: id,
    NextKeyMarker: last && shown(last.group ?? last.upload.key),
    NextUploadIdMarker: last && last.group === undefined ? last.upload.uploadId : undefined,
    MaxUploads: maxUploads,
    IsTruncated: last !== undefined,
    EncodingType: query.get('encoding-type'),
    Upload: page
      .filter(({ group }) => group === undefined)
      .map(({ upload: { key: name, uploadId, details } }) => ({
        Key: shown(name),
        UploadId: uploadId,
        Owner: sandboxOwner,
        Initiator: sandboxOwner,
        Initiated: new Date(begunAt(uploadId) ?? 0).toISOString(),
        StorageClass: formatStorageClass(details.storageClass, storageClass),
        ...formatUploadChecksum(details),
      })),
    CommonPrefixes: page.flatMap(({ group }) => (group === undefined ? [] : [{ Prefix: shown(group) }])),
  });
}

interface ListedUpload {
  /** The common prefix of several uploads; `upload` is the first of these uploads. */
  readonly group?: string;
  readonly upload: UploadAddress & { readonly details: UploadDetails };
}

/** Groups uploads whose keys contain the delimiter after the prefix. */
function groupUploads(
  uploads: readonly ListedUpload['upload'][],
  prefix: string,
  delimiter: string,
): ListedUpload[] {
  if (delimiter === '') return uploads.map((upload) => ({ upload }));
  const listed: ListedUpload[] = [];
  for (const upload of uploads) {
    const at = upload.key.indexOf(delimiter, prefix.length);
    if (at === -1) {
      listed.push({ upload });
      continue;
    }
    const group = upload.key.slice(0, at + delimiter.length);
    if (listed.at(-1)?.group !== group) listed.push({ group, upload });
  }
  return listed;
}

/** Maximum number of bytes of the XML document that lists the parts, which is enough for 10,000 parts of 200 bytes each. */
const documentLimit = 4 * 1024 * 1024;

/** `POST /BUCKET/KEY?uploadId`: completes an upload with the parts that the body lists. */
export async function completeS3Upload(request: S3Request): Promise<Answer> {
  const { platform, bucket, key, headers } = request;
  const wanted = parseWantedParts(await readBodyText(request, documentLimit));
  const completed = platform.objects().completeUpload(
    bucket,
    {
      ...readUploadName(request),
      choose: (arrived, details) => {
        const parts = chooseParts(wanted, arrived, details);
        const checksum = details.checksum && combineChecksums(details.checksum, parts);
        checkWhole(request, checksum);
        return { parts, checksum };
      },
      allow: createWriteCheck(request, parseConditions(headers)),
    },
    keysNow(platform),
  );
  const object = completed ?? refuseUpload();
  const answer = xmlAnswer(200, 'CompleteMultipartUploadResult', {
    Location: `/${bucket}/${key}`,
    Bucket: bucket,
    Key: key,
    ETag: `"${object.etag}"`,
    ...formatChecksumElements(object.checksum),
  });
  return withHeaders(answer, {
    ...formatCustomerKey(object),
    ...formatExpiration(platform, bucket, object),
  });
}

/** Refuses a request whose headers contain a different checksum for the whole object. */
function checkWhole({ headers }: S3Request, checksum: StoredChecksum | undefined): void {
  const name = checksum && `x-amz-checksum-${checksum.algorithm.toLowerCase()}`;
  const sent = name === undefined ? undefined : headers[name];
  // The suffix with the number of parts is optional.
  const isSame = sent === undefined || sent === checksum?.value || sent === checksum?.value.split('-', 1)[0];
  if (!isSame) throw new S3Refusal('BadDigest');
}

interface WantedPart {
  readonly number: number;
  readonly etag: string;
  /** The checksums in base64, by the names of their elements. */
  readonly checksums: ReadonlyMap<string, string>;
}

function parseWantedParts(text: string): WantedPart[] {
  const document = parseDocument(text);
  if (document?.name !== 'CompleteMultipartUpload') throw new S3Refusal('MalformedXML');
  const parts = listChildren(document, 'Part').map((part) => ({
    number: Number(textIn(part, 'PartNumber') ?? Number.NaN),
    etag: (textIn(part, 'ETag') ?? '').replace(/^"(.*)"$/, '$1'),
    checksums: new Map(part.children.map(({ name, text: value }) => [name, value])),
  }));
  if (parts.length === 0 || parts.some(({ number }) => !Number.isSafeInteger(number)))
    throw new S3Refusal('MalformedXML');
  const isAscending = parts.every(({ number }, index) => number > (parts[index - 1]?.number ?? 0));
  if (!isAscending) throw new S3Refusal('InvalidPartOrder');
  return parts;
}

/** Selects the parts. The provider requires that all parts have the same length, except the last, which may be shorter. */
function chooseParts(
  wanted: readonly WantedPart[],
  arrived: readonly StoredPart[],
  { checksum }: UploadDetails,
): StoredPart[] {
  const element = checksum && `Checksum${checksum.algorithm}`;
  const byNumber = new Map(arrived.map((part) => [part.number, part]));
  const chosen = wanted.map(({ number, etag, checksums }) => {
    const part = byNumber.get(number);
    const sent = element && checksums.get(element);
    if (part?.etag !== etag || (sent !== undefined && sent !== part.checksum))
      throw new S3Refusal('InvalidPart');
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
