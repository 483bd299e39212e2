import { isProblem } from '../../model/problem.ts';
import type { Answer } from '../../v4/send.ts';
import type { Platform } from '../http/exchange.ts';
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
import { copyObject, copyPart } from './copy.ts';
import { mayDo } from './credentials.ts';
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
import { refusedAnswer, S3Refusal } from './refusal.ts';
import { addressOf, decodedPath, queryOf, type S3Call, type S3Request } from './request.ts';
import { checkLimits } from './temporary.ts';
import { type Verified, verify } from './verify.ts';

type Operation = (request: S3Request) => Answer | Promise<Answer>;

/**
 * Answers a request of the S3 API over the platform's buckets. Every refusal is an answer; what is a fault of the sandbox
 * itself is told to `onBug`, and the answer shows nothing of it.
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
  if (call.method === 'OPTIONS') return preflight(platform, call);
  return withCors(platform, call, await answering(call, onBug, () => verify(platform, call), platform));
}

/** The same for whoever calls in this process: nobody signs. */
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
    const verified = whoSigns();
    if (verified !== undefined && !mayDo(platform, verified.signer, call.method))
      throw new S3Refusal('AccessDenied');
    const request = requestOf(platform, call, verified);
    if (verified?.signer.temporary !== undefined) checkLimits(verified.signer.temporary, request);
    return await perform(request);
  } catch (error) {
    return refusedAnswer(refusalOf(error, onBug), call.path.split('?', 1)[0] ?? '');
  }
}

function requestOf(platform: Platform, call: S3Call, verified: Verified | undefined): S3Request {
  return {
    platform,
    method: call.method,
    ...addressOf(decodedPath(call.path)),
    query: new Map(queryOf(call.path)),
    headers: call.headers,
    body: bodyOf(call, verified),
  };
}

/** Problems are those of the v4 API's rules, which hold here too, and of the disk. */
function refusalOf(error: unknown, onBug: ((error: unknown) => void) | undefined): S3Refusal {
  if (error instanceof S3Refusal) return error;
  if (isProblem(error)) {
    if (error.code === 'store-busy') return new S3Refusal('ServiceUnavailable', error.message);
    if (error.status === 400) return new S3Refusal('InvalidArgument', error.message);
    return new S3Refusal('InternalError', error.message);
  }
  onBug?.(error);
  return new S3Refusal('InternalError');
}

function perform(request: S3Request): Answer | Promise<Answer> {
  const operation = operationOf(request);
  if (request.bucket !== '' && operation !== createBucket) requireBucket(request.platform, request.bucket);
  return operation(request);
}

/** Resources of buckets and objects that the sandbox does not have; the provider has few of them. */
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

function operationOf(request: S3Request): Operation {
  const { bucket, key, query, method } = request;
  const lacking = absent.find((name) => query.has(name));
  if (lacking !== undefined) throw new S3Refusal('NotImplemented', `?${lacking} is not implemented`);
  if (bucket === '' && key !== '') throw new S3Refusal('InvalidBucketName');
  if (bucket === '') return chosen({ GET: listBuckets }, method);
  if (key === '') return chosen(bucketOperations(query), method);
  return chosen(query.has('uploadId') ? uploadOperations(request) : objectOperations(request), method);
}

type Operations = Readonly<Record<string, Operation | undefined>>;

function chosen(operations: Operations, method: string): Operation {
  const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
  if (operation === undefined) throw new S3Refusal('MethodNotAllowed');
  return operation;
}

function bucketOperations(query: S3Request['query']): Operations {
  const list = query.get('list-type') === '2' ? listObjects : listObjectsByMarker;
  if (query.has('location')) return { GET: bucketLocation };
  if (query.has('versioning')) return { GET: bucketVersioning };
  if (query.has('uploads')) return { GET: listUploads };
  if (query.has('delete')) return { POST: removeObjects };
  return { GET: list, HEAD: headBucket, PUT: createBucket, DELETE: removeBucket };
}

function uploadOperations({ headers }: S3Request): Operations {
  const isCopy = headers['x-amz-copy-source'] !== undefined;
  return { GET: listParts, PUT: isCopy ? copyPart : uploadPart, POST: completeUpload, DELETE: abortUpload };
}

function objectOperations({ query, headers }: S3Request): Operations {
  if (query.has('uploads')) return { POST: createUpload };
  if (query.has('partNumber')) throw new S3Refusal('NotImplemented', '?partNumber is not implemented');
  const isCopy = headers['x-amz-copy-source'] !== undefined;
  return { GET: readObject, HEAD: readObject, PUT: isCopy ? copyObject : writeObject, DELETE: removeObject };
}
