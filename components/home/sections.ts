import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import {
  type Attention,
  certificateTimeLeft,
  findAttention,
  renewalTime,
  urgencyKey,
} from '../../src/model/hostnames/attention.ts';
import { dayMilliseconds } from '../../src/model/hostnames/hostname.ts';
import { findChanges, type LastVisit, type SeenChange } from '../../src/model/places/visit.ts';
import type { Problem } from '../../src/model/problem.ts';
import { isActive, type Task } from '../../src/model/tasks/task.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { formatHostnameCount } from '../../src/text/hostname.ts';
import { groupDigits } from '../../src/text/size.ts';
import { compactDuration } from '../../src/text/time.ts';
import { fitText, pad } from '../../src/text/width.ts';
import { daysInMoved, formatDaysLeft, whoCell } from '../hostnames/columns.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { Role } from '../kit/theme.ts';
import { stateRole } from '../kit/tones.ts';
import { compareBytes } from '../ui/lists/row-kind.ts';
import { formatMinutesLeft } from '../ui/status/use-age.ts';
import { stateRoles, taskLine } from '../ui/tasks/words.ts';
import type { HomePart, HomeParts, HomeState } from './home-state.ts';
import { toVisit } from './home-state.ts';
import { type Goal, type HomeLine, type HomeRow, quietRow, section, shorten } from './lines.ts';
import { upcomingRenewals } from './overview.ts';

const hostnamesArea: Goal = { turns: { pane: 'hostnames' } };

/** Returns the line for a part that has not been read. The line shows what the part waits for, or why the part could not be read. */
export function unreadRows(name: string, part: HomePart<unknown> | undefined): readonly HomeRow[] {
  if (part?.problem !== undefined) return [problemRow(name, part.problem)];
  if (part?.value !== undefined || part?.waitsFor === undefined) return [];
  return [quietRow(`wait ${name}`, `waiting for ${part.waitsFor}…`)];
}

/** Returns the line for a part that could not be read: a warning, or a dim line if only permissions are missing. */
function problemRow(name: string, problem: Problem): HomeRow {
  const { code, message } = problem;
  if (code === 'not-permitted') return quietRow(name, `The credentials do not allow reading ${name}.`);
  if (code === 'usage') return quietRow(name, message);
  return quietRow(name, `Reading ${name} failed: ${message} Press r to retry.`, 'warning');
}

/**
 * Returns the hostnames on which someone must act, most severe first, with the days left, the cause, and who must act. `maxRows` is the
 * maximum number of lines below the heading. `now` is in milliseconds, on this machine's clock.
 */
export function attentionSection(
  part: HomePart<HomeParts['hostnames']> | undefined,
  now: number,
  maxRows: number,
): readonly HomeLine[] {
  if (part === undefined) return [];
  const found = part.value?.of;
  const unread = unreadRows('hostnames', part);
  if (part.value === undefined) return section('Needs attention', unread);
  if (found === undefined) {
    const choose = {
      ...quietRow('zone', 'Several zones. Press Enter to choose a zone.'),
      goal: hostnamesArea,
    };
    return section('Needs attention', [...unread, choose]);
  }
  const { rows, zone, ahead, isWhole } = found;
  const urgent = rows
    .flatMap((row) => {
      const attention = findAttention(row);
      if (attention === undefined || attention.who === 'nobody') return [];
      const { cause, brief = cause } = attention;
      const within = formatTimeLeft(row, now + ahead);
      const why = within === '' ? brief : `deletion ${within}`;
      return [{ row, attention, within, why, gravity: urgencyKey(row) }];
    })
    .sort((one, other) => compareBytes(one.gravity, other.gravity));
  const causeColumns = Math.min(maxCauseColumns, Math.max(0, ...urgent.map(({ why }) => why.length)));
  const lines = urgent.map((one) => attentionRow(one, found, causeColumns));
  const scope = `${groupDigits(urgent.length)} of ${formatHostnameCount(rows.length)}${isWhole ? '' : ' read'} of ${zone.name}`;
  const nothing = quietRow('all well', noAttention(rows));
  return section(
    'Needs attention',
    [...unread, ...(lines.length === 0 ? [nothing] : shorten(lines, maxRows - unread.length, hostnamesArea))],
    scope,
    lines.length === 0 ? undefined : { text: 'WHO', column: causeColumns + causeGap },
  );
}

function noAttention(rows: readonly HostnameRow[]): string {
  if (rows.length === 0) return 'No hostnames yet.';
  const inProgress = rows.filter((row) => findAttention(row) !== undefined).length;
  if (inProgress === 0) return 'The platform reports all hostnames as active.';
  return `No action needed: ${groupDigits(inProgress)} in progress, the others are active.`;
}

