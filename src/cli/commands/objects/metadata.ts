import {
  type CustomMetadata,
  customMetadataFault,
  type HttpMetadata,
} from '../../../model/objects/object.ts';
import { Problem } from '../../../model/problem.ts';
import type { ObjectMetadata } from '../../../services/objects/headers.ts';
import { contentTypeFor } from '../../../services/objects/type.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { metadataFlags } from './flags.ts';

type MetadataFlags = FlagValues<typeof metadataFlags>;

/** Converts the flags to metadata. Refuses an invalid date and invalid JSON. */
export function readMetadata(flags: MetadataFlags): ObjectMetadata {
  return {
    httpMetadata: readHttpMetadata(flags),
    customMetadata: readCustomMetadata(flags.metadata),
    storageClass: flags['storage-class'],
  };
}

function readHttpMetadata(flags: MetadataFlags): HttpMetadata {
  const cacheExpiry = flags.expires === undefined ? undefined : parseDate(flags.expires);
  return {
    ...text('contentType', flags['content-type']),
    ...text('contentDisposition', flags['content-disposition']),
    ...text('contentEncoding', flags['content-encoding']),
    ...text('contentLanguage', flags['content-language']),
    ...text('cacheControl', flags['cache-control']),
    ...(cacheExpiry === undefined ? {} : { cacheExpiry }),
  };
}

function text(field: keyof HttpMetadata, value: string | undefined): HttpMetadata {
  return value === undefined ? {} : { [field]: value };
}

function parseDate(value: string): number {
  const milliseconds = Date.parse(value);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  throw new Problem('invalid-input', `--expires is not a valid date: "${value}".`, {
    hint: 'For example: 2027-01-31T12:00:00Z, or Sun, 31 Jan 2027 12:00:00 GMT.',
  });
}

function readCustomMetadata(json: string | undefined): CustomMetadata | undefined {
  if (json === undefined) return undefined;
  const metadata = parse(json);
  const fault = customMetadataFault(metadata);
  if (fault === undefined) return metadata as CustomMetadata;
  throw new Problem('invalid-input', `Invalid --metadata: ${fault}.`, {
    hint: `Values must be strings: --metadata '{"plan":"pro"}'`,
  });
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Problem('invalid-input', `--metadata is not JSON: ${(error as Error).message}.`, {
      cause: error,
      hint: `Quote the JSON for the shell: --metadata '{"plan":"pro"}'`,
    });
  }
}

/** Adds a content type guessed from the file's name or the key, unless a content type is given. */
export function withGuessedType(metadata: ObjectMetadata, name: string, key: string): ObjectMetadata {
  if (metadata.httpMetadata?.contentType !== undefined) return metadata;
  const contentType = contentTypeFor(name, key);
  return { ...metadata, httpMetadata: { ...metadata.httpMetadata, contentType } };
}
