import { bucketLocations, bucketNameFault, storageClasses } from '../../model/objects/bucket.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { parseDocument, textIn } from '../../s3/xml.ts';
import type { StoredBucket } from '../../store/objects/buckets.ts';
import type { Answer } from '../../v4/send.ts';
import type { Platform } from '../http/exchange.ts';
import { updateBucketSettings } from '../objects/settings/bucket-settings.ts';
import { emptyAnswer, xmlAnswer } from './documents.ts';
import { readBodyText, readCappedNumber } from './reading.ts';
import type { S3Request } from './request.ts';

export const [defaultStorageClass = 'Standard'] = storageClasses;

/** The owner of all buckets, objects and uploads. */
export const sandboxOwner = { ID: 'sandbox', DisplayName: 'sandbox' };

/** The jurisdiction of requests that reach all buckets. */
export const anyJurisdiction = '*';

type BucketAddress = Pick<S3Request, 'platform' | 'bucket' | 'jurisdiction'>;

function isInScope(bucket: Pick<StoredBucket, 'jurisdiction'>, jurisdiction: string | undefined): boolean {
  return jurisdiction === anyJurisdiction || bucket.jurisdiction === jurisdiction;
}

/** Returns a bucket, and refuses a bucket that does not exist. For local data, every bucket exists. */
export function requireS3Bucket({
  platform,
  bucket,
  jurisdiction,
}: BucketAddress): Pick<StoredBucket, 'storageClass'> {
  if (platform.kind === 'local') return { storageClass: defaultStorageClass };
  if (bucketNameFault(bucket) !== undefined) throw new S3Refusal('InvalidBucketName');
  const found = platform.registry().buckets.find(bucket);
  if (found === undefined || !isInScope(found, jurisdiction)) throw new S3Refusal('NoSuchBucket');
  return found;
}

/** Refuses to change settings of local data, which has no registry. */
export function refuseLocalSettings({ kind }: Platform): void {
  if (kind === 'local') throw new S3Refusal('NotImplemented', 'Local data has no bucket settings.');
}

/** Maximum number of buckets per page: the provider's default, and the default of `max-buckets` in S3. */
const listLimits = { keys: 1000, buckets: 10_000 } as const;

/**
 * `GET /?prefix&start-after&continuation-token&max-keys`: lists buckets. Supports the provider's parameters ("Extensions", ListBuckets),
 * which can also be headers, and the parameter `max-buckets` of S3.
 */
export function listS3Buckets({ platform, query, headers, jurisdiction }: S3Request): Answer {
  const parameters = new Map(query);
  for (const name of ['prefix', 'start-after', 'continuation-token', 'max-keys']) {
    const header = headers[`cf-${name}`];
    if (header !== undefined) parameters.set(name, header);
  }
  const prefix = parameters.get('prefix') ?? '';
  const token = parameters.get('continuation-token') || undefined;
  const start = parameters.get('start-after') || undefined;
  const maxKeys = parameters.has('max-buckets')
    ? readCappedNumber(parameters, 'max-buckets', 1, listLimits.buckets, listLimits.buckets)
    : readCappedNumber(parameters, 'max-keys', 1, listLimits.keys, listLimits.keys);
  const after = token === undefined ? (start ?? '') : Buffer.from(token, 'base64url').toString('utf8');
  const all = listAllBuckets(platform).filter(
    (bucket) => isInScope(bucket, jurisdiction) && bucket.name.startsWith(prefix) && bucket.name > after,
  );
  const page = all.slice(0, maxKeys);
  const last = all.length > maxKeys ? page.at(-1) : undefined;
  const next = last && Buffer.from(last.name).toString('base64url');
  const answer = xmlAnswer(200, 'ListAllMyBucketsResult', {
    Owner: sandboxOwner,
    Buckets: {
      Bucket: page.map(({ name, createdAt }) => ({
        Name: name,
        CreationDate: new Date(createdAt).toISOString(),
      })),
    },
    Prefix: prefix === '' ? undefined : prefix,
    StartAfter: start,
    KeyCount: page.length,
    MaxKeys: maxKeys,
    IsTruncated: next !== undefined,
    NextContinuationToken: next,
    // In S3, this field contains the token of the next page.
    ContinuationToken: next,
  });
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'cf-is-truncated': String(next !== undefined),
      ...(next !== undefined && { 'cf-next-continuation-token': next }),
    },
  };
}

