import { changesFor } from '../../../model/hostnames/fleet/differences.ts';
import type { FleetStep } from '../../../model/hostnames/fleet/plan.ts';
import type { CustomHostname } from '../../../model/hostnames/hostname.ts';
import { asProblem, type Problem } from '../../../model/problem.ts';
import type { Reporter } from '../../../model/progress.ts';
import type { Session } from '../../session/session.ts';
import { deleteHostname, editHostname, findHostname, refreshHostname } from '../hostnames.ts';
import { endsAll, inTurn, type TurnEnd } from '../in-turn.ts';
import { openPacer, type Pacer } from '../pacer.ts';

const done = {
  create: 'created',
  change: 'changed',
  refresh: 'refreshed',
  delete: 'deleted',
  leave: 'left',
} as const;

/** The result of one step. `record` is missing after a deletion. */
export type StepResult =
  | {
      readonly step: FleetStep;
      readonly result: (typeof done)[FleetStep['does']];
      readonly record?: CustomHostname;
    }
  | { readonly step: FleetStep; readonly result: 'failed'; readonly problem: Problem };

export interface StepRun {
  /** The command, for example "hostname reconcile". */
  readonly operation: string;
  readonly zoneId: string;
  readonly steps: readonly FleetStep[];
  /** Maximum number of certificates per minute. */
  readonly rate: number;
  readonly reporter: Reporter;
  /** The key that identifies the run for checkpoints; set only if the steps come from a file and are in the order of the file. */
  readonly runKey?: SavedRunKey | undefined;
}

export interface SavedRunKey {
  /** SHA-256 of the file and of the operation. */
  readonly fingerprint: string;
  readonly path: string | undefined;
  /** Whether to skip the steps that an earlier run completed. */
  readonly resume: boolean;
  readonly resumeArguments: readonly string[];
  /** The position of each step in the file, starting at 0. */
  readonly places: readonly number[];
}

/**
 * Applies steps one by one, with creations below the issuance limit. Yields each result. A problem that affects all steps stops the run; a
 * new plan then contains the remaining steps.
 */
export async function* carryOut(
  session: Session,
  run: StepRun,
): AsyncGenerator<StepResult, TurnEnd<StepResult>> {
  const { zoneId, rate, steps, reporter, runKey } = run;
  const items = steps.map((step, at) => ({ index: runKey?.places[at] ?? at, step }));
  const pacer = await openPacer(session, zoneId, rate, (message, fields) => reporter.warn(message, fields));
  const turns = { ...run, ...runKey, items, phase: 'changing', retries: () => pacer.refusals };
  return yield* inTurn(session, turns, async ({ step }): Promise<StepResult> => {
    try {
      const record = await take(session, zoneId, step, pacer);
      return { step, result: done[step.does], ...(record !== undefined && { record }) };
    } catch (error) {
      const problem = asProblem(error);
      if (endsAll(problem)) throw problem;
      return { step, result: 'failed', problem };
    }
  });
}

/**
 * Applies one step, and returns the resulting record, if any. A creation or deletion that an interrupted run has already applied does not
 * fail.
 */
async function take(
  session: Session,
  zoneId: string,
  step: FleetStep,
  pacer: Pacer,
): Promise<CustomHostname | undefined> {
  switch (step.does) {
    case 'create':
      return pacer.create(step.asked).catch(async (error) => {
        const problem = asProblem(error);
        if (problem.platformCode !== 1406 && problem.code !== 'unreachable') throw problem;
        const record = await findHostname(session, zoneId, step.hostname).catch(() => undefined);
        // A record whose attributes differ from the requested attributes was created by another program.
        if (record === undefined || changesFor(record, step.asked).differences.length > 0) throw problem;
        return record;
      });
    case 'change':
      return editHostname(session, zoneId, step.record, step.asks);
    case 'refresh':
      return refreshHostname(session, zoneId, step.record);
    case 'delete':
      await deleteHostname(session, zoneId, { id: step.record.id, hostname: step.hostname }).catch(
        ignoreNotFound,
      );
  }
  return undefined;
}

/** Ignores not-found, because the hostname has already been deleted. */
function ignoreNotFound(error: unknown): void {
  if (asProblem(error).code !== 'not-found') throw error;
}
