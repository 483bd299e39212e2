import { planFixes, type Step, stepText } from '../../../model/diagnosis/fix-plan.ts';
import type { DiagnosedHostname } from '../../../services/diagnosis/diagnosis.ts';
import { applySteps, type StepOutcome } from '../../../services/diagnosis/fix.ts';
import type { HostnameToDiagnose } from '../../../services/diagnosis/many.ts';
import { failureOf } from '../../output/failure.ts';
import type { Output } from '../../output/output.ts';
import type { Context } from '../../parsing/command.ts';
import { countOf } from '../objects/report.ts';
import type { FixStep } from './diagnosis-report.ts';
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
): Promise<{ readonly diagnosed: readonly DiagnosedHostname[]; readonly steps: readonly FixStep[] }> {
  const { output, ask } = context;
  const steps = planFixes(diagnosed);
  if (steps.length === 0) {
    output.note('There is nothing that edgectl can do itself.');
    return { diagnosed, steps: [] };
  }
  for (const line of planLines(steps)) output.note(line);
  const what = countOf(steps.length, 'step');
  await ask.confirm(
    `Carry out ${steps.length === 1 ? 'this step' : `these ${what}`} on ${zone.session.label}?`,
    `${what} would be carried out.`,
  );
  const told: Promise<void>[] = [];
  const outcomes = await applySteps(zone.session, zone.zoneId, steps, {
    warn: output.warn,
    ended: (outcome) => void told.push(tellEnd(output, outcome)),
  });
  await Promise.all(told);
  const touched = touchedBy(steps, diagnosed);
  output.note('After that:');
  const again = await diagnose(touched.map(({ facts }) => ({ hostname: facts.hostname })));
  const renewed = new Map(again.map((one) => [one.facts.hostname, one]));
  return {
    diagnosed: diagnosed.map((one) => renewed.get(one.facts.hostname) ?? one),
    steps: outcomes.map(stepJson),
  };
}

function planLines(steps: readonly Step[]): readonly string[] {
  const more = steps.length - namedSteps;
  const named = steps.slice(0, namedSteps).map((step) => `  ${stepText(step)}`);
  return ['To do for us:', ...named, ...(more > 0 ? [`  … and ${countOf(more, 'step')} more`] : [])];
}

/** Reports a step as it ends: on stdout what was done, which is a part of the answer. */
async function tellEnd(output: Output, { step, problem }: StepOutcome): Promise<void> {
  if (problem !== undefined)
    output.warn(`Not done: ${stepText(step)}: ${problem.message}`, { step: step.kind });
  else if (output.json) output.note(`Done: ${stepText(step)}.`, { step: step.kind });
  else await output.line(`Done: ${stepText(step)}.`);
}

function stepJson({ step, problem }: StepOutcome): FixStep {
  const hostname =
    step.kind === 'create' ? step.hostname : 'record' in step ? step.record.hostname : undefined;
  return {
    ...(hostname !== undefined && { hostname }),
    step: stepText(step),
    kind: step.kind,
    ...(problem === undefined ? { result: 'done' } : { result: 'failed', error: failureOf(problem) }),
  };
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
