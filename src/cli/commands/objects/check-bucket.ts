import { bucketNameFault, checkBucketName } from '../../../model/objects/bucket.ts';
import { Problem } from '../../../model/problem.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { localFlags } from '../../parsing/flags.ts';
import { capabilitiesAt } from '../session/account-only.ts';

/**
 * Refuses, before any request, a bucket that cannot exist. Local data may contain one anyway, created by an earlier version or
 * a worker: it can be read and emptied, but not added to.
 */
export function checkBucket(
  bucket: string,
  effect: 'write' | 'read or delete',
  flags: Pick<FlagValues<typeof localFlags>, 'local'>,
): void {
  if (capabilitiesAt(flags).createBuckets) return void checkBucketName(bucket);
  const fault = bucketNameFault(bucket);
  if (fault === undefined || effect === 'read or delete') return;
  throw new Problem('invalid-input', `"${bucket}" cannot be the name of a bucket: ${fault}.`, {
    hint: 'Local data take the names that a platform takes. A binding gets such a name with bucket_name.',
  });
}
