import { attentionOf, gravity } from '../../src/model/hostnames/attention.ts';
import { hostnameLimits } from '../../src/model/hostnames/hostname.ts';
import { ageOf, movedDaysLeft, type Outcome, outcomeOf } from '../../src/model/hostnames/list.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { escapeText } from '../../src/text/escape.ts';
import { compactDuration } from '../../src/text/time.ts';
import type { Role } from '../console/theme.ts';
import type { Column } from '../lists/columns.ts';

/** Widths of the columns, the widest arrangement first: a hostname needs its room as well. */
const arrangements = [
  { from: 108, status: 18, certificate: 22, authority: 12 },
  { from: 76, status: 10, certificate: 18, authority: 6 },
  { from: 0, status: 10, certificate: 0, authority: 0 },
] as const;

/** The columns behind the hostname, for a list of this width, at a time on the platform's clock (milliseconds). */
export function hostnameColumns(width: number, now: number): readonly Column<HostnameRow>[] {
  const room = arrangements.find(({ from }) => width >= from) ?? arrangements[2];
  const narrow = room.certificate === 0;
  return [
    {
      heading: 'STATUS',
      width: room.status,
      importance: 5,
      cell: (row) => word(narrow ? gravest(row) : row.record.status),
      role: outcomeRole,
    },
    ...(narrow ? [] : certificateColumns(room)),
    {
      heading: 'AGE',
      width: 4,
      importance: 2,
      align: 'right',
      cell: ({ record }) => ageCell(ageOf(record, now)),
      role: () => 'dim',
    },
    {
      heading: 'LEFT',
      width: 5,
      importance: 4,
      align: 'right',
      cell: (row) => leftCell(row, now),
      role: () => 'warning',
    },
  ];
}

function certificateColumns(room: {
  readonly certificate: number;
  readonly authority: number;
}): readonly Column<HostnameRow>[] {
  return [
    {
      heading: 'CERTIFICATE',
      width: room.certificate,
      importance: 3,
      cell: ({ record }) => word(record.ssl?.status ?? 'none'),
      role: ({ record }) => (record.ssl?.status === 'active' ? 'good' : outcomeRole({ record })),
    },
    {
      heading: 'CA',
      width: room.authority,
      importance: 1,
      cell: ({ record }) => word(record.ssl?.certificate_authority),
      role: () => 'dim',
    },
  ];
}

/** Statuses and authorities are open texts of the platform's: only ASCII keeps the columns where they are. */
function word(text = ''): string {
  return escapeText(text, { ascii: true });
}

/** Where there is room for one status: that of the certificate when the hostname's own is well. */
function gravest({ record }: HostnameRow): string | undefined {
  const certificate = record.ssl?.status;
  return record.status === 'active' && certificate !== undefined ? certificate : record.status;
}

const roles: Readonly<Record<Outcome, Role>> = { ready: 'good', waiting: 'warning', failed: 'fault' };

/** The role of the text that tells how a hostname stands. */
export function outcomeRole({ record }: Pick<HostnameRow, 'record'>): Role {
  return roles[outcomeOf(record)];
}

function ageCell(age: number | undefined): string {
  return age === undefined ? '' : compactDuration(Math.max(0, age / 1000));
}

/** Text that grows as a hostname needs somebody less: the graver first, then by who must act; one in service last. */
export function gravityOf({ record, movedSeenAt }: HostnameRow): string {
  // Not by age: what is sorted stays where it is as time goes by.
  const { severity, who, state } = attentionOf({ record, movedSeenAt }, 0) ?? {};
  const rank = severity === undefined ? gravity.length : gravity.indexOf(severity);
  return [rank, who, state, record.status].join(' ');
}

/** Days until a hostname in Moved is deleted, at most; empty for the others. */
export function leftCell({ record, movedSeenAt }: HostnameRow, now: number): string {
  if (record.status !== 'moved') return '';
  const days = movedSeenAt === undefined ? hostnameLimits.movedDays : movedDaysLeft(movedSeenAt, now);
  return `<= ${Math.ceil(days)}d`;
}
