import type { AuthorityChoice } from '../model/hostnames/hostname.ts';

/** The provider's word in paths where edgectl says `objstore`. */
export const objstoreWord = 'r2';

/** Headers of bucket and object calls that are the provider's own. */
export const objstoreHeaders = {
  /** JSON object of strings, in ASCII. */
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

/** The field that asks for the provider's own name as Common Name: `provider_branding`, with the brand in its place. */
export function brandingField(brand: string): string {
  return `${brand}_branding`;
}

/** The name of a certificate authority on the wire: the platform's own choice is an empty text. */
export function authorityOnWire(choice: AuthorityChoice): string {
  return choice === 'default' ? '' : choice;
}

/** The suffix behind a hostname in the target to which its validation is delegated. */
export function delegationSuffix(uuid: string, brand: string): string {
  return `${uuid}.dcv.${brand}.com`;
}

/** Where the S3 API of an account's buckets answers, of the provider's own v4 API; undefined of another host. */
export function s3Endpoint(apiHost: string, accountId: string): string | undefined {
  return apiHost === 'api.cloudflare.com'
    ? `https://${accountId}.${objstoreWord}.cloudflarestorage.com`
    : undefined;
}

/** Whether an endpoint is an account's, or that of its buckets in one jurisdiction. */
export function isS3EndpointOf(endpoint: string, account: string): boolean {
  return endpoint.replace(/^(https:\/\/[0-9a-f]+)\.(?:eu|fedramp)\./, '$1.') === account;
}
