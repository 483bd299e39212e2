import { countSteps, type FleetStep, type StepKind } from '../../model/hostnames/fleet/plan.ts';
import { stepSummary } from '../../text/fleet/steps.ts';
import { keepPlan, planFile } from '../hostnames/fleet/reconcile.ts';
import { readWantedFile } from '../hostnames/fleet/wanted.ts';
import type { TaskContext, TaskOutcome } from './context.ts';

/** A step of a plan, for display. */
export interface PlannedStep {
  readonly does: StepKind;
  readonly hostname: string;
  readonly reason: string;
  /** The line in the file that requires this step. */
  readonly line?: number | undefined;
  /** The hostname's id; undefined if the hostname does not exist in the zone. */
  readonly id?: string | undefined;
  readonly differences: Extract<FleetStep, { does: 'change' }>['differences'];
}

/** A plan that a task made, as the only item in the task's list. */
export interface TaskPlan {
  readonly hash: string;
  readonly steps: readonly PlannedStep[];
}

/** Plans the steps that reconcile the hostnames of a zone with a file, and saves the plan under its hash. Changes no hostname. */
export async function planHostnames({
  session,
  work,
  files,
  task,
  reporter,
}: TaskContext<'plan-hostnames'>): Promise<TaskOutcome> {
  const { zone, path, prune, limit } = work;
  const file = await readWantedFile(session.world, path);
  const plan = await planFile(session, { zoneId: zone.id, file, prune, reporter });
  await keepPlan(session, plan, file, { prune, limit });
  const found: TaskPlan = { hash: plan.hash, steps: plan.steps.map(toPlannedStep) };
  await files.writeList(task.id, [found]);
  const words = `Planned for ${zone.name}: ${stepSummary(countSteps(plan.steps))}.`;
  return { summary: words, failed: { count: 0, first: [] } };
}

function toPlannedStep(step: FleetStep): PlannedStep {
  const { does, hostname, reason, line } = step;
  return {
    does,
    hostname,
    reason,
    line,
    id: step.does === 'create' ? undefined : step.record.id,
    differences: step.does === 'change' ? step.differences : [],
  };
}
