import type { DoctorCheck, Grade } from '../../src/model/doctor/check.ts';
import type { Examination } from '../../src/services/doctor/examine.ts';
import { formatAdvice } from '../../src/text/problem.ts';
import { remedyWords } from '../kit/remedy-words.ts';
import { requireService } from '../kit/require-service.ts';
import type { Role } from '../kit/theme.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type Entry, entryLines } from '../ui/viewer/entries.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import type { ViewWork } from '../ui/viewer/view-source.ts';

export type DoctorContent = { readonly found?: Examination };

/** Returns the view of the doctor, which checks the current session when the pane opens. */
export function doctorView(parts: PaneParts): ViewController<DoctorContent> {
  return new ViewController<DoctorContent>(parts, {
    content: {},
    selects: true,
    first: examineWork(parts),
    createLines: ({ found }, surface) => found && entryLines(found.checks.flatMap(checkEntries), surface),
  });
}

/** Returns the work that runs all checks. */
export function examineWork(parts: PaneParts): ViewWork<DoctorContent> {
  return {
    busy: { kind: 'reading', words: 'looking' },
    async run(signal) {
      const found = await requireService(parts, 'doctor').examine(signal);
      return { content: () => ({ found }) };
    },
  };
}

const signs: Readonly<Record<Grade | 'unknown', { readonly sign: string; readonly role?: Role }>> = {
  ok: { sign: '✓', role: 'good' },
  warning: { sign: '!', role: 'warning' },
  wrong: { sign: '✗', role: 'fault' },
  unknown: { sign: '?' },
};

/** Columns of the check's name, before the message. */
const nameColumn = 22;

/** Returns the lines of a check: its sign, name and message, then the advice. */
export function checkEntries(check: DoctorCheck): Entry[] {
  const { name, grade, message } = check;
  const hint = grade === 'ok' ? undefined : formatAdvice(check, remedyWords);
  const copied = { text: [message, hint].filter(Boolean).join('\n'), what: `the line on ${name}` };
  const { sign, role } = signs[check.isUnknown === true ? 'unknown' : grade];
  const [first = '', ...rest] = message.split('\n');
  const below = [...rest, ...(hint === undefined ? [] : hint.split('\n'))];
  return [
    {
      text: `${sign} ${name.padEnd(nameColumn)} ${first}`,
      ...(grade !== 'ok' && { role }),
      copied,
      stop: grade !== 'ok',
    },
    ...below.map((text): Entry => ({ text, indent: nameColumn + 3, role: 'dim', copied })),
  ];
}

/** Formats the numbers of faults and warnings for the header. */
export function doctorCounts({ checks }: Examination): string {
  const count = (grade: Grade) => checks.filter((check) => check.grade === grade).length;
  const [wrong, warnings] = [count('wrong'), count('warning')];
  const unknown = checks.filter(({ isUnknown }) => isUnknown === true).length;
  if (wrong + warnings === 0) return unknown === 0 ? 'no problems' : `no problems · ${unknown} unknown`;
  return `${wrong} ${wrong === 1 ? 'error' : 'errors'} · ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}
