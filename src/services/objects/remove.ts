import * as v from 'valibot';
import { objectKeyFault } from '../../model/objects/object.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import { callResult } from '../../v4/client.ts';
import { buildPath } from '../../v4/path.ts';
import type { Call } from '../../v4/send.ts';
import { InFlight } from '../kv/bulk/in-flight.ts';
import type { Session } from '../session/session.ts';
import { namingBucket } from './buckets.ts';
import { listObjects, objectsBase, removeObject } from './objects.ts';

/** The number of objects and their total size in bytes. `more` means that there are more objects than were counted. */
export interface ObjectCount {
  readonly objects: number;
  readonly bytes: number;
  readonly more: boolean;
}

/** Counts the objects whose keys start with a prefix, up to `max`. */
export async function countObjects(
  session: Session,
  bucket: string,
  prefix: string,
  max = 10_000,
): Promise<ObjectCount> {
  let objects = 0;
  let bytes = 0;
  for await (const page of listObjects(session, bucket, { prefix })) {
    objects += page.objects.length;
    bytes += page.objects.reduce((sum, { size }) => sum + size, 0);
    if (objects > max) return { objects: max, bytes, more: true };
  }
  return { objects, bytes, more: false };
}

/**
 * Deletes all objects whose keys start with a prefix, page by page, and returns their number. `total` is for the progress display. Throws
 * partly-done if keys remain that cannot be part of a path and that the platform could not delete; all other objects are deleted first.
 */
export async function removeBelow(
  session: Session,
  bucket: string,
  prefix: string,
  total: number | undefined,
  reporter: Reporter,
): Promise<number> {
  const removal = removalFrom(session, bucket);
  let done = 0;
  for await (const { objects } of listObjects(session, bucket, { prefix })) {
    session.world.interrupted.throwIfAborted();
    await removal.remove(objects.map(({ key }) => key));
    done += objects.length;
    reporter.progress({
      phase: 'deleting',
      unit: 'objects',
      done,
      total,
      retries: session.retries(),
      failed: removal.left.length,
    });
  }
  refuseRemaining(removal.left);
  return done;
}

/** Deletes objects by key. Missing objects are not an error. Throws the same errors as `removeBelow`. */
export async function removeKeys(session: Session, bucket: string, keys: readonly string[]): Promise<void> {
  const removal = removalFrom(session, bucket);
  for (let start = 0; start < keys.length; start += keysAtOnce) {
    await removal.remove(keys.slice(start, start + keysAtOnce));
  }
  refuseRemaining(removal.left);
}

const keysAtOnce = 1000;

interface Removal {
  remove(keys: readonly string[]): Promise<void>;
  /** Keys that could not be deleted. */
  readonly left: readonly string[];
}

/**
 * Returns a function that deletes up to 1,000 keys in one request. The provider's dashboard uses this route, but the API reference does not
 * list it. If a platform does not support the route, refuses a key, or omits keys from its response, the function deletes these keys one by
 * one. A key that cannot be part of a path (a worker can store an object under "") can be deleted only with this route.
 */
function removalFrom(session: Session, bucket: string): Removal {
  const left: string[] = [];
  let oneByOne = false;
  /** Deletes the keys in one request. Returns the keys that may still exist. */
  const together = async (keys: readonly string[]): Promise<readonly string[]> => {
    if (oneByOne) return keys;
    const outcome = await removedAtOnce(session, bucket, keys);
    oneByOne = outcome === 'no route';
    return outcome instanceof Set ? keys.filter((key) => !outcome.has(key)) : keys;
  };
  const remove = async (all: readonly string[]): Promise<void> => {
    const isMany = all.length > 1 || all.some((key) => objectKeyFault(key) !== undefined);
    const keys = isMany ? await together(all) : all;
    const unnameable = keys.filter((key) => objectKeyFault(key) !== undefined);
    const running = new InFlight(8, Number.POSITIVE_INFINITY);
    for (const key of keys) {
      if (unnameable.includes(key)) continue;
      await running.room(0);
      running.start(0, () => removeObject(session, { bucket, key }));
    }
    await running.finish();
    for (const key of unnameable) left.push(...(await together([key])));
  };
  return { remove, left };
}

function refuseRemaining(left: readonly string[]): void {
  if (left.length === 0) return;
  const names = left.map((key) => `"${key}"`).join(', ');
  throw new Problem('partly-done', `The platform could not delete ${names}; the rest was deleted.`, {
    hint: 'Keys that cannot be part of a path were not deleted. A worker with a binding to the bucket, or an S3 client, may be able to delete them.',
  });
}

/**
 * Deletes keys in one request. Returns the keys that the platform reports as deleted (all keys if it lists none), `refused` if it rejects a
 * key, or `no route` if it does not support the route.
 */
async function removedAtOnce(
  session: Session,
  bucket: string,
  keys: readonly string[],
): Promise<ReadonlySet<string> | 'refused' | 'no route'> {
  const call: Call = {
    method: 'DELETE',
    path: buildPath(await objectsBase(session, bucket)),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(keys)),
    repeatable: true,
  };
  try {
    const { result } = await namingBucket(bucket, () => callResult(session.send, call, keysIn));
    return new Set(result.length === 0 ? keys : result);
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.status === 405 || noRoute.includes(error.platformCode ?? 0)) return 'no route';
    if (error.platformCode === badObjectName) return 'refused';
    throw error;
  }
}

function keysIn(result: unknown): string[] {
  const named = v.safeParse(v.array(v.object({ key: v.string() })), result);
  return named.success ? named.output.map(({ key }) => key) : [];
}

const noRoute: readonly number[] = [7000, 7003, 10405];
const badObjectName = 10020;
