import type { Checkpoint, CheckpointKey } from '../../model/kv/checkpoint.ts';
import { IndexRanges } from '../../model/kv/index-ranges.ts';
import { asProblem, Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import { openCheckpoints } from '../kv/bulk/checkpoints.ts';
import { platformName } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';

/** Many things to do to the custom hostnames of a zone, one after the other. */
export interface TurnRun<Item extends { readonly index: number }> {
  /** The command: "hostname create". */
  readonly operation: string;
  readonly zoneId: string;
  /** `index` counts from 0 and stays the same from run to run. */
  readonly items: readonly Item[];
  /** SHA-256 of the input and of what the command line adds to it; if omitted, no checkpoint is kept. */
  readonly fingerprint?: string | undefined;
  /** Continues where an earlier run of the same input stopped. */
  readonly resume?: boolean;
  readonly path?: string | undefined;
  /** Arguments that continue the run. */
  readonly resumeArguments?: readonly string[];
  readonly reporter: Reporter;
  /** The word for progress: "creating". */
  readonly phase: string;
  /** The number of retries, for the report. */
  readonly retries?: () => number;
}

/** How such a run ended: how often each result came, and what earlier runs had done. */
export interface TurnEnd<Result extends { readonly result: string }> {
  readonly earlier: number;
  readonly counts: Readonly<Partial<Record<Result['result'], number>>>;
  /** The problem that ended the run early. */
  readonly stopped?: Problem;
}

/**
 * Does one thing after the other, and gives the result of each as it comes. A checkpoint goes when nothing has `failed`.
 * What `act` refuses ends the run.
 */
export async function* inTurn<
  Item extends { readonly index: number },
  Result extends { readonly result: string },
>(
  session: Session,
  run: TurnRun<Item>,
  act: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, TurnEnd<Result>> {
  const checkpoints = openCheckpoints(session.world);
  const key = keyOf(session, run);
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
    const result = await interruptible(session, () => act(item)).catch(asProblem);
    if (result instanceof Error) return ended(stoppedBy(session, result));
    counts.set(result.result, (counts.get(result.result) ?? 0) + 1);
    if (result.result !== 'failed') {
      confirmed.add([item.index, item.index + 1]);
      if (key !== undefined) await checkpoints.write(checkpointOf(session, run, key, confirmed));
    }
    yield result;
  }
  if (failed() === 0 && key !== undefined) await checkpoints.remove(key);
  return ended();
}

/** Begins nothing more once the person has interrupted. */
async function interruptible<T>({ world }: Session, act: () => Promise<T>): Promise<T> {
  world.interrupted.throwIfAborted();
  return act();
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

function keyOf(
  session: Session,
  { operation, zoneId, fingerprint }: Pick<TurnRun<never>, 'operation' | 'zoneId' | 'fingerprint'>,
): CheckpointKey | undefined {
  if (fingerprint === undefined) return undefined;
  return { operation, target: `${platformName(session)} zone ${zoneId}`, input: fingerprint };
}

function checkpointOf<Item extends { readonly index: number }>(
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

/** Failures that are not about one hostname: the rest would fail alike. */
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

/** The problems that concern one hostname, or the quota, which is reported for each. */
const aboutOne = new Set([1404, 1405, 1413, 1414]);

/** Whether a failure of one hostname says that the rest would fail alike. */
export function endsAll({ code, platformCode }: Problem): boolean {
  return code === 'unreachable' || (general.has(code) && !aboutOne.has(platformCode ?? 0));
}
