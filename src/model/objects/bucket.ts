import { Problem } from '../problem.ts';

/** An object bucket of an account. */
export interface Bucket {
  readonly name: string;
  /** ISO 8601, where the platform says it. */
  readonly createdOn?: string;
  /** Where it was asked to lie, for example `weur`. */
  readonly location?: string;
  /** Class of objects that are stored without saying one. */
  readonly storageClass?: string;
  readonly jurisdiction?: string;
}

/** Hints of where a bucket shall lie. */
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
