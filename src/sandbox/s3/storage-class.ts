import { S3Refusal } from '../../s3/refusal.ts';
import type { S3Request } from './request.ts';

/** Storage classes by their names in the S3 API ("S3 API compatibility", `x-amz-storage-class`). */
const classes: readonly (readonly [name: string, storageClass: string])[] = [
  ['STANDARD', 'Standard'],
  ['STANDARD_IA', 'InfrequentAccess'],
];

/** Returns the storage class for a new object (default: the storage class of the bucket). */
export function readStorageClass({ headers, storageClass }: S3Request): string {
  const name = headers['x-amz-storage-class'];
  return name === undefined ? storageClass : parseStorageClass(name);
}

export function parseStorageClass(name: string): string {
  const found = classes.find(([one]) => one === name)?.[1];
  if (found !== undefined) return found;
  throw new S3Refusal('InvalidStorageClass');
}

/**
 * Returns the name of a storage class in the S3 API. An object without a storage class has the storage class of its bucket.
 */
export function formatStorageClass(storageClass: string | undefined, ofBucket: string): string {
  return classes.find(([, one]) => one === (storageClass ?? ofBucket))?.[0] ?? 'STANDARD';
}
