import type { DoctorCheck } from '../../../model/doctor/check.ts';
import { exitCodes } from '../../../model/problem.ts';
import type { RemedyTexts } from '../../../model/remedy.ts';
import { type Examination, examine } from '../../../services/doctor/examine.ts';
import { formatAdvice } from '../../../text/problem.ts';
import { type Context, command } from '../../parsing/command.ts';
import { toChoice } from '../../parsing/flags.ts';
import type * as declared from './declarations.ts';

export const doctorCommand = command<typeof declared.doctor>({
  async run(context, { flags }) {
    const found = await examine(context.world, toChoice(flags), () => context.session());
    if (context.output.json) await context.output.answerJson(answerChecks(context, found));
    else await printChecks(context, found);
    if (found.isSignedOut) return exitCodes['not-signed-in'];
    return found.grade === 'wrong' ? exitCodes['check-failed'] : 0;
  },
});

function answerChecks({ output }: Context, { grade, checks }: Examination) {
  return {
    grade,
    checks: checks.map((check) => {
      const { name, grade: of, message, facts } = check;
      const hint = formatAdvice(check, output.words);
      return { name, grade: of, message, ...(hint !== undefined && { hint }), ...facts };
    }),
  };
}

const columns = { grade: 9, name: 23 };

async function printChecks({ output }: Context, { checks }: Examination): Promise<void> {
  for (const check of checks) {
    for (const line of formatCheck(output.words, check)) await output.line(line);
  }
  const count = (grade: DoctorCheck['grade']) => checks.filter((check) => check.grade === grade).length;
  const [wrong, warnings] = [count('wrong'), count('warning')];
  const unknown = checks.filter(({ isUnknown }) => isUnknown === true).length;
  const well = unknown === 0 ? 'No problems found.' : `No problems found; ${unknown} unknown.`;
  const summary =
    wrong + warnings === 0 ? well : `${wrong} wrong, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
  await output.line(summary);
}

function formatCheck(words: RemedyTexts, check: DoctorCheck): string[] {
  const { name, message, isUnknown } = check;
  const grade = isUnknown === true ? 'unknown' : check.grade;
  const [first = '', ...rest] = message.split('\n');
  const hint = formatAdvice(check, words);
  const advice =
    check.grade === 'ok' || hint === undefined ? [] : hint.split('\n').map((line) => `-> ${line}`);
  const below = ' '.repeat(columns.grade + columns.name);
  return [
    grade.padEnd(columns.grade) + name.padEnd(columns.name) + first,
    ...[...rest, ...advice].map((line) => below + line),
  ];
}
