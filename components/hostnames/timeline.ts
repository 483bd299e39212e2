import { dayMilliseconds, hostnameLimits } from '../../src/model/hostnames/hostname.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { relativeTime, utcMinute } from '../../src/text/time.ts';
import type { Role } from '../kit/theme.ts';
import type { Entry } from '../ui/viewer/entries.ts';
import { daysInMoved, deletionWait } from './columns.ts';

/** A past or future event of a hostname. Times are in milliseconds. */
interface Moment {
  readonly at: number;
  readonly what: string;
  /** A shorter description for a narrow screen. */
  readonly brief?: string;
  readonly role?: Role;
  /** The event's time relative to now (default: computed from the exact time). */
  readonly when?: string;
  /** A shorter form of `when` for a narrow screen. */
  readonly briefWhen?: string;
}

/**
 * Returns the past and future events of a custom hostname in chronological order: events with a date from the platform, and events that
 * edgectl has observed or caused. `now` is in milliseconds, on the platform's clock.
 */
export function timelineEntries(row: HostnameRow, now: number): Entry[] {
  const moments = listMoments(row, now).toSorted((one, other) => one.at - other.at);
  if (moments.length === 0) return [];
  const lines = moments.map((moment) => formatMoment(moment, now));
  const whenLength = Math.max(...lines.map(({ when }) => when.length)) + 2;
  // All events use the same form: the longest form in which each event fits on one line.
  const [full, dated] = (['full', 'dated'] as const).map((form) =>
    Math.max(...lines.map((line) => timelineIndent + line[form].text.length)),
  );
  return [
    { text: 'Timeline', role: 'title' },
    ...lines.map(
      (line): Entry => ({
        ...line.full,
        shorter: [
          { below: full ?? 0, ...line.dated },
          { below: dated ?? 0, text: line.when.padEnd(whenLength) + line.brief, labelLength: whenLength },
        ],
        indent: timelineIndent,
        labelRole: 'dim',
        role: line.role,
        copied: { text: line.full.text, what: 'the line' },
      }),
    ),
  ];
}

/** Columns of the indentation of a line in the timeline. */
const timelineIndent = 2;

/**
 * Returns three forms of an event's line: with date and time, with only the date, and with a short relative time and a short description.
 */
function formatMoment(moment: Moment, now: number) {
  const { at, what, brief = what, when = formatWhen(at - now), briefWhen = when } = moment;
  const { role = at > now ? 'dim' : 'plain' } = moment;
  const line = (time: string, event: string) => ({
    text: `${time}  ${event}, ${when}`,
    labelLength: time.length + 2,
  });
  const time = utcMinute(at);
  return { full: line(time, what), dated: line(time.slice(0, 10), brief), brief, when: briefWhen, role };
}

/** Formats a time relative to now, in whole minutes: a redraw at every refresh would be distracting. */
function formatWhen(fromNow: number): string {
  return relativeTime(Math.abs(fromNow) < minuteMilliseconds ? 0 : fromNow / 1000);
}

const minuteMilliseconds = 60_000;

function listMoments(row: HostnameRow, now: number): Moment[] {
  const { record, movedSeenAt, refreshedAt, revivedAt } = row;
  const { created_at, ssl, status } = record;
  const ends = Date.parse(ssl?.expires_on ?? '');
  const moved = status === 'moved' ? movedSeenAt : undefined;
  return [
    ...dated(Date.parse(created_at ?? ''), 'created'),
    ...dated(Date.parse(ssl?.uploaded_on ?? ''), 'certificate issued'),
    ...dated(moved, 'first seen in Moved by edgectl', { role: 'warning', brief: 'first seen in Moved' }),
    ...dated(refreshedAt, 'validation restarted with edgectl', { brief: 'validation restarted' }),
    ...dated(revivedAt, 'restored from Moved with edgectl', { brief: 'restored from Moved' }),
    ...dated(
      moved === undefined ? undefined : moved + hostnameLimits.movedDays * dayMilliseconds,
      'deleted by the platform',
      {
        role: 'fault',
        brief: 'deletion',
        when: `in ${deletionWait(row, now)}`,
        briefWhen: `within ${daysInMoved(row, now)}d`,
      },
    ),
    ...(ends <= now
      ? dated(ends, 'certificate expired')
      : dated(ends, 'certificate expires, unless it is renewed', { brief: 'certificate expires' })),
  ];
}

/** Returns a list with an event at the time `at` (in milliseconds); an empty list if the time is unknown. */
function dated(at: number | undefined, what: string, rest: Omit<Moment, 'at' | 'what'> = {}): Moment[] {
  return at === undefined || Number.isNaN(at) ? [] : [{ at, what, ...rest }];
}
