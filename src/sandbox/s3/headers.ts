import type { Conditions } from '../../model/objects/condition.ts';
import { type CustomMetadata, customMetadataFault, type HttpMetadata } from '../../model/objects/object.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import { formatObjectHeaders, parseHttpMetadata } from '../objects/headers.ts';
import { formatCustomerKey } from './customer-key.ts';
import type { S3Request } from './request.ts';
import { formatStorageClass } from './storage-class.ts';

type Headers = S3Request['headers'];

const metadataPrefix = 'x-amz-meta-';

/** Parses the HTTP and custom metadata in the headers of an upload. `aws-chunked` is not an encoding of the object. */
export function parseStoredHeaders(headers: Headers): {
  readonly httpMetadata: HttpMetadata;
  readonly customMetadata: CustomMetadata;
} {
  const encodings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== 'aws-chunked' && name !== '');
  const { 'content-encoding': _, ...rest } = headers;
  const remaining = encodings.length === 0 ? rest : { ...rest, 'content-encoding': encodings.join(', ') };
  const customMetadata = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(metadataPrefix) && name.length > metadataPrefix.length)
      .map(([name, value]) => [name.slice(metadataPrefix.length), decodeHeader(value)]),
  );
  if (customMetadataFault(customMetadata) !== undefined) throw new S3Refusal('MetadataTooLarge');
  return { httpMetadata: parseHttpMetadata(remaining), customMetadata };
}

/** Decodes a header value. Node decodes the bytes as Latin-1, but clients send UTF-8 or encoded words (RFC 2047). */
function decodeHeader(value: string): string {
  const word = /^=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=$/i.exec(value)?.[1];
  const bytes = word === undefined ? Buffer.from(value, 'latin1') : Buffer.from(word, 'base64');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? value : text;
}

/**
 * Returns the headers of an object, without the content length. As in S3, metadata that cannot be sent in a header is only counted, and the
 * standard storage class has no header. `storageClass` is the storage class of the bucket.
 */
export function formatS3ObjectHeaders(object: ObjectRecord, storageClass: string): Record<string, string> {
  const standard = formatObjectHeaders({ ...object, customMetadata: {} }, '');
  const custom = Object.entries(object.customMetadata);
  const named = custom.filter(([name]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  const missing = custom.length - named.length;
  const className = formatStorageClass(object.storageClass, storageClass);
  const own = Object.entries(standard).filter(([name]) => !name.startsWith('cf-'));
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, encodeLatin1(value)])),
    ...Object.fromEntries(
      named.map(([name, value]) => [`${metadataPrefix}${name.toLowerCase()}`, encodeWord(value)]),
    ),
    ...(className !== 'STANDARD' && { 'x-amz-storage-class': className }),
    ...formatCustomerKey(object),
    ...(missing === 0 ? {} : { 'x-amz-missing-meta': String(missing) }),
  };
}

/** Encodes a string as UTF-8 bytes in a header, and replaces control characters, which headers cannot contain. */
function encodeLatin1(value: string): string {
  return Buffer.from(value.replace(/[\u0000-\u001f\u007f]/g, ' '), 'utf8').toString('latin1');
}

/** Encodes non-ASCII text as an encoded word (RFC 2047), like S3. */
function encodeWord(value: string): string {
  return /^[ -~]*$/.test(value) ? value : `=?UTF-8?B?${Buffer.from(value).toString('base64')}?=`;
}

/** Reads the conditions on the source of a copy. */
export function parseSourceConditions(headers: Headers): Conditions {
  return parsePrefixed(headers, 'x-amz-copy-source-if-');
}

/** Reads the conditions on the destination of a copy ("Extensions", conditional operations in `CopyObject`). */
export function parseDestinationConditions(headers: Headers): Conditions {
  return parsePrefixed(headers, 'cf-copy-destination-if-');
}

function parsePrefixed(headers: Headers, prefix: string): Conditions {
  const header = (name: string) => headers[prefix + name];
  return {
    ifMatch: header('match'),
    ifNoneMatch: header('none-match'),
    ifModifiedSince: header('modified-since'),
    ifUnmodifiedSince: header('unmodified-since'),
  };
}

/** Headers for features that neither the sandbox nor the provider supports. */
const unsupportedHeader =
  /^x-amz-(?:tagging$|grant-|website-redirect-location$|object-lock-|server-side-encryption-aws|mfa$)/;

/** Refuses headers that would have no effect. */
export function refuseUnsupportedHeaders(headers: Headers): void {
  const name = Object.keys(headers).find((header) => unsupportedHeader.test(header));
  if (name !== undefined) throw new S3Refusal('NotImplemented', `Header '${name}' not implemented`);
  // Every object is encrypted with AES-256, so only a request for another algorithm is refused.
  const encryption = headers['x-amz-server-side-encryption'] ?? 'AES256';
  if (encryption !== 'AES256')
    throw new S3Refusal(
      'NotImplemented',
      `Header 'x-amz-server-side-encryption' with value '${encryption}' not implemented`,
    );
}
