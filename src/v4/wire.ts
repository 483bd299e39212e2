import type { AuthorityChoice } from '../model/hostnames/hostname.ts';

/** The provider's word in paths for its object store. */
export const objstoreWord = 'r2';

/** The provider's own headers for bucket and object calls. */
export const objstoreHeaders = {
  /** The custom metadata, as a JSON object of strings in ASCII. */
  customMetadata: `cf-${objstoreWord}-custom-metadata`,
  jurisdiction: `cf-${objstoreWord}-jurisdiction`,
  storageClass: `cf-${objstoreWord}-storage-class`,
} as const;

/** Formats JSON for a header. Every character outside ASCII is written as `\uXXXX`. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the name of the field that requests the provider's own name as Common Name: `<brand>_branding`. */
export function brandingField(brand: string): string {
  return `${brand}_branding`;
}

/** Returns a certificate authority's name on the wire. If the platform chooses, the name is an empty string. */
export function authorityOnWire(choice: AuthorityChoice): string {
  return choice === 'default' ? '' : choice;
}

/** Returns the part after the hostname in the target of a validation delegation. */
export function delegationSuffix(uuid: string, brand: string): string {
  return `${uuid}.dcv.${brand}.com`;
}

/** Returns the S3 endpoint of an account's buckets for the provider's own v4 API; undefined for other hosts. */
export function s3Endpoint(apiHost: string, accountId: string): string | undefined {
  return apiHost === 'api.cloudflare.com'
    ? `https://${accountId}.${objstoreWord}.cloudflarestorage.com`
    : undefined;
}

/** Returns whether an endpoint belongs to an account: either the account's own endpoint, or its endpoint in one jurisdiction. */
export function isS3Endpoint(endpoint: string, account: string): boolean {
  return endpoint.replace(/^(https:\/\/[0-9a-f]+)\.(?:eu|us|fedramp|fedramp-high)\./, '$1.') === account;
}

/** Returns the endpoint of an account's buckets in a jurisdiction. Returns any other endpoint unchanged. */
export function s3EndpointIn(endpoint: string, jurisdiction: string): string {
  return endpoint.replace(/^(https:\/\/[0-9a-f]{32})(\.r2\.cloudflarestorage\.com)$/, `$1.${jurisdiction}$2`);
}
