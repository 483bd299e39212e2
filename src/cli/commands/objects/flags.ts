import { storageClasses } from '../../../model/objects/bucket.ts';
import { confirmFlag, limitFlag } from '../../delete-limit.ts';
import type { Flags } from '../../parsing/declaration.ts';
import { forceFlag, localFlags, undoFlags } from '../../parsing/flags.ts';

/** Flags for the metadata that is stored with an object. */
export const metadataFlags = {
  'content-type': {
    kind: 'text',
    placeholder: 'TYPE',
    about: 'Media type (default: guessed from the name)',
  },
  'content-disposition': {
    kind: 'text',
    placeholder: 'TEXT',
    about: 'How browsers display the object, such as inline',
  },
  'content-encoding': {
    kind: 'text',
    placeholder: 'TEXT',
    about: 'Encoding of the bytes, such as gzip',
  },
  'content-language': { kind: 'text', placeholder: 'TEXT', about: 'Language of the content' },
  'cache-control': { kind: 'text', placeholder: 'TEXT', about: 'Caching rules, such as max-age=60' },
  expires: {
    kind: 'text',
    placeholder: 'DATE',
    about: 'Time at which cached copies expire: ISO 8601 or HTTP date',
  },
  metadata: { kind: 'text', placeholder: 'JSON', about: 'Custom metadata: a JSON object of strings' },
  'storage-class': {
    kind: 'text',
    placeholder: 'CLASS',
    about: 'Storage class: Standard or InfrequentAccess',
    completes: storageClasses,
  },
} as const satisfies Flags;

export const getFlags = {
  file: {
    kind: 'path',
    placeholder: 'PATH',
    about: 'Write to this file, or folder with --recursive; - is standard output',
  },
  recursive: { kind: 'boolean', about: 'Download all objects below BUCKET/PREFIX to the folder --file' },
  ...forceFlag,
  metadata: { kind: 'boolean', about: 'Print the metadata as JSON instead of the bytes' },
  ...localFlags,
} as const;

export const deleteFlags = {
  recursive: { kind: 'boolean', about: 'Delete all objects below BUCKET/PREFIX' },
  ...limitFlag,
  ...localFlags,
  ...undoFlags,
} as const;

export const syncFlags = {
  download: { kind: 'boolean', about: 'Sync the bucket to the folder instead' },
  delete: { kind: 'boolean', about: 'Delete items that exist only in the destination' },
  ...limitFlag,
  ...confirmFlag,
  'dry-run': { kind: 'boolean', about: 'Show what would change, without changing anything' },
  ...metadataFlags,
  ...localFlags,
} as const;
