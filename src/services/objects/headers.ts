import { type CustomMetadata, customMetadataFault, type HttpMetadata } from '../../model/objects/object.ts';
import { Problem } from '../../model/problem.ts';
import { asciiJson, objstoreHeaders } from '../../v4/wire.ts';

/** Metadata stored with an object. */
export interface ObjectMetadata {
  readonly httpMetadata?: HttpMetadata | undefined;
  readonly customMetadata?: CustomMetadata | undefined;
  readonly storageClass?: string | undefined;
}

/** Returns the metadata headers of an upload. Throws if a value is invalid in a header, or if the custom metadata is invalid. */
export function metadataHeaders({
  httpMetadata = {},
  customMetadata = {},
  storageClass,
}: ObjectMetadata): Record<string, string> {
  const fault = customMetadataFault(customMetadata);
  if (fault !== undefined) throw new Problem('invalid-input', `Invalid custom metadata: ${fault}.`);
  const { cacheExpiry } = httpMetadata;
  return {
    ...texts({
      'content-type': httpMetadata.contentType,
      'content-disposition': httpMetadata.contentDisposition,
      'content-encoding': httpMetadata.contentEncoding,
      'content-language': httpMetadata.contentLanguage,
      'cache-control': httpMetadata.cacheControl,
      [objstoreHeaders.storageClass]: storageClass,
    }),
    ...(cacheExpiry === undefined ? {} : { expires: new Date(cacheExpiry).toUTCString() }),
    ...(Object.keys(customMetadata).length === 0
      ? {}
      : { [objstoreHeaders.customMetadata]: asciiJson(customMetadata) }),
  };
}

function texts(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') continue;
    if (!/^[\t -~]+$/.test(value)) {
      throw new Problem('invalid-input', `The value of ${name} is not valid in an HTTP header.`, {
        hint: `Header values must be printable ASCII. For a file name with other characters, use filename*=UTF-8''…`,
      });
    }
    headers[name] = value;
  }
  return headers;
}
