import { isProblem } from '../model/problem.ts';
import type { Watch } from '../model/progress.ts';
import { callResult } from '../v4/client.ts';
import { pathOf } from '../v4/path.ts';
import type { Call } from '../v4/send.ts';
import { InFlight } from './in-flight.ts';
import { listObjects, objectsBase, removeObject } from './objects.ts';
import type { Session } from './session.ts';

/** How many objects there are, and their bytes; `more` says that the counting stopped before the last one. */
export interface ObjectCount {
  readonly objects: number;
  readonly bytes: number;
  readonly more: boolean;
}

/** Counts the objects below a prefix, up to `most` of them. */
export async function countObjects(
  session: Session,
  bucket: string,
  prefix: string,
  most = 10_000,
): Promise<ObjectCount> {
  let objects = 0;
  let bytes = 0;
  for await (const page of listObjects(session, bucket, { prefix })) {
    objects += page.objects.length;
    bytes += page.objects.reduce((sum, { size }) => sum + size, 0);
    if (objects > most) return { objects: most, bytes, more: true };
  }
  return { objects, bytes, more: false };
}

/** Removes every object below a prefix, page by page, and gives how many. `total` is for the progress. */
export async function removeBelow(
  session: Session,
  bucket: string,
  prefix: string,
  total: number | undefined,
  watch: Watch,
): Promise<number> {
  const remove = remover(session, bucket);
  let done = 0;
  for await (const { objects } of listObjects(session, bucket, { prefix })) {
    session.world.interrupted.throwIfAborted();
    await remove(objects.map(({ key }) => key));
    done += objects.length;
    watch.progress({
      phase: 'deleting',
      unit: 'objects',
      done,
      total,
      retries: session.retries(),
      failed: 0,
    });
  }
  return done;
}

/** Removes objects by their keys; missing ones are no fault. */
export async function removeKeys(session: Session, bucket: string, keys: readonly string[]): Promise<void> {
  const remove = remover(session, bucket);
  for (let start = 0; start < keys.length; start += keysAtOnce) {
    await remove(keys.slice(start, start + keysAtOnce));
  }
}

const keysAtOnce = 1000;

/**
 * Removes up to a thousand keys in one request. The provider's own pages do so, but its reference does not name it:
 * where a platform has no such route, each key is removed by itself.
 */
function remover(session: Session, bucket: string): (keys: readonly string[]) => Promise<void> {
  let oneByOne = false;
  return async (keys) => {
    if (keys.length === 0) return;
    if (!oneByOne && keys.length > 1) {
      if (await removedAtOnce(session, bucket, keys)) return;
      oneByOne = true;
    }
    const running = new InFlight(8, Number.POSITIVE_INFINITY);
    for (const key of keys) {
      await running.room(0);
      running.start(0, () => removeObject(session, { bucket, key }));
    }
    await running.finish();
  };
}

/** Whether the platform has done it; false where it has no such route. */
async function removedAtOnce(session: Session, bucket: string, keys: readonly string[]): Promise<boolean> {
  const call: Call = {
    method: 'DELETE',
    path: pathOf(await objectsBase(session, bucket)),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(keys)),
    repeatable: true,
  };
  try {
    await callResult(session.send, call, () => undefined);
    return true;
  } catch (error) {
    if (isProblem(error) && (error.status === 405 || noRoute.includes(error.platformCode ?? 0))) return false;
    throw error;
  }
}

const noRoute: readonly number[] = [7000, 7003, 10405];
