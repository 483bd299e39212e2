import { objectLimits } from '../../model/objects/object.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { encoded } from '../../s3/signature.ts';
import type { ListPosition, ObjectListing } from '../../store/objects/listing.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import type { Answer } from '../../v4/send.ts';
import { formatCursor, parseCursor } from '../objects/list.ts';
import { sandboxOwner } from './buckets.ts';
import { xmlAnswer } from './documents.ts';
import { readCappedNumber } from './reading.ts';
import type { S3Request } from './request.ts';
import { formatStorageClass } from './storage-class.ts';

const { listLimit } = objectLimits;

/** `GET /BUCKET?list-type=2&prefix&delimiter&max-keys&start-after&continuation-token&encoding-type`. */
export function listS3Objects(request: S3Request): Answer {
  const { query } = request;
  // An empty token counts as absent, because some clients always send the parameter.
  const token = query.get('continuation-token');
  const start = query.get('start-after') ?? '';
  const shown = createKeyEncoder(query);
  const position = !token ? toListPosition(start, query) : parseCursor(token);
  const owner = query.get('fetch-owner') === 'true' ? sandboxOwner : undefined;
  const { listing, common } = readPage(request, position, owner);
  return xmlAnswer(200, 'ListBucketResult', {
    ...common,
    KeyCount: listing.objects.length + listing.prefixes.length,
    StartAfter: start === '' ? undefined : shown(start),
    ContinuationToken: token,
    NextContinuationToken: listing.next && formatCursor(listing.next),
  });
}

/** `GET /BUCKET?prefix&delimiter&max-keys&marker`: lists objects with version 1 of the operation. */
export function listS3ObjectsByMarker(request: S3Request): Answer {
  const { query } = request;
  const marker = query.get('marker') ?? '';
  const shown = createKeyEncoder(query);
  const { listing, common } = readPage(request, toListPosition(marker, query), sandboxOwner);
  const { next } = listing;
  return xmlAnswer(200, 'ListBucketResult', {
    ...common,
    Marker: shown(marker),
    NextMarker: next && shown(next.afterGroup ?? next.after ?? ''),
  });
}

/** Returns the position after a marker. A marker that ends in the delimiter represents a whole group of keys. */
function toListPosition(marker: string, query: S3Request['query']): ListPosition {
  const delimiter = query.get('delimiter') ?? '';
  const prefix = query.get('prefix') ?? '';
  const isGroup =
    delimiter !== '' &&
    marker.endsWith(delimiter) &&
    marker.startsWith(prefix) &&
    marker.length > prefix.length;
  return isGroup ? { afterGroup: marker } : { after: marker || undefined };
}

function readPage(
  { platform, bucket, query, storageClass: ofBucket }: S3Request,
  position: ListPosition,
  owner: typeof sandboxOwner | undefined,
) {
  const shown = createKeyEncoder(query);
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const limit = readCappedNumber(query, 'max-keys', 0, listLimit, listLimit);
  const none: ObjectListing<ObjectRecord> = { objects: [], prefixes: [], next: undefined };
  const listing =
    limit === 0
      ? none
      : platform.objects().list(bucket, { prefix: prefix || undefined, delimiter, limit, ...position });
  const common = {
    Name: bucket,
    Prefix: shown(prefix),
    Delimiter: delimiter === '' ? undefined : shown(delimiter),
    MaxKeys: limit,
    EncodingType: query.get('encoding-type'),
    IsTruncated: listing.next !== undefined,
    Contents: listing.objects.map(({ key, uploaded, etag, size, storageClass, checksum }) => ({
      Key: shown(key),
      LastModified: new Date(uploaded).toISOString(),
      ETag: `"${etag}"`,
      Size: size,
      StorageClass: formatStorageClass(storageClass, ofBucket),
      ...(checksum !== undefined && {
        ChecksumAlgorithm: checksum.algorithm,
        ChecksumType: checksum.type,
      }),
      ...(owner !== undefined && { Owner: owner }),
    })),
    CommonPrefixes: listing.prefixes.map((group) => ({ Prefix: shown(group) })),
  };
  return { listing, common };
}

/** Returns a function that percent-encodes names in a list if the query requests it, and otherwise returns them unchanged. */
export function createKeyEncoder(query: S3Request['query']): (text: string) => string {
  const encoding = query.get('encoding-type');
  if (encoding === undefined) return (text) => text;
  if (encoding !== 'url') throw new S3Refusal('InvalidArgument', `Unrecognized encoding-type "${encoding}"`);
  return (text) => text.split('/').map(encoded).join('/');
}
