import type { DoctorCheck } from '../../../model/doctor/check.ts';
import { exitCodes } from '../../../model/problem.ts';
import type { RemedyTexts } from '../../../model/remedy.ts';
import { type Examination, examine } from '../../../services/doctor/examine.ts';
import { type FoundTrace, listTraces } from '../../../services/doctor/traces.ts';
import { formatAdvice } from '../../../text/problem.ts';
import { formatSize, groupDigits } from '../../../text/size.ts';
import { compactDuration } from '../../../text/time.ts';
import { type Context, command } from '../../parsing/command.ts';
import { toChoice } from '../../parsing/flags.ts';
import type * as declared from './declarations.ts';

export const doctorCommand = command<typeof declared.doctor>({
  async run(context, { flags }) {
    if (flags.traces) return printTraces(context, await listTraces(context.world, toChoice(flags)));
    const found = await examine(context.world, toChoice(flags), () => context.session());
    if (context.output.json) await context.output.answerJson(answerChecks(context, found));
    else await printChecks(context, found);
    if (found.isSignedOut) return exitCodes['not-signed-in'];
    return found.grade === 'wrong' ? exitCodes['check-failed'] : 0;
  },
});

async function printTraces({ output, world }: Context, found: readonly FoundTrace[]): Promise<number> {
  if (output.json) {
    const traces = found.map(({ mode, folderMode, oldest, newest, ...trace }) => ({
      ...trace,
      mode: formatMode(mode),
      ...(folderMode !== undefined && { folderMode: formatMode(folderMode) }),
      oldest: new Date(oldest).toISOString(),
      newest: new Date(newest).toISOString(),
    }));
    await output.answerJson({ traces });
    return 0;
  }
  for (const {
    path,
    about,
    files,
    size,
    mode,
    folderMode,
    oldest,
    newest,
    lifetime,
    remove,
    newer,
  } of found) {
    const modes =
      folderMode === undefined
        ? formatMode(mode)
        : `${formatMode(mode)} in a folder of mode ${formatMode(folderMode)}`;
    const age = (time: number) => compactDuration((world.now() - time) / 1000);
    const ages = age(oldest) === age(newest) ? age(oldest) : `${age(newest)} to ${age(oldest)}`;
    const count = `${groupDigits(files)} ${files === 1 ? 'file' : 'files'}`;
    const later = newer === 0 ? '' : `; ${groupDigits(newer)} written by a newer edgectl`;
    await output.line(path);
    await output.line(`    ${about}${later}`);
    await output.line(
      `    ${count}, ${formatSize(size)}, mode ${modes}, changed ${ages} ago; kept: ${lifetime}`,
    );
    await output.line(`    remove: ${remove}`);
  }
  if (found.length === 0) output.note('edgectl has stored nothing on this machine.');
  return 0;
}

function formatMode(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

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