function listAllBuckets(
  platform: Platform,
): readonly Pick<StoredBucket, 'name' | 'createdAt' | 'jurisdiction'>[] {
  if (platform.kind === 'sandbox') return platform.registry().buckets.list();
  return platform
    .objects()
    .bucketFolders()
    .sort()
    .map((name) => ({ name, createdAt: 0 }));
}

const configurationLimit = 64 * 1024;

/** `PUT /BUCKET`: creates a bucket, optionally with a location in the body. */
export async function createS3Bucket(request: S3Request): Promise<Answer> {
  const { platform, bucket, jurisdiction } = request;
  if (platform.kind === 'local') throw new S3Refusal('NotImplemented', 'Local data has no list of buckets.');
  if (bucketNameFault(bucket) !== undefined) throw new S3Refusal('InvalidBucketName');
  const location = await readLocation(request);
  const created = platform.registry().buckets.create({
    name: bucket,
    storageClass: defaultStorageClass,
    ...location,
    ...toStoredJurisdiction(jurisdiction),
  });
  if (created === undefined) throw new S3Refusal('BucketAlreadyOwnedByYou');
  return emptyAnswer(200, { location: `/${bucket}` });
}

/** Creates the bucket of an upload, unless it exists. */
export function createMissingBucket({ platform, bucket, jurisdiction }: BucketAddress): void {
  if (platform.kind === 'local') return;
  if (bucketNameFault(bucket) !== undefined) throw new S3Refusal('InvalidBucketName');
  platform.registry().buckets.create({
    name: bucket,
    storageClass: defaultStorageClass,
    ...toStoredJurisdiction(jurisdiction),
  });
}

function toStoredJurisdiction(jurisdiction: string | undefined) {
  return jurisdiction !== undefined && jurisdiction !== anyJurisdiction && { jurisdiction };
}

async function readLocation(request: S3Request): Promise<{ readonly location?: string }> {
  const text = await readBodyText(request, configurationLimit);
  if (text === '') return {};
  const document = parseDocument(text);
  if (document?.name !== 'CreateBucketConfiguration') throw new S3Refusal('MalformedXML');
  const location = (textIn(document, 'LocationConstraint') ?? '').toLowerCase();
  if (['', 'auto', 'us-east-1'].includes(location)) return {};
  if (bucketLocations.includes(location)) return { location };
  throw new S3Refusal('InvalidArgument', `The location constraint '${location}' is not valid.`);
}

export function headS3Bucket(): Answer {
  return emptyAnswer(200, { 'x-amz-bucket-region': 'auto' });
}

/** `DELETE /BUCKET`: deletes the bucket; refused while the bucket contains an object or an unfinished upload. */
export function removeS3Bucket({ platform, bucket }: S3Request): Answer {
  const { objects, uploads } = platform.objects().usage(bucket);
  if (objects + uploads > 0) throw new S3Refusal('BucketNotEmpty');
  platform.objects().removeBucket(bucket);
  if (platform.kind === 'sandbox') {
    platform.registry().buckets.remove(bucket);
    updateBucketSettings(platform, bucket, () => undefined);
  }
  return emptyAnswer(204);
}

/** `GET /BUCKET?location`. */
export function getBucketLocation({ platform, bucket }: S3Request): Answer {
  const found = platform.kind === 'local' ? undefined : platform.registry().buckets.find(bucket);
  return xmlAnswer(200, 'LocationConstraint', found?.location?.toUpperCase() ?? 'auto');
}

/** `GET /BUCKET?encryption`: reports encryption at rest, which applies to all objects ("Data security"). */
export function getBucketEncryption(): Answer {
  return xmlAnswer(200, 'ServerSideEncryptionConfiguration', {
    Rule: {
      ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' },
      BucketKeyEnabled: true,
    },
  });
}

/** `GET /BUCKET?versioning`: reports that versioning is not enabled. */
export function getBucketVersioning(): Answer {
  return xmlAnswer(200, 'VersioningConfiguration', {});
}
