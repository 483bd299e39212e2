import type { ObjectAddress } from '../../model/objects/object.ts';
import * as buckets from '../objects/buckets.ts';
import * as objects from '../objects/objects.ts';
import { readHead } from '../objects/objects.ts';
import { type LinkOptions, presignObject } from '../objects/presign.ts';
import { countObjects } from '../objects/remove.ts';
import { checkSource } from '../objects/source.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';

export type ObjectService = ReturnType<typeof objectsOver>;

/** Buckets and objects for panes: `src/services` over one session. All refuse with a Problem. */
export function objectsOver(session: Session) {
  const until = (signal: AbortSignal) => stoppable(session, signal);
  return {
    listBuckets: (signal: AbortSignal) => buckets.listBuckets(until(signal)),
    createBucket: (name: string, options: buckets.BucketOptions, signal: AbortSignal) =>
      buckets.createBucket(until(signal), name, options),
    count: (bucket: string, prefix: string, signal: AbortSignal) =>
      countObjects(until(signal), bucket, prefix),
    /** Lists the objects directly below a prefix; deeper keys are grouped by their folder. */
    list: (
      bucket: string,
      { prefix, limit, signal }: { prefix: string; limit: number; signal: AbortSignal },
    ) => objects.listObjects(until(signal), bucket, { prefix, limit, delimiter: '/' }),
    readEntry: (address: ObjectAddress, signal: AbortSignal) =>
      objects.readObjectEntry(until(signal), address),
    /** The first `length` bytes of an object; undefined if there is no object. */
    readHead: (address: ObjectAddress, length: number, signal: AbortSignal) =>
      readHead(until(signal), address, length),
    /** Refuses where no link can be made: where no S3 API answers, or there is no key for it. */
    checkLinks: async (signal: AbortSignal) => void (await until(signal).s3Access()),
    /** A link by which anybody may do one thing with an object until it `expires` (milliseconds). */
    link: (address: ObjectAddress, options: LinkOptions, signal: AbortSignal) =>
      presignObject(until(signal), address, options),
    /** Whether a path leads to a file that can be uploaded or to a folder. Refuses what is neither. */
    checkSource: (path: string, shown: string) => checkSource(session.world, path, shown),
  };
}
