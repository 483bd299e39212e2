import type { ObjectAddress } from '../../model/objects/object.ts';
import type { Reporter } from '../../model/progress.ts';
import * as buckets from '../objects/buckets.ts';
import * as objects from '../objects/objects.ts';
import { readHead } from '../objects/objects.ts';
import { type LinkOptions, presignObject } from '../objects/presign.ts';
import { countObjects } from '../objects/remove.ts';
import { checkSource } from '../objects/source.ts';
import { openSync, type SyncSides } from '../objects/sync.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { syncMetadata } from '../tasks/sync.ts';

const silentReporter: Reporter = { progress: () => undefined, warn: () => undefined };

export type ObjectService = ReturnType<typeof objectService>;

/** Returns the operations on buckets and objects that panes use, bound to one session. The operations throw a Problem on failure. */
export function objectService(session: Session) {
  const until = (signal: AbortSignal) => stoppable(session, signal);
  return {
    listBuckets: (signal: AbortSignal) => buckets.listAllBuckets(until(signal)),
    createBucket: (name: string, options: buckets.BucketOptions, signal: AbortSignal) =>
      buckets.createBucket(until(signal), name, options),
    count: (bucket: string, prefix: string, signal: AbortSignal) =>
      countObjects(until(signal), bucket, prefix),
    /** Lists the objects directly below a prefix, and groups deeper keys into folders. */
    list: (
      bucket: string,
      { prefix, limit, signal }: { prefix: string; limit: number; signal: AbortSignal },
    ) => objects.listObjects(until(signal), bucket, { prefix, limit, delimiter: '/' }),
    readEntry: (address: ObjectAddress, signal: AbortSignal) =>
      objects.readObjectEntry(until(signal), address),
    /** Reads the first `length` bytes of an object. Returns undefined if the object does not exist. */
    readHead: (address: ObjectAddress, length: number, signal: AbortSignal) =>
      readHead(until(signal), address, length),
    /** Throws if links cannot be created because the S3 API or an access key is missing. */
    checkLinks: async (signal: AbortSignal) => void (await until(signal).s3Access()),
    /** Creates a presigned URL, which allows anyone to perform one operation on an object until `expires` (milliseconds). */
    link: (address: ObjectAddress, options: LinkOptions, signal: AbortSignal) =>
      presignObject(until(signal), address, options),
    /** Returns the jurisdiction of a bucket; undefined if unknown, or if the bucket has no jurisdiction. */
    findJurisdiction: (bucket: string) => session.jurisdictions?.find(bucket),
    /** Compares a folder with a prefix, and plans a sync. Changes nothing. */
    openSync: (sides: SyncSides, direction: 'upload' | 'download', signal: AbortSignal) =>
      openSync(until(signal), sides, direction, syncMetadata, silentReporter),
    /** Returns whether a path is a folder, or a file that can be uploaded. Throws for any other path. */
    checkSource: (path: string, shown: string) => checkSource(session.world, path, shown),
  };
}
