import type { CallEffect, Noun } from '../guard/effect.ts';

/** S3 API operations with their methods. All of them require the permission `Workers R2 Storage`. */
export const s3Operations = {
  AbortMultipartUpload: { method: 'DELETE', effect: 'destroy', noun: 'object' },
  CompleteMultipartUpload: { method: 'POST', effect: 'change', noun: 'object' },
  CopyObject: { method: 'PUT', effect: 'change', noun: 'object' },
  CreateBucket: { method: 'PUT', effect: 'change', noun: 'bucket' },
  CreateMultipartUpload: { method: 'POST', effect: 'change', noun: 'object' },
  DeleteBucket: { method: 'DELETE', effect: 'destroy', noun: 'bucket' },
  DeleteBucketCors: { method: 'DELETE', effect: 'destroy', noun: 'bucket' },
  DeleteBucketLifecycle: { method: 'DELETE', effect: 'destroy', noun: 'bucket' },
  DeleteObject: { method: 'DELETE', effect: 'destroy', noun: 'object' },
  DeleteObjects: { method: 'POST', effect: 'destroy', noun: 'object' },
  GetBucketCors: { method: 'GET', effect: 'read', noun: 'bucket' },
  GetBucketEncryption: { method: 'GET', effect: 'read', noun: 'bucket' },
  GetBucketLifecycleConfiguration: { method: 'GET', effect: 'read', noun: 'bucket' },
  GetBucketLocation: { method: 'GET', effect: 'read', noun: 'bucket' },
  GetBucketVersioning: { method: 'GET', effect: 'read', noun: 'bucket' },
  GetObject: { method: 'GET', effect: 'read', noun: 'object' },
  HeadBucket: { method: 'HEAD', effect: 'read', noun: 'bucket' },
  HeadObject: { method: 'HEAD', effect: 'read', noun: 'object' },
  ListBuckets: { method: 'GET', effect: 'read', noun: 'bucket' },
  ListMultipartUploads: { method: 'GET', effect: 'read', noun: 'object' },
  ListObjects: { method: 'GET', effect: 'read', noun: 'object' },
  ListObjectsV2: { method: 'GET', effect: 'read', noun: 'object' },
  ListParts: { method: 'GET', effect: 'read', noun: 'object' },
  PutBucketCors: { method: 'PUT', effect: 'change', noun: 'bucket' },
  // A lifecycle rule can delete objects.
  PutBucketLifecycleConfiguration: { method: 'PUT', effect: 'destroy', noun: 'bucket' },
  PutObject: { method: 'PUT', effect: 'change', noun: 'object' },
  UploadPart: { method: 'PUT', effect: 'change', noun: 'object' },
  UploadPartCopy: { method: 'PUT', effect: 'change', noun: 'object' },
} as const satisfies Readonly<Record<string, { method: string; effect: CallEffect; noun: Noun }>>;

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

/** Subresources of buckets and objects that are not in the table, and that the sandbox rejects. */
export const unsupportedResources = [
  ...['accelerate', 'acl', 'analytics', 'attributes', 'intelligent-tiering', 'inventory'],
  ...['legal-hold', 'logging', 'metrics', 'notification', 'object-lock', 'ownershipControls'],
  ...['policy', 'policyStatus', 'publicAccessBlock', 'replication', 'requestPayment', 'restore', 'retention'],
  ...['select', 'tagging', 'torrent', 'versionId', 'versions', 'website'],
];
