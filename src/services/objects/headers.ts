import { type CustomMetadata, customMetadataFault, type HttpMetadata } from '../../model/objects/object.ts';
import { Problem } from '../../model/problem.ts';
import { asciiJson, objstoreHeaders } from '../../v4/wire.ts';

/** Metadata stored beside an object's bytes. */
export interface ObjectMetadata {
  readonly httpMetadata?: HttpMetadata | undefined;
  readonly customMetadata?: CustomMetadata | undefined;
  readonly storageClass?: string | undefined;
}

/** An upload's headers. Refuses values that no header can carry, and custom metadata that is too long. */
export function metadataHeaders({
  httpMetadata = {},
  customMetadata = {},
  storageClass,
}: ObjectMetadata): Record<string, string> {
  const fault = customMetadataFault(customMetadata);
  if (fault !== undefined) throw new Problem('invalid-input', `Bad custom metadata: ${fault}.`);
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
      throw new Problem('invalid-input', `The value of ${name} holds what no HTTP header can carry.`, {
        hint: `A header is printable ASCII; a name in other letters is written filename*=UTF-8''…`,
      });
    }
    headers[name] = value;
  }
  return headers;
}
