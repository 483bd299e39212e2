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

/** Buckets and objects for panes: `src/services` with one session. All operations throw a Problem on failure. */
export function objectService(session: Session) {
  const until = (signal: AbortSignal) => stoppable(session, signal);
  return {
    listBuckets: (signal: AbortSignal) => buckets.listAllBuckets(until(signal)),
    createBucket: (name: string, options: buckets.BucketOptions, signal: AbortSignal) =>
      buckets.createBucket(until(signal), name, options),
    count: (bucket: string, prefix: string, signal: AbortSignal) =>
      countObjects(until(signal), bucket, prefix),
    /** Lists the objects directly below a prefix; keys further below are grouped into folders. */
    list: (
      bucket: string,
      { prefix, limit, signal }: { prefix: string; limit: number; signal: AbortSignal },
    ) => objects.listObjects(until(signal), bucket, { prefix, limit, delimiter: '/' }),
    readEntry: (address: ObjectAddress, signal: AbortSignal) =>
      objects.readObjectEntry(until(signal), address),
    /** Reads the first `length` bytes of an object; undefined if there is no object. */
    readHead: (address: ObjectAddress, length: number, signal: AbortSignal) =>
      readHead(until(signal), address, length),
    /** Fails if links are unavailable: there is no S3 API, or no key for it. */
    checkLinks: async (signal: AbortSignal) => void (await until(signal).s3Access()),
    /** A link with which anyone can perform one operation on an object until it `expires` (milliseconds). */
    link: (address: ObjectAddress, options: LinkOptions, signal: AbortSignal) =>
      presignObject(until(signal), address, options),
    /** The jurisdiction of a bucket, if it is known and not the default. */
    findJurisdiction: (bucket: string) => session.jurisdictions?.find(bucket),
    /** Compares a folder with a prefix and plans a sync; changes nothing. */
    openSync: (sides: SyncSides, direction: 'upload' | 'download', signal: AbortSignal) =>
      openSync(until(signal), sides, direction, syncMetadata, silentReporter),
    /** Whether a path is a file to upload, or a folder. Rejects anything else. */
    checkSource: (path: string, shown: string) => checkSource(session.world, path, shown),
  };
}
