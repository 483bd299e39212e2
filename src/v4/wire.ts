/** The provider's word in paths where edgectl says `objstore`. */
export const objstoreWord = 'r2';

/** Headers of bucket and object calls that are the provider's own. */
export const objstoreHeaders = {
  /** JSON object of texts, in ASCII. */
  customMetadata: `cf-${objstoreWord}-custom-metadata`,
  jurisdiction: `cf-${objstoreWord}-jurisdiction`,
  storageClass: `cf-${objstoreWord}-storage-class`,
} as const;

/** JSON as a header can carry it: everything outside of ASCII is `\uXXXX`. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
