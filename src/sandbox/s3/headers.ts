import type { Conditions } from '../../model/objects/condition.ts';
import { type CustomMetadata, customMetadataFault, type HttpMetadata } from '../../model/objects/object.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import { headersOf, httpMetadataOf } from '../objects/headers.ts';
import { S3Refusal } from './refusal.ts';
import type { S3Request } from './request.ts';

type Headers = S3Request['headers'];

const metadataPrefix = 'x-amz-meta-';

/** Parses the headers of an upload with which the object is served. `aws-chunked` is not an encoding of the object. */
export function storedHeadersOf(headers: Headers): {
  readonly httpMetadata: HttpMetadata;
  readonly customMetadata: CustomMetadata;
} {
  const encodings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== 'aws-chunked' && name !== '');
  const { 'content-encoding': _, ...rest } = headers;
  const kept = encodings.length === 0 ? rest : { ...rest, 'content-encoding': encodings.join(', ') };
  const customMetadata = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(metadataPrefix) && name.length > metadataPrefix.length)
      .map(([name, value]) => [name.slice(metadataPrefix.length), textOf(value)]),
  );
  if (customMetadataFault(customMetadata) !== undefined) throw new S3Refusal('MetadataTooLarge');
  return { httpMetadata: httpMetadataOf(kept), customMetadata };
}

/** Node gives the bytes of a header as Latin-1; clients write UTF-8 in it, or words of RFC 2047. */
function textOf(value: string): string {
  const word = /^=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=$/i.exec(value)?.[1];
  const bytes = word === undefined ? Buffer.from(value, 'latin1') : Buffer.from(word, 'base64');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? value : text;
}

/** The headers of an object, without its length. Metadata that no header can carry are counted, as S3 does. */
export function objectHeaders(object: ObjectRecord): Record<string, string> {
  const standard = headersOf({ ...object, customMetadata: {} }, '');
  const custom = Object.entries(object.customMetadata);
  const named = custom.filter(([name]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  const missing = custom.length - named.length;
  const own = Object.entries(standard).filter(([name]) => !name.startsWith('cf-'));
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, latin(value)])),
    ...Object.fromEntries(
      named.map(([name, value]) => [`${metadataPrefix}${name.toLowerCase()}`, word(value)]),
    ),
    ...(missing === 0 ? {} : { 'x-amz-missing-meta': String(missing) }),
  };
}

/** UTF-8 in a header's bytes; without control characters, which no header can have. */
function latin(value: string): string {
  return Buffer.from(value.replace(/[\u0000-\u001f\u007f]/g, ' '), 'utf8').toString('latin1');
}

/** Text beyond ASCII as a word of RFC 2047, as S3 gives it. */
function word(value: string): string {
  return /^[ -~]*$/.test(value) ? value : `=?UTF-8?B?${Buffer.from(value).toString('base64')}?=`;
}

/** Conditions on what a copy is made of. */
export function sourceConditions(headers: Headers): Conditions {
  const header = (name: string) => headers[`x-amz-copy-source-if-${name}`];
  return {
    ifMatch: header('match'),
    ifNoneMatch: header('none-match'),
    ifModifiedSince: header('modified-since'),
    ifUnmodifiedSince: header('unmodified-since'),
  };
}

/** Headers that ask for what the provider does not have, either. */
const refused =
  /^x-amz-(?:tagging$|grant-|website-redirect-location$|object-lock-|server-side-encryption-aws|mfa$)|server-side-encryption-customer-/;

/** Refuses what would not be done. */
export function refuseUndone(headers: Headers): void {
  const name = Object.keys(headers).find((header) => refused.test(header));
  if (name !== undefined) throw new S3Refusal('NotImplemented', `Header '${name}' not implemented`);
  const storageClass = headers['x-amz-storage-class'] ?? 'STANDARD';
  if (!['STANDARD', 'STANDARD_IA'].includes(storageClass)) throw new S3Refusal('InvalidStorageClass');
}
