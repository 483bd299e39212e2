import { type AttributeDifference, changesFor } from '../../model/hostnames/fleet/differences.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { asProblem, isProblem, type Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import type { Session } from '../session/session.ts';
import type { NewHostname } from './body.ts';
import { findHostname } from './hostnames.ts';
import { endsAll, inTurn } from './in-turn.ts';
import { openPacer, type Pacer } from './pacer.ts';

/** A valid line of a file. `index` starts at 0 and is the same in each run. */
export interface Creation {
  readonly index: number;
  readonly line: number;
  readonly wanted: NewHostname;
}

/** The result of one line. `exists`: the hostname existed before, or was created by a request whose response was lost. */
export type CreationResult =
  | {
      readonly line: number;
      readonly hostname: string;
      readonly result: 'created' | 'exists';
      readonly record: CustomHostname;
      /** Attributes of an existing hostname that differ from the line. */
      readonly differences?: readonly AttributeDifference[];
    }
  | {
      readonly line: number;
      readonly hostname: string;
      readonly result: 'failed';
      readonly problem: Problem;
    };

export interface CreationRun {
  readonly zoneId: string;
  readonly creations: readonly Creation[];
  /** Maximum number of certificates per minute. */
  readonly rate: number;
  /** Whether to accept existing hostnames. */
  readonly takeExisting: boolean;
  /** Whether to resume an earlier run of the same input. */
  readonly resume: boolean;
  /** SHA-256 of the input and of the command-line options that apply to every line. */
  readonly fingerprint: string;
  readonly path: string | undefined;
  /** Command-line arguments that resume the run. */
  readonly resumeArguments: readonly string[];
  readonly reporter: Reporter;
}

export interface CreationReport {
  readonly lines: number;
  /** Number of lines that earlier runs completed. */
  readonly earlier: number;
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
  /** The problem that stopped the run early. */
  readonly stopped?: Problem;
}

/**
 * Creates custom hostnames one by one, below the issuance limit. If other programs have used up the limit, waits until issuance is possible
 * again. Yields each result, and writes a checkpoint after each line that did not fail.
 */
export async function* createMany(
  session: Session,
  run: CreationRun,
): AsyncGenerator<CreationResult, CreationReport> {
  const pacer = await openPacer(session, run.zoneId, run.rate, (message, fields) =>
    run.reporter.warn(message, fields),
  );
  const turns = {
    ...run,
    operation: 'hostname create',
    phase: 'creating',
    items: run.creations,
    retries: () => pacer.refusals,
  };
  const { earlier, counts, stopped } = yield* inTurn(session, turns, (creation) =>
    createOne(session, run, creation, pacer),
  );
  return {
    lines: run.creations.length,
    earlier,
    created: counts.created ?? 0,
    existing: counts.exists ?? 0,
    failed: counts.failed ?? 0,
    ...(stopped && { stopped }),
  };
}

async function createOne(
  session: Session,
  run: CreationRun,
  creation: Creation,
  pacer: Pacer,
): Promise<CreationResult> {
  const { line, wanted } = creation;
  const about = { line, hostname: wanted.hostname };
  try {
    return { ...about, result: 'created', record: await pacer.create(wanted) };
  } catch (error) {
    const problem = asProblem(error);
    const record = await recordAfter(session, run, wanted, problem);
    if (record !== undefined) {
      const { differences } = changesFor(record, wanted);
      return { ...about, result: 'exists', record, ...(differences.length > 0 && { differences }) };
    }
    if (endsAll(problem)) throw problem;
    return { ...about, result: 'failed', problem };
  }
}

/**
 * Looks up a hostname whose creation failed, if existing hostnames are accepted, or if this run or an interrupted run may have created the
 * hostname without receiving the response. Returns undefined in all other cases, and if the hostname does not exist.
 */
async function recordAfter(
  session: Session,
  { zoneId, takeExisting, resume }: CreationRun,
  { hostname }: NewHostname,
  problem: Problem,
): Promise<CustomHostname | undefined> {
  const duplicate = problem.platformCode === 1406 && (takeExisting || resume);
  if (!duplicate && problem.code !== 'unreachable') return undefined;
  return findHostname(session, zoneId, hostname).catch((error: unknown) => {
    if (isProblem(error) && error.code === 'unreachable') throw problem;
    throw error;
  });
}
