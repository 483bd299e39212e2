import { storageClasses } from '../../../model/objects/bucket.ts';
import { confirmFlag, limitFlag } from '../../delete-limit.ts';
import type { Flags } from '../../parsing/declaration.ts';
import { forceFlag, localFlags, undoFlags } from '../../parsing/flags.ts';

/** Metadata stored beside an object's bytes. */
export const metadataFlags = {
  'content-type': {
    kind: 'text',
    placeholder: 'TYPE',
    about: 'Media type; guessed from the name when left out',
  },
  'content-disposition': { kind: 'text', placeholder: 'TEXT', about: 'How a browser shall show it' },
  'content-encoding': {
    kind: 'text',
    placeholder: 'TEXT',
    about: 'How the bytes are encoded, for example gzip',
  },
  'content-language': { kind: 'text', placeholder: 'TEXT', about: 'Language of the content' },
  'cache-control': { kind: 'text', placeholder: 'TEXT', about: 'How long it may be cached' },
  expires: { kind: 'text', placeholder: 'DATE', about: 'When it shall leave caches: ISO 8601 or HTTP date' },
  metadata: { kind: 'text', placeholder: 'JSON', about: 'A JSON object of texts to keep beside the object' },
  'storage-class': {
    kind: 'text',
    placeholder: 'CLASS',
    about: 'Standard or InfrequentAccess',
    completes: storageClasses,
  },
} as const satisfies Flags;

export const getFlags = {
  file: { kind: 'path', placeholder: 'PATH', about: 'Write to this file; - is standard output' },
  recursive: { kind: 'boolean', about: 'Write all objects below BUCKET/PREFIX into the folder --file' },
  ...forceFlag,
  metadata: { kind: 'boolean', about: 'Print what is stored beside the bytes as JSON instead' },
  ...localFlags,
} as const;

export const deleteFlags = {
  recursive: { kind: 'boolean', about: 'Delete all objects below BUCKET/PREFIX' },
  ...limitFlag,
  ...localFlags,
  ...undoFlags,
} as const;

export const syncFlags = {
  download: { kind: 'boolean', about: 'Make the folder hold what the bucket holds, not the other way round' },
  delete: { kind: 'boolean', about: 'Delete what only the destination has' },
  ...limitFlag,
  ...confirmFlag,
  'dry-run': { kind: 'boolean', about: 'Show what would be done, and do nothing' },
  ...metadataFlags,
  ...localFlags,
} as const;