/** Maximum width, in columns, of the cause in a line that also shows who must act. */
const maxCauseColumns = 25;

/** Columns between the cause and who must act. */
const causeGap = 2;

/** Formats the days until a moved hostname is deleted: `within 3d`. Returns an empty string for other hostnames. */
function formatTimeLeft(row: HostnameRow, now: number): string {
  const days = daysInMoved(row, now);
  return days === undefined ? '' : `within ${days}d`;
}

interface Urgent {
  readonly row: HostnameRow;
  readonly attention: Attention;
  readonly within: string;
  /** `deletion within 3d` for a moved hostname, otherwise the cause in a few words. */
  readonly why: string;
}

function attentionRow(
  { row, attention, within, why }: Urgent,
  found: NonNullable<HomeParts['hostnames']>,
  causeColumns: number,
): HomeRow {
  const who = whoCell(attention);
  return {
    id: `hostname ${row.record.id}`,
    mark: attention.state,
    role: stateRole(attention),
    subject: row.record.hostname,
    about: `${pad(fitText(why, causeColumns), causeColumns + causeGap)}${who}`,
    // Without a short form of the cause, the line shows who must act, which is more useful than the first words of the cause.
    brief: attention.brief === undefined ? [within, who].filter((part) => part !== '').join(': ') : why,
    isExtra: true,
    goal: { opens: openHostname(found, row) },
  };
}

function openHostname(
  { zone, ahead }: NonNullable<HomeParts['hostnames']>,
  row: HostnameRow,
): Extract<OpenPane, { pane: 'hostname' }> {
  return { pane: 'hostname', zone, row, ahead };
}

/** Returns the section of pending requests, which a person must approve or refuse. */
export function heldSection(held: readonly HeldRequest[]): readonly HomeLine[] {
  const rows = held
    .filter(({ state }) => state === 'waiting')
    .map(
      ({ number, client, method, path }): HomeRow => ({
        id: `held ${number}`,
        mark: number,
        role: 'warning',
        subject: `${method} ${path}`,
        about: client,
        goal: { opens: { pane: 'held-request', number } },
      }),
    );
  return section('Requests that need approval', shorten(rows, 4, { opens: { pane: 'held' } }));
}

/** Returns the section of tasks that have not completed. */
export function taskSection(tasks: readonly Task[]): readonly HomeLine[] {
  const open = tasks.filter((task) => isActive(task) || task.state !== 'done');
  const rows = open.map(
    (task): HomeRow => ({
      id: `task ${task.id}`,
      mark: task.state,
      role: stateRoles[task.state],
      subject: taskLine(task),
      goal: { opens: { pane: 'task', id: task.id } },
    }),
  );
  return section('Tasks', shorten(rows, 4, { turns: { pane: 'tasks' } }));
}

/** Returns the section of keys that expire soon, and of certificates whose renewal is overdue, soonest first. */
export function expiringSection({ parts }: HomeState, now: number): readonly HomeLine[] {
  const found = parts.hostnames?.value?.of;
  const leftById = new Map<string, number>();
  const certificates = (found?.rows ?? [])
    .flatMap((row) => {
      const left = certificateTimeLeft(row.record, now + (found?.ahead ?? 0));
      const isOver = row.record.ssl?.status === 'expired';
      return left === undefined || left >= renewalTime || isOver ? [] : [{ row, left }];
    })
    .sort((one, other) => one.left - other.left)
    .map(({ row, left }): HomeRow => {
      const id = `certificate ${row.record.id}`;
      leftById.set(id, left);
      return {
        id,
        mark: formatDaysLeft(left),
        role: left < 7 * dayMilliseconds ? 'fault' : 'warning',
        subject: row.record.hostname,
        about: 'certificate',
        isExtra: true,
        ...(found && { goal: { opens: openHostname(found, row) } }),
      };
    });
  const keys = (parts.keys?.value?.of ?? []).map(({ namespace, count, first, expiration }): HomeRow => {
    const id = `keys ${namespace.id}`;
    leftById.set(id, expiration * 1000 - now);
    return {
      id,
      mark: expiration * 1000 <= now ? 'expired' : formatMinutesLeft(expiration - now / 1000),
      role: 'warning',
      subject: first,
      about: `key of ${namespace.title}${count === 1 ? '' : `, and ${groupDigits(count - 1)} more within a day`}`,
      isExtra: true,
      goal: { opens: { pane: 'keys', namespace } },
    };
  });
  // The line for further certificates has no expiry, so it comes last.
  const leftFor = ({ id }: HomeRow) => leftById.get(id) ?? Number.MAX_VALUE;
  const soonest = [...shorten(certificates, 4, hostnamesArea), ...keys].toSorted(
    (one, other) => leftFor(one) - leftFor(other),
  );
  const unread = parts.keys?.waitsFor === undefined ? unreadRows('keys', parts.keys) : [];
  return section('Expires soon', [...emphasizeNearest(soonest), ...unread]);
}

