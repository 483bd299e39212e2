import { isObject } from '../json-object.ts';
import { utf8Length } from '../kv/kv.ts';
import { Problem } from '../problem.ts';

/** Headers with which an object is served. `cacheExpiry` is in milliseconds since the UNIX epoch. */
export interface HttpMetadata {
  readonly contentType?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly cacheControl?: string;
  readonly cacheExpiry?: number;
}

/** Custom metadata of an object: names and values chosen by its owner. */
export type CustomMetadata = Readonly<Record<string, string>>;

/** The attributes of an object, without its bytes. */
export interface ObjectEntry {
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  /** MD5 of the bytes as 32 hex digits. An object from a multipart upload has a different hash, followed by `-` and the number of parts. */
  readonly etag: string;
  /** When the object was stored, in milliseconds since the UNIX epoch. */
  readonly uploaded: number;
  readonly httpMetadata: HttpMetadata;
  readonly customMetadata: CustomMetadata;
  readonly storageClass?: string;
}

/**
 * Limits of objects: sizes in bytes, and counts. `uploadBytes` is the maximum for one request (SDK: "300 MB"; wrangler: 300 MiB); larger
 * objects require a multipart upload.
 */
export const objectLimits = {
  keyBytes: 1024,
  uploadBytes: 300 * 1024 * 1024,
  objectBytes: 5 * 1024 ** 4,
  customMetadataBytes: 8192,
  listLimit: 1000,
  deleteKeys: 1000,
} as const;

/** Explains why this object key is invalid; undefined if it is valid. */
export function objectKeyFault(key: string): string | undefined {
  if (key === '') return 'a key cannot be empty';
  if (key === '.' || key === '..') return `"${key}" cannot be a key: it would name another path`;
  if (!key.isWellFormed()) return 'a key must be valid Unicode; this one contains half of a surrogate pair';
  const length = utf8Length(key);
  if (length <= objectLimits.keyBytes) return undefined;
  return `a key can be at most 1,024 bytes long in UTF-8; this one has ${length.toLocaleString('en')} bytes`;
}

/** Returns the key, or throws if no such key can exist. */
export function checkObjectKey(key: string): string {
  const fault = objectKeyFault(key);
  if (fault !== undefined) throw new Problem('invalid-input', `Invalid key: ${fault}.`);
  return key;
}

/**
 * Explains why this custom metadata cannot be stored with an object; undefined if it can be stored. Names and values are strings, with a
 * total length of at most 8,192 bytes.
 */
export function customMetadataFault(metadata: unknown): string | undefined {
  if (!isObject(metadata)) {
    return 'custom metadata must be a JSON object of strings';
  }
  let length = 0;
  for (const [name, value] of Object.entries(metadata)) {
    if (typeof value !== 'string') return `the value of "${name}" in custom metadata must be a string`;
    if (name === '') return 'a name in custom metadata cannot be empty';
    length += utf8Length(name) + utf8Length(value);
  }
  if (length <= objectLimits.customMetadataBytes) return undefined;
  return `custom metadata can be at most 8,192 bytes long; this metadata has ${length.toLocaleString('en')} bytes`;
}

/** Returns whether an etag is the MD5 of the object's bytes. If it is, the bytes can be verified. */
export function isMd5(etag: string): boolean {
  return /^[0-9a-f]{32}$/.test(etag);
}

/** A bucket, and a key or prefix in the bucket: `BUCKET/KEY`. The key is "" if only the bucket was specified. */
export interface ObjectAddress {
  readonly bucket: string;
  readonly key: string;
}

/** Splits `BUCKET/KEY` at its first slash. Throws if the bucket is empty; the key may be empty. */
export function parseAddress(text: string): ObjectAddress {
  const slash = text.indexOf('/');
  const bucket = slash === -1 ? text : text.slice(0, slash);
  if (bucket === '' || bucket === '.' || bucket === '..') {
    throw new Problem('usage', `"${text}" has no bucket name.`, {
      hint: 'Use BUCKET/KEY, for example assets/logo.png',
    });
  }
  return { bucket, key: slash === -1 ? '' : text.slice(slash + 1) };
}

/** Splits `BUCKET/KEY` at its first slash. Throws if no such key can exist. */
export function parseObjectAddress(text: string): ObjectAddress {
  const address = parseAddress(text);
  if (address.key === '') {
    throw new Problem('usage', `No key after the bucket name: "${text}".`, {
      hint: 'Use BUCKET/KEY, for example assets/logo.png',
    });
  }
  checkObjectKey(address.key);
  return address;
}
