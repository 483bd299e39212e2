import { asProblem, Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import { createMatcher, type Matcher, readPattern } from '../../text/search/pattern.ts';
import { withinTime } from '../../text/search/within-time.ts';
import { endsAll } from '../hostnames/in-turn.ts';
import type { Session } from '../session/session.ts';
import { listWorkers } from './workers.ts';

/** Maximum time for matching a filter against all names, in milliseconds. */
const filterTimeoutMs = 1000;

/**
 * Parses a filter in the syntax of the console's lists (`readPattern`). Throws if the filter is invalid. Also throws if the filter is empty,
 * because an unset shell variable must not select all workers.
 */
export function readWorkerFilter(typed: string): Matcher {
  const pattern = readPattern(typed);
  if (pattern.text === '')
    throw new Problem('invalid-input', `The worker filter "${typed}" is empty; nothing was changed.`);
  const matcher = createMatcher(pattern);
  if ('fault' in matcher)
    throw new Problem('invalid-input', `Invalid worker filter "${typed}": ${matcher.fault}.`);
  return matcher;
}

/**
 * Returns the sorted names of the account's workers that match a filter, or of all workers if no filter is given. Throws if matching takes
 * too long.
 */
export async function chooseWorkers(session: Session, filter: Matcher | undefined): Promise<string[]> {
  const all = await listWorkers(session, session.world.interrupted);
  const names = all.map(({ name }) => name).sort();
  if (filter === undefined) return names;
  const found: string[] = [];
  const ended = withinTime(
    filterTimeoutMs,
    () => void found.push(...names.filter((name) => filter.lets(name))),
  );
  if (ended) return found;
  throw new Problem('invalid-input', 'The worker filter takes too long; nothing was changed.');
}

export interface WorkerFailure {
  readonly worker: string;
  readonly problem: Problem;
}

/** The result of an operation on many workers. */
export interface WorkersReport {
  readonly done: readonly string[];
  readonly failed: readonly WorkerFailure[];
  /** Workers for which the operation was not started. */
  readonly notStarted: readonly string[];
  /** The failure that stopped the operation, because the remaining workers would have failed too. */
  readonly stopped?: Problem;
}

export interface WorkersRun {
  readonly names: readonly string[];
  /** The label of the progress display, for example "setting". */
  readonly phase: string;
  readonly reporter: Reporter;
  change(worker: string): Promise<void>;
  /** Called when the operation on a worker has finished. */
  onDone?(worker: string, problem: Problem | undefined): Promise<void>;
}

/**
 * Runs `change` for workers one by one, and continues after a failure that concerns one worker. Stops after a failure that would affect all
 * workers (no permission, unreachable platform, Ctrl-C).
 */
export async function eachWorker({ world }: Session, run: WorkersRun): Promise<WorkersReport> {
  const { names, phase, reporter } = run;
  const done: string[] = [];
  const failed: WorkerFailure[] = [];
  for (const [index, worker] of names.entries()) {
    const counts = { done: index, total: names.length, retries: 0, failed: failed.length };
    reporter.progress({ phase, unit: 'workers', ...counts });
    if (world.interrupted.aborted)
      return {
        done,
        failed,
        notStarted: names.slice(index),
        stopped: new Problem('interrupted', 'Interrupted.'),
      };
    const problem = await run.change(worker).then(() => undefined, asProblem);
    if (problem === undefined) done.push(worker);
    else failed.push({ worker, problem });
    await run.onDone?.(worker, problem);
    if (problem !== undefined && endsAll(problem))
      return { done, failed, notStarted: names.slice(index + 1), stopped: problem };
  }
  return { done, failed, notStarted: [] };
}
