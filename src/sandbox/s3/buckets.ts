import { bucketLocations, bucketNameFault, storageClasses } from '../../model/objects/bucket.ts';
import { parseDocument, textIn } from '../../s3/xml.ts';
import type { StoredBucket } from '../../store/objects/buckets.ts';
import type { Answer } from '../../v4/send.ts';
import type { Platform } from '../http/exchange.ts';
import { updateBucketSettings } from '../objects/settings/bucket-settings.ts';
import { readBodyText, readCappedNumber } from './reading.ts';
import { emptyAnswer, S3Refusal, xmlAnswer } from './refusal.ts';
import type { S3Request } from './request.ts';

const [standard = 'Standard'] = storageClasses;

/** Refuses a bucket that does not exist. For local data, every bucket exists. */
export function requireS3Bucket(platform: Platform, bucket: string): void {
  if (platform.kind === 'local') return;
  if (bucketNameFault(bucket) !== undefined) throw new S3Refusal('InvalidBucketName');
  if (platform.registry().buckets.find(bucket) === undefined) throw new S3Refusal('NoSuchBucket');
}

/** `GET /?prefix&max-buckets&continuation-token`. */
export function listS3Buckets({ platform, query }: S3Request): Answer {
  const prefix = query.get('prefix') ?? '';
  const most = readCappedNumber(query, 'max-buckets', 1, 10_000, 10_000);
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString('utf8');
  const all = listAllBuckets(platform).filter(({ name }) => name.startsWith(prefix) && name > after);
  const page = all.slice(0, most);
  const last = all.length > most ? page.at(-1) : undefined;
  return xmlAnswer(200, 'ListAllMyBucketsResult', {
    Owner: { ID: 'sandbox', DisplayName: 'sandbox' },
    Buckets: {
      Bucket: page.map(({ name, createdAt }) => ({
        Name: name,
        CreationDate: new Date(createdAt).toISOString(),
      })),
    },
    Prefix: prefix === '' ? undefined : prefix,
    ContinuationToken: last && Buffer.from(last.name).toString('base64url'),
  });
}

function listAllBuckets(platform: Platform): readonly Pick<StoredBucket, 'name' | 'createdAt'>[] {
  if (platform.kind === 'sandbox') return platform.registry().buckets.list();
  return platform
    .objects()
    .bucketFolders()
    .sort()
    .map((name) => ({ name, createdAt: 0 }));
}

const configurationLimit = 64 * 1024;

/** `PUT /BUCKET`, optionally with a location in the body. */
export async function createS3Bucket(request: S3Request): Promise<Answer> {
  const { platform, bucket } = request;
  if (platform.kind === 'local') throw new S3Refusal('NotImplemented', 'Local data has no list of buckets.');
  if (bucketNameFault(bucket) !== undefined) throw new S3Refusal('InvalidBucketName');
  const location = await readLocation(request);
  const created = platform.registry().buckets.create({ name: bucket, storageClass: standard, ...location });
  if (created === undefined) throw new S3Refusal('BucketAlreadyOwnedByYou');
  return emptyAnswer(200, { location: `/${bucket}` });
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

/** `DELETE /BUCKET`: refused while it contains an object or an unfinished upload. */
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

/** `GET /BUCKET?versioning`: not enabled. */
export function getBucketVersioning(): Answer {
  return xmlAnswer(200, 'VersioningConfiguration', {});
}
