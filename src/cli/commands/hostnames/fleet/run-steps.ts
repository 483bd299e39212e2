import type { FleetStep } from '../../../../model/hostnames/fleet/plan.ts';
import { defaultIssuanceRate } from '../../../../model/hostnames/issuance.ts';
import { Problem } from '../../../../model/problem.ts';
import {
  carryOut,
  type SavedRunKey,
  type StepResult,
} from '../../../../services/hostnames/fleet/carry-out.ts';
import type { TurnEnd } from '../../../../services/hostnames/in-turn.ts';
import { failureJson } from '../../../../text/problem.ts';
import { openProgress } from '../../../output/progress.ts';
import type { Context } from '../../../parsing/command.ts';
import { formatCount } from '../../objects/report.ts';
import { toState } from '../watch.ts';
import type { OpenZone } from '../zone-choice.ts';

export interface StepsToRun {
  readonly operation: string;
  readonly steps: readonly FleetStep[];
  readonly rate: number | undefined;
  readonly quiet: boolean;
  /** A sentence that explains how to resume after an interruption. */
  readonly resume: string;
  readonly runKey?: SavedRunKey | undefined;
}

/**
 * Runs steps, and prints one result line for each. Returns exit code 0. Throws the problem that stopped the run, `refused` if no step
 * succeeded, or `partly-done` if some steps failed.
 */
export async function runSteps(
  context: Context,
  { session, zoneId }: OpenZone,
  { operation, steps, rate = defaultIssuanceRate, quiet, resume, runKey }: StepsToRun,
): Promise<number> {
  const display = openProgress(context.world, context.output, quiet);
  try {
    const run = carryOut(session, { operation, zoneId, steps, rate, reporter: display, runKey });
    let turn = await run.next();
    for (; turn.done !== true; turn = await run.next()) await tellStep(context, turn.value);
    display.end();
    return conclude(context, turn.value, steps.length, resume);
  } finally {
    display.end();
  }
}

async function tellStep({ output }: Context, result: StepResult): Promise<void> {
  if (output.json) {
    await output.answerJsonLine(resultFields(output, result));
    return;
  }
  const { step } = result;
  const state =
    result.result === 'failed'
      ? result.problem.message
      : result.record === undefined
        ? step.reason
        : toState(result.record);
  await output.line(`${result.result.padEnd(9)}  ${step.hostname}  ${state}`);
}

function resultFields({ words }: Context['output'], result: StepResult) {
  const { hostname, line } = result.step;
  if (result.result === 'failed') {
    return { hostname, line, result: 'failed' as const, error: failureJson(result.problem, words) };
  }
  const { id, status, ssl } = result.record ?? {};
  const before = result.step.does === 'change' ? result.step.record : undefined;
  return { hostname, line, result: result.result, id, status, certificate: ssl?.status, before };
}

function conclude(
  { output }: Context,
  { counts, earlier, stopped }: TurnEnd<StepResult>,
  all: number,
  resume: string,
): number {
  const { failed = 0, ...taken } = counts;
  const done = Object.values(taken).reduce((sum, count) => sum + count, 0);
  const words = [
    ...Object.entries(counts).map(([result, count]) => `${count} ${result}`),
    ...(earlier > 0 ? [`${earlier} done by an earlier run`] : []),
  ];
  output.note(
    `${words.length === 0 ? 'Nothing was done' : words.join(', ')}. Total: ${formatCount(all, 'step')}.`,
    {
      ...counts,
      earlier,
      steps: all,
    },
  );
  if (stopped?.code === 'interrupted') output.warn(resume);
  if (stopped !== undefined) throw stoppedProblem(stopped, done, resume);
  if (failed === 0) return 0;
  if (done === 0) throw new Problem('refused', 'No step succeeded; nothing was changed.', { hint: resume });
  throw new Problem('partly-done', `${formatCount(failed, 'step')} failed; the others succeeded.`, {
    hint: resume,
  });
}

function stoppedProblem(stopped: Problem, done: number, resume: string): Problem {
  const code = done === 0 || stopped.code === 'interrupted' ? stopped.code : 'partly-done';
  const { message, platformCode, status, requestId } = stopped;
  return new Problem(code, message, { hint: resume, cause: stopped, platformCode, status, requestId });
}
