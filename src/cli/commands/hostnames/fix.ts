import { planFixes, type Step, stepText } from '../../../model/diagnosis/fix-plan.ts';
import { defaultIssuanceRate } from '../../../model/hostnames/issuance-pace.ts';
import { asProblem } from '../../../model/problem.ts';
import type { DiagnosedHostname } from '../../../services/diagnosis/diagnosis.ts';
import { applyStep } from '../../../services/diagnosis/fix.ts';
import type { HostnameToDiagnose } from '../../../services/diagnosis/many.ts';
import { openPacer } from '../../../services/hostnames/pacer.ts';
import type { Context } from '../../parsing/command.ts';
import { countOf } from '../objects/report.ts';
import type { OpenZone } from './place.ts';

/** Steps that the question names; of more it gives the number. */
const namedSteps = 20;

/**
 * Carries out what is ours to do, after one confirmation, and diagnoses those hostnames again. Returns all diagnoses,
 * the new ones in place of the old. What fails is warned of, and shows in the second diagnosis.
 */
export async function fixDiagnosed(
  context: Context,
  place: OpenZone,
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
    `Carry out ${steps.length === 1 ? 'this step' : `these ${what}`} on ${place.session.label}?`,
    `${what} would be carried out.`,
  );
  await carryOutAll(context, place, steps);
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

async function carryOutAll(
  { output }: Context,
  { session, zoneId }: OpenZone,
  steps: readonly Step[],
): Promise<void> {
  const pacer = await openPacer(session, zoneId, defaultIssuanceRate, output.warn);
  for (const step of steps) {
    try {
      await applyStep(session, zoneId, step, pacer);
      output.note(`Done: ${stepText(step)}.`, { step: step.kind });
    } catch (error) {
      const problem = asProblem(error);
      if (['interrupted', 'read-only', 'bug'].includes(problem.code)) throw error;
      output.warn(`Not done: ${stepText(step)}: ${problem.message}`, { step: step.kind });
    }
  }
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
