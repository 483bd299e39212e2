import { isActive, type Task } from '../../src/model/tasks/task.ts';
import { describeData, isSamePlace } from '../../src/model/where.ts';
import type { Pace } from '../../src/text/progress.ts';
import { groupDigits } from '../../src/text/size.ts';
import { closeDuration, utcMinute } from '../../src/text/time.ts';
import type { SessionLabel } from '../kit/session-label.ts';
import type { Role } from '../kit/theme.ts';
import { severityRoles } from '../kit/tones.ts';
import {
  formatTaskDuration,
  longProgress,
  resultLine,
  taskLine,
  taskRole,
  taskStateWord,
  taskTitle,
} from '../ui/tasks/words.ts';
import { type Entry, factEntries, headingEntry } from '../ui/viewer/entries.ts';

interface TaskFacts {
  readonly pace: Pace | undefined;
  /** Milliseconds since the UNIX epoch. */
  readonly now: number;
  readonly elsewhere: boolean;
  readonly session: Pick<SessionLabel, 'where' | 'isDemo'>;
  /** Columns of the screen area. */
  readonly columns: number;
}

/** Returns the lines of a task's details: its result or progress first, then what failed. */
export function taskEntries(task: Task, { pace, now, elsewhere, session, columns }: TaskFacts): Entry[] {
  const { failed, faults, warnings, outcome, problem } = task;
  const isDone = task.state === 'done';
  const isPlain = isDone && taskRole(task) === 'good';
  const isHalted = task.state === 'stopped' || task.state === 'interrupted';
  return [
    ...headEntries(task, pace),
    ...faultEntries(faults, columns),
    ...failureEntries(failed),
    { text: '' },
    ...fact('task', isDone && faults === undefined ? undefined : taskLine(task)),
    ...fact('state', formatState(task, now, elsewhere), isPlain ? 'plain' : taskRole(task)),
    ...fact('ended', task.ended === undefined ? undefined : utcMinute(task.ended)),
    ...fact('where', formatWhere(task, session)),
    ...fact('files', filePath(task)),
    ...fact('progress', isHalted ? longProgress(task, undefined) : undefined),
    ...fact('result', problem === undefined ? undefined : outcome),
    ...fact('now', task.note),
    ...warnings.flatMap((warning, index) => fact(index === 0 ? 'noted' : '', warning)),
  ];
}

/** Returns the most important lines: the problem and its remedy, the result, or the progress. */
function headEntries(task: Task, pace: Pace | undefined): Entry[] {
  const { problem, outcome } = task;
  const head = (text: string): Entry => ({ text, role: taskRole(task), copied: { text, what: 'the line' } });
  if (problem !== undefined)
    return [
      head(problem.message),
      ...(problem.hint === undefined ? [] : [{ text: `Next: ${problem.hint}` }]),
    ];
  const isEnded = outcome !== undefined && !isActive(task);
  return [head(isEnded ? resultLine(task) : (longProgress(task, pace) ?? taskTitle(task)))];
}

/** Formats the account or sandbox that a task acts on, as in the badge of the header. */
function formatWhere(
  { where, target, profileName, accountLabel }: Task,
  session: Pick<SessionLabel, 'where' | 'isDemo'>,
): string {
  if (where?.kind !== 'sandbox') return `${profileName} · ${accountLabel} · ${target}`;
  const isDemo = session.isDemo === true && isSamePlace(where, session.where);
  return `${describeData(where, target, isDemo).toUpperCase()} · ${accountLabel}`;
}

/** Columns of a label and the gap after the label. */
const labelWidth = 10;

function fact(label: string, value: string | undefined, role?: Role): Entry[] {
  return factEntries(label, value, { width: labelWidth, indent: 2, ...(role && { role }) });
}

function formatState(task: Task, now: number, elsewhere: boolean): string {
  const { state, started, begun = started, ended, runs } = task;
  const again = runs > 1 ? `, run ${runs}` : '';
  if (elsewhere) return `${state} in another console (process ${task.owner?.pid ?? '?'})`;
  if (ended === undefined) return `${state} for ${closeDuration((now - begun) / 1000)}${again}`;
  return `${taskStateWord(task)}, took ${formatTaskDuration(task)}${again}`;
}

function filePath({ work }: Task): string | undefined {
  return 'path' in work ? work.path : undefined;
}

/** Minimum columns for a cause next to a hostname; with fewer columns, the cause is below the hostname. */
const minCauseColumns = 28;

/** Lists faulty hostnames with their causes, most severe fault first. */
function faultEntries(faults: Task['faults'], columns: number): Entry[] {
  if (faults === undefined || faults.count === 0) return [];
  const { count, first } = faults;
  const width = Math.max(...first.map(({ hostname }) => hostname.length));
  const causeAt = labelWidth + width + 2;
  const isBeside = columns >= 2 + causeAt + minCauseColumns;
  return [
    ...first.flatMap(({ hostname, severity, cause }): Entry[] => {
      const label = severity.padEnd(labelWidth);
      const common = { indent: 2, copied: { text: hostname, what: 'the hostname' }, subject: hostname };
      const head = { ...common, labelLength: label.length, labelRole: severityRoles[severity] };
      const words = formatCause(cause);
      if (isBeside) return [{ ...head, text: `${label}${hostname.padEnd(width)}  ${words}`, hang: causeAt }];
      return [
        { ...head, text: `${label}${hostname}`, isCut: true },
        { ...common, text: words, indent: 4, role: 'dim' },
      ];
    }),
    ...moreEntries(count - first.length),
  ];
}

/** Returns a cause without the platform's code `caa_error`, starting with a capital letter. */
function formatCause(cause: string): string {
  const words = cause.replace(/^caa_error: /, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function failureEntries({ count, first }: Task['failed']): Entry[] {
  if (count === 0) return [];
  return [
    { text: '' },
    headingEntry(`${groupDigits(count)} failed`),
    ...first.map(({ name, reason }): Entry => {
      const copied = { text: name, what: 'the name' };
      return { text: `${name}: ${reason}`, indent: 2, copied };
    }),
    ...moreEntries(count - first.length),
  ];
}

function moreEntries(more: number): Entry[] {
  return more > 0 ? [{ text: `and ${groupDigits(more)} more`, indent: 2, role: 'dim' }] : [];
}
