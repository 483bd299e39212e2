import { isObject } from '../../model/json-object.ts';
import type { Conditions } from '../../model/objects/condition.ts';
import { type CustomMetadata, customMetadataFault, type HttpMetadata } from '../../model/objects/object.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import { asciiJson, objstoreHeaders } from '../../v4/wire.ts';
import { refusal } from '../http/exchange.ts';
import { objectCodes } from './codes.ts';

type Headers = Readonly<Record<string, string>>;

/** The header and the field name of each HTTP metadata value that is a string. */
const textFields = [
  ['content-type', 'contentType'],
  ['content-disposition', 'contentDisposition'],
  ['content-encoding', 'contentEncoding'],
  ['content-language', 'contentLanguage'],
  ['cache-control', 'cacheControl'],
] as const;

/** Parses the HTTP metadata of an upload from its headers. Refuses an invalid `expires`. */
export function parseHttpMetadata(headers: Headers): HttpMetadata {
  const texts = textFields.flatMap(([header, field]) => {
    const value = headers[header];
    return value === undefined || value === '' ? [] : [[field, value]];
  });
  const expires = headers['expires'];
  if (expires === undefined || expires === '') return Object.fromEntries(texts);
  const cacheExpiry = Date.parse(expires);
  if (!Number.isNaN(cacheExpiry)) return { ...Object.fromEntries(texts), cacheExpiry };
  throw refusal(400, objectCodes.argumentInvalid, `The header expires is not a date: '${expires}'.`);
}

/** Parses the custom metadata of an upload from its header: a JSON object of strings. */
export function parseCustomMetadata(headers: Headers): CustomMetadata {
  const text = headers[objstoreHeaders.customMetadata];
  if (text === undefined || text === '') return {};
  const metadata = parseJson(text);
  if (!isObject(metadata) || Object.values(metadata).some((value) => typeof value !== 'string')) {
    throw refusal(400, objectCodes.argumentInvalid, 'Invalid custom metadata JSON');
  }
  if (customMetadataFault(metadata) === undefined) return metadata as CustomMetadata;
  const message = 'Your metadata headers exceed the maximum allowed metadata size.';
  throw refusal(400, objectCodes.metadataTooLarge, message);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the response headers of an object, without the content length. `storageClass` is the storage class of the bucket.
 */
export function formatObjectHeaders(object: ObjectRecord, storageClass: string): Record<string, string> {
  const { httpMetadata, customMetadata } = object;
  const stored = textFields.flatMap(([header, field]) => {
    const value = httpMetadata[field];
    return value === undefined ? [] : [[header, value] as const];
  });
  return {
    'content-type': 'application/octet-stream',
    ...Object.fromEntries(stored),
    ...(httpMetadata.cacheExpiry === undefined ? {} : { expires: formatHttpDate(httpMetadata.cacheExpiry) }),
    etag: `"${object.etag}"`,
    'last-modified': formatHttpDate(object.uploaded),
    'accept-ranges': 'bytes',
    [objstoreHeaders.storageClass]: object.storageClass ?? storageClass,
    ...(Object.keys(customMetadata).length === 0
      ? {}
      : { [objstoreHeaders.customMetadata]: asciiJson(customMetadata) }),
  };
}

function formatHttpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

/** Formats an object for lists. `storageClass` is the storage class of the bucket. */
export function formatObject(object: ObjectRecord, storageClass: string) {
  const { cacheExpiry, ...texts } = object.httpMetadata;
  return {
    key: object.key,
    size: object.size,
    etag: object.etag,
    last_modified: new Date(object.uploaded).toISOString(),
    http_metadata:
      cacheExpiry === undefined ? texts : { ...texts, cacheExpiry: new Date(cacheExpiry).toISOString() },
    custom_metadata: object.customMetadata,
    ssec: object.ssecKeyMd5 !== undefined,
    storage_class: object.storageClass ?? storageClass,
  };
}

/** Reads the conditions in a request's headers. */
export function parseConditions(headers: Headers): Conditions {
  return {
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
  };
}
