import { bucketLocations, bucketNameFault, storageClasses } from '../../model/objects/bucket.ts';
import { parseDocument, textIn } from '../../s3/xml.ts';
import type { StoredBucket } from '../../store/objects/buckets.ts';
import type { Answer } from '../../v4/send.ts';
import type { Platform } from '../http/exchange.ts';
import { changeBucketSettings } from '../objects/settings/kept.ts';
import { readText, wholeNumber } from './reading.ts';
import { emptyAnswer, S3Refusal, xmlAnswer } from './refusal.ts';
import type { S3Request } from './request.ts';

const [standard = 'Standard'] = storageClasses;

/** Refuses a bucket that does not exist. For local data, every bucket exists. */
export function requireBucket(platform: Platform, bucket: string): void {
  if (platform.kind === 'local') return;
  if (bucketNameFault(bucket) !== undefined) throw new S3Refusal('InvalidBucketName');
  if (platform.registry().buckets.find(bucket) === undefined) throw new S3Refusal('NoSuchBucket');
}

/** `GET /?prefix&max-buckets&continuation-token`. */
export function listBuckets({ platform, query }: S3Request): Answer {
  const prefix = query.get('prefix') ?? '';
  const most = wholeNumber(query, 'max-buckets', 1, 10_000, 10_000);
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString('utf8');
  const all = bucketsOf(platform).filter(({ name }) => name.startsWith(prefix) && name > after);
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

function bucketsOf(platform: Platform): readonly Pick<StoredBucket, 'name' | 'createdAt'>[] {
  if (platform.kind === 'sandbox') return platform.registry().buckets.list();
  return platform
    .objects()
    .bucketFolders()
    .sort()
    .map((name) => ({ name, createdAt: 0 }));
}

const configurationLimit = 64 * 1024;

/** `PUT /BUCKET`, optionally with a location in the body. */
export async function createBucket(request: S3Request): Promise<Answer> {
  const { platform, bucket } = request;
  if (platform.kind === 'local') throw new S3Refusal('NotImplemented', 'Local data has no list of buckets.');
  if (bucketNameFault(bucket) !== undefined) throw new S3Refusal('InvalidBucketName');
  const location = await locationOf(request);
  const created = platform.registry().buckets.create({ name: bucket, storageClass: standard, ...location });
  if (created === undefined) throw new S3Refusal('BucketAlreadyOwnedByYou');
  return emptyAnswer(200, { location: `/${bucket}` });
}

async function locationOf(request: S3Request): Promise<{ readonly location?: string }> {
  const text = await readText(request, configurationLimit);
  if (text === '') return {};
  const document = parseDocument(text);
  if (document?.name !== 'CreateBucketConfiguration') throw new S3Refusal('MalformedXML');
  const location = (textIn(document, 'LocationConstraint') ?? '').toLowerCase();
  if (['', 'auto', 'us-east-1'].includes(location)) return {};
  if (bucketLocations.includes(location)) return { location };
  throw new S3Refusal('InvalidArgument', `The location constraint '${location}' is not valid.`);
}

export function headBucket(): Answer {
  return emptyAnswer(200, { 'x-amz-bucket-region': 'auto' });
}

/** `DELETE /BUCKET`: refused while it contains an object or an unfinished upload. */
export function removeBucket({ platform, bucket }: S3Request): Answer {
  const { objects, uploads } = platform.objects().usage(bucket);
  if (objects + uploads > 0) throw new S3Refusal('BucketNotEmpty');
  platform.objects().removeBucket(bucket);
  if (platform.kind === 'sandbox') {
    platform.registry().buckets.remove(bucket);
    changeBucketSettings(platform, bucket, () => undefined);
  }
  return emptyAnswer(204);
}

/** `GET /BUCKET?location`. */
export function bucketLocation({ platform, bucket }: S3Request): Answer {
  const found = platform.kind === 'local' ? undefined : platform.registry().buckets.find(bucket);
  return xmlAnswer(200, 'LocationConstraint', found?.location?.toUpperCase() ?? 'auto');
}

/** `GET /BUCKET?versioning`: not enabled. */
export function bucketVersioning(): Answer {
  return xmlAnswer(200, 'VersioningConfiguration', {});
}
