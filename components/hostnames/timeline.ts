import { dayMilliseconds, hostnameLimits } from '../../src/model/hostnames/hostname.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { relativeTime, utcMinute } from '../../src/text/time.ts';
import type { Role } from '../kit/theme.ts';
import type { Entry } from '../ui/viewer/entries.ts';
import { deletionWait } from './columns.ts';

/** A past or future event of a hostname. Times are in milliseconds. */
interface Moment {
  readonly at: number;
  readonly what: string;
  readonly role?: Role;
  /** The event's time relative to now (default: computed from the exact time). */
  readonly when?: string;
}

/**
 * Returns the past and future events of a custom hostname in chronological order: events with a date from the platform, and events that
 * edgectl has observed or caused. `now` is in milliseconds, on the platform's clock.
 */
export function timelineEntries(row: HostnameRow, now: number): Entry[] {
  const moments = listMoments(row, now).toSorted((one, other) => one.at - other.at);
  if (moments.length === 0) return [];
  return [
    { text: 'Timeline', role: 'title' },
    ...moments.map(({ at, what, when = relativeTime((at - now) / 1000), role = 'plain' }): Entry => {
      const label = `${utcMinute(at)}  `;
      const text = `${label}${what}, ${when}`;
      return {
        text,
        indent: 2,
        labelLength: label.length,
        labelRole: 'dim',
        role: at > now && role === 'plain' ? 'dim' : role,
        copied: { text, what: 'the line' },
      };
    }),
  ];
}

function listMoments(row: HostnameRow, now: number): Moment[] {
  const { record, movedSeenAt, refreshedAt, revivedAt } = row;
  const { created_at, ssl, status } = record;
  const ends = Date.parse(ssl?.expires_on ?? '');
  const moved = status === 'moved' ? movedSeenAt : undefined;
  return [
    ...dated(Date.parse(created_at ?? ''), 'created'),
    ...dated(Date.parse(ssl?.uploaded_on ?? ''), 'certificate issued'),
    ...dated(moved, 'first seen in Moved by edgectl', 'warning'),
    ...dated(refreshedAt, 'validation restarted with edgectl'),
    ...dated(revivedAt, 'restored from Moved with edgectl'),
    ...dated(
      moved === undefined ? undefined : moved + hostnameLimits.movedDays * dayMilliseconds,
      'deleted by the platform',
      'fault',
    ).map((moment) => ({ ...moment, when: `in ${deletionWait(row, now)}` })),
    ...dated(ends, ends <= now ? 'certificate expired' : 'certificate expires, unless it is renewed'),
  ];
}

/** Returns one event at the time `at`, in milliseconds; none if the time is unknown. */
function dated(at: number | undefined, what: string, role?: Role): Moment[] {
  return at === undefined || Number.isNaN(at) ? [] : [{ at, what, ...(role && { role }) }];
}
