import { deleteBucket, listBuckets } from '../objects/buckets.ts';
import { listObjects, readObject, removeObject } from '../objects/objects.ts';
import type { Act } from './act.ts';

/** Acts on the list of buckets, and on one of them. */
export function bucketActs(bucket: string | undefined): readonly Act[] {
  const list: Act = {
    about: 'List the buckets',
    words: 'objstore bucket list',
    send: (session) => listBuckets(session).next(),
  };
  if (bucket === undefined) return [list];
  return [
    objectsAct(bucket, ''),
    {
      about: 'Delete the bucket',
      words: 'objstore bucket delete',
      args: [bucket],
      send: (session) => deleteBucket(session, bucket),
    },
    list,
  ];
}

/** Acts on an object, or on a folder: a key that ends in a slash. */
export function objectActs(bucket: string, folder: string, key: string | undefined): readonly Act[] {
  if (key === undefined) return [objectsAct(bucket, folder)];
  const address = { bucket, key };
  const file = key.slice(key.lastIndexOf('/') + 1) || 'object';
  const args = [`${bucket}/${key}`];
  return [
    {
      about: 'Download it',
      words: 'objstore object get',
      flags: { file: `./${file}` },
      args,
      send: (session) => readObject(session, address),
    },
    { about: 'Make a link to it', words: 'objstore object presign', args, accountOnly: true },
    {
      about: 'Delete the object',
      words: 'objstore object delete',
      args,
      send: (session) => removeObject(session, address),
    },
    objectsAct(bucket, folder),
  ];
}

/** Acts on a folder of a bucket. */
export function folderActs(bucket: string, prefix: string): readonly Act[] {
  return [
    objectsAct(bucket, prefix),
    {
      about: 'Download the folder',
      words: 'objstore object get',
      flags: { recursive: true, file: './download' },
      args: [`${bucket}/${prefix}`],
    },
    {
      about: 'Delete all below it',
      words: 'objstore object delete',
      flags: { recursive: true },
      args: [`${bucket}/${prefix}`],
    },
  ];
}

function objectsAct(bucket: string, prefix: string): Act {
  return {
    about: 'List the objects',
    words: 'objstore object list',
    flags: { delimiter: '/', ...(prefix !== '' && { prefix }) },
    args: [bucket],
    send: (session) => listObjects(session, bucket, { prefix, delimiter: '/' }).next(),
  };
}
