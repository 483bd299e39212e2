import { isProblem } from '../../model/problem.ts';
import { type S3Operation, s3Operations } from '../../v4/routes.ts';
import type { Answer } from '../../v4/send.ts';
import { type Platform, wholeOf } from '../http/exchange.ts';
import { type StoreFault, storeFault } from '../http/store-fault.ts';
import { accountInPath, accountOfSigner } from './account.ts';
import { bodyOf } from './body.ts';
import {
  bucketLocation,
  bucketVersioning,
  createBucket,
  headBucket,
  listBuckets,
  removeBucket,
  requireBucket,
} from './buckets.ts';
import { addressOf, decodedPath, queryOf, type S3Call } from './call.ts';
import { copyObject, copyPart } from './copy.ts';
import { listObjects, listObjectsByMarker } from './list.ts';
import {
  abortUpload,
  completeUpload,
  createUpload,
  listParts,
  listUploads,
  uploadPart,
} from './multipart.ts';
import { readObject, removeObject, removeObjects, writeObject } from './objects.ts';
import { operationOf, operationOfCall } from './operation.ts';
import { refusedAnswer, type S3Code, S3Refusal } from './refusal.ts';
import type { S3Request } from './request.ts';
import { checkLimits } from './temporary.ts';
import { type Verified, verify } from './verify.ts';

type Operation = (request: S3Request) => Answer | Promise<Answer>;

/**
 * Answers a request of the S3 API. Refusals are answers. Bugs of the sandbox itself are reported to `onBug` and not shown in the
 * answer.
 */
export async function answerS3(
  platform: Platform,
  call: S3Call,
  onBug?: (error: unknown) => void,
): Promise<Answer> {
  if (call.headers['origin'] === undefined) {
    return answering(call, onBug, () => verify(platform, call), platform);
  }
  const { preflight, withCors } = await import('./cors.ts');
  const { named = platform, path } = accountInPath(platform, call.path);
  const below = { ...call, path };
  if (call.method === 'OPTIONS') return preflight(named, below);
  return withCors(named, below, await answering(call, onBug, () => verify(platform, call), platform));
}

/** The same for callers in this process, without signatures. */
export function answerUnsigned(
  platform: Platform,
  call: S3Call,
  onBug?: (error: unknown) => void,
): Promise<Answer> {
  return answering(call, onBug, () => undefined, platform);
}

async function answering(
  call: S3Call,
  onBug: ((error: unknown) => void) | undefined,
  whoSigns: () => Verified | undefined,
  platform: Platform,
): Promise<Answer> {
  try {
    const { named, path } = accountInPath(platform, call.path);
    const operation = operationOfCall({ ...call, path });
    wholeOf(platform).enter?.(operation === undefined ? 'read' : s3Operations[operation].effect);
    const verified = whoSigns();
    const seen =
      verified === undefined
        ? (named ?? platform)
        : accountOfSigner(platform, verified.signer, named, operation);
    const request = requestOf(seen, { ...call, path }, verified);
    if (verified?.signer.temporary !== undefined) checkLimits(verified.signer.temporary, request);
    return await perform(request, call.isTooOften);
  } catch (error) {
    return refusedAnswer(refusalOf(error, onBug), call.path.split('?', 1)[0] ?? '');
  }
}

function requestOf(platform: Platform, call: S3Call, verified: Verified | undefined): S3Request {
  return {
    platform,
    method: call.method,
    ...addressOf(decodedPath(call.path)),
    query: limited(new Map(queryOf(call.path)), call.mostRows),
    headers: call.headers,
    body: bodyOf(call, verified),
  };
}

const rowLimits = ['max-keys', 'max-uploads', 'max-parts', 'max-buckets'];

/** Limits the number of rows in the query of a list. */
function limited(query: Map<string, string>, most: number | undefined): S3Request['query'] {
  if (most === undefined) return query;
  for (const name of rowLimits) {
    // The list itself refuses values that are not numbers.
    if (!(Number(query.get(name) || Infinity) <= most)) query.set(name, String(most));
  }
  return query;
}

/** Converts an error to a refusal. Problems come from rules shared with the v4 API, or from the disk. */
function refusalOf(error: unknown, onBug: ((error: unknown) => void) | undefined): S3Refusal {
  if (error instanceof S3Refusal) return error;
  if (isProblem(error)) {
    if (error.status === 400) return new S3Refusal('InvalidArgument', error.message);
    const { status, message } = storeFault(error);
    return new S3Refusal(faultCodes[status], message);
  }
  onBug?.(error);
  return new S3Refusal('InternalError');
}

const faultCodes = {
  500: 'InternalError',
  503: 'ServiceUnavailable',
  507: 'InsufficientStorage',
} as const satisfies Readonly<Record<StoreFault['status'], S3Code>>;

function perform(request: S3Request, isTooOften: S3Call['isTooOften']): Answer | Promise<Answer> {
  const operation = chosen(request);
  const { platform, bucket, key } = request;
  if (bucket !== '' && operation !== 'CreateBucket') requireBucket(platform, bucket);
  if (isTooOften?.(JSON.stringify([platform.registry().account().id, bucket, key])))
    throw new S3Refusal('TooManyRequests', 'Too many requests to this object.');
  return operations[operation](request);
}

/** Subresources of buckets and objects that the sandbox does not support; the provider supports few of them. */
const absent = [
  ...[
    'accelerate',
    'acl',
    'analytics',
    'attributes',
    'cors',
    'encryption',
    'intelligent-tiering',
    'inventory',
  ],
  ...['legal-hold', 'lifecycle', 'logging', 'metrics', 'notification', 'object-lock', 'ownershipControls'],
  ...['policy', 'policyStatus', 'publicAccessBlock', 'replication', 'requestPayment', 'restore', 'retention'],
  ...['select', 'tagging', 'torrent', 'versionId', 'versions', 'website'],
];

/** The function for each operation. */
const operations: Readonly<Record<S3Operation, Operation>> = {
  AbortMultipartUpload: abortUpload,
  CompleteMultipartUpload: completeUpload,
  CopyObject: copyObject,
  CreateBucket: createBucket,
  CreateMultipartUpload: createUpload,
  DeleteBucket: removeBucket,
  DeleteObject: removeObject,
  DeleteObjects: removeObjects,
  GetBucketLocation: bucketLocation,
  GetBucketVersioning: bucketVersioning,
  GetObject: readObject,
  HeadBucket: headBucket,
  HeadObject: readObject,
  ListBuckets: listBuckets,
  ListMultipartUploads: listUploads,
  ListObjects: listObjectsByMarker,
  ListObjectsV2: listObjects,
  ListParts: listParts,
  PutObject: writeObject,
  UploadPart: uploadPart,
  UploadPartCopy: copyPart,
};

function chosen(request: S3Request): S3Operation {
  const { bucket, key, query } = request;
  const lacking = absent.find((name) => query.has(name));
  if (lacking !== undefined) throw new S3Refusal('NotImplemented', `?${lacking} is not implemented`);
  if (bucket === '' && key !== '') throw new S3Refusal('InvalidBucketName');
  if (key !== '' && query.has('partNumber') && !query.has('uploadId'))
    throw new S3Refusal('NotImplemented', '?partNumber is not implemented');
  const operation = operationOf(request);
  if (operation === undefined) throw new S3Refusal('MethodNotAllowed');
  return operation;
}
