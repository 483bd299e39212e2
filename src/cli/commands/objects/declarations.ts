import { bucketJurisdictions, noJurisdiction } from '../../../model/jurisdiction.ts';
import { bucketLocations, storageClasses } from '../../../model/objects/bucket.ts';
import { declare } from '../../parsing/declaration.ts';
import { localFlags, undoOnRequestFlags, unsupportedLocalFlags } from '../../parsing/flags.ts';
import { deleteFlags, getFlags, metadataFlags, syncFlags } from './flags.ts';

const bucketArgument = { about: 'Name of the bucket', completes: 'bucket' } as const;

export const bucketCreate = declare({
  words: 'objstore bucket create',
  about: 'Create an object bucket',
  effect: 'write',
  loss: {},
  needs: 'account',
  arguments: { BUCKET_NAME: { about: 'Name of the new bucket: 3 to 63 characters from a-z, 0-9 and -' } },
  flags: {
    location: {
      kind: 'text',
      placeholder: 'HINT',
      about: `Location hint: ${bucketLocations.join(', ')}`,
      completes: bucketLocations,
    },
    'storage-class': {
      kind: 'text',
      placeholder: 'CLASS',
      about: `Default storage class of the objects: ${storageClasses.join(', ')}`,
      completes: storageClasses,
    },
    jurisdiction: {
      kind: 'text',
      placeholder: 'NAME',
      about: `Store the objects only in this jurisdiction: ${bucketJurisdictions.join(', ')}`,
      completes: bucketJurisdictions,
    },
    'if-not-exists': {
      kind: 'boolean',
      about: 'If the bucket already exists, succeed and leave it unchanged',
    },
    ...unsupportedLocalFlags,
  },
  examples: [
    ['objstore bucket create assets', 'create a bucket'],
    ['objstore bucket create assets --if-not-exists', 'create a bucket unless it exists, in a script'],
  ],
});

export const bucketList = declare({
  words: 'objstore bucket list',
  about: 'List all buckets in the account',
  effect: 'read',
  needs: 'account',
  arguments: {},
  flags: {
    contains: { kind: 'text', placeholder: 'TEXT', about: 'Only buckets whose name contains this text' },
    jurisdiction: {
      kind: 'text',
      placeholder: 'NAME',
      about: `Only buckets in this jurisdiction: ${[noJurisdiction, ...bucketJurisdictions].join(', ')}`,
      completes: [noJurisdiction, ...bucketJurisdictions],
    },
    ...unsupportedLocalFlags,
  },
  examples: [
    ['objstore bucket list', 'list all buckets, one name per line'],
    ['objstore bucket list --json', 'list all buckets as a JSON array, with dates'],
  ],
});

export const bucketGet = declare({
  words: 'objstore bucket get',
  about: 'Show a bucket',
  effect: 'read',
  needs: 'account',
  arguments: { BUCKET_NAME: bucketArgument },
  flags: unsupportedLocalFlags,
  examples: [['objstore bucket get assets', 'show the creation date and location']],
});

export const bucketDelete = declare({
  words: 'objstore bucket delete',
  about: 'Delete a bucket',
  effect: 'destroy',
  loss: { asks: 'deleting the bucket (with --empty-first, also its objects)' },
  needs: 'account',
  arguments: { BUCKET_NAME: { about: 'Name of the bucket', completes: 'bucket' } },
  flags: {
    'empty-first': {
      kind: 'boolean',
      about: 'Delete the objects first; the platform deletes only empty buckets',
    },
    ...unsupportedLocalFlags,
  },
  examples: [
    ['objstore bucket delete assets', 'delete an empty bucket, after confirmation'],
    [
      'objstore bucket delete assets --empty-first',
      'show the number of objects, ask, then delete the objects and the bucket',
    ],
  ],
});

