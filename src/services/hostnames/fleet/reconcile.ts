import type { FleetStep } from '../../../model/hostnames/fleet/plan.ts';
import { Problem } from '../../../model/problem.ts';
import { platformName } from '../../session/platform-info.ts';
import type { Session } from '../../session/session.ts';
import { openPlanFiles, planLife, type SavedPlan } from './plan-files.ts';
import { changing, type FleetPlan, type PlanRequest, planZone, stepKey } from './planning.ts';
import { type WantedFile, wrongFile } from './wanted.ts';

export interface KeepOptions {
  readonly prune: boolean;
  readonly limit: number | undefined;
}

/** Saves a new plan under its hash, for one day. */
export async function keepPlan(
  { world }: Session,
  plan: FleetPlan,
  { path, fingerprint }: Pick<WantedFile, 'path' | 'fingerprint'>,
  { prune, limit }: KeepOptions,
): Promise<SavedPlan> {
  const { hash, target, zoneId } = plan;
  const saved: SavedPlan = {
    version: 1,
    hash,
    target,
    zoneId,
    ...(path !== undefined && { path }),
    fingerprint,
    prune,
    ...(limit !== undefined && { limit }),
    expires: world.now() + planLife,
    begun: false,
    steps: changing(plan.steps).map((step) => [step.hostname, stepKey(step)]),
  };
  await openPlanFiles(world).write(saved);
  return saved;
}

/** Refuses a file that has changed since the plan was saved. */
export function refuseOtherFile(saved: SavedPlan, { name, fingerprint }: WantedFile): void {
  if (saved.fingerprint === fingerprint) return;
  throw new Problem('invalid-input', `${name} has changed since the plan was created.`, {
    remedy: { kind: 'plan-again' },
  });
}

/** Refuses a saved plan for another zone or platform. */
export function refuseOtherZone(saved: SavedPlan, session: Session, zoneId: string): void {
  if (saved.zoneId === zoneId && saved.target === platformName(session)) return;
  throw new Problem('invalid-input', 'The plan was created for another zone.', {
    remedy: { kind: 'plan-again' },
  });
}

/** Refuses a file with invalid lines, because its plan would delete the hostnames in those lines. */
export function refuseWrongLines({ name, wrong }: WantedFile): void {
  if (wrong.length > 0) throw wrongFile(name, wrong, refusal);
}

/** Plans the changes from a file. Throws if a line is invalid, or if the platform would refuse its step. */
export async function planFile(
  session: Session,
  { zoneId, file, prune, reporter }: Omit<PlanRequest, 'wanted'> & { readonly file: WantedFile },
): Promise<FleetPlan> {
  refuseWrongLines(file);
  const plan = await planZone(session, { zoneId, wanted: file.wanted, prune, reporter });
  if (plan.wrong.length > 0) throw wrongFile(file.name, plan.wrong, refusal);
  return plan;
}

const refusal = { nothing: 'nothing was changed', hint: 'Correct the invalid lines, then plan again.' };

/** Plans the changes of a saved plan again, and returns the remaining steps. Throws if the file, the zone or the hostnames have changed. */
export async function planAgain(
  session: Session,
  saved: SavedPlan,
  { zoneId, file, reporter }: Omit<PlanRequest, 'wanted' | 'prune'> & { readonly file: WantedFile },
): Promise<{ readonly plan: FleetPlan; readonly steps: readonly FleetStep[] }> {
  refuseOtherFile(saved, file);
  refuseOtherZone(saved, session, zoneId);
  const plan = await planFile(session, { zoneId, file, prune: saved.prune, reporter });
  return { plan, steps: remainingSteps(saved, plan) };
}

/** Records that a run has started to apply a plan. The plan may then be partly applied. */
export async function beginPlan({ world }: Session, saved: SavedPlan): Promise<void> {
  await openPlanFiles(world).write({ ...saved, begun: true });
}

/** Records that a plan is completely applied, so that repeating the command reports this instead of failing. */
export async function endPlan({ world }: Session, saved: SavedPlan): Promise<void> {
  await openPlanFiles(world).write({ ...saved, begun: true, finished: world.now() });
}

/**
 * Returns the remaining steps of a saved plan; `now` is a new plan from the same file. Throws if the hostnames have changed: if no run has
 * started to apply the saved plan, both plans must be identical; otherwise, each step of the new plan must be in the saved plan.
 */
export function remainingSteps(saved: SavedPlan, now: FleetPlan): readonly FleetStep[] {
  const steps = changing(now.steps);
  if (!saved.begun && saved.hash !== now.hash) throw changedWorld(saved, now);
  const known = new Set(saved.steps.map(([, key]) => key));
  if (!steps.every((step) => known.has(stepKey(step)))) throw changedWorld(saved, now);
  return steps;
}

function changedWorld(saved: SavedPlan, now: FleetPlan): Problem {
  const before = new Map(saved.steps.map(([hostname, key]) => [key, hostname]));
  const after = new Map(changing(now.steps).map((step) => [stepKey(step), step.hostname]));
  const others = [...after].filter(([key]) => !before.has(key)).map(([, hostname]) => hostname);
  const gone = saved.begun ? [] : [...before].filter(([key]) => !after.has(key)).map(([, name]) => name);
  const names = [...new Set([...others, ...gone])].sort();
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  const message = `The zone has changed since the plan was created (${shown.join(', ')}${more}); nothing was changed.`;
  return new Problem('refused', message, { remedy: { kind: 'plan-again' } });
}
