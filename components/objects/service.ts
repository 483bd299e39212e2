import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { ObjectAddress, ObjectEntry } from '../../src/model/objects/object.ts';
import { isProblem } from '../../src/model/problem.ts';
import * as buckets from '../../src/services/objects/buckets.ts';
import { lookAtPath } from '../../src/services/objects/file-look.ts';
import * as objects from '../../src/services/objects/objects.ts';
import { countObjects, type ObjectCount } from '../../src/services/objects/remove.ts';
import { openObjectSource } from '../../src/services/objects/source.ts';
import type { Session } from '../../src/services/session/session.ts';
import { stoppable } from '../../src/services/session/stoppable.ts';

/** What a pane can do with buckets and objects: `src/services` over one session. All refuse with a Problem. */
export interface ObjectService {
  listBuckets(signal: AbortSignal): AsyncGenerator<Bucket[]>;
  createBucket(name: string, options: buckets.BucketOptions): Promise<Bucket>;
  count(bucket: string, prefix: string, signal: AbortSignal): Promise<ObjectCount>;
  /** What stands directly below a prefix; deeper keys are grouped by their folder. */
  list(
    bucket: string,
    options: { prefix: string; limit: number; signal: AbortSignal },
  ): AsyncGenerator<objects.ObjectPage>;
  readEntry(address: ObjectAddress, signal: AbortSignal): Promise<ObjectEntry | undefined>;
  /** The first `length` bytes of an object and no more; undefined when there is none. */
  readHead(address: ObjectAddress, length: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Whether a path leads to a file that can be uploaded or to a folder. Refuses what is neither. */
  checkSource(path: string, shown: string): Promise<'file' | 'folder'>;
}

/** The real service over a session. */
export function objectsOver(session: Session): ObjectService {
  const until = (signal: AbortSignal) => stoppable(session, signal);
  return {
    listBuckets: (signal) => buckets.listBuckets(until(signal)),
    createBucket: (name, options) => buckets.createBucket(session, name, options),
    count: (bucket, prefix, signal) => countObjects(until(signal), bucket, prefix),
    list: (bucket, { prefix, limit, signal }) =>
      objects.listObjects(until(signal), bucket, { prefix, limit, delimiter: '/' }),
    readEntry: (address, signal) => objects.readObjectEntry(until(signal), address),
    readHead: (address, length, signal) => readHead(until(signal), address, length),
    checkSource: (path, shown) => checkSource(session, path, shown),
  };
}

const rangeNotSatisfiable = 416;

async function readHead(
  session: Session,
  address: ObjectAddress,
  length: number,
): Promise<Uint8Array | undefined> {
  try {
    const opened = await objects.readObject(session, address, { start: 0, end: length - 1 });
    return opened === undefined ? undefined : await firstBytes(opened.body, length);
  } catch (error) {
    // An empty object has no first byte.
    if (isProblem(error) && error.status === rangeNotSatisfiable) return new Uint8Array();
    throw error;
  }
}

/** A platform may answer a range with all of the bytes: what follows is not read. */
async function firstBytes(body: objects.OpenObject['body'], length: number): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body.subarray(0, length);
  const parts: Uint8Array[] = [];
  let read = 0;
  for await (const part of body) {
    parts.push(part);
    read += part.length;
    if (read >= length) break;
  }
  return Buffer.concat(parts).subarray(0, length);
}

async function checkSource({ world }: Session, path: string, shown: string): Promise<'file' | 'folder'> {
  if ((await lookAtPath(path)) === 'folder') return 'folder';
  const source = await openObjectSource(world, path, shown);
  objects.checkUploadSize(source.size, shown);
  await source.close();
  return 'file';
}