/** Minimum number of rows for a section that only uses free rows, including its heading. */
const minFreeRows = 3;

/** Returns the section of upcoming renewals in up to `room` rows; empty if there is no room. */
export function renewalSection(state: HomeState, now: number, room: number): readonly HomeLine[] {
  const found = state.parts.hostnames?.value?.of;
  if (found === undefined || room < minFreeRows) return [];
  // Overdue renewals are listed under "Expires soon".
  const upcoming = upcomingRenewals(state, now).filter(({ until }) => until >= 0);
  const rows = upcoming.map(
    ({ row, until }): HomeRow => ({
      id: `renewal ${row.record.id}`,
      mark: compactDuration(until / 1000),
      role: 'plain',
      // A description would align all lines with the longest of these hostnames, and leave less room for their descriptions.
      subject: row.record.hostname,
      goal: { opens: openHostname(found, row) },
    }),
  );
  return section('Upcoming renewals', rows.slice(0, room - 1));
}

/** Gives each row at least the emphasis of the rows below it, so that an earlier expiry is never less prominent than a later one. */
function emphasizeNearest(rows: readonly HomeRow[]): readonly HomeRow[] {
  const lastFault = rows.findLastIndex(({ role }) => role === 'fault');
  return rows.map((row, index) => (index < lastFault ? { ...row, role: 'fault' } : row));
}

/** Returns the section of changes since the last visit. `now` is in milliseconds. */
export function changeSection(
  state: HomeState,
  before: LastVisit | undefined,
  now: number,
): readonly HomeLine[] {
  if (before === undefined) return [];
  const { hostnames, namespaces, buckets } = state.parts;
  const after = toVisit(state, undefined, now);
  const whole = {
    hostnames: hostnames?.value?.of?.isWhole ?? false,
    namespaces: namespaces?.value?.of.isWhole ?? false,
    buckets: buckets?.value?.of.isWhole ?? false,
    workers: true,
  };
  const found = (['hostnames', 'workers', 'namespaces', 'buckets'] as const).flatMap((kind) => {
    const names = after[kind];
    return names === undefined ? [] : findChanges(kind, before[kind], names, whole[kind]);
  });
  const rows = found.map((difference) => changeRow(difference, state));
  const [first] = rows;
  return section(
    'Changed since your last visit',
    shorten(rows, 5, first?.goal ?? { turns: { pane: 'namespaces' } }),
    `${compactDuration(Math.max(0, now - before.at) / 1000)} ago`,
  );
}

const kindNames = {
  hostnames: 'hostname',
  workers: 'worker',
  namespaces: 'namespace',
  buckets: 'bucket',
} as const;

const changeRoles: Readonly<Record<SeenChange['change'], Role>> = {
  new: 'added',
  gone: 'removed',
  changed: 'changed',
};

function changeRow(difference: SeenChange, state: HomeState): HomeRow {
  const { kind, name, change, before = '', after = '' } = difference;
  const words =
    change !== 'changed' || kind === 'workers' || kind === 'buckets'
      ? ''
      : kind === 'namespaces'
        ? `, was ${before}`
        : `, ${before} -> ${after}`;
  return {
    id: `change ${kind} ${name}`,
    mark: change,
    role: changeRoles[change],
    subject: name,
    about: `${kindNames[kind]}${words}`,
    isExtra: true,
    goal: findGoal(difference, state),
  };
}

function findGoal({ kind, name, change }: SeenChange, { parts }: HomeState): Goal {
  const area: Goal = { turns: { pane: kind } };
  if (change === 'gone') return area;
  if (kind === 'workers') return { opens: { pane: 'worker', name } };
  if (kind === 'buckets') {
    const bucket = parts.buckets?.value?.of.rows.find((one) => one.name === name);
    return bucket === undefined ? area : { opens: { pane: 'objects', bucket, folder: '' } };
  }
  if (kind === 'namespaces') {
    const namespace = parts.namespaces?.value?.of.rows.find(({ title }) => title === name);
    return namespace === undefined ? area : { opens: { pane: 'keys', namespace } };
  }
  const found = parts.hostnames?.value?.of;
  const row = found?.rows.find(({ record }) => record.hostname === name);
  return found === undefined || row === undefined ? area : { opens: openHostname(found, row) };
}
