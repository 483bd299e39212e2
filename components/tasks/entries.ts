import type { Task } from '../../src/model/tasks/task.ts';
import { describeData, isSamePlace } from '../../src/model/where.ts';
import type { Pace } from '../../src/text/progress.ts';
import { groupDigits } from '../../src/text/size.ts';
import { compactDuration } from '../../src/text/time.ts';
import type { SessionLabel } from '../kit/session-label.ts';
import type { Role } from '../kit/theme.ts';
import { longProgress, stateRoles, taskTitle } from '../ui/tasks/words.ts';
import { type Entry, factEntries } from '../ui/viewer/entries.ts';

/** Returns the lines of a task's details. `now` is in milliseconds. */
export function taskEntries(
  task: Task,
  {
    pace,
    now,
    elsewhere,
    session,
  }: {
    readonly pace: Pace | undefined;
    readonly now: number;
    readonly elsewhere: boolean;
    readonly session: Pick<SessionLabel, 'where' | 'isDemo'>;
  },
): Entry[] {
  const { outcome, problem, failed, warnings } = task;
  return [
    ...factLine('Task', taskTitle(task), 'title'),
    ...factLine('State', formatState(task, now, elsewhere), stateRoles[task.state]),
    ...factLine('Where', formatWhere(task, session)),
    ...factLine('Files', filePath(task)),
    ...factLine('Progress', longProgress(task, pace)),
    ...factLine('Outcome', outcome),
    ...factLine('Problem', problem?.message, 'warning'),
    ...factLine('Remedy', problem?.hint),
    ...failureLines(failed),
    ...factLine('Now', task.note),
    ...warnings.flatMap((warning, index) => factLine(index === 0 ? 'Noted' : '', warning)),
  ];
}

/** Returns where a task acts, worded like the header's badge. */
function formatWhere(
  { where, target, profileName, accountLabel }: Task,
  session: Pick<SessionLabel, 'where' | 'isDemo'>,
): string {
  if (where?.kind !== 'sandbox') return `${profileName} · ${accountLabel} · ${target}`;
  const isDemo = session.isDemo === true && isSamePlace(where, session.where);
  return `${describeData(where, target, isDemo).toUpperCase()} · ${accountLabel}`;
}

const labelWidth = 10;

function factLine(label: string, value: string | undefined, role?: Role): Entry[] {
  if (value === undefined) return [];
  const copied = { text: value, what: `the line ${label.toLowerCase()}`.trim() };
  return factEntries(label, value, { width: labelWidth, copied, ...(role && { role }) });
}

function formatState(task: Task, now: number, elsewhere: boolean): string {
  const { state, started, begun = started, ended, runs } = task;
  const again = runs > 1 ? `, run ${runs}` : '';
  if (elsewhere) return `${state} in another console (process ${task.owner?.pid ?? '?'})`;
  if (ended === undefined) return `${state} for ${compactDuration((now - begun) / 1000)}${again}`;
  return `${state} ${compactDuration((now - ended) / 1000)} ago${again}`;
}

function filePath({ work }: Task): string | undefined {
  return 'path' in work ? work.path : undefined;
}

function failureLines({ count, first }: Task['failed']): Entry[] {
  if (count === 0) return [];
  const more = count - first.length;
  return [
    ...factLine('Failed', groupDigits(count), 'warning'),
    ...first.map(({ name, reason }): Entry => {
      const copied = { text: name, what: 'the name' };
      return { text: `${name}: ${reason}`, indent: labelWidth, copied };
    }),
    ...(more > 0 ? [{ text: `and ${groupDigits(more)} more`, indent: labelWidth }] : []),
  ];
}
