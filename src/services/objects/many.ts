import { asProblem, type Problem, type ProblemCode } from '../../model/problem.ts';
import { InFlight } from '../kv/bulk/in-flight.ts';
import { missingBucket } from './buckets.ts';

/** The result of an operation on many objects. */
export interface ManyReport {
  readonly done: number;
  /** Bytes of the completed objects. */
  readonly bytes: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  /** Key or name of the object that failed. */
  readonly name: string;
  readonly problem: Problem;
}

/**
 * Maximum number of consecutive failures to reach the platform. After further failures, the operation stops: the requests were already
 * retried, so the cause is not a single object.
 */
const maxUnreached = 4;

/** Maximum number of objects in progress. */
const atOnce = 4;

/** Error codes that concern a single object. Any other error would affect all objects, and stops the operation. */
const ofOne: readonly ProblemCode[] = [
  'invalid-input',
  'refused',
  'conflict',
  'unavailable',
  'unreachable',
  'not-found',
];

/**
 * Runs `work` on many objects, four in parallel, and continues if one of them fails. `work` returns the number of transferred bytes. Calls
 * `onDone` for each completed item. Throws errors that affect all objects: no permission, a missing bucket, an interruption, or repeated
 * failures to reach the platform.
 */
export async function doMany<T>(
  items: readonly T[],
  getName: (item: T) => string,
  work: (item: T) => Promise<number>,
  onDone?: (item: T) => void,
): Promise<ManyReport> {
  const failures: Failure[] = [];
  let done = 0;
  let bytes = 0;
  let unreached = 0;
  const doOne = async (item: T): Promise<void> => {
    try {
      const moved = await work(item);
      bytes += moved;
      done += 1;
      unreached = 0;
      onDone?.(item);
    } catch (error) {
      const problem = asProblem(error);
      if (!ofOne.includes(problem.code) || problem.platformCode === missingBucket) throw error;
      unreached = problem.code === 'unreachable' ? unreached + 1 : 0;
      if (unreached > maxUnreached) throw error;
      failures.push({ name: getName(item), problem });
    }
  };
  const running = new InFlight(atOnce, Number.POSITIVE_INFINITY);
  try {
    for (const item of items) {
      await running.room(0);
      running.start(0, () => doOne(item));
    }
    await running.finish();
  } finally {
    // Waits for jobs in progress, so that they can delete their unfinished files.
    await running.settle();
  }
  return { done, bytes, failures };
}
