import { Problem } from '../problem.ts';
import type { ValueOf } from '../shape.ts';
import type { bucket } from './bucket-shape.ts';

export type Bucket = ValueOf<typeof bucket>;

/** Location hints of a bucket. */
export const bucketLocations: readonly string[] = ['apac', 'eeur', 'enam', 'oc', 'weur', 'wnam'];

export const storageClasses: readonly string[] = ['Standard', 'InfrequentAccess'];

export const bucketLimits = { nameShortest: 3, nameLongest: 63, listLimit: 1000 } as const;

/**
 * Explains why this name is invalid for a new bucket; undefined if it is valid. A name has 3 to 63 characters from
 * `a-z 0-9 -`, and starts and ends with a letter or digit.
 */
export function bucketNameFault(name: string): string | undefined {
  const { nameShortest, nameLongest } = bucketLimits;
  if (name.length < nameShortest || name.length > nameLongest) {
    return `it must have ${nameShortest} to ${nameLongest} characters, not ${name.length}`;
  }
  if (!/^[a-z0-9-]*$/.test(name)) return 'only lower-case letters, digits and hyphens are allowed';
  if (/^-|-$/.test(name)) return 'it must start and end with a letter or digit';
  return undefined;
}

/** Returns the name, or throws if it is invalid for a new bucket. */
export function checkBucketName(name: string): string {
  const fault = bucketNameFault(name);
  if (fault === undefined) return name;
  throw new Problem('invalid-input', `"${name}" is not a valid bucket name: ${fault}.`);
}
