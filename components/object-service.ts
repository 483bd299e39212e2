import { basename, resolve } from 'node:path';
import mime from 'mime';
import type { Bucket } from '../src/model/bucket.ts';
import type { ObjectAddress, ObjectEntry } from '../src/model/object.ts';
import { isProblem, Problem } from '../src/model/problem.ts';
import type { Progress, Watch } from '../src/model/progress.ts';
import * as buckets from '../src/services/buckets.ts';
import { copyObject } from '../src/services/object-copy.ts';
import { countObjects, type ObjectCount, removeBelow } from '../src/services/object-remove.ts';
import { checkedBytes, openDestination, saveBytes } from '../src/services/object-save.ts';
import { openObjectSource } from '../src/services/object-source.ts';
import { Transfer } from '../src/services/object-transfer.ts';
import * as objects from '../src/services/objects.ts';
import type { Session } from '../src/services/session.ts';
import { stoppable } from '../src/services/stoppable.ts';

/** Piece of work that takes a while: it can be stopped, and tells how far it is. */
export interface Under {
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
}

/** What a pane can do with buckets and objects: `src/services` over one session. All refuse with a Problem. */
export interface ObjectService {
  listBuckets(signal: AbortSignal): AsyncGenerator<Bucket[]>;
  createBucket(name: string, options: buckets.BucketOptions): Promise<Bucket>;
  /** Deletes a bucket, and before it all its objects. */
  deleteBucket(name: string, under: Under): Promise<void>;
  count(bucket: string, prefix: string, signal: AbortSignal): Promise<ObjectCount>;
  /** What stands directly below a prefix; deeper keys are grouped by their folder. */
  list(
    bucket: string,
    options: { prefix: string; limit: number; signal: AbortSignal },
  ): AsyncGenerator<objects.ObjectPage>;
  readEntry(address: ObjectAddress, signal: AbortSignal): Promise<ObjectEntry | undefined>;
  /** The first `length` bytes of an object and no more; undefined when there is none. */
  readHead(address: ObjectAddress, length: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Stores a file; without a content type, the one that its name or the key stands for. */
  upload(
    path: string,
    address: ObjectAddress,
    contentType: string | undefined,
    under: Under,
  ): Promise<ObjectEntry | undefined>;
  /** Writes an object to a file, which takes its name when all has arrived; `exists` where one has it already. */
  download(
    address: ObjectAddress,
    path: string,
    replace: boolean,
    under: Under,
  ): Promise<{ readonly bytes: number } | 'exists'>;
  copy(from: ObjectAddress, to: ObjectAddress, under: Under): Promise<ObjectEntry | undefined>;
  remove(address: ObjectAddress): Promise<void>;
  removeBelow(bucket: string, prefix: string, total: number | undefined, under: Under): Promise<number>;
}

/** The real service over a session. */
export function objectsOver(session: Session): ObjectService {
  const until = (signal: AbortSignal) => stoppable(session, signal);
  return {
    listBuckets: (signal) => buckets.listBuckets(until(signal)),
    createBucket: (name, options) => buckets.createBucket(session, name, options),
    async deleteBucket(name, under) {
      const total = await countObjects(until(under.signal), name, '');
      await removeBelow(
        until(under.signal),
        name,
        '',
        total.more ? undefined : total.objects,
        watchOf(under),
      );
      await buckets.deleteBucket(session, name);
    },
    count: (bucket, prefix, signal) => countObjects(until(signal), bucket, prefix),
    list: (bucket, { prefix, limit, signal }) =>
      objects.listObjects(until(signal), bucket, { prefix, limit, delimiter: '/' }),
    readEntry: (address, signal) => objects.readObjectEntry(until(signal), address),
    readHead: (address, length, signal) => readHead(until(signal), address, length),
    upload: (path, address, contentType, under) =>
      upload(until(under.signal), path, address, contentType, under),
    download: (address, path, replace, under) => download(until(under.signal), address, path, replace, under),
    async copy(from, to, under) {
      const copied = await copyObject(until(under.signal), from, to, watchOf(under));
      if (copied === undefined) throw missing(from);
      return objects.readObjectEntry(until(under.signal), to);
    },
    remove: (address) => objects.removeObject(session, address),
    removeBelow: (bucket, prefix, total, under) =>
      removeBelow(until(under.signal), bucket, prefix, total, watchOf(under)),
  };
}

function watchOf({ progress }: Under): Watch {
  return { progress, warn: () => undefined };
}

function missing({ bucket, key }: ObjectAddress): Problem {
  return new Problem('not-found', `Bucket "${bucket}" has no object "${key}".`);
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

async function upload(
  session: Session,
  path: string,
  address: ObjectAddress,
  contentType: string | undefined,
  under: Under,
): Promise<ObjectEntry | undefined> {
  const source = await openObjectSource(session.world, resolve(session.world.cwd, path));
  const type = contentType ?? mime.getType(basename(path)) ?? mime.getType(address.key);
  const transfer = new Transfer(session, watchOf(under), 'uploading', source.size);
  await objects.writeObject(session, address, {
    size: source.size,
    open: transfer.tracked(() => source.open()),
    httpMetadata: { contentType: type ?? 'application/octet-stream' },
  });
  return objects.readObjectEntry(session, address);
}

async function download(
  session: Session,
  address: ObjectAddress,
  path: string,
  replace: boolean,
  under: Under,
): Promise<{ readonly bytes: number } | 'exists'> {
  const { world } = session;
  const destination = await openDestination(resolve(world.cwd, path), path);
  if (!replace && destination.mode !== undefined) return 'exists';
  const opened = await objects.readObject(session, address);
  if (opened === undefined) throw missing(address);
  const transfer = new Transfer(session, watchOf(under), 'downloading', opened.size);
  await saveBytes(world, destination, transfer.track().over(checkedBytes(world, address.key, opened)));
  return { bytes: transfer.done };
}
