import { bucket, bucketFields } from '../../../model/objects/bucket-shape.ts';
import {
  anyOf,
  bool,
  count,
  list,
  map,
  object,
  oneOf,
  only,
  optional,
  text,
  time,
} from '../../../model/shape.ts';
import { value } from '../../output/answer-shape.ts';
import { failure } from '../../output/talk-shape.ts';
import { undoId } from '../undo/answers.ts';

const bucketName = bucketFields.name;
const objectKey = text('Key of the object');
const size = count('Bytes of the object');
const etag = text('MD5 of the bytes; of one stored in parts another sum, with -<parts> behind it');
const target = text('Where it was done, in words');
const prefix = text('Beginning of the keys, with the slash at its end; empty for the whole bucket');
const { storageClass } = bucketFields;
const gone = only(true, 'It is not there any more');

const httpMetadata = object({
  contentType: optional(text('Content-Type')),
  contentDisposition: optional(text('Content-Disposition')),
  contentEncoding: optional(text('Content-Encoding')),
  contentLanguage: optional(text('Content-Language')),
  cacheControl: optional(text('Cache-Control')),
  expires: optional(time('Expires')),
});

const listed = { key: objectKey, size, etag, uploaded: time('When it was stored') };

const entry = object({
  ...listed,
  httpMetadata: optional(httpMetadata),
  customMetadata: optional(map(text('Its value'), 'Custom metadata, by name')),
  storageClass,
});

const leftOut = list(
  object({ name: text('Its path below the folder or the prefix'), why: text('Why, in words') }),
  'Entries that were passed over: links, devices, names that no key or path can have',
);

const failed = list(object({ key: text('The object, or its path'), error: failure }), 'Objects that failed');

/** Fields of a command that has moved many objects. */
const moved = {
  target,
  done: count('Objects that were moved'),
  bytes: count('Bytes that were moved'),
  failed,
};

const syncSides = {
  folder: text('The folder, as it was typed'),
  bucket: bucketName,
  prefix,
  leftOut,
  target,
};
const same = count('Objects that were the same on both sides');

const replaced = optional(
  bool('Whether it replaced an object; left out where the credentials may not list objects'),
);

export const objectAnswers = {
  'objstore bucket create': value(
    object({
      ...bucketFields,
      created: bool('False where it was there, and --if-not-exists took it'),
      differences: optional(
        list(
          object({
            field: oneOf(['location', 'storageClass'], 'The setting'),
            from: optional(text('Its value; absent if the platform reports none')),
            to: text('The value asked for'),
          }),
          'Settings of an existing bucket that are not as asked for',
        ),
      ),
    }),
  ),
  'objstore bucket list': value(list(bucket, 'Buckets of the account')),
  'objstore bucket get': value(bucket),
  'objstore bucket delete': value(
    object({ name: bucketName, objects: count('Objects that went with it'), deleted: gone }),
  ),
  'objstore object put': value(
    anyOf([
      object({ bucket: bucketName, key: objectKey, size, etag, replaced, undo: undoId, target }),
      object({ bucket: bucketName, prefix, leftOut, ...moved }),
    ]),
    'With --recursive, a summary of the folder.',
  ),
  'objstore object get': value(
    anyOf([
      entry,
      object({
        bucket: bucketName,
        key: objectKey,
        file: text('The file'),
        size,
        etag: optional(etag),
        target,
      }),
      object({
        bucket: bucketName,
        key: objectKey,
        size,
        etag: optional(etag),
        contentType: optional(text('Content-Type')),
        value: text('The object as text, up to 1 MiB; base64 where base64 is true'),
        base64: optional(only(true, 'The value holds bytes that are no text')),
      }),
      object({ bucket: bucketName, prefix, folder: text('The folder, as it was typed'), same, ...moved }),
    ]),
    'With --metadata, the metadata; with --file or --recursive, a summary of the download.',
  ),
  'objstore object list': value(
    list(
      anyOf([
        entry,
        object({ ...listed, contentType: optional(text('Content-Type')) }),
        object({ prefix: text('With --delimiter: keys up to it, of which there are some') }),
      ]),
      'Objects in the order of their keys; with --metadata, all that is known of each',
    ),
  ),
  'objstore object copy': value(
    object({
      from: object({ bucket: bucketName, key: objectKey }),
      to: object({ bucket: bucketName, key: objectKey }),
      size,
      etag,
      replaced,
      undo: undoId,
      target,
    }),
  ),
  'objstore object presign': value(
    object({
      url: text('The link: who has it, may'),
      method: oneOf(['GET', 'HEAD', 'PUT', 'DELETE'], 'Of the request'),
      bucket: bucketName,
      key: objectKey,
      expires: time('When it ends'),
      target,
    }),
  ),
  'objstore object delete': value(
    anyOf([
      object({
        bucket: bucketName,
        key: objectKey,
        deleted: bool('Whether there was such an object'),
        undo: undoId,
        target,
      }),
      object({
        objects: list(object({ bucket: bucketName, key: objectKey }), 'What was deleted'),
        deleted: count('How many'),
        target,
      }),
      object({ bucket: bucketName, prefix, deleted: count('How many'), target }),
    ]),
    'For one object, for several objects, or with --recursive.',
  ),
  'objstore object sync': value(
    anyOf([
      object({ ...syncSides, deleted: count('How many only the other side had'), same, ...moved }),
      object({
        ...syncSides,
        steps: list(
          object({
            action: oneOf(['upload', 'download', 'delete'], 'What would be done'),
            name: text('Path below the folder and the prefix'),
            size,
            why: oneOf(['new', 'changed', 'extra'], 'Only there, not the same, only on the other side'),
            etag: optional(text('Of an object that would be deleted')),
            modified: optional(time('When a file that would be deleted was last written')),
          }),
          'All that would be done',
        ),
        same,
        failed,
        hash: optional(text('What --confirm takes to delete exactly what these steps delete')),
      }),
    ]),
    'With --dry-run, the planned changes.',
  ),
} as const;
