import { count, object, oneOf, optional, text, time } from '../shape.ts';

/** An entry of a folder that a sync skips. */
export const leftOut = object({
  name: text('Path below the folder or prefix'),
  why: text('Why the entry is skipped, in words'),
});

/** A planned step of a sync. */
export const syncStep = object({
  action: oneOf(['upload', 'download', 'delete'], 'What the step does'),
  name: text('Path relative to the folder and to the prefix'),
  size: count('Size in bytes'),
  why: oneOf(
    ['new', 'changed', 'extra'],
    'new: only in the source; changed: different; extra: only in the destination',
  ),
  etag: optional(text('Etag of an object to delete')),
  modified: optional(time('When a file to delete was last modified')),
});
