import {
  findOperation,
  type S3Operation,
  s3Operations,
  unsupportedResources,
} from '../../model/objects/s3-operation.ts';
import { isProblem } from '../../model/problem.ts';
import { decodePath, parseObjectPath, parseQuery } from '../../s3/address.ts';
import { type S3Code, S3Refusal } from '../../s3/refusal.ts';
import type { Answer } from '../../v4/send.ts';
import { type Platform, rootPlatform } from '../http/exchange.ts';
import { type StoreFault, toStoreFault } from '../http/store-fault.ts';
import { chooseAccount, splitEndpoint } from './account.ts';
import { openBody } from './body.ts';
import {
  anyJurisdiction,
  createMissingBucket,
  createS3Bucket,
  defaultStorageClass,
  getBucketEncryption,
  getBucketLocation,
  getBucketVersioning,
  headS3Bucket,
  listS3Buckets,
  removeS3Bucket,
  requireS3Bucket,
} from './buckets.ts';
import { findCallOperation, type S3Call } from './call.ts';
import { copyS3Object, copyS3Part } from './copy.ts';
import { refusedAnswer } from './documents.ts';
import { getS3Lifecycle, putS3Lifecycle, removeS3Lifecycle } from './lifecycle.ts';
import { listS3Objects, listS3ObjectsByMarker } from './list.ts';
import {
  abortS3Upload,
  completeS3Upload,
  createS3Upload,
  listS3Parts,
  listS3Uploads,
  uploadPart,
} from './multipart.ts';
import { readS3Object, removeS3Object, removeS3Objects, writeS3Object } from './objects.ts';
import type { S3Request } from './request.ts';
import { checkLimits } from './temporary.ts';
import { type Verified, verify } from './verify.ts';

type Operation = (request: S3Request) => Answer | Promise<Answer>;

/**
 * Answers an S3 API request. Refusals are returned as answers. Bugs of the sandbox itself are reported to `onBug`; the answer does not show
 * them.
 */
export async function answerS3(
  platform: Platform,
  call: S3Call,
  onBug?: (error: unknown) => void,
): Promise<Answer> {
  if (call.headers['origin'] === undefined) {
    return answerVerified(call, onBug, () => verify(platform, call), platform);
  }
  const { preflight, withCors } = await import('./cors.ts');
  const { named = platform, path } = splitEndpoint(platform, call);
  const below = { ...call, path };
  if (call.method === 'OPTIONS') return preflight(named, below);
  return withCors(named, below, await answerVerified(call, onBug, () => verify(platform, call), platform));
}

/** Answers callers in this process, which send no signatures. */
export function answerUnsigned(
  platform: Platform,
  call: S3Call,
  onBug?: (error: unknown) => void,
): Promise<Answer> {
  return answerVerified(call, onBug, () => undefined, platform);
}

async function answerVerified(
  call: S3Call,
  onBug: ((error: unknown) => void) | undefined,
  whoSigns: () => Verified | undefined,
  platform: Platform,
): Promise<Answer> {
  try {
    const { named, jurisdiction, path } = splitEndpoint(platform, call);
    const operation = findCallOperation({ ...call, path });
    rootPlatform(platform).enter?.(operation === undefined ? 'read' : s3Operations[operation].effect);
    const verified = whoSigns();
    const seen =
      verified === undefined
        ? (named ?? platform)
        : chooseAccount(platform, verified.signer, named, operation);
    // Callers in this process do not send a host name, so they reach the buckets of all jurisdictions.
    const scope = verified === undefined ? anyJurisdiction : jurisdiction;
    const request = toS3Request(seen, scope, { ...call, path }, { verified, operation });
    if (verified?.signer.temporary !== undefined) checkLimits(verified.signer.temporary, request);
    return await runOperation(request, call.isTooOften);
  } catch (error) {
    return refusedAnswer(toRefusal(error, onBug), call.path.split('?', 1)[0] ?? '');
  }
}

function toS3Request(
  platform: Platform,
  jurisdiction: S3Request['jurisdiction'],
  call: S3Call,
  {
    verified,
    operation,
  }: { readonly verified: Verified | undefined; readonly operation: S3Operation | undefined },
): S3Request {
  // In a request that completes an upload, the checksum is the checksum of the object, not of the body.
  const opened = openBody(operation === 'CompleteMultipartUpload' ? withoutChecksum(call) : call, verified);
  return {
    platform,
    jurisdiction,
    method: call.method,
    ...parseObjectPath(decodePath(call.path)),
    query: limitRows(new Map(parseQuery(call.path)), call.maxRows),
    headers: call.headers,
    storageClass: defaultStorageClass,
    body: () => opened.bytes(),
    checksum: () => opened.checksum(),
  };
}

