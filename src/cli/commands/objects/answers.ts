import { bucket, bucketDifference, bucketFields } from '../../../model/objects/bucket-shape.ts';
import { leftOut, syncStep } from '../../../model/objects/sync-shape.ts';
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
const size = count('Size of the object in bytes');
const etag = text(
  'MD5 of the bytes; for a multipart upload, a different hash, followed by -<number of parts>',
);
const target = text('Description of where the command acted');
const prefix = text('Prefix of the keys, including the final slash; empty for the whole bucket');
const { storageClass } = bucketFields;
const gone = only(true, 'The bucket was deleted');

const httpMetadata = object({
  contentType: optional(text('Content-Type')),
  contentDisposition: optional(text('Content-Disposition')),
  contentEncoding: optional(text('Content-Encoding')),
  contentLanguage: optional(text('Content-Language')),
  cacheControl: optional(text('Cache-Control')),
  expires: optional(time('Expires')),
});

const listed = { key: objectKey, size, etag, uploaded: time('When the object was stored') };

const entry = object({
  ...listed,
  httpMetadata: optional(httpMetadata),
  customMetadata: optional(map(text('The value'), 'Custom metadata by name')),
  storageClass,
});

const leftOutEntries = list(
  leftOut,
  'Skipped entries: symlinks, devices, and names that cannot be a key or a path',
);

const failed = list(
  object({ key: text('Key or path of the object'), error: failure }),
  'Objects that failed',
);

/** Fields of commands that transfer many objects. */
const moved = {
  target,
  done: count('Number of transferred objects'),
  bytes: count('Number of transferred bytes'),
  failed,
};

const syncSides = {
  folder: text('The folder, as typed'),
  bucket: bucketName,
  prefix,
  leftOut: leftOutEntries,
  target,
};
const unchanged = count('Number of objects that were already the same on both sides');

const replaced = optional(
  bool('Whether the command replaced an object; absent if the credentials cannot list objects'),
);

export const objectAnswers = {
  'objstore bucket create': value(
    object({
      ...bucketFields,
      created: bool('False if --if-not-exists found an existing bucket'),
      differences: optional(
        list(bucketDifference, 'Settings of the existing bucket that differ from the requested ones'),
      ),
    }),
  ),
  'objstore bucket list': value(list(bucket, 'Buckets in the account')),
  'objstore bucket get': value(bucket),
  'objstore bucket delete': value(
    object({ name: bucketName, objects: count('Number of objects deleted with the bucket'), deleted: gone }),
  ),
  'objstore object put': value(
    anyOf([
      object({ bucket: bucketName, key: objectKey, size, etag, replaced, undo: undoId, target }),
      object({ bucket: bucketName, prefix, leftOut: leftOutEntries, ...moved }),
    ]),
    'With --recursive, a summary of the upload.',
  ),
  'objstore object get': value(
    anyOf([
      entry,
      object({
        bucket: bucketName,
        key: objectKey,
        file: text('File that was written'),
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
        value: text('Content of the object, up to 1 MiB; base64-encoded if base64 is true'),
        base64: optional(only(true, 'Present if the content is not UTF-8 text')),
      }),
      object({ bucket: bucketName, prefix, folder: text('The folder, as typed'), same: unchanged, ...moved }),
    ]),
    'With --metadata, the metadata; with --file or --recursive, a summary of the download.',
  ),
  'objstore object list': value(
    list(
      anyOf([
        entry,
        object({ ...listed, contentType: optional(text('Content-Type')) }),
        object({ prefix: text('With --delimiter: prefix shared by some keys, up to the delimiter') }),
      ]),
      'Objects sorted by key; with --metadata, including their metadata',
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
      url: text('The link; anyone with the link can use it'),
      method: oneOf(['GET', 'HEAD', 'PUT', 'DELETE'], 'Request method that the link allows'),
      bucket: bucketName,
      key: objectKey,
      expires: time('When the link expires'),
      target,
    }),
  ),
  'objstore object delete': value(
    anyOf([
      object({
        bucket: bucketName,
        key: objectKey,
        deleted: bool('Whether the object existed'),
        undo: undoId,
        target,
      }),
      object({
        objects: list(object({ bucket: bucketName, key: objectKey }), 'Objects that were deleted'),
        deleted: count('Number of deleted objects'),
        target,
      }),
      object({ bucket: bucketName, prefix, deleted: count('Number of deleted objects'), target }),
    ]),
    'The fields depend on whether the command deletes one object, several objects, or a prefix (--recursive).',
  ),
  'objstore object sync': value(
    anyOf([
      object({
        ...syncSides,
        deleted: count('Number of deleted objects or files, which existed only in the destination'),
        same: unchanged,
        ...moved,
      }),
      object({
        ...syncSides,
        steps: list(syncStep, 'All planned steps'),
        same: unchanged,
        failed,
        hash: optional(text('Value for --confirm that confirms exactly these deletions')),
      }),
    ]),
    'With --dry-run, the planned changes.',
  ),
} as const;
