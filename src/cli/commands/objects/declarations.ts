import { bucketLocations, storageClasses } from '../../../model/objects/bucket.ts';
import { declare } from '../../parsing/declaration.ts';
import { localFlags, refusedLocalFlags, undoOnRequestFlags } from '../../parsing/flags.ts';
import { deleteFlags, getFlags, metadataFlags, syncFlags } from './flags.ts';

const bucketArgument = { about: 'Name of the bucket', completes: 'bucket' } as const;

export const bucketCreate = declare({
  words: 'objstore bucket create',
  about: 'Create an object bucket',
  effect: 'write',
  loss: {},
  needs: 'account',
  arguments: { BUCKET_NAME: { about: 'Name of the new bucket: 3 to 63 of a-z, 0-9 and -' } },
  flags: {
    location: {
      kind: 'text',
      placeholder: 'HINT',
      about: `Where it shall lie: ${bucketLocations.join(', ')}`,
      completes: bucketLocations,
    },
    'storage-class': {
      kind: 'text',
      placeholder: 'CLASS',
      about: `Class of objects that say none: ${storageClasses.join(', ')}`,
      completes: storageClasses,
    },
    'if-not-exists': { kind: 'boolean', about: 'Take a bucket that is there already' },
    ...refusedLocalFlags,
  },
  examples: [
    ['objstore bucket create assets', 'then bind it, and put objects into it'],
    ['objstore bucket create assets --if-not-exists', 'for scripts'],
  ],
});

export const bucketList = declare({
  words: 'objstore bucket list',
  about: 'List all buckets of the account',
  effect: 'read',
  needs: 'account',
  arguments: {},
  flags: {
    contains: { kind: 'text', placeholder: 'TEXT', about: 'Only buckets with this in their name' },
    ...refusedLocalFlags,
  },
  examples: [
    ['objstore bucket list', 'every bucket, one name a line'],
    ['objstore bucket list --json', 'a JSON array with dates'],
  ],
});

export const bucketGet = declare({
  words: 'objstore bucket get',
  about: 'Show a bucket',
  effect: 'read',
  needs: 'account',
  arguments: { BUCKET_NAME: bucketArgument },
  flags: refusedLocalFlags,
  examples: [['objstore bucket get assets', 'when it was created, and where it lies']],
});

export const bucketDelete = declare({
  words: 'objstore bucket delete',
  about: 'Delete a bucket',
  effect: 'destroy',
  loss: { asks: 'deleting the bucket, with --empty-first its objects' },
  needs: 'account',
  arguments: { BUCKET_NAME: { about: 'Name of the bucket', completes: 'bucket' } },
  flags: {
    'empty-first': {
      kind: 'boolean',
      about: 'Delete its objects first; a platform deletes empty buckets only',
    },
    ...refusedLocalFlags,
  },
  examples: [
    ['objstore bucket delete assets', 'asks; refuses while it holds objects'],
    ['objstore bucket delete assets --empty-first', 'asks, saying how many objects it holds'],
  ],
});

export const objectPut = declare({
  words: 'objstore object put',
  about: 'Store a file, standard input or a folder',
  effect: 'write',
  loss: {
    names: 'the object at ADDRESS, with --recursive the objects named like the files',
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
      // A bucket alone takes a folder.
      flags: (text, address) => ['--path', text, ...(address.includes('/') ? [] : ['--recursive'])],
    },
  ],
  flags: {
    path: { kind: 'path', placeholder: 'PATH', about: 'File to store; - is standard input' },
    recursive: { kind: 'boolean', about: 'Store all files of a folder' },
    ...metadataFlags,
    ...localFlags,
    ...undoOnRequestFlags,
  },
  examples: [
    ['objstore object put assets/logo.png --path logo.png', 'the content type follows from the name'],
    ['objstore object put assets/notes.txt --path -', 'standard input'],
    ['objstore object put assets/site --path public --recursive --cache-control max-age=60', 'a folder'],
  ],
  notes: ['KEY may hold any character. Everything behind the first slash of ADDRESS belongs to it.'],
});

export const objectGet = declare({
  words: 'objstore object get',
  about: 'Write an object to standard output or a file, or many into a folder',
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
    ['objstore object get assets/logo.png --file logo.png', 'into a file'],
    ['objstore object get assets/notes.txt', 'the bytes and nothing else'],
    ['objstore object get assets/site --recursive --file public', 'a folder'],
    ['objstore object get assets/logo.png --metadata', 'size, etag, HTTP and custom metadata'],
  ],
  notes: [
    'A file is written under another name and takes its place when all bytes have arrived and match the etag.',
    'One of 64 MiB and more comes in parts, four side by side, by the S3 API; after an interruption the same command goes ' +
      'on with them.',
    'A missing object ends with exit code 3 and leaves the file as it was.',
    'On a terminal, bytes with control characters are shown escaped; through a pipe they are always the bytes.',
  ],
});

