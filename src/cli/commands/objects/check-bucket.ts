import { bucketNameFault, checkBucketName } from '../../../model/objects/bucket.ts';
import { Problem } from '../../../model/problem.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { localFlags } from '../../parsing/flags.ts';
import { capabilitiesAt } from '../session/account-only.ts';

/**
 * Refuses an invalid bucket name before any request. Local data can contain a bucket with an invalid name, created by an earlier version or
 * a worker. Such a bucket can be read and emptied, but not written to.
 */
export function checkBucket(
  bucket: string,
  effect: 'write' | 'read or delete',
  flags: Pick<FlagValues<typeof localFlags>, 'local'>,
): void {
  if (capabilitiesAt(flags).createBuckets) return void checkBucketName(bucket);
  const fault = bucketNameFault(bucket);
  if (fault === undefined || effect === 'read or delete') return;
  throw new Problem('invalid-input', `"${bucket}" is not a valid bucket name: ${fault}.`, {
    hint: 'Bucket names in local data follow the rules of the platform. To give the bucket of a binding a valid name, set bucket_name in the configuration.',
  });
}
