import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { Checkpoint, CheckpointKey } from '../../model/kv/checkpoint.ts';
import { IndexRanges } from '../../model/kv/index-ranges.ts';
import { asProblem, isProblem, Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import { openCheckpoints } from '../kv/bulk/checkpoints.ts';
import { platformName } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import type { NewHostname } from './body.ts';
import { findHostname } from './hostnames.ts';
import { openPacer, type Pacer } from './pacer.ts';

/** One checked line of a file. `index` counts from 0 and stays the same from run to run. */
export interface Creation {
  readonly index: number;
  readonly line: number;
  readonly wanted: NewHostname;
}

/** The result of one line. `exists`: the zone has it already, and that was allowed. */
export type CreationResult =
  | {
      readonly line: number;
      readonly hostname: string;
      readonly result: 'created' | 'exists';
      readonly record: CustomHostname;
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
  /** Certificates a minute. */
  readonly rate: number;
  /** Takes hostnames that the zone already has. */
  readonly takeExisting: boolean;
  /** Goes on where an earlier run of the same input stopped. */
  readonly resume: boolean;
  /** SHA-256 of the input and of what the command line adds to it. */
  readonly fingerprint: string;
  readonly path: string | undefined;
  /** Arguments that continue the run. */
  readonly resumeArguments: readonly string[];
  readonly reporter: Reporter;
}

export interface CreationReport {
  readonly lines: number;
  /** Done by an earlier run. */
  readonly earlier: number;
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
  /** The problem that ended the run early. */
  readonly stopped?: Problem;
}

/**
 * Creates custom hostnames one after the other, so slowly that the issuance limit is not met; where somebody else has
 * used it up, waits until issuance is open again. Gives the result of each line as it comes, and keeps a checkpoint.
 */
export async function* createMany(
  session: Session,
  run: CreationRun,
): AsyncGenerator<CreationResult, CreationReport> {
  const checkpoints = openCheckpoints(session.world);
  const key = keyOf(session, run);
  const before = run.resume ? await checkpoints.find(key) : undefined;
  const confirmed = new IndexRanges(before?.confirmed);
  const pacer = await openPacer(session, run.zoneId, run.rate, (message, fields) =>
    run.reporter.warn(message, fields),
  );
  const counts = { created: 0, existing: 0, failed: 0 };
  const earlier = confirmed.count;
  const report = (stopped?: Problem): CreationReport => ({
    lines: run.creations.length,
    earlier,
    ...counts,
    ...(stopped && { stopped }),
  });
  for (const creation of run.creations.filter(({ index }) => !confirmed.has(index))) {
    tellProgress(run, confirmed.count, counts.failed, pacer.refusals);
    const result = await createOne(session, run, creation, pacer).catch(asProblem);
    if (result instanceof Error) return report(stoppedBy(session, result));
    counts[result.result === 'exists' ? 'existing' : result.result] += 1;
    if (result.result !== 'failed') {
      confirmed.add([creation.index, creation.index + 1]);
      await checkpoints.write(checkpointOf(session, run, key, confirmed));
    }
    yield result;
  }
  if (counts.failed === 0) await checkpoints.remove(key);
  return report();
}

function stoppedBy({ world }: Session, problem: Problem): Problem {
  return world.interrupted.aborted ? new Problem('interrupted', 'Interrupted.') : problem;
}

function tellProgress(run: CreationRun, done: number, failed: number, retries: number): void {
  const total = run.creations.length;
  run.reporter.progress({ phase: 'creating', unit: 'entries', done, total, retries, failed });
}

function keyOf(session: Session, { zoneId, fingerprint }: CreationRun): CheckpointKey {
  const target = `${platformName(session)} zone ${zoneId}`;
  return { operation: 'hostname create', target, input: fingerprint };
}

function checkpointOf(
  { world }: Session,
  { creations, path, resumeArguments: resume }: CreationRun,
  key: CheckpointKey,
  confirmed: IndexRanges,
): Checkpoint {
  return {
    version: 1,
    ...key,
    ...(path !== undefined && { path }),
    entries: creations.length,
    confirmed: confirmed.toArray(),
    updated: world.now(),
    resume,
  };
}

/** Failures that are not about one line: the rest would fail alike. */
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
/** Of those the ones that are about one line, or about the quota, which is told for each. */
const aboutOneLine = new Set([1404, 1405, 1413, 1414]);

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
    if (record !== undefined) return { ...about, result: 'exists', record };
    const ends = general.has(problem.code) && !aboutOneLine.has(problem.platformCode ?? 0);
    if (ends || problem.code === 'unreachable') throw problem;
    return { ...about, result: 'failed', problem };
  }
}

/**
 * The record that is there although the creation was not confirmed: taken where that is allowed, where this run has
 * lost the answer, or where an interrupted one may have.
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