export const objectList = declare({
  words: 'objstore object list',
  about: 'List objects, as a JSON array',
  effect: 'read',
  needs: 'account',
  arguments: { BUCKET: { about: 'Name of the bucket', completes: 'bucket' } },
  flags: {
    prefix: { kind: 'text', placeholder: 'TEXT', about: 'Only keys that start with this' },
    delimiter: {
      kind: 'text',
      placeholder: 'TEXT',
      about: 'Show what keys share up to this (usually /) once, instead of each of them',
    },
    'start-after': { kind: 'text', placeholder: 'KEY', about: 'Only keys behind this one' },
    limit: { kind: 'number', placeholder: 'COUNT', about: 'At most so many rows' },
    metadata: { kind: 'boolean', about: 'Show HTTP and custom metadata as well' },
    ...localFlags,
  },
  examples: [
    ['objstore object list assets', 'every object, streamed'],
    ['objstore object list assets --prefix img/ --delimiter /', 'as a folder: objects and folders in it'],
  ],
  notes: ['Rows are in the order of the keys’ UTF-8 bytes; a group is the row {"prefix": "img/"}.'],
});

export const objectCopy = declare({
  words: 'objstore object copy',
  about: 'Store an object once more elsewhere',
  effect: 'write',
  loss: { names: 'the object at DESTINATION', keeps: 'on request' },
  needs: 'account',
  arguments: {
    SOURCE: { about: 'BUCKET/KEY of the object', completes: 'bucket' },
    DESTINATION: { about: 'BUCKET/KEY of the copy; BUCKET keeps the key', completes: 'bucket' },
  },
  flags: { ...localFlags, ...undoOnRequestFlags },
  examples: [
    ['objstore object copy assets/logo.png assets/old/logo.png', 'with its metadata'],
    ['objstore object copy assets/logo.png backup', 'into another bucket, under the same key'],
  ],
  notes: ['The bytes stream through this machine: the provider’s API has no copy of its own.'],
});

export const objectDelete = declare({
  words: 'objstore object delete',
  about: 'Delete an object; several ask',
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
    ['objstore object delete assets/logo.png', 'one object: a missing one is no fault'],
    ['objstore object delete assets/a.png assets/b.png', 'several: asks'],
    ['objstore object delete assets/img --recursive', 'all below assets/img/: asks, saying how many'],
  ],
});

export const objectPresign = declare({
  words: 'objstore object presign',
  about: 'Make a link that lets anybody read or store one object for a while',
  effect: 'read',
  needs: 'account',
  arguments: { ADDRESS: { about: 'BUCKET/KEY of the object', completes: 'bucket' } },
  flags: {
    expires: {
      kind: 'text',
      placeholder: 'DURATION',
      about: 'How long it is good: 90s, 15m, 1d, a week at most; 1h when left out',
    },
    method: {
      kind: 'text',
      placeholder: 'METHOD',
      about: 'What it lets one do: get, head, put or delete; get when left out',
      completes: ['get', 'head', 'put', 'delete'],
    },
    ...refusedLocalFlags,
  },
  examples: [
    ['objstore object presign assets/report.pdf --expires 1d', 'for somebody without an account'],
    ['objstore object presign inbox/upload.bin --method put', 'curl -T upload.bin LINK stores it'],
  ],
  notes: [
    'Whoever has the link can use it until it ends, or until the token is rolled. The access key is the id of the token and its ' +
      'SHA-256, or R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY.',
  ],
});

export const objectSync = declare({
  words: 'objstore object sync',
  about: 'Make a bucket hold what a folder holds, or the other way round',
  effect: 'destroy',
  loss: {
    names: 'objects that differ from the files, with --download files that differ',
    asks: 'deleting with --delete',
  },
  needs: 'account',
  arguments: {
    DIR: { kind: 'path', about: 'Folder on this machine' },
    ADDRESS: { about: 'BUCKET/PREFIX or BUCKET', completes: 'bucket' },
  },
  flags: syncFlags,
  examples: [
    ['objstore object sync public assets/site', 'upload what is new or changed'],
    [
      'objstore object sync public assets/site --delete --dry-run',
      'show what a sync with deletions would do',
    ],
    [
      'objstore object sync public assets/site --delete --confirm 9f86d081884c',
      'delete only what that dry run showed',
    ],
    ['objstore object sync public assets/site --download', 'the other way round'],
  ],
  notes: [
    'Files and objects of one size are compared by MD5, so a second sync moves nothing. Links are left alone.',
    'With --delete, --yes needs --limit N too, or --confirm with the hash that --dry-run shows.',
  ],
});
