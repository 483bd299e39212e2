import { createHash } from 'node:crypto';
import { countSteps, type FleetStep } from '../../model/hostnames/fleet/plan.ts';
import { defaultIssuanceRate } from '../../model/hostnames/issuance.ts';
import { asProblem, Problem } from '../../model/problem.ts';
import type { TaskFailure } from '../../model/tasks/task.ts';
import { formatHostnameCount } from '../../text/hostname.ts';
import { groupDigits } from '../../text/size.ts';
import { aloneInZone } from '../hostnames/fleet/alone.ts';
import { carryOut, type SavedRunKey } from '../hostnames/fleet/carry-out.ts';
import { openPlanFiles } from '../hostnames/fleet/plan-files.ts';
import { beginPlan, endPlan, planAgain } from '../hostnames/fleet/reconcile.ts';
import { type SelectedHostname, selectHostnames } from '../hostnames/fleet/select.ts';
import { changingSteps, deletingSteps, restartingSteps } from '../hostnames/fleet/steps.ts';
import { readWantedFile } from '../hostnames/fleet/wanted.ts';
import { isResumed, type TaskContext, type TaskOutcome } from './context.ts';
import { readMarked } from './files.ts';

/** A hostname that was marked for a task. */
export interface MarkedHostname {
  readonly id: string;
  readonly hostname: string;
}

type Changing = TaskContext<'delete-hostnames' | 'refresh-hostnames' | 'edit-hostnames'>;

/**
 * Deletes, changes or refreshes the marked hostnames one by one. Throws store-busy if another command is making bulk changes in the zone.
 */
export function changeHostnames(context: Changing): Promise<TaskOutcome> {
  const { session, work } = context;
  return aloneInZone(session, work.zone.id, () => changeLocked(context));
}

async function changeLocked(context: Changing): Promise<TaskOutcome> {
  const { work } = context;
  const marked = await markedHostnames(context);
  const found = await readMarkedRecords(context, marked);
  const { steps, wrong } = planSteps(work, found);
  const places = new Map(marked.map(({ id }, at) => [id, at]));
  const run = await runSteps(context, steps, {
    fingerprint: createHash('sha256').update(`task ${context.task.id}`).digest('hex'),
    path: undefined,
    resume: isResumed(context),
    resumeArguments: [],
    places: steps.map((step) => ('record' in step ? (places.get(step.record.id) ?? 0) : 0)),
  });
  const there = new Set(found.map(({ record }) => record.id));
  const deleted = work.does === 'delete-hostnames' ? [] : marked.filter(({ id }) => !there.has(id));
  const failures: readonly TaskFailure[] = [
    ...wrong.map(({ hostname = '', reason }) => ({ name: hostname, reason })),
    ...deleted.map(({ hostname }) => ({ name: hostname, reason: 'no longer exists in the zone' })),
    ...run.failures,
  ];
  // Excludes the hostnames that an earlier run changed: they were not in this state before the task.
  const alike = Math.max(0, found.length - steps.length - wrong.length - run.earlier);
  const unchangedSuffix =
    alike > 0 ? ` ${formatHostnameCount(alike)} ${alike === 1 ? 'was' : 'were'} already in this state.` : '';
  return {
    summary: `${doneWords[work.does]} ${formatHostnameCount(run.done)} in ${work.zone.name}.${unchangedSuffix}`,
    failed: { count: failures.length, first: failures.slice(0, 20) },
    stopped: run.stopped,
  };
}

const doneWords = {
  'delete-hostnames': 'Deleted',
  'refresh-hostnames': 'Restarted validation of',
  'edit-hostnames': 'Changed',
} as const;

function planSteps(work: Changing['work'], found: readonly SelectedHostname[]) {
  if (work.does === 'delete-hostnames') return { steps: deletingSteps(found), wrong: [] };
  if (work.does === 'refresh-hostnames') return { steps: restartingSteps(found), wrong: [] };
  const { steps, wrong } = changingSteps(found, work.wishes);
  return { steps: steps.filter(({ does }) => does !== 'leave'), wrong };
}

