import { join } from 'node:path';
import { type DataPaths, folderName, objectId } from '../paths.ts';

/** Class name under which Miniflare keeps buckets; it names their folder and seeds their file names. */
const bucketClass = 'miniflare-R2BucketObject';

/** Folder of all object data below a persist root, as Miniflare lays it out: `<root>/v3/r2`. */
export function bucketRoot(root: string): string {
  return join(root, 'v3', 'r2');
}

/** Where the bucket with this name lies. Two names may share a folder, never a database. */
export function bucketPaths(root: string, bucket: string): DataPaths {
  const name = folderName(bucket);
  const folder = join(bucketRoot(root), name);
  return {
    root,
    database: join(bucketRoot(root), bucketClass, `${objectId(bucketClass, bucket)}.sqlite`),
    folder,
    folderName: name,
    blobs: join(folder, 'blobs'),
  };
}
