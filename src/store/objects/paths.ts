import { join } from 'node:path';
import { type DataPaths, folderName, objectId } from '../paths.ts';

/**
 * The class name under which Miniflare stores buckets. The name of the databases' folder is the class name, and the names of the databases
 * are derived from it.
 */
const bucketClass = 'miniflare-R2BucketObject';

/** Returns the folder of all object data below a persist root, in Miniflare's layout: `<root>/v3/r2`. */
export function bucketRoot(root: string): string {
  return join(root, 'v3', 'r2');
}

/** Returns the paths of the bucket with this name. Two names may share a folder, but never a database. */
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
