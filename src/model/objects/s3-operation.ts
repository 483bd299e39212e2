import type { CallEffect, Noun } from '../guard/effect.ts';

/** S3 API operations, all of which require `Workers R2 Storage`. */
export const s3Operations = {
  AbortMultipartUpload: { effect: 'destroy', noun: 'object' },
  CompleteMultipartUpload: { effect: 'change', noun: 'object' },
  CopyObject: { effect: 'change', noun: 'object' },
  CreateBucket: { effect: 'change', noun: 'bucket' },
  CreateMultipartUpload: { effect: 'change', noun: 'object' },
  DeleteBucket: { effect: 'destroy', noun: 'bucket' },
  DeleteBucketCors: { effect: 'destroy', noun: 'bucket' },
  DeleteBucketLifecycle: { effect: 'destroy', noun: 'bucket' },
  DeleteObject: { effect: 'destroy', noun: 'object' },
  DeleteObjects: { effect: 'destroy', noun: 'object' },
  GetBucketCors: { effect: 'read', noun: 'bucket' },
  GetBucketEncryption: { effect: 'read', noun: 'bucket' },
  GetBucketLifecycleConfiguration: { effect: 'read', noun: 'bucket' },
  GetBucketLocation: { effect: 'read', noun: 'bucket' },
  GetBucketVersioning: { effect: 'read', noun: 'bucket' },
  GetObject: { effect: 'read', noun: 'object' },
  HeadBucket: { effect: 'read', noun: 'bucket' },
  HeadObject: { effect: 'read', noun: 'object' },
  ListBuckets: { effect: 'read', noun: 'bucket' },
  ListMultipartUploads: { effect: 'read', noun: 'object' },
  ListObjects: { effect: 'read', noun: 'object' },
  ListObjectsV2: { effect: 'read', noun: 'object' },
  ListParts: { effect: 'read', noun: 'object' },
  PutBucketCors: { effect: 'change', noun: 'bucket' },
  // A lifecycle rule can delete objects.
  PutBucketLifecycleConfiguration: { effect: 'destroy', noun: 'bucket' },
  PutObject: { effect: 'change', noun: 'object' },
  UploadPart: { effect: 'change', noun: 'object' },
  UploadPartCopy: { effect: 'change', noun: 'object' },
} as const satisfies Readonly<Record<string, { effect: CallEffect; noun: Noun }>>;

export type S3Operation = keyof typeof s3Operations;

/** The parts of a request that determine its operation. */
export interface OperationRequest {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

type Names = Readonly<Record<string, S3Operation>>;

/** Returns the operation of a request; undefined if the resource does not support the method. */
export function findOperation(request: OperationRequest): S3Operation | undefined {
  const names = listOperationNames(request);
  return Object.hasOwn(names, request.method) ? names[request.method] : undefined;
}

function listOperationNames({ bucket, key, query, headers }: OperationRequest): Names {
  if (bucket === '') return key === '' ? { GET: 'ListBuckets' } : {};
  if (key === '') return listBucketOperationNames(query);
  const isCopy = headers['x-amz-copy-source'] !== undefined;
  if (query.has('uploadId')) {
    return {
      GET: 'ListParts',
      PUT: isCopy ? 'UploadPartCopy' : 'UploadPart',
      POST: 'CompleteMultipartUpload',
      DELETE: 'AbortMultipartUpload',
    };
  }
  if (query.has('uploads')) return { POST: 'CreateMultipartUpload' };
  return {
    GET: 'GetObject',
    HEAD: 'HeadObject',
    PUT: isCopy ? 'CopyObject' : 'PutObject',
    DELETE: 'DeleteObject',
  };
}

function listBucketOperationNames(query: OperationRequest['query']): Names {
  if (query.has('cors')) return { GET: 'GetBucketCors', PUT: 'PutBucketCors', DELETE: 'DeleteBucketCors' };
  if (query.has('encryption')) return { GET: 'GetBucketEncryption' };
  if (query.has('lifecycle'))
    return {
      GET: 'GetBucketLifecycleConfiguration',
      PUT: 'PutBucketLifecycleConfiguration',
      DELETE: 'DeleteBucketLifecycle',
    };
  if (query.has('location')) return { GET: 'GetBucketLocation' };
  if (query.has('versioning')) return { GET: 'GetBucketVersioning' };
  if (query.has('uploads')) return { GET: 'ListMultipartUploads' };
  if (query.has('delete')) return { POST: 'DeleteObjects' };
  return {
    GET: query.get('list-type') === '2' ? 'ListObjectsV2' : 'ListObjects',
    HEAD: 'HeadBucket',
    PUT: 'CreateBucket',
    DELETE: 'DeleteBucket',
  };
}

/** Subresources of buckets and objects that are not in the table. The provider supports few of them. */
export const unsupportedResources = [
  ...['accelerate', 'acl', 'analytics', 'attributes', 'intelligent-tiering', 'inventory'],
  ...['legal-hold', 'logging', 'metrics', 'notification', 'object-lock', 'ownershipControls'],
  ...['policy', 'policyStatus', 'publicAccessBlock', 'replication', 'requestPayment', 'restore', 'retention'],
  ...['select', 'tagging', 'torrent', 'versionId', 'versions', 'website'],
];