/** Applies the remaining steps of the plan that the user has seen. Throws if the zone or the file has changed. */
export function reconcileHostnames(context: TaskContext<'reconcile-hostnames'>): Promise<TaskOutcome> {
  const { session, work } = context;
  return aloneInZone(session, work.zone.id, () => reconcileLocked(context));
}

async function reconcileLocked(context: TaskContext<'reconcile-hostnames'>): Promise<TaskOutcome> {
  const { session, work, reporter } = context;
  const savedPlan = await openPlanFiles(session.world).find(work.hash);
  const file = await readWantedFile(session.world, work.path);
  const { steps } = await planAgain(session, savedPlan, { zoneId: work.zone.id, file, reporter });
  refuseOverLimit(countSteps(steps).delete, savedPlan.limit);
  await beginPlan(session, savedPlan);
  const run = await runSteps(context, steps, undefined);
  if (run.stopped === undefined && run.failures.length === 0) await endPlan(session, savedPlan);
  return {
    summary: `Completed ${groupDigits(run.done)} of ${groupDigits(steps.length)} steps in ${work.zone.name}.`,
    failed: { count: run.failures.length, first: run.failures.slice(0, 20) },
    stopped: run.stopped,
  };
}

function refuseOverLimit(deletes: number, limit: number | undefined): void {
  if (limit === undefined || deletes <= limit) return;
  const message = `${formatHostnameCount(deletes)} would be deleted, more than the limit of ${limit}; nothing was changed.`;
  throw new Problem('not-confirmed', message, { remedy: { kind: 'plan-again' } });
}

interface StepsRun {
  /** Number of steps that this run and earlier runs completed. */
  readonly done: number;
  readonly earlier: number;
  readonly failures: readonly TaskFailure[];
  readonly stopped?: Problem | undefined;
}

async function runSteps(
  { session, work: { does, zone }, reporter }: Changing | TaskContext<'reconcile-hostnames'>,
  steps: readonly FleetStep[],
  runKey: SavedRunKey | undefined,
): Promise<StepsRun> {
  const failures: TaskFailure[] = [];
  let done = 0;
  const run = carryOut(session, {
    operation: does,
    zoneId: zone.id,
    steps,
    rate: defaultIssuanceRate,
    reporter,
    runKey,
  });
  let turn = await run.next();
  for (; turn.done !== true; turn = await run.next()) {
    const { value } = turn;
    if (value.result === 'failed')
      failures.push({ name: value.step.hostname, reason: value.problem.message });
    else done += 1;
  }
  const { earlier, stopped } = turn.value;
  return { done: done + earlier, earlier, failures, stopped };
}

/** Reads the hostnames that were marked for a task. */
export async function markedHostnames({
  files,
  task,
}: Pick<TaskContext, 'files' | 'task'>): Promise<readonly MarkedHostname[]> {
  const marked: MarkedHostname[] = [];
  for await (const page of readMarked<MarkedHostname>(files.markedPath(task.id))) marked.push(...page);
  return marked;
}

/**
 * Minimum number of marked hostnames for reading the complete list. The list takes one request per fifty hostnames; reading each hostname
 * takes one request per hostname.
 */
const fullListThreshold = 20;

/** Returns the current records of the marked hostnames that still exist in the zone. */
async function readMarkedRecords(
  { session, work, reporter }: Changing,
  marked: readonly MarkedHostname[],
): Promise<readonly SelectedHostname[]> {
  const { id: zoneId } = work.zone;
  if (marked.length >= fullListThreshold) {
    const wanted = new Set(marked.map(({ id }) => id));
    const all = await selectHostnames(session, zoneId, { by: 'filter', filter: {} }, reporter);
    return all.hostnames.filter(({ record }) => wanted.has(record.id));
  }
  const found: SelectedHostname[] = [];
  for (const { id } of marked) {
    const one = selectHostnames(session, zoneId, { by: 'names', names: [id] }, reporter);
    found.push(...(await one.then(({ hostnames }) => hostnames, ignoreNotFound)));
  }
  return found;
}

function ignoreNotFound(error: unknown): readonly SelectedHostname[] {
  const problem = asProblem(error);
  if (problem.code === 'not-found') return [];
  throw problem;
}
