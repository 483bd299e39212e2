import { Problem } from '../problem.ts';
import type { ValueOf } from '../shape.ts';
import type { bucket } from './bucket-shape.ts';

export type Bucket = ValueOf<typeof bucket>;

/** Location hints of a bucket. */
export const bucketLocations: readonly string[] = ['apac', 'eeur', 'enam', 'oc', 'weur', 'wnam'];

export const storageClasses: readonly string[] = ['Standard', 'InfrequentAccess'];

export const bucketLimits = { nameShortest: 3, nameLongest: 63, listLimit: 1000 } as const;

/** Why no new bucket can have this name, or undefined: 3 to 63 of `a-z 0-9 -`, with a letter or digit at both ends. */
export function bucketNameFault(name: string): string | undefined {
  const { nameShortest, nameLongest } = bucketLimits;
  if (name.length < nameShortest || name.length > nameLongest) {
    return `a bucket's name has ${nameShortest} to ${nameLongest} characters; this one has ${name.length}`;
  }
  if (!/^[a-z0-9-]*$/.test(name)) return "a bucket's name holds lower-case letters, digits and hyphens only";
  if (/^-|-$/.test(name)) return "a bucket's name begins and ends with a letter or a digit";
  return undefined;
}

/** Refuses a name that no new bucket can have. */
export function checkBucketName(name: string): string {
  const fault = bucketNameFault(name);
  if (fault === undefined) return name;
  throw new Problem('invalid-input', `"${name}" cannot be the name of a bucket: ${fault}.`);
}
