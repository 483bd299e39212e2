import { isScarce, platformBudget, type RequestsLeft } from '../../src/model/budget.ts';
import { certificateTimeLeft, renewalTime } from '../../src/model/hostnames/attention.ts';
import type { Task } from '../../src/model/tasks/task.ts';
import { describeThing } from '../../src/model/undo/entry.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { groupDigits } from '../../src/text/size.ts';
import { compactDuration } from '../../src/text/time.ts';
import { taskLine, taskRole, taskStateWord } from '../ui/tasks/words.ts';
import { type Entry, headingEntry } from '../ui/viewer/entries.ts';
import type { HomeState } from './home-state.ts';

/** The data that the overview shows: Home's state, tasks and the request budget. */
export interface OverviewFacts {
  readonly state: HomeState;
  readonly tasks: readonly Task[];
  /** The requests left; undefined if requests are not limited. */
  readonly left: RequestsLeft | undefined;
  /** Milliseconds since the UNIX epoch, on this machine's clock. */
  readonly now: number;
  /** Number of rows of the screen, which limits the number of renewals. */
  readonly height: number;
}

/** Maximum number of tasks, and of changes, in the overview. */
const maxRows = { tasks: 5, changes: 8 } as const;

/** Minimum number of lines for renewals. */
const minRenewals = 5;

/** Columns of the bar that shows the request budget. */
const barColumns = 24;

/** Returns the overview of a wide screen: upcoming renewals, tasks, changes that can be undone, and the request budget. */
export function overviewEntries(facts: OverviewFacts): Entry[] {
  const others = [...taskEntries(facts), ...changeEntries(facts), ...budgetEntries(facts)];
  const room = Math.max(minRenewals, facts.height - others.length - 2);
  return [...renewalEntries(facts, room), ...others];
}

/** A certificate that will be renewed. */
export interface Renewal {
  readonly row: HostnameRow;
  /** Milliseconds until the renewal begins; negative if the renewal is overdue. */
  readonly until: number;
}

/**
 * Returns the certificates of active hostnames in the order of expiry. Other hostnames are omitted: they are deleted before their renewal,
 * or someone must act on them. `now` is in milliseconds, on this machine's clock.
 */
export function upcomingRenewals({ parts }: HomeState, now: number): readonly Renewal[] {
  const found = parts.hostnames?.value?.of;
  if (found === undefined) return [];
  return found.rows
    .flatMap((row) => {
      const left = certificateTimeLeft(row.record, now + found.ahead);
      return row.record.status !== 'active' || left === undefined || left <= 0 ? [] : [{ row, left }];
    })
    .sort((one, other) => one.left - other.left)
    .map(({ row, left }) => ({ row, until: left - renewalTime }));
}

/** Returns the upcoming renewals in up to `room` lines. */
function renewalEntries({ state, now }: OverviewFacts, room: number): Entry[] {
  const renewals = upcomingRenewals(state, now);
  if (renewals.length === 0) return [];
  const more = renewals.length - room;
  const shown = renewals.slice(0, more > 0 ? room - 1 : room);
  return [
    headingEntry('Upcoming renewals'),
    ...shown.map(({ row: { record }, until }) =>
      until < 0
        ? row('due', record.hostname, 'warning')
        : row(compactDuration(until / 1000), record.hostname, 'plain'),
    ),
    ...(more > 0 ? [row('', `and ${groupDigits(more + 1)} more`, 'dim')] : []),
    { text: '' },
  ];
}

function taskEntries({ tasks }: OverviewFacts): Entry[] {
  const shown = tasks.slice(0, maxRows.tasks);
  return [
    headingEntry('Tasks'),
    ...shown.map((task) => row(taskStateWord(task), taskLine(task), taskRole(task))),
    ...(shown.length === 0 ? [{ text: 'None.', indent: 2, role: 'dim' } as const] : []),
    { text: '' },
  ];
}

function changeEntries({ state, now }: OverviewFacts): Entry[] {
  const journal = state.parts.journal?.value?.of;
  if (journal === undefined) return [];
  return [
    headingEntry('Recent changes'),
    ...journal.slice(0, maxRows.changes).map(({ entry }) => {
      const text = `${entry.did} ${describeThing(entry.thing)}`;
      return row(compactDuration((now - entry.at) / 1000), text, 'plain');
    }),
    ...(journal.length === 0
      ? [{ text: 'No changes that can be undone.', indent: 2, role: 'dim' } as const]
      : [row('', 'Press U to undo a change.', 'dim')]),
    { text: '' },
  ];
}

function budgetEntries({ left }: OverviewFacts): Entry[] {
  const heading = headingEntry('Request budget');
  if (left === undefined) return [heading, { text: 'No request limit here.', indent: 2, role: 'dim' }];
  const filled = Math.round((left.left / left.of) * barColumns);
  const bar = '━'.repeat(filled) + '─'.repeat(barColumns - filled);
  const { requests, seconds } = platformBudget;
  return [
    heading,
    {
      text: `${bar}  ${groupDigits(left.left)} of ${groupDigits(left.of)} now`,
      indent: 2,
      role: isScarce(left) ? 'warning' : 'plain',
    },
    { text: `${groupDigits(requests)} in ${seconds / 60} minutes`, indent: 2, role: 'dim' },
  ];
}

/** Columns of the label at the start of a row. */
const headColumns = 9;

function row(head: string, text: string, role: NonNullable<Entry['role']>): Entry {
  const first = head.padEnd(headColumns);
  const textRole = role === 'dim' ? role : 'plain';
  return {
    text: first + text,
    labelLength: first.length,
    labelRole: role,
    indent: 2,
    role: textRole,
    isCut: true,
  };
}
