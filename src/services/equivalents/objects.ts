import { deleteBucket, listBuckets } from '../objects/buckets.ts';
import { listObjects, readObject, removeObject } from '../objects/objects.ts';
import type { CliEquivalent } from './cli-equivalent.ts';

export const bucketList: CliEquivalent = {
  about: 'List the buckets',
  words: 'objstore bucket list',
  place: 'last',
  send: (session) => listBuckets(session).next(),
};

export function bucketDelete(bucket: string): CliEquivalent {
  return {
    about: 'Delete the bucket',
    words: 'objstore bucket delete',
    args: [bucket],
    send: (session) => deleteBucket(session, bucket),
  };
}

export function objectList(bucket: string, prefix: string): CliEquivalent {
  return {
    about: 'List the objects',
    words: 'objstore object list',
    flags: { delimiter: '/', ...(prefix !== '' && { prefix }) },
    args: [bucket],
    send: (session) => listObjects(session, bucket, { prefix, delimiter: '/' }).next(),
  };
}

export function objectGet(bucket: string, key: string): CliEquivalent {
  const file = key.slice(key.lastIndexOf('/') + 1) || 'object';
  return {
    about: 'Download the object',
    words: 'objstore object get',
    flags: { file: `./${file}` },
    args: [`${bucket}/${key}`],
    send: (session) => readObject(session, { bucket, key }),
  };
}

export function objectPresign(bucket: string, key: string, jurisdiction: string | undefined): CliEquivalent {
  return {
    about: 'Create a link to the object',
    words: 'objstore object presign',
    ...(jurisdiction !== undefined && { flags: { jurisdiction } }),
    args: [`${bucket}/${key}`],
    accountOnly: true,
  };
}

/** The inputs of a sync between a folder and a prefix. */
interface SyncInput {
  readonly bucket: string;
  readonly prefix: string;
  readonly path: string;
  readonly direction: 'upload' | 'download';
  readonly remove: boolean;
}

export function objectSync({ bucket, prefix, path, direction, remove }: SyncInput): CliEquivalent {
  return {
    about: 'Sync the folder',
    words: 'objstore object sync',
    flags: { ...(remove && { delete: true }), ...(direction === 'download' && { download: true }) },
    args: [path, prefix === '' ? bucket : `${bucket}/${prefix}`],
  };
}

export function objectDelete(bucket: string, key: string): CliEquivalent {
  return {
    about: 'Delete the object',
    words: 'objstore object delete',
    args: [`${bucket}/${key}`],
    send: (session) => removeObject(session, { bucket, key }),
  };
}

export function folderGet(bucket: string, prefix: string): CliEquivalent {
  return {
    about: 'Download the folder',
    words: 'objstore object get',
    flags: { recursive: true, file: './download' },
    args: [`${bucket}/${prefix}`],
  };
}

export function folderDelete(bucket: string, prefix: string): CliEquivalent {
  return {
    about: 'Delete everything in the folder',
    words: 'objstore object delete',
    flags: { recursive: true },
    args: [`${bucket}/${prefix}`],
  };
}