function withoutChecksum(call: S3Call): S3Call {
  const headers = Object.entries(call.headers).filter(([name]) => !name.startsWith('x-amz-checksum-'));
  return { ...call, headers: Object.fromEntries(headers) };
}

const rowLimits = ['max-keys', 'max-uploads', 'max-parts', 'max-buckets'];

/** Limits the number of rows in the query of a list request. */
function limitRows(query: Map<string, string>, maxRows: number | undefined): S3Request['query'] {
  if (maxRows === undefined) return query;
  for (const name of rowLimits) {
    // The operation itself refuses values that are not numbers.
    if (!(Number(query.get(name) || Infinity) <= maxRows)) query.set(name, String(maxRows));
  }
  return query;
}

/** Converts an error to a refusal. Problems come from rules shared with the v4 API, or from the disk. */
function toRefusal(error: unknown, onBug: ((error: unknown) => void) | undefined): S3Refusal {
  if (error instanceof S3Refusal) return error;
  if (isProblem(error)) {
    if (error.status === 400) return new S3Refusal('InvalidArgument', error.message);
    const { status, message } = toStoreFault(error);
    return new S3Refusal(faultCodes[status], message);
  }
  // The client disconnected before it had sent the whole body.
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    return new S3Refusal('IncompleteBody');
  onBug?.(error);
  return new S3Refusal('InternalError');
}

const faultCodes = {
  500: 'InternalError',
  503: 'ServiceUnavailable',
  507: 'InsufficientStorage',
} as const satisfies Readonly<Record<StoreFault['status'], S3Code>>;

function runOperation(request: S3Request, isTooOften: S3Call['isTooOften']): Answer | Promise<Answer> {
  const operation = chooseOperation(request);
  const { platform, bucket, key } = request;
  const found =
    bucket === '' || operation === 'CreateBucket' ? undefined : findOrCreateBucket(request, operation);
  if (isTooOften?.(JSON.stringify([platform.registry().account().id, bucket, key])))
    throw new S3Refusal('TooManyRequests', 'Too many requests to this object.');
  return operations[operation](
    found === undefined ? request : { ...request, storageClass: found.storageClass },
  );
}

/** Operations that create the bucket on request ("Extensions", `cf-create-bucket-if-missing`). */
const creating: readonly S3Operation[] = ['PutObject', 'CreateMultipartUpload'];

function findOrCreateBucket(request: S3Request, operation: S3Operation) {
  if (creating.includes(operation) && request.headers['cf-create-bucket-if-missing'] === 'true')
    createMissingBucket(request);
  return requireS3Bucket(request);
}

const bucketCors = () => import('./bucket-cors.ts');

const operations: Readonly<Record<S3Operation, Operation>> = {
  AbortMultipartUpload: abortS3Upload,
  CompleteMultipartUpload: completeS3Upload,
  CopyObject: copyS3Object,
  CreateBucket: createS3Bucket,
  CreateMultipartUpload: createS3Upload,
  DeleteBucket: removeS3Bucket,
  DeleteBucketCors: async (request) => (await bucketCors()).removeS3Cors(request),
  DeleteBucketLifecycle: removeS3Lifecycle,
  DeleteObject: removeS3Object,
  DeleteObjects: removeS3Objects,
  GetBucketCors: async (request) => (await bucketCors()).getS3Cors(request),
  GetBucketEncryption: getBucketEncryption,
  GetBucketLifecycleConfiguration: getS3Lifecycle,
  GetBucketLocation: getBucketLocation,
  GetBucketVersioning: getBucketVersioning,
  GetObject: readS3Object,
  HeadBucket: headS3Bucket,
  HeadObject: readS3Object,
  ListBuckets: listS3Buckets,
  ListMultipartUploads: listS3Uploads,
  ListObjects: listS3ObjectsByMarker,
  ListObjectsV2: listS3Objects,
  ListParts: listS3Parts,
  PutBucketCors: async (request) => (await bucketCors()).putS3Cors(request),
  PutBucketLifecycleConfiguration: putS3Lifecycle,
  PutObject: writeS3Object,
  UploadPart: uploadPart,
  UploadPartCopy: copyS3Part,
};

function chooseOperation(request: S3Request): S3Operation {
  const { bucket, key, query } = request;
  const lacking = unsupportedResources.find((name) => query.has(name));
  if (lacking !== undefined) throw new S3Refusal('NotImplemented', `?${lacking} is not implemented`);
  if (bucket === '' && key !== '') throw new S3Refusal('InvalidBucketName');
  const operation = findOperation(request);
  if (operation === undefined) throw new S3Refusal('MethodNotAllowed');
  return operation;
}