export const objectPut = declare({
  words: 'objstore object put',
  about: 'Upload a file, standard input or a folder',
  effect: 'write',
  loss: {
    names: 'the object at ADDRESS; with --recursive, objects with the same names as the files',
    keeps: 'on request',
  },
  needs: 'account',
  arguments: {
    ADDRESS: {
      about: 'BUCKET/KEY of the object; with --recursive BUCKET/PREFIX or BUCKET',
      completes: 'bucket',
    },
  },
  surplus: [
    {
      names: ['path'],
      // An address without a key means that a folder is uploaded.
      flags: (text, address) => ['--path', text, ...(address.includes('/') ? [] : ['--recursive'])],
    },
  ],
  flags: {
    path: {
      kind: 'path',
      placeholder: 'PATH',
      about: 'File to upload, or folder with --recursive; - is standard input',
    },
    recursive: { kind: 'boolean', about: 'Upload all files in a folder' },
    ...metadataFlags,
    ...localFlags,
    ...undoOnRequestFlags,
  },
  examples: [
    [
      'objstore object put assets/logo.png --path logo.png',
      'upload a file and guess the content type from its name',
    ],
    ['objstore object put assets/notes.txt --path -', 'upload standard input'],
    [
      'objstore object put assets/site --path public --recursive --cache-control max-age=60',
      'upload a folder',
    ],
  ],
  notes: ['KEY is everything after the first slash of ADDRESS. A key can contain any character.'],
});

export const objectGet = declare({
  words: 'objstore object get',
  about: 'Download an object, or many objects to a folder',
  effect: 'read',
  needs: 'account',
  arguments: {
    ADDRESS: {
      about: 'BUCKET/KEY of the object; with --recursive BUCKET/PREFIX or BUCKET',
      completes: 'bucket',
    },
  },
  surplus: ['file'],
  flags: getFlags,
  examples: [
    ['objstore object get assets/logo.png --file logo.png', 'save an object to a file'],
    ['objstore object get assets/notes.txt', 'print only the stored bytes'],
    ['objstore object get assets/site --recursive --file public', 'download a folder'],
    ['objstore object get assets/logo.png --metadata', 'print size, etag, HTTP and custom metadata'],
  ],
  notes: [
    'The object is written to a temporary file, which replaces the target once all bytes have arrived and match the etag.',
    'Objects of 64 MiB or more are downloaded in parts, four in parallel, through the S3 API. After an interruption, the same command resumes the download.',
    'If the object does not exist, the exit code is 3 and the file is unchanged.',
    'On a terminal, control characters are shown escaped. Through a pipe, the bytes are unchanged.',
  ],
});

export const objectList = declare({
  words: 'objstore object list',
  about: 'List objects as a JSON array',
  effect: 'read',
  needs: 'account',
  arguments: { BUCKET: { about: 'Name of the bucket', completes: 'bucket' } },
  flags: {
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this prefix' },
    delimiter: {
      kind: 'text',
      placeholder: 'TEXT',
      about: 'Group keys that share a prefix up to this delimiter (usually /)',
    },
    'start-after': { kind: 'text', placeholder: 'KEY', about: 'Only keys after this key' },
    limit: { kind: 'number', placeholder: 'COUNT', about: 'Maximum number of rows (default: all)' },
    metadata: { kind: 'boolean', about: 'Include HTTP and custom metadata' },
    ...localFlags,
  },
  examples: [
    ['objstore object list assets', 'list all objects, page by page'],
    ['objstore object list assets --prefix img/ --delimiter /', 'list the objects and folders in a folder'],
  ],
  notes: ['Rows are sorted by the UTF-8 bytes of their keys. A group is a row such as {"prefix": "img/"}.'],
});

