import { capitalize } from '../../src/model/sentence.ts';
import { isActive, type Task } from '../../src/model/tasks/task.ts';
import { describeData, isSamePlace } from '../../src/model/where.ts';
import type { Pace } from '../../src/text/progress.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { closeDuration, utcSecond } from '../../src/text/time.ts';
import { formatSessionPlace, type SessionLabel } from '../kit/session-label.ts';
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
  /** Whether the task's row is on the screen; if so, the row's text is not repeated. */
  readonly hasRow?: boolean;
}

/** Minimum width, in columns, of a screen on which the row of a task shows most of its text. */
const minColumnsForRow = 60;

/** Returns the lines of a task's details: its result or progress first, then what failed. */
export function taskEntries(task: Task, facts: TaskFacts): Entry[] {
  const { failed, faults, warnings, outcome, problem, work, started, begun = started } = task;
  const { pace, now, elsewhere, session, columns } = facts;
  const isDone = task.state === 'done';
  const isPlain = isDone && taskRole(task) === 'good';
  const isHalted = task.state === 'stopped' || task.state === 'interrupted';
  const isInRow = facts.hasRow === true && isPlain && columns >= minColumnsForRow;
  return [
    ...(isInRow ? [] : headEntries(task, pace)),
    ...faultEntries(faults, columns),
    ...failureEntries(failed),
    // Below a list on a narrow screen, there is no room for an empty line.
    ...(isInRow || (facts.hasRow === true && columns < minColumnsForRow) ? [] : [{ text: '' }]),
    ...fact('task', isDone && faults === undefined ? undefined : taskLine(task)),
    ...fact(
      'state',
      isInRow ? undefined : formatState(task, now, elsewhere),
      isPlain ? 'plain' : taskRole(task),
    ),
    ...taskEnds(work).flatMap(([label, value]) => fact(label, value)),
    ...fact('amount', isActive(task) || isHalted ? undefined : formatAmount(task)),
    ...fact('started', utcSecond(begun)),
    ...fact('ended', formatEnd(task, isInRow)),
    ...fact('where', formatWhere(task, session)),
    ...fact('progress', isHalted ? longProgress(task, undefined) : undefined),
    ...fact('result', problem === undefined ? undefined : outcome),
    ...fact('now', task.note),
    ...warnings.flatMap((warning, index) => fact(index === 0 ? 'noted' : '', warning)),
  ];
}

/** Formats the end of a task, with its duration if the state does not contain it. */
function formatEnd(task: Task, hasDuration: boolean): string | undefined {
  if (task.ended === undefined) return undefined;
  return `${utcSecond(task.ended)}${hasDuration ? `, took ${formatTaskDuration(task)}` : ''}`;
}

/** Returns the number of items that a task has processed, with their unit; undefined if the number is unknown. */
function formatAmount({ progress, marked, work }: Task): string | undefined {
  if (progress !== undefined && progress.done > 0)
    return progress.unit === 'bytes'
      ? formatSize(progress.done)
      : `${groupDigits(progress.done)} ${progress.unit}`;
  return marked === 0 || work.does === 'upload' ? undefined : groupDigits(marked);
}

/** Returns the source and the destination of a task, or the item that the task acts on, each with its label. */
function taskEnds(work: Task['work']): ReadonlyArray<readonly [label: string, value: string]> {
  const fromTo = (from: string, to: string) => [['from', from] as const, ['to', to] as const];
  switch (work.does) {
    case 'import-keys':
      return fromTo(work.path, work.namespace.title);
    case 'export-keys':
    case 'export-namespace':
      return fromTo(work.namespace.title, work.path);
    case 'copy-keys':
      return fromTo(work.namespace.title, work.to.namespace.title);
    case 'clear-namespace':
    case 'delete-keys':
    case 'expire-keys':
      return [['namespace', work.namespace.title]];
    case 'upload':
      return fromTo(work.path, `${work.bucket}/${work.key}`);
    case 'download':
      return fromTo(`${work.bucket}/${work.prefix}`, work.path);
    case 'copy-objects':
      return fromTo(`${work.bucket}/${work.prefix}`, `${work.to.bucket}/${work.to.key}`);
    case 'sync-objects': {
      const ends = [work.path, `${work.bucket}/${work.prefix}`] as const;
      return work.direction === 'upload' ? fromTo(ends[0], ends[1]) : fromTo(ends[1], ends[0]);
    }
    case 'delete-objects':
    case 'delete-bucket':
      return [['bucket', work.bucket]];
    case 'export-hostnames':
      return fromTo(work.zone.name, work.path);
    case 'plan-hostnames':
    case 'reconcile-hostnames':
      return fromTo(work.path, work.zone.name);
    default:
      return [['zone', work.zone.name]];
  }
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
  if (where?.kind !== 'sandbox') {
    const name = where === undefined ? profileName : formatSessionPlace(where);
    return `${name} · ${accountLabel} · ${target}`;
  }
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

/** Minimum width, in columns, for a cause next to a hostname; with fewer columns, the cause is below the hostname. */
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
  return capitalize(words);
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
