import { countSteps, type FleetStep } from '../../../../model/hostnames/fleet/plan.ts';
import type { Session } from '../../../../services/session/session.ts';
import { stepCells, stepSummary } from '../../../../text/fleet/steps.ts';
import { massDeleteFlags, refuseOverLimit } from '../../../delete-limit.ts';
import type { Output } from '../../../output/output.ts';
import type { Context } from '../../../parsing/command.ts';
import { formatCount } from '../../objects/report.ts';

/** Maximum number of steps shown before a confirmation. */
const shownSteps = 20;

/** Shows the first steps on stderr before they run. */
export function previewSteps(output: Output, steps: readonly FleetStep[]): void {
  for (const step of steps.slice(0, shownSteps)) {
    const [does = '', hostname, why] = stepCells(step);
    output.note(`${does.padEnd(7)}  ${hostname}  ${why}`);
  }
  const more = steps.length - shownSteps;
  if (more > 0) output.note(`… and ${formatCount(more, 'step')} more.`);
}

/** Maximum number of names in a confirmation. */
const maxListedNames = 3;

/**
 * Shows the number of steps and asks for confirmation; if the steps include deletions, the user must type the number of deletions. Refuses
 * more deletions than the limit, even if the steps are confirmed.
 */
export async function confirmSteps(
  { ask }: Context,
  session: Session,
  {
    steps,
    limit,
    of,
    isConfirmed = false,
  }: {
    readonly steps: readonly FleetStep[];
    readonly limit: number | undefined;
    readonly of: string;
    /** Whether the hash of a dry run confirms the steps. */
    readonly isConfirmed?: boolean;
  },
): Promise<void> {
  const counts = countSteps(steps);
  refuseOverLimit(counts.delete, 'custom hostname', limit);
  if (isConfirmed) return;
  const deletes = steps.filter(({ does }) => does === 'delete');
  if (deletes.length === 0) {
    const lost = `${of} would ${stepSummary(counts)}.`;
    await ask.confirm(`${of} on ${session.label}: ${stepSummary(counts)}?`, lost);
    return;
  }
  const certificates = deletes.length === 1 ? 'its certificate' : 'their certificates';
  const gone = `${formatCount(deletes.length, 'custom hostname')} and ${certificates}: ${firstNames(deletes)}`;
  const question = `${of} on ${session.label}: ${stepSummary(counts)}. The deletion includes ${gone}. To confirm, type ${deletes.length}:`;
  await ask.confirmTyped(
    question,
    `${of} would ${stepSummary(counts)}. The deletion includes ${gone}.`,
    `${deletes.length}`,
    massDeleteFlags(deletes.length),
  );
}

/** Formats the first names and the number of remaining names. */
export function firstNames(steps: readonly Pick<FleetStep, 'hostname'>[]): string {
  const names = steps.slice(0, maxListedNames).map(({ hostname }) => hostname);
  const more = steps.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
