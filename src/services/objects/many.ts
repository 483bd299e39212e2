import { asProblem, type Problem, type ProblemCode } from '../../model/problem.ts';
import { InFlight } from '../kv/bulk/in-flight.ts';
import { missingBucket } from './buckets.ts';

/** The result of work on many objects. */
export interface ManyReport {
  readonly done: number;
  /** Bytes of those that were done. */
  readonly bytes: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  /** Key or name of what failed. */
  readonly name: string;
  readonly problem: Problem;
}

/** Each was tried several times: by then it is not the object. */
const mostUnreached = 4;

/** Objects under way at once. */
const atOnce = 4;

/** Failures of one object; any other would meet every object, and ends the work. */
const ofOne: readonly ProblemCode[] = [
  'invalid-input',
  'refused',
  'conflict',
  'unavailable',
  'unreachable',
  'not-found',
];

/**
 * Does the same to many objects, four side by side, and goes on when one of them fails. `work` gives the bytes that it
 * moved; `onDone` is told of each item that was done. Throws what would meet every object: no permission, a bucket that
 * is missing, a platform that cannot be reached several times in a row, an interruption.
 */
export async function doMany<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
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
      if (unreached > mostUnreached) throw error;
      failures.push({ name: nameOf(item), problem });
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
    // Those under way take their unfinished files away.
    await running.settle();
  }
  return { done, bytes, failures };
}
