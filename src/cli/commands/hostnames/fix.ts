import { planFixes, type Step, stepText } from '../../../model/diagnosis/fix-plan.ts';
import type { DiagnosedHostname } from '../../../services/diagnosis/diagnosis.ts';
import { applySteps, type StepOutcome } from '../../../services/diagnosis/fix.ts';
import type { HostnameToDiagnose } from '../../../services/diagnosis/many.ts';
import type { Output } from '../../output/output.ts';
import type { Context } from '../../parsing/command.ts';
import { countOf } from '../objects/report.ts';
import type { OpenZone } from './zone-choice.ts';

/** Steps that the question names; of more it gives the number. */
const namedSteps = 20;

/**
 * Carries out what is ours to do, after one confirmation, and diagnoses those hostnames again. Returns all diagnoses,
 * the new ones in place of the old. What fails is warned of, and shows in the second diagnosis.
 */
export async function fixDiagnosed(
  context: Context,
  zone: OpenZone,
  diagnosed: readonly DiagnosedHostname[],
  diagnose: (hostnames: readonly HostnameToDiagnose[]) => Promise<DiagnosedHostname[]>,
): Promise<readonly DiagnosedHostname[]> {
  const { output, ask } = context;
  const steps = planFixes(diagnosed);
  if (steps.length === 0) {
    output.note('There is nothing that edgectl can do itself.');
    return diagnosed;
  }
  for (const line of planLines(steps)) output.note(line);
  const what = countOf(steps.length, 'step');
  await ask.confirm(
    `Carry out ${steps.length === 1 ? 'this step' : `these ${what}`} on ${zone.session.label}?`,
    `${what} would be carried out.`,
  );
  await applySteps(zone.session, zone.zoneId, steps, {
    warn: output.warn,
    ended: (outcome) => tellEnd(output, outcome),
  });
  const touched = touchedBy(steps, diagnosed);
  output.note('After that:');
  const again = await diagnose(touched.map(({ facts }) => ({ hostname: facts.hostname })));
  const renewed = new Map(again.map((one) => [one.facts.hostname, one]));
  return diagnosed.map((one) => renewed.get(one.facts.hostname) ?? one);
}

function planLines(steps: readonly Step[]): readonly string[] {
  const more = steps.length - namedSteps;
  const named = steps.slice(0, namedSteps).map((step) => `  ${stepText(step)}`);
  return ['To do for us:', ...named, ...(more > 0 ? [`  … and ${countOf(more, 'step')} more`] : [])];
}

function tellEnd(output: Output, { step, problem }: StepOutcome): void {
  if (problem === undefined) output.note(`Done: ${stepText(step)}.`, { step: step.kind });
  else output.warn(`Not done: ${stepText(step)}: ${problem.message}`, { step: step.kind });
}

/** Those whom the steps concern: what the zone gets concerns all. */
function touchedBy(
  steps: readonly Step[],
  diagnosed: readonly DiagnosedHostname[],
): readonly DiagnosedHostname[] {
  if (steps.some(({ kind }) => kind === 'dns-record' || kind === 'set-fallback')) return diagnosed;
  const names = new Set(
    steps.flatMap((step) =>
      step.kind === 'create' ? step.hostname : 'record' in step ? step.record.hostname : [],
    ),
  );
  return diagnosed.filter(({ facts }) => names.has(facts.hostname));
}
