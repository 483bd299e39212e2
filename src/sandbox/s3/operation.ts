import type { S3Operation } from '../../v4/routes.ts';
import { decodePath, parseObjectPath, parseQuery, type S3Call } from './call.ts';

/** The parts of a request that determine its operation. */
export interface OperationRequest {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: S3Call['headers'];
}

type Names = Readonly<Record<string, S3Operation>>;

/** Returns the operation of a request; undefined if the resource does not support the method. */
export function findOperation(request: OperationRequest): S3Operation | undefined {
  const names = listOperationNames(request);
  return Object.hasOwn(names, request.method) ? names[request.method] : undefined;
}

/** Returns the operation of a call as received; undefined if its path is malformed. */
export function findCallOperation(call: S3Call): S3Operation | undefined {
  try {
    const address = parseObjectPath(decodePath(call.path));
    return findOperation({
      ...address,
      method: call.method,
      query: new Map(parseQuery(call.path)),
      headers: call.headers,
    });
  } catch {
    return undefined;
  }
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
