import type { Checkpoint, CheckpointKey } from '../../model/kv/checkpoint.ts';
import { IndexRanges } from '../../model/kv/index-ranges.ts';
import { asProblem, Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import { openCheckpoints } from '../kv/bulk/checkpoints.ts';
import { platformName } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';

/** A series of actions on the custom hostnames of a zone, performed one after another. */
export interface TurnRun<Item extends { readonly index: number }> {
  /** The command, for example "hostname create". */
  readonly operation: string;
  readonly zoneId: string;
  /** The items; `index` starts at 0 and is the same in each run. */
  readonly items: readonly Item[];
  /** SHA-256 of the input and of the command-line options that apply to every line. If omitted, no checkpoint is written. */
  readonly fingerprint?: string | undefined;
  /** Whether to resume an earlier run of the same input. */
  readonly resume?: boolean;
  readonly path?: string | undefined;
  /** Command-line arguments that resume the run. */
  readonly resumeArguments?: readonly string[];
  readonly reporter: Reporter;
  /** The label of the progress display, for example "creating". */
  readonly phase: string;
  /** Returns the number of retries, for the progress display. */
  readonly retries?: () => number;
}

/** The result of a series of actions: the number of actions for each outcome, and the number that earlier runs completed. */
export interface TurnEnd<Result extends { readonly result: string }> {
  readonly earlier: number;
  readonly counts: Readonly<Partial<Record<Result['result'], number>>>;
  /** The problem that stopped the run early. */
  readonly stopped?: Problem;
}

/**
 * Performs the actions one after another, and yields each result. Writes a checkpoint after each action that did not fail, and deletes the
 * checkpoint at the end if no action failed. An error thrown by `work` stops the run and is returned as `stopped`.
 */
export async function* inTurn<
  Item extends { readonly index: number },
  Result extends { readonly result: string },
>(
  session: Session,
  run: TurnRun<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, TurnEnd<Result>> {
  const checkpoints = openCheckpoints(session.world);
  const key = checkpointKey(session, run);
  const before = key !== undefined && run.resume ? await checkpoints.find(key) : undefined;
  const confirmed = new IndexRanges(before?.confirmed);
  const counts = new Map<string, number>();
  const earlier = confirmed.count;
  const failed = (): number => counts.get('failed') ?? 0;
  const ended = (stopped?: Problem): TurnEnd<Result> => ({
    earlier,
    counts: Object.fromEntries(counts) as TurnEnd<Result>['counts'],
    ...(stopped && { stopped }),
  });
  for (const item of run.items.filter(({ index }) => !confirmed.has(index))) {
    tellProgress(run, confirmed.count, failed());
    const result = await interruptible(session, () => work(item)).catch(asProblem);
    if (result instanceof Error) return ended(stoppedBy(session, result));
    counts.set(result.result, (counts.get(result.result) ?? 0) + 1);
    if (result.result !== 'failed') {
      confirmed.add([item.index, item.index + 1]);
      if (key !== undefined) await checkpoints.write(findCheckpoint(session, run, key, confirmed));
    }
    yield result;
  }
  if (failed() === 0 && key !== undefined) await checkpoints.remove(key);
  return ended();
}

/** Performs an action, unless the user has interrupted the run. */
async function interruptible<T>({ world }: Session, work: () => Promise<T>): Promise<T> {
  world.interrupted.throwIfAborted();
  return work();
}

function stoppedBy({ world }: Session, problem: Problem): Problem {
  return world.interrupted.aborted ? new Problem('interrupted', 'Interrupted.') : problem;
}

function tellProgress<Item extends { readonly index: number }>(
  { items, phase, reporter, retries }: TurnRun<Item>,
  done: number,
  failed: number,
): void {
  const total = items.length;
  reporter.progress({ phase, unit: 'hostnames', done, total, retries: retries?.() ?? 0, failed });
}

function checkpointKey(
  session: Session,
  { operation, zoneId, fingerprint }: Pick<TurnRun<never>, 'operation' | 'zoneId' | 'fingerprint'>,
): CheckpointKey | undefined {
  if (fingerprint === undefined) return undefined;
  return { operation, target: `${platformName(session)} zone ${zoneId}`, input: fingerprint };
}

function findCheckpoint<Item extends { readonly index: number }>(
  { world }: Session,
  { items, path, resumeArguments: resume = [] }: TurnRun<Item>,
  key: CheckpointKey,
  confirmed: IndexRanges,
): Checkpoint {
  return {
    version: 1,
    ...key,
    ...(path !== undefined && { path }),
    entries: items.length,
    confirmed: confirmed.toArray(),
    updated: world.now(),
    resume,
  };
}

/** Error codes that do not depend on the hostname, so all other hostnames would fail too. */
const general = new Set([
  'not-signed-in',
  'not-permitted',
  'interrupted',
  'read-only',
  'bug',
  'rate-limited',
  'store-busy',
  'store-invalid',
]);

/** Platform error codes for which other hostnames can still succeed, although the problem has one of the `general` codes. */
const aboutOne = new Set([1404, 1405, 1413, 1414]);

/** Returns whether a failure for one hostname means that all other hostnames would fail too. */
export function endsAll({ code, platformCode }: Problem): boolean {
  return code === 'unreachable' || (general.has(code) && !aboutOne.has(platformCode ?? 0));
}
