import { dayMilliseconds, hostnameLimits } from '../../src/model/hostnames/hostname.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { relativeTime, utcMinute } from '../../src/text/time.ts';
import type { Role } from '../kit/theme.ts';
import type { Entry } from '../ui/viewer/entries.ts';

/** A past or future event of a hostname. Milliseconds. */
interface Moment {
  readonly at: number;
  readonly what: string;
  readonly role?: Role;
}

/**
 * The past and future events of a custom hostname in chronological order: those that the platform dates, and those that edgectl
 * has seen or caused. `now` is on the platform's clock.
 */
export function timelineEntries(row: HostnameRow, now: number): Entry[] {
  const moments = listMoments(row, now).toSorted((one, other) => one.at - other.at);
  if (moments.length === 0) return [];
  return [
    { text: 'Timeline', role: 'title' },
    ...moments.map(({ at, what, role = 'plain' }): Entry => {
      const text = `${utcMinute(at)}  ${what}, ${relativeTime((at - now) / 1000)}`;
      return {
        text,
        indent: 2,
        labelLength: text.length - what.length - relativeTime((at - now) / 1000).length - 2,
        role: at > now && role === 'plain' ? 'dim' : role,
        copied: { text, what: 'the line' },
      };
    }),
  ];
}

function listMoments({ record, movedSeenAt, refreshedAt, revivedAt }: HostnameRow, now: number): Moment[] {
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
      'deleted by the platform, at the latest',
      'fault',
    ),
    ...dated(ends, ends <= now ? 'certificate ended' : 'certificate expires, unless it is renewed'),
  ];
}

/** Returns no event for an unknown time. */
function dated(at: number | undefined, what: string, role?: Role): Moment[] {
  return at === undefined || Number.isNaN(at) ? [] : [{ at, what, ...(role && { role }) }];
}