export const objectCopy = declare({
  words: 'objstore object copy',
  about: 'Copy an object',
  effect: 'write',
  loss: { names: 'the object at DESTINATION', keeps: 'on request' },
  needs: 'account',
  arguments: {
    SOURCE: { about: 'BUCKET/KEY of the object', completes: 'bucket' },
    DESTINATION: { about: 'BUCKET/KEY of the copy; BUCKET alone keeps the key', completes: 'bucket' },
  },
  flags: { ...localFlags, ...undoOnRequestFlags },
  examples: [
    ['objstore object copy assets/logo.png assets/old/logo.png', 'copy an object with its metadata'],
    ['objstore object copy assets/logo.png backup', 'copy an object to another bucket, under the same key'],
  ],
  notes: ["The bytes stream through this machine, because the provider's API has no copy operation."],
});

export const objectDelete = declare({
  words: 'objstore object delete',
  about: 'Delete objects',
  effect: 'destroy',
  loss: { names: 'one object', keeps: 'by default', asks: 'deleting several objects' },
  needs: 'account',
  arguments: {
    ADDRESS: {
      about: 'BUCKET/KEY of an object; with --recursive BUCKET/PREFIX',
      completes: 'bucket',
      many: true,
    },
  },
  flags: deleteFlags,
  examples: [
    [
      'objstore object delete assets/logo.png',
      'delete one object; succeeds even if the object does not exist',
    ],
    ['objstore object delete assets/a.png assets/b.png', 'delete several objects, after confirmation'],
    [
      'objstore object delete assets/img --recursive',
      'show the number of objects below assets/img/, ask, then delete them',
    ],
  ],
});

export const objectPresign = declare({
  words: 'objstore object presign',
  about: 'Create a temporary link to read, write or delete one object',
  effect: 'read',
  needs: 'account',
  arguments: { ADDRESS: { about: 'BUCKET/KEY of the object', completes: 'bucket' } },
  flags: {
    expires: {
      kind: 'text',
      placeholder: 'DURATION',
      about: 'Time until the link expires: 90s, 15m, 1d (default: 1h, maximum: 7d)',
    },
    method: {
      kind: 'text',
      placeholder: 'METHOD',
      about: 'Request that the link allows: get, head, put or delete (default: get)',
      completes: ['get', 'head', 'put', 'delete'],
    },
    jurisdiction: {
      kind: 'text',
      placeholder: 'NAME',
      about: `Jurisdiction of the bucket (presign does not look it up): ${bucketJurisdictions.join(', ')}`,
      completes: bucketJurisdictions,
    },
    ...unsupportedLocalFlags,
  },
  examples: [
    [
      'objstore object presign assets/report.pdf --expires 1d',
      'create a link for someone without an account',
    ],
    [
      'objstore object presign inbox/upload.bin --method put',
      'create an upload link; upload with curl -T upload.bin LINK',
    ],
  ],
  notes: [
    'Anyone with the link can use it until the link expires or the token is rolled. The access key is derived from the token (its id and its ' +
      'SHA-256), unless R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY are set.',
  ],
});

export const objectSync = declare({
  words: 'objstore object sync',
  about: 'Sync a folder to a bucket, or a bucket to a folder',
  effect: 'destroy',
  loss: {
    names: 'objects that differ from the files; with --download, files that differ from the objects',
    asks: 'deleting anything with --delete',
  },
  needs: 'account',
  arguments: {
    DIR: { kind: 'path', about: 'Folder on this machine' },
    ADDRESS: { about: 'BUCKET/PREFIX or BUCKET', completes: 'bucket' },
  },
  flags: syncFlags,
  examples: [
    ['objstore object sync public assets/site', 'upload new and changed files'],
    [
      'objstore object sync public assets/site --delete --dry-run',
      'show what a sync with deletions would do',
    ],
    [
      'objstore object sync public assets/site --delete --confirm 9f86d081884c',
      'sync, but delete only what the dry run showed',
    ],
    ['objstore object sync public assets/site --download', 'download new and changed objects'],
  ],
  notes: [
    'A file and an object of the same size are compared by MD5, so a second sync transfers nothing. Symlinks are skipped.',
    'With --delete, --yes requires --limit N. To confirm a dry run instead, pass its hash with --confirm.',
  ],
});
