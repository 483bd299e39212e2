import type { Responsible } from '../../src/model/diagnosis/finding.ts';
import { type Attention, certificateTimeLeft, findAttention } from '../../src/model/hostnames/attention.ts';
import { dayMilliseconds, hostnameLimits } from '../../src/model/hostnames/hostname.ts';
import { daysUntilDeletion, type Outcome, recordAgeMs, toOutcome } from '../../src/model/hostnames/list.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { compactDuration } from '../../src/text/time.ts';
import type { Role } from '../kit/theme.ts';
import { stateRole } from '../kit/tones.ts';
import type { Part } from '../ui/lines/Line.tsx';
import { type DrawnColumn, type DrawnColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { declaredColumns } from './row-order.ts';

type Drawn<Heading extends string> = Readonly<Record<Heading, DrawnColumn<HostnameRow>>>;

/** Returns the columns after the hostname. `now` is in milliseconds, on the platform's clock; `width` is the width of the screen. */
export function hostnameColumns(now: number, width = minWidthForSeverity): DrawnColumns<HostnameRow> {
  return drawColumns(declaredColumns, {
    ...actionColumns(now, width < minWidthForSeverity),
    ...recordColumns(now),
  });
}

/** Minimum width, in columns, of a screen on which the severity is next to the state. */
const minWidthForSeverity = 44;

/**
 * Returns the columns about the next action, with the same words as on Home. `isAlone`: whether the state is drawn without the severity
 * next to it.
 */
function actionColumns(now: number, isAlone: boolean): Drawn<'SEVERITY' | 'EXPIRY' | 'WHO' | 'STATE'> {
  return {
    SEVERITY: {
      width: 8,
      importance: 7,
      cell: (row) => findAttention(row)?.severity ?? 'ok',
      role: (row) => stateRole(findAttention(row)),
    },
    EXPIRY: {
      width: 6,
      maxWidth: 7,
      importance: 6,
      align: 'right',
      cell: (row) => daysCell(row, now),
      role: (row) => daysRole(row, now),
    },
    WHO: {
      width: whoWidths.short,
      maxWidth: whoWidths.long,
      importance: 5,
      cell: (row) => whoCell(findAttention(row)),
      parts: (row, width) => [{ text: whoCell(findAttention(row), width >= whoWidths.long) }],
    },
    STATE: {
      width: 9,
      maxWidth: 20,
      beforePreview: 16,
      importance: 8,
      cell: (row) => causes(row, now)[0] ?? '',
      parts: (row, width) => stateParts(row, now, { width, isAlone }),
    },
  };
}

/** Returns the columns with the state that the platform reports. */
function recordColumns(now: number): Drawn<'CERTIFICATE' | 'STATUS' | 'AGE' | 'CA'> {
  return {
    CERTIFICATE: {
      width: 11,
      maxWidth: 22,
      importance: 4,
      isExtra: true,
      cell: ({ record }) => record.ssl?.status ?? 'none',
      role: (row) => statusRole(row, row.record.ssl?.status),
    },
    STATUS: {
      width: 7,
      maxWidth: 18,
      importance: 3,
      isExtra: true,
      cell: ({ record }) => record.status ?? '',
      role: (row) => statusRole(row, row.record.status),
    },
    AGE: {
      width: 4,
      importance: 2,
      isExtra: true,
      align: 'right',
      cell: ({ record }) => ageCell(recordAgeMs(record, now)),
      role: () => 'dim',
    },
    CA: {
      width: 6,
      maxWidth: 12,
      importance: 1,
      isExtra: true,
      cell: ({ record }) => record.ssl?.certificate_authority ?? '',
      role: () => 'dim',
    },
  };
}

/** Widths of the column that shows who must act. A guess is marked with `?` in the short column, and with a word in the long column. */
const whoWidths = { short: 12, long: 17 } as const;

/**
 * Returns a short label for who must act; empty if nobody must act. Marks a conclusion from the record alone as a guess: `customer?` or
 * `likely customer`.
 */
export function whoCell(attention: Attention | undefined, isLong = false): string {
  const { who = 'nobody', orWho, diagnosedAt } = attention ?? {};
  const label = whoLabels[who];
  if (label === '' || diagnosedAt !== undefined) return label;
  if (orWho !== undefined) return `${whoLabels[orWho]}${isLong ? ' or ' : '/'}${label}`;
  return isLong ? `likely ${label}` : `${label}?`;
}

/** Returns descriptions of the cause, the longest first; `active` if no cause is known. */
function causes(row: HostnameRow, now: number): readonly string[] {
  const attention = findAttention(row);
  const days = daysInMoved(row, now);
  const moved =
    days === undefined ? [] : [`deletion within ${days}d`, `deletion in ≤${days}d`, `deletion ≤${days}d`];
  const usual = attention === undefined ? ['active'] : [attention.brief, attention.state];
  return [...moved, ...usual].filter((words) => words !== undefined);
}

/**
 * Returns the longest description of the cause that fits in `width` columns, or otherwise the state. If the severity, which has a color, is
 * drawn next to the description, the description is plain unless the hostname is critical.
 */
function stateParts(
  row: HostnameRow,
  now: number,
  { width, isAlone }: { readonly width: number; readonly isAlone: boolean },
): readonly Part[] {
  const attention = findAttention(row);
  const text = causes(row, now).find(({ length }) => length <= width) ?? attention?.state ?? '';
  const role = stateRole(attention);
  return [{ text, role: isAlone || role === 'critical' ? role : 'plain' }];
}

/** Labels for a column that shows who must act. */
export const whoLabels: Readonly<Record<Responsible, string>> = {
  us: 'you',
  customer: 'customer',
  'zone-owner': 'zone owner',
  provider: 'provider',
  nobody: '',
};

export const outcomeRoles: Readonly<Record<Outcome, Role>> = {
  ready: 'good',
  waiting: 'pending',
  failed: 'fault',
};

/** Returns the style for the status of a hostname or certificate: `good` for `active`, otherwise the style of the hostname's outcome. */
export function statusRole(row: Pick<HostnameRow, 'record'>, status: string | undefined): Role {
  return status === 'active' ? 'good' : outcomeRoles[toOutcome(row.record)];
}

function ageCell(age: number | undefined): string {
  return age === undefined ? '' : compactDuration(Math.max(0, age / 1000));
}

/**
 * Returns the days until the certificate of a hostname expires. If the expiry is unknown: `past` for an expired certificate, otherwise
 * empty.
 */
function daysCell({ record }: HostnameRow, now: number): string {
  const left = certificateTimeLeft(record, now);
  if (left !== undefined) return formatDaysLeft(left);
  return record.ssl?.status === 'expired' ? 'past' : '';
}

/** Formats the time until or since an expiry in whole days; `today` if the expiry was less than a day ago. `left` is in milliseconds. */
export function formatDaysLeft(left: number): string {
  const days = Math.floor(Math.abs(left) / dayMilliseconds);
  return left > 0 ? `${days}d` : days === 0 ? 'today' : `${days}d ago`;
}

/**
 * Remaining time below which an expiry is emphasized. Certificates are renewed 30 days before they expire, so a shorter remaining time
 * means that the renewal has failed.
 */
const soon = { warning: 30 * dayMilliseconds, fault: 7 * dayMilliseconds };

function daysRole({ record }: HostnameRow, now: number): Role {
  const left = certificateTimeLeft(record, now) ?? Number.POSITIVE_INFINITY;
  if (record.ssl?.status === 'expired') return 'fault';
  return left < soon.fault ? 'fault' : left < soon.warning ? 'warning' : 'dim';
}

/** Describes the maximum time until a moved hostname is deleted; undefined for other hostnames. */
export function deletionWait(row: HostnameRow, now: number): string | undefined {
  const days = daysInMoved(row, now);
  return days === undefined ? undefined : `at most ${days} ${days === 1 ? 'day' : 'days'}`;
}

/** Returns the maximum number of days until a moved hostname is deleted; undefined for other hostnames. */
export function daysInMoved({ record, movedSeenAt }: HostnameRow, now: number): number | undefined {
  if (record.status !== 'moved') return undefined;
  return Math.ceil(
    movedSeenAt === undefined ? hostnameLimits.movedDays : daysUntilDeletion(movedSeenAt, now),
  );
}

const actors: Readonly<Record<Responsible, string>> = {
  us: 'you must act',
  customer: 'the customer must act',
  'zone-owner': "the owner of the customer's zone must act",
  provider: 'the platform must act',
  nobody: 'nobody has to act',
};

/** Describes who must act, and marks a conclusion from the record alone as a guess. */
export function describeActor({ who, orWho, diagnosedAt }: Attention): string {
  if (diagnosedAt !== undefined) return actors[who];
  return orWho === undefined ? `probably ${actors[who]}` : `probably ${actors[who]}, or ${whoLabels[orWho]}`;
}
