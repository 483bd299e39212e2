import type { Bucket } from '../../model/objects/bucket.ts';
import type { ObjectAddress, ObjectEntry } from '../../model/objects/object.ts';
import * as buckets from '../objects/buckets.ts';
import { readHead } from '../objects/head.ts';
import * as objects from '../objects/objects.ts';
import { type LinkOptions, presignObject } from '../objects/presign.ts';
import { countObjects, type ObjectCount } from '../objects/remove.ts';
import { checkSource } from '../objects/source.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';

/** Buckets and objects for panes: `src/services` over one session. All refuse with a Problem. */
export interface ObjectService {
  listBuckets(signal: AbortSignal): AsyncGenerator<Bucket[]>;
  createBucket(name: string, options: buckets.BucketOptions, signal: AbortSignal): Promise<Bucket>;
  count(bucket: string, prefix: string, signal: AbortSignal): Promise<ObjectCount>;
  /** Lists the objects directly below a prefix; deeper keys are grouped by their folder. */
  list(
    bucket: string,
    options: { prefix: string; limit: number; signal: AbortSignal },
  ): AsyncGenerator<objects.ObjectPage>;
  readEntry(address: ObjectAddress, signal: AbortSignal): Promise<ObjectEntry | undefined>;
  /** The first `length` bytes of an object and no more; undefined when there is none. */
  readHead(address: ObjectAddress, length: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Refuses where no link can be made: where no S3 API answers, or there is no key for it. */
  checkLinks(signal: AbortSignal): Promise<void>;
  /** A link by which anybody may do one thing with an object until it `expires` (milliseconds). */
  link(
    address: ObjectAddress,
    options: LinkOptions,
    signal: AbortSignal,
  ): Promise<{ readonly url: string; readonly expires: number }>;
  /** Whether a path leads to a file that can be uploaded or to a folder. Refuses what is neither. */
  checkSource(path: string, shown: string): Promise<'file' | 'folder'>;
}

/** The real service over a session. */
export function objectsOver(session: Session): ObjectService {
  const until = (signal: AbortSignal) => stoppable(session, signal);
  return {
    listBuckets: (signal) => buckets.listBuckets(until(signal)),
    createBucket: (name, options, signal) => buckets.createBucket(until(signal), name, options),
    count: (bucket, prefix, signal) => countObjects(until(signal), bucket, prefix),
    list: (bucket, { prefix, limit, signal }) =>
      objects.listObjects(until(signal), bucket, { prefix, limit, delimiter: '/' }),
    readEntry: (address, signal) => objects.readObjectEntry(until(signal), address),
    readHead: (address, length, signal) => readHead(until(signal), address, length),
    checkLinks: async (signal) => void (await until(signal).s3Access()),
    link: (address, options, signal) => presignObject(until(signal), address, options),
    checkSource: (path, shown) => checkSource(session.world, path, shown),
  };
}
